import { InputError } from '../shared/inputError';

/**
 * The error for a reference that stands for something else, which need not be known any more. It
 * proposes no other reference: what was sent first may have been paid.
 */
export function conflictError(
	{ reference, content }: { reference: string; content: string },
	known = 'another payment',
): InputError {
	return new InputError(
		`Unique Reference "${reference}" stands for ${known}, which may have gone through already, and this item asks for ${content}`,
		'If this item is wrong, correct it, and the first payment goes on. If the first values were wrong, find out in the service and with the operation Get Many what came of them. Until you know, send this item in no other way and under no other name.',
	);
}
