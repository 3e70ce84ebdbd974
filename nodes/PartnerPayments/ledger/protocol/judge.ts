import { InputError } from '../../shared/values';
import { conflictError, isDone, keyOf, STATES, type Entry, type Payment } from '../ledger';
import type { Row } from '../table/rows';

/** No answer to a funding comes after this time. */
const SENDING_MS = 20 * 60_000;
const PREPARING_MS = 5 * 60_000;

const ageOf = ({ updatedAt }: Row): number => Date.now() - Date.parse(updatedAt);

/** Whether a run may still wait for the answer to a row's funding. */
export const isSending = (row: Row): boolean =>
	row.state === 'sending' && !(ageOf(row) > SENDING_MS);

/** Whether the result of a row's funding is unknown. A state that is not one of the ledger's counts too. */
export const isUnconfirmed = (row: Row): boolean =>
	row.state === 'unconfirmed' ||
	(row.state === 'sending' && !isSending(row)) ||
	!STATES.some((state) => state === row.state);

/** Whether a row blocks its payment. */
export const isLive = (row: Row): boolean =>
	isUnconfirmed(row) || isDone(row) || row.state === 'sending' || row.state === 'void';

/** Whether a row keeps a payment that may still begin, with its payee and amount. */
export const isKept = ({ state }: Row): boolean => state === 'prepared' || state === 'held';

export function judge(payment: Payment, rows: Row[], environment: string): Entry {
	const own = payment.reference === '' ? [] : rows.filter(({ key }) => key === keyOf(payment));
	const live = rows.filter(isLive);
	const named = own.some(isLive) ? own.filter(isLive) : own.filter(isKept);
	for (const row of named) {
		const error = mismatchOf(payment, row, environment);
		if (error !== undefined) return { ...entryOf('refused', row), error };
	}
	const done = live.find(isDone);
	const other = rows.find((row) =>
		payment.reference === ''
			? row.state === 'prepared' && done === undefined
			: isLive(row) && row.reference !== '' && row.key !== keyOf(payment),
	);
	if (other !== undefined)
		return refusedAs(
			other,
			`Payable ${other.payable_id} belongs to the unique reference "${other.reference}"`,
			'Pay it with "Send" of "Payout" and that unique reference: it pays once, with this payable.',
		);
	if (done !== undefined) return entryOf('done', done);
	const retired = named.find(({ state }) => state === 'void');
	if (retired !== undefined)
		return refusedAs(
			retired,
			`Unique Reference "${payment.reference}" is void, so it is never paid`,
			'A person resolved it as "Void". If it must be paid, ask that person.',
		);
	const unconfirmed = live.find(isUnconfirmed) ?? live.find(({ state }) => state === 'void');
	if (unconfirmed !== undefined) return entryOf('unconfirmed', unconfirmed);
	const busy = live[0] ?? own.find((row) => row.state === 'preparing' && ageOf(row) < PREPARING_MS);
	if (busy !== undefined) return entryOf('busy', busy);
	const known = own.find((row) => row.payable_id !== '' && !mismatchOf(payment, row, environment));
	return known === undefined ? { status: 'new' } : entryOf('prepared', known);
}

function mismatchOf(payment: Payment, row: Row, environment: string): InputError | undefined {
	const { reference, payee, amount_cents: amount } = row;
	const known = { reference, payee, amount: amount ?? 0 };
	if (reference !== payment.reference) return conflictError(payment, known);
	if (row.environment !== environment)
		return new InputError(
			`Unique Reference "${reference}" was used with the environment "${row.environment}"`,
			'A workspace belongs to one environment. If "Environment" was corrected in the credential, this payment may already exist: search the service for the reference.',
		);
	if (payee === payment.payee && amount === payment.amount) return undefined;
	return conflictError(payment, known);
}

const entryOf = (status: Entry['status'], row: Row): Entry => ({
	status,
	state: row.state,
	...(row.payable_id !== '' && { payableId: row.payable_id }),
	...(row.funding_id !== '' && { fundingId: row.funding_id }),
	...(row.pdf_url !== '' && { pdfUrl: row.pdf_url }),
});

const refusedAs = (row: Row, ...error: ConstructorParameters<typeof InputError>): Entry => ({
	...entryOf('refused', row),
	error: new InputError(...error),
});
