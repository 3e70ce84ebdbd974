export interface FieldError {
	field: string;
	message: string;
}

interface HttpErrorOptions {
	details?: FieldError[];
	headers?: Record<string, string>;
}

/** A request that the service refuses; the transaction in progress is rolled back. */
export class HttpError extends Error {
	readonly details: FieldError[] | undefined;
	readonly headers: Record<string, string>;

	constructor(
		readonly status: number,
		readonly code: string,
		message: string,
		options: HttpErrorOptions = {},
	) {
		super(message);
		this.name = 'HttpError';
		this.details = options.details;
		this.headers = options.headers ?? {};
	}
}

/** A thing that does not exist for this account: things of other accounts answer the same. */
export const notFound = (kind: string, id: string): HttpError =>
	new HttpError(404, 'not_found', `There is no ${kind} ${id} for this account.`);

/** A step that the present state does not allow. */
export const conflict = (code: string, message: string): HttpError =>
	new HttpError(409, code, message);

/** A well-formed request that cannot be carried out; `field` names the part at fault. */
export const unprocessable = (code: string, message: string, field?: string): HttpError =>
	new HttpError(422, code, message, field === undefined ? {} : { details: [{ field, message }] });

/** An unexpected error for the sandbox's own output, with its stack when it has one. */
export const errorText = (error: unknown): string =>
	error instanceof Error ? (error.stack ?? error.message) : String(error);
