/** One route of the control API. The server registers it and the client's call is derived from it. */
export interface Route {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	/** What it does, in a few words. */
	summary: string;
	/** JSON schema of the body; no body is read without one. */
	body?: object;
	/** The parameters that the query may have. */
	query?: readonly string[];
	/** What it answers; `{"ok":true}` when left out. */
	response?: Reply<unknown>;
	/** Fields of the body or query that the client takes as positional arguments, instead of all. */
	arguments?: readonly string[];
	/** The one field of the answer that the client returns, instead of all. */
	result?: string;
}

/** Carries the type of an answer. Answers are checked by the compiler, not at run time. */
export interface Reply<Body> {
	readonly body?: Body;
}
export const reply = <Body>(): Reply<Body> => ({});
