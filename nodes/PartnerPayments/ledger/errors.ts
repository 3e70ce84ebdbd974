import { InputError } from '../shared/inputError';
import { inMajorUnits } from '../shared/money';
import type { Payment } from './ledger';

const textOf = ({ payee, amount }: Pick<Payment, 'payee' | 'amount'>): string =>
	`${inMajorUnits(amount)} to ${payee}`;

/** The error for a reference that stands for another payment, as far as that one is known. */
export const conflictError = (
	payment: Payment,
	known?: Pick<Payment, 'payee' | 'amount'>,
): InputError =>
	new InputError(
		`Unique Reference "${payment.reference}" belongs to ${known === undefined ? 'another payment' : textOf(known)}, not to ${textOf(payment)}`,
		'If this item is wrong, correct it. If the first values were wrong, look the reference up with "Get Many" of "Payout": only what is "Prepared" can be resolved as "Not Paid" and sent with other values.',
	);

/** The error for a reference that only capitals or dashes tell from a known one. */
export const spellingError = ({ reference }: Payment, known: string): InputError =>
	new InputError(
		`Unique Reference "${reference}" differs from "${known}" only in capitals or dashes`,
		`If both are the same payment, write "${known}" here too. If not, first make sure that this one was not paid as "${known}".`,
	);

/** The error for a reference that was used under the other environment. */
export const environmentError = ({ reference }: Payment, environment: string): InputError =>
	new InputError(
		`Unique Reference "${reference}" was used with the environment "${environment}"`,
		'A workspace belongs to one environment. If the "Environment" of the credential was corrected, this payment may already be made: search the service for the reference.',
	);

/** The error for a reference that a person has retired. */
export const voidError = ({ reference }: Payment): InputError =>
	new InputError(
		`Unique Reference "${reference}" is void, so it is never paid`,
		'A person resolved it as "Void". If it must be paid after all, ask that person.',
	);

/** The error for a payable that a payout has prepared, which pays it under its reference. */
export const preparedError = ({ payableId = '' }: Payment, reference: string): InputError =>
	new InputError(
		`Payable ${payableId} is prepared for the unique reference "${reference}"`,
		'Pay it with "Send" of "Payout" and the same unique reference: it pays once, with this payable.',
	);

/** The error for payments that would go beyond the limit of a day. */
export const dailyLimitError = (spent: number, limit: number): InputError =>
	new InputError(
		`The workspace would pay ${inMajorUnits(spent)} today, above the Maximum per Day of ${inMajorUnits(limit)}`,
		'Run it again tomorrow with the same unique references, or let the person responsible for this workflow raise the limit.',
	);
