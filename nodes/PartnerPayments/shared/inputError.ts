/** A value that a user or an expression gave and that cannot be sent. Nothing was sent because of it. */
export class InputError extends Error {
	override readonly name = 'InputError';

	/**
	 * @param message which value is wrong and why, without a full stop
	 * @param hint how to correct it, in a sentence
	 */
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
	}
}

export function reject(message: string, hint: string): never {
	throw new InputError(message, hint);
}
