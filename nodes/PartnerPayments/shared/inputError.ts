/** What went wrong, for the person who builds the workflow. */
export abstract class ExplainedError extends Error {
	/**
	 * @param message without a full stop
	 * @param hint what to do, in sentences
	 */
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
	}
}

/** A value that a user or an expression gave and that cannot be sent. Nothing was sent because of it. */
export class InputError extends ExplainedError {
	override readonly name = 'InputError';
}

export function reject(message: string, hint: string): never {
	throw new InputError(message, hint);
}
