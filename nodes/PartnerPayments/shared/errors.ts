/** An error that says what went wrong, without a full stop, and what to do, in sentences. */
export abstract class ExplainedError extends Error {
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

export function throwInputError(message: string, hint: string): never {
	throw new InputError(message, hint);
}

export const ENTER_IT = 'Enter it, or check the expression that it comes from.';

const MAX_EXCERPT = 60;

/** The beginning of a text, for an error that repeats it. */
export const excerpt = (text: string): string =>
	text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text;

/** What an error calls a value that has the wrong type. */
export function kindOf(value: unknown): string {
	if (Array.isArray(value)) {
		return 'a list';
	}
	if (typeof value === 'boolean') {
		return String(value);
	}
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
