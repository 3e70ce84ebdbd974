/** One refused field of a request. */
export interface Detail {
	field: string;
	message: string;
}

/** Everything a refusal can say beside its status, code and sentence. */
interface RefusalExtras {
	details?: Detail[];
	headers?: Record<string, string>;
}

/**
 * A request that the service turns down. Thrown anywhere below the HTTP layer; the transaction in
 * progress is undone and the caller gets `status` with `code` and `message`.
 */
export class Refusal extends Error {
	readonly details: Detail[] | undefined;
	readonly headers: Record<string, string>;

	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		extras: RefusalExtras = {},
	) {
		super(message);
		this.name = 'Refusal';
		this.details = extras.details;
		this.headers = extras.headers ?? {};
	}
}

/** A thing that does not exist for this account: things of other accounts answer the same. */
export const notFound = (kind: string, id: string): Refusal =>
	new Refusal(404, 'not_found', `There is no ${kind} ${id} for this account.`);

/** A step that the present state does not allow. */
export const conflict = (code: string, message: string): Refusal => new Refusal(409, code, message);

/** A well-formed request that cannot be carried out; `field` names the part at fault. */
export const unprocessable = (code: string, message: string, field?: string): Refusal =>
	new Refusal(422, code, message, field === undefined ? {} : { details: [{ field, message }] });
