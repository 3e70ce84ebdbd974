import { InputError } from '../shared/inputError';

/** The error for a reference that stands for something else, which need not be known any more. */
export function conflictError(
	{ reference, content }: { reference: string; content: string },
	known = 'another payment',
): InputError {
	return new InputError(
		`Unique Reference "${reference}" stands for ${known} already, and now it is for ${content}`,
		'Use another reference for another payment, or correct the values to go on with the first one.',
	);
}
