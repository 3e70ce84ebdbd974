import { isSetAside, isUnconfirmed } from '../../nodes/PartnerPayments/ledger/protocol/rowStates';
import type { Row } from '../../nodes/PartnerPayments/ledger/table/rows';
import type { Random } from '../random';
import type { Resolution, Subject, Work } from './messages';
import type { Funding, Truth } from './truth';

/** What a person says of a payout, and whether it is so when they look. */
export interface Decision {
	work: Extract<Work, { kind: 'resolve' }>;
	isTrue: boolean;
	/** The rows that it may concern. */
	rows: Row[];
	/** All rows, as they were then. */
	seen: Row[];
}

const LIE_RATE = 0.5;
/** Void ends what else could happen. */
const VOID_RATE = 0.3;
const OUTCOMES: Resolution[] = ['paid', 'notPaid', 'void'];

/** What a person decides about one of the rows of a round; undefined when there is nothing to say. */
export function decide(
	rows: Row[],
	truth: Truth,
	random: Random,
	mayLie: boolean,
): Decision | undefined {
	const row = oneOf(rows.filter(isForPerson), random);
	if (row === undefined) {
		return undefined;
	}

	const subject: Subject =
		row.reference === '' || random() < 0.4
			? { kind: 'payable', payableId: row.payable_id }
			: { kind: 'reference', reference: row.reference, payee: row.payee };
	if (subject.kind === 'payable' && row.payable_id === '') {
		return undefined;
	}

	const isWholeFunding = random() < 0.3;
	const concerned = concernedBy(subject, isWholeFunding, rows);
	const truths = truthsOf(concerned, truth);
	const lies = OUTCOMES.filter((outcome) => !truths.includes(outcome));
	const isTrue = !(mayLie && random() < LIE_RATE);
	const outcomes = (isTrue ? truths : lies).filter((one) => one !== 'void' || random() < VOID_RATE);
	const outcome = oneOf(outcomes, random);
	if (outcome === undefined) {
		return undefined;
	}

	if (isTrue && outcome !== 'paid') {
		cancelInvoices(concerned, truth);
	}

	return {
		work: { kind: 'resolve', subject, outcome, isWholeFunding },
		isTrue,
		rows: concerned,
		seen: rows,
	};
}

/** What a person who looks in the service says of a row that waits for a person; undefined for another one. */
export function decideTruly(row: Row, rows: Row[], truth: Truth): Decision | undefined {
	const isCanceled =
		row.state === 'awaiting_deposit' && truth.fundingsOf(row.payable_id).length === 0;
	if (!isUnconfirmed(row) && !isCanceled) {
		return undefined;
	}

	const subject: Subject = { kind: 'payable', payableId: row.payable_id };
	const isFunded = truth.fundingsOf(row.payable_id).length > 0;
	const outcome = isFunded ? 'paid' : 'notPaid';
	return {
		work: { kind: 'resolve', subject, outcome, isWholeFunding: false },
		isTrue: true,
		rows: concernedBy(subject, false, rows),
		seen: rows,
	};
}

/** Whether a row waits for a person, or may be corrected by one. */
export const isForPerson = (row: Row): boolean =>
	isUnconfirmed(row) ||
	isSetAside(row) ||
	['awaiting_deposit', 'not_paid', 'void'].includes(row.state);

function concernedBy(subject: Subject, isWholeFunding: boolean, rows: Row[]): Row[] {
	const named = rows.filter((row) =>
		subject.kind === 'payable'
			? row.payable_id === subject.payableId
			: row.reference === subject.reference && row.payee === subject.payee,
	);
	const claims = new Set(named.map(({ claim }) => claim));
	const together = rows.filter(({ claim }) => isWholeFunding && claim !== '' && claims.has(claim));
	return [...new Set([...named, ...together])];
}

/** What is so of these rows. Nothing is when the service has still to decide. */
function truthsOf(rows: Row[], truth: Truth): Resolution[] {
	const payables = [...new Set(rows.map((row) => row.payable_id))].filter((id) => id !== '');
	if (payables.some((id) => truth.isOnItsWay(id))) {
		return [];
	}

	const fundings = payables.map((id) => truth.fundingsOf(id));
	if (fundings.every((those) => those.length === 0)) {
		return ['notPaid', 'void'];
	}

	const awaited = rows.filter(({ state }) => state === 'awaiting_deposit');
	const isAwaited = ({ id, isLinked }: Funding): boolean =>
		!isLinked && awaited.some((row) => row.funding_id === id);

	// An invoice can still be canceled while its deposit is awaited.
	if (fundings.every((those) => those.some((funding) => !isAwaited(funding)))) {
		return ['paid'];
	}

	return fundings.flat().every(isAwaited) ? ['notPaid', 'void'] : [];
}

/** The operator cancels invoices before a person says that they are not paid. */
function cancelInvoices(rows: Row[], truth: Truth): void {
	for (const row of rows) {
		if (row.state === 'awaiting_deposit') {
			truth.cancel(row.funding_id);
		}
	}
}

const oneOf = <Value>(values: Value[], random: Random): Value | undefined =>
	values[Math.floor(random() * values.length)];
