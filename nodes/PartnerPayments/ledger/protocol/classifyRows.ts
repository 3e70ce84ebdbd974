import { InputError } from '../../shared/errors';
import { isDone, type Known, type Verdict } from '../ledger';
import { conflictError } from '../messages';
import {
	isFundedById,
	isToldApart,
	keyOf,
	mayBeOneInvoice,
	numberKeyOf,
	type Payment,
} from '../payment';
import type { Row } from '../table/rows';
import {
	contentOf,
	isLive,
	isPreparing,
	isResolvedFunding,
	isReusable,
	isSetAside,
	isUnconfirmed,
	timeOf,
	wasSentInVain,
} from './rowStates';

/** The row that holds a payment with its payee and amount, if there is one. */
export const heldRowOf = ({ payment, rows }: { payment: Payment; rows: Row[] }): Row | undefined =>
	rows.find(
		(row) =>
			row.state === 'held' && row.payee === payment.payee && row.amount_cents === payment.amount,
	);

/** The rows of a payment's invoice, and those of its payable. */
export function rowsOf(payment: Payment, rows: Row[], environment: string): Row[] {
	const isOfInvoice = invoiceMatcher(payment, environment);
	return rows.filter((row) => isOfInvoice(row) || isOfPayable(payment, row, environment));
}

/** Tells of rows whether they may be of a payment's invoice. Its keys are computed once, since rows can be many. */
function invoiceMatcher(payment: Payment, environment: string): (row: Row) => boolean {
	if (isFundedById(payment)) {
		return () => false;
	}
	const key = keyOf(payment);
	const numberKey = numberKeyOf(payment);

	return (row) => {
		// Keys begin with the workspace, which belongs to one environment: with two, it is unclear what was paid.
		if (row.environment !== environment && row.key === key) {
			return true;
		}
		if (row.number_key !== numberKey && row.key !== key) {
			return false;
		}
		return mayBeOneInvoice({
			keys: [row.key, key],
			// What a person has deleted may have been anything.
			isSamePayee: row.payee === '' || row.payee === payment.payee,
			isSameAmount: row.amount_cents === null || row.amount_cents === payment.amount,
			// Whether an unconfirmed one was paid must be known first.
			isToldApart: () => !isUnconfirmed(row) && isToldApart(payment, contentOf(row)),
		});
	};
}

/** Whether a row has the payable of a payment. IDs count within an environment, and a workspace belongs to one, whatever a row says. */
const isOfPayable = ({ payableId, workspaceId }: Payment, row: Row, environment: string): boolean =>
	payableId !== undefined &&
	row.payable_id === payableId &&
	(row.environment === environment || row.workspace_id === workspaceId.toLowerCase());

/**
 * What rows say about a payment.
 *
 * @param rows as from `assignRows`: those of its invoice, of its payable, and of payables that are funded by their ID
 */
export function classifyRows(payment: Payment, rows: Row[], environment: string): Verdict {
	if (isFundedById(payment)) {
		return classifyRowsOfPayable(payment, rows);
	}

	const ofInvoice = rows.filter(invoiceMatcher(payment, environment));
	const conflicting = conflictingRow(payment, ofInvoice, environment);
	if (conflicting !== undefined) {
		const error =
			conflicting.environment === environment
				? conflictError(payment, contentOf(conflicting))
				: environmentError(conflicting);
		return { kind: 'refused', error, known: knownOf(conflicting) };
	}

	const liveOfPayable = rows.filter((row) => !ofInvoice.includes(row) && isLive(row));
	const ofOtherReference = liveOfPayable.find((row) => !isFundedById(row));
	if (ofOtherReference !== undefined) {
		return payableTakenVerdict(ofOtherReference);
	}

	const ofPayment = ofInvoice.filter((row) => isSamePayment(payment, row, environment));
	const live = [...ofPayment.filter(isLive), ...liveOfPayable];
	const blocking = blockingVerdict(payment, live);
	if (blocking === undefined) {
		return unblockedVerdict(ofPayment);
	}
	return withResolvedFunding(blocking, ofPayment);
}

/**
 * (3) A row that may be of the same invoice, with another payee, amount, spelling, or environment. None if this
 * exact payment was sent: its rows say what became of it.
 */
function conflictingRow(payment: Payment, ofInvoice: Row[], environment: string): Row | undefined {
	const isSame = (row: Row): boolean => isSamePayment(payment, row, environment);
	const live = ofInvoice.filter(isLive);
	if (live.some(isSame)) {
		return undefined;
	}

	// What was set aside matters only until something is sent.
	const compared = live.length > 0 ? live : ofInvoice.filter(isSetAside);
	const different = compared.filter((row) => !isSame(row));
	// One with a payable may have been funded in the service. If it was held after that, it may repeat a paid one, too: the
	// messages of these ask for more.
	const withPayable = different.filter((row) => row.payable_id !== '');
	return (
		withPayable.find((row) => row.state === 'held') ??
		withPayable[0] ??
		different[0] ??
		ofInvoice.find((row) => wasSentInOtherSpelling(payment, row, environment))
	);
}

/**
 * Whether a row was sent, and resolved as not paid, under another spelling of a payment's reference. Under that one, the
 * service would know its payable.
 */
const wasSentInOtherSpelling = (payment: Payment, row: Row, environment: string): boolean =>
	wasSentInVain(row) &&
	row.environment === environment &&
	row.key === keyOf(payment) &&
	row.reference !== payment.reference &&
	row.payee === payment.payee &&
	row.amount_cents === payment.amount;

/**
 * (3) What rows say about a payable that is funded by its ID. Any row with a reference refuses that, whatever its
 * state is: otherwise, the payable could be paid although a rule holds it or a person has resolved it.
 */
function classifyRowsOfPayable(payment: Payment, rows: Row[]): Verdict {
	const ofPayout = rows.find((row) => !isFundedById(row));
	if (ofPayout !== undefined) {
		return payableTakenVerdict(ofPayout);
	}
	return blockingVerdict(payment, rows.filter(isLive)) ?? { kind: 'new' };
}

/** The verdict about a payment that live rows block; undefined if there are none. */
function blockingVerdict(payment: Payment, live: Row[]): Verdict | undefined {
	const done = live.find(isDone);
	if (done !== undefined) {
		return { kind: 'done', known: knownOf(done) };
	}
	const voidRow = live.find(({ state }) => state === 'void');
	if (voidRow !== undefined) {
		return { kind: 'refused', error: voidError(payment), known: knownOf(voidRow) };
	}
	const unconfirmed = live.find(isUnconfirmed);
	if (unconfirmed !== undefined) {
		return { kind: 'unconfirmed', known: knownOf(unconfirmed) };
	}
	return live.length > 0 ? { kind: 'busy' } : undefined;
}

/** Adds to what is unconfirmed which funding a person has resolved as not paid: it may still have the payable. */
function withResolvedFunding(verdict: Verdict, ofPayment: Row[]): Verdict {
	const resolved = ofPayment.find(isResolvedFunding);
	if (verdict.kind !== 'unconfirmed' || resolved === undefined) {
		return verdict;
	}
	return { ...verdict, known: { ...verdict.known, resolvedFundingId: resolved.funding_id } };
}

/** The verdict about a payment that nothing blocks. */
function unblockedVerdict(ofPayment: Row[]): Verdict {
	if (ofPayment.some(isPreparing)) {
		return { kind: 'busy' };
	}
	const prepared = ofPayment.find((row) => row.payable_id !== '' && isReusable(row));
	return prepared === undefined ? { kind: 'new' } : { kind: 'prepared', known: knownOf(prepared) };
}

/** Whether a row is of the payment itself: of its reference as it is written, its payee and its amount. */
const isSamePayment = (payment: Payment, row: Row, environment: string): boolean =>
	row.environment === environment &&
	row.reference === payment.reference &&
	row.payee === payment.payee &&
	row.amount_cents === payment.amount;

const environmentError = (row: Row): InputError =>
	new InputError(
		`Unique Reference "${row.reference}" was used with the environment "${row.environment}"`,
		isResolvedForGood(row)
			? 'A workspace belongs to one environment. Search the service for the reference, then ask the person responsible for this workflow. They decide under which number it is paid, if it was not paid.'
			: 'A workspace belongs to one environment. Search the service for the reference first. Its operator must confirm that nothing was paid or is on its way. Then set "Environment" back, use "Resolve" of "Payout" as "Not Paid", then correct "Environment".',
	);

/** Whether no person can resolve a row as not paid. */
const isResolvedForGood = ({ state }: Row): boolean =>
	state === 'funded' || state === 'paid' || state === 'void';

function knownOf(row: Row): Known {
	const known: Known = { state: row.state, at: timeOf(row) };
	if (row.payable_id !== '') {
		known.payableId = row.payable_id;
	}
	if (row.funding_id !== '') {
		known.fundingId = row.funding_id;
	}
	if (row.state === 'not_paid' && row.funding_id !== '') {
		known.resolvedFundingId = row.funding_id;
	}
	if (row.approved_by !== '') {
		known.approvedBy = row.approved_by;
	}
	if (row.invoice_date !== '') {
		known.invoiceDate = row.invoice_date;
	}
	if (row.pdf_url !== '') {
		known.pdfUrl = row.pdf_url;
	}
	return known;
}

/** The verdict about a payable that belongs to the reference of a row. */
const payableTakenVerdict = (row: Row): Verdict => ({
	kind: 'refused',
	error: new InputError(
		`Payable ${row.payable_id} belongs to the unique reference "${row.reference}"`,
		'Pay it with "Send" of "Payout" and that unique reference: it pays an invoice once, whichever payable it has.',
	),
	known: knownOf(row),
});

function voidError(payment: Payment): InputError {
	const { reference, payableId = '' } = payment;
	const name = isFundedById(payment) ? `Payable ${payableId}` : `Unique Reference "${reference}"`;
	return new InputError(
		`${name} is void, so it is never paid`,
		'A person decided that it is never paid: ask them. If it was paid all the same, use "Resolve" of "Payout" as "Paid". If it must be paid after all, they decide under which reference.',
	);
}
