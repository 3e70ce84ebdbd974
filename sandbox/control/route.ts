/** What a route of the control API gets. */
export interface ControlRequest {
	body: unknown;
	query: Record<string, string | string[]>;
}

/** One route of the control API. */
export interface ControlRoute {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	/** What it does, in a few words. */
	does: string;
	/** JSON schema of the body; no body is read without one. */
	body?: object;
	handle: (request: ControlRequest) => unknown;
}

/** A route without a body. */
export const route = (
	method: ControlRoute['method'],
	path: string,
	does: string,
	handle: (request: ControlRequest) => unknown,
): ControlRoute => ({ method, path, does, handle });

/** A JSON schema, and the type of what it lets through. */
export interface SchemaOf<Body> {
	readonly [keyword: string]: unknown;
	/** Never there: it only carries the type. */
	readonly describes?: Body;
}

/** A POST whose body has been checked against `schema`, which describes `Body`. */
export const post = <Body>(
	path: string,
	does: string,
	schema: SchemaOf<Body>,
	handle: (body: Body) => unknown,
): ControlRoute => ({
	method: 'POST',
	path,
	does,
	body: schema,
	// The schema beside it is what makes this type true.
	handle: ({ body }) => handle(body as Body),
});

/** Schema of an object with these properties and no others. */
export const object = (properties: Record<string, object>, required: string[] = []) => ({
	type: 'object',
	additionalProperties: false,
	required,
	properties,
});
