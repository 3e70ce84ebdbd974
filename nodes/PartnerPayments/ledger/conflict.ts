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
		'If this item is wrong, correct it, and the first payment goes on. If the first values were wrong, find out what came of them: in the service and, with a Data Table, with the operation Get Many of Payout. Until you know, send this item in no other way and under no other name.',
	);
}

/** The error for a reference that another operation has used, in the same workspace. */
export const otherUseError = (
	{ reference, content }: { reference: string; content: string },
	{ operation, payable_id: payableId }: { operation: string; payable_id: string },
): InputError =>
	new InputError(
		`Unique Reference "${reference}" belongs to a ${operation}${payableId && ` (${payableId})`}, which may have gone through already, so nothing was sent for ${content}`,
		operation === 'payout'
			? 'Go on with the operation Send of Payout and the same unique reference: it pays once, with the payable that it has made.'
			: 'Go on with the workflow that has used it: a payout would make another payable and pay that too. The operation Get Many of Payout shows how far it is. Send this in no other way and under no other name.',
	);

/** The error for a reference that differs only in capitals from one in the ledger table. */
export const spellingError = (
	{ reference, content }: { reference: string; content: string },
	known: { reference: string },
): InputError =>
	new InputError(
		`Unique Reference "${reference}" differs only in capitals from "${known.reference}" in the ledger table, which may have gone through already, so nothing was sent for ${content}`,
		`If they are the same payment, write "${known.reference}" here as well: it then goes on with that payment, or says what came of it. If they are not, find out first what was done under "${known.reference}": capitals alone do not keep two payments apart.`,
	);

/** The error for payables that only their payout may fund. */
export const payoutPayableError = (payableId: string, reference: string): InputError =>
	new InputError(
		`Payable ${payableId} belongs to the payout "${reference}", so no funding was sent`,
		'Pay it with the operation Send of Payout and the same unique reference: it pays once, with this payable.',
	);
