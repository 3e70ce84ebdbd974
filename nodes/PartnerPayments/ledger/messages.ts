import { timeText } from '../shared/dates';
import { InputError } from '../shared/errors';
import { dollarText } from '../shared/money';
import { matchKeyOf } from '../shared/references';
import { isDone, type KnownContent } from './ledger';
import { differentInvoiceText, isFundedById, type Content } from './payment';
import type { Row } from './table/rows';

/** A payment as a part of a message. */
export const contentText = ({ payee, amount }: Content): string =>
	`${dollarText(amount)} to ${payee}`;

/** A row as a message names it: by its reference, or by its payable if that was funded without one. */
export const rowName = (row: Row): string =>
	isFundedById(row) ? `Payable ${row.payable_id}` : `"${row.reference}"`;

const CORRECT_EARLIER =
	'If the earlier one is wrong, the operator of the service must first confirm that it was not funded. Then decline its approval, use "Resolve" of "Payout" as "Not Paid", and run this again.';

const CORRECT_HELD =
	'The earlier one is held, maybe since it repeats a paid one: find out why first. Only if its values are wrong, say no to its question, use "Resolve" of "Payout" as "Not Paid", and run this again.';

const CORRECT_HELD_WITH_PAYABLE =
	'The earlier one is held, maybe since it repeats a paid one: find out why. If its values are wrong, ask the operator of the service if it was funded. If not, decline its approval, use "Resolve" of "Payout" as "Not Paid", run this again.';

const correctHeld = ({ hasPayable }: KnownContent): string =>
	hasPayable ? CORRECT_HELD_WITH_PAYABLE : CORRECT_HELD;

const CANCEL_EARLIER =
	'If the earlier one was wrong, the operator of the service must first cancel its funding. Then use "Resolve" of "Payout" as "Not Paid" with "Its Whole Funding". Run this again, and all others of that funding, not the wrong one.';

const FIND_OUT_EARLIER =
	'Ask the operator of the service whether the earlier one was paid, or is on its way: its payable can look unpaid. Then use "Resolve" of "Payout" for it, and run this again.';

const differentInvoiceHint = (payment: Content, known: KnownContent): string =>
	`If it is another invoice, enter "${differentInvoiceText(payment, known)}" as the option "Different Invoice".`;

/** Whether an earlier payment was made, and when, as the rest of a sentence. */
export function historyOf({ state, at }: Pick<KnownContent, 'state' | 'at'>): string {
	const when = timeText(at);
	switch (state) {
		case 'funded':
		case 'paid':
			return `was paid on ${when}`;
		case 'awaiting_deposit':
			return `waits for the deposit of its invoice of ${when}`;
		case 'prepared':
		case 'held':
			return `was not paid, it is ${state} since ${when}`;
		case 'not_paid':
			return 'was not paid, as a person found';
		case 'void':
			return 'is void, as a person decided';
		default:
			return `may have been paid on ${when} (${state})`;
	}
}

/** What to do about a payout that looks like an earlier one in this state. */
function conflictAdvice(payment: Content, known: KnownContent): string {
	switch (known.state) {
		case 'prepared':
			return `${CORRECT_EARLIER} ${differentInvoiceHint(payment, known)}`;
		case 'held':
			return `${correctHeld(known)} ${differentInvoiceHint(payment, known)}`;
		case 'void':
			return `A person decided that the earlier one is never paid: ask them first. Only if they say that this one replaces it, or is another invoice, enter "${differentInvoiceText(payment, known)}" as the option "Different Invoice". Otherwise, leave this one out permanently.`;
		case 'unconfirmed':
		case 'sending':
			return FIND_OUT_EARLIER;
		case 'awaiting_deposit':
			return `${CANCEL_EARLIER} ${differentInvoiceHint(payment, known)}`;
		default:
			return paidAdvice(payment, known);
	}
}

/** What to do about a payout that looks like one that was paid. */
function paidAdvice(payment: Content, known: KnownContent): string {
	if (known.payee === payment.payee) {
		return differentInvoiceHint(payment, known);
	}

	const line = differentInvoiceText(payment, known);
	return `If the vendor has both addresses, leave this one out: it was paid. If the earlier one is wrong, the operator of the service must first confirm that it was stopped or returned. Then, or if this is another invoice, enter "${line}" as "Different Invoice".`;
}

/** What to do when the earlier payout of an invoice had the wrong amount. */
function correctionAdvice(known: KnownContent): string {
	switch (known.state) {
		case 'prepared':
			return CORRECT_EARLIER;
		case 'held':
			return correctHeld(known);
		case 'awaiting_deposit':
			return CANCEL_EARLIER;
		case 'void':
			return 'If the earlier one was wrong, ask the person who resolved it as "Void".';
		case 'unconfirmed':
		case 'sending':
			return FIND_OUT_EARLIER;
		default:
			return 'If the earlier one was wrong, ask the person responsible first.';
	}
}

/** What to do about two numbers of one invoice; nothing where the advice about the earlier one says it. */
function oneInvoiceAdvice({ state }: KnownContent): string {
	switch (state) {
		case 'prepared':
		case 'held':
			return 'If both are one invoice, send only one of them. ';
		case 'void':
			return '';
		default:
			return 'If both are one invoice, leave this one out permanently. ';
	}
}

/** The error for an invoice that may be known with another payee, another amount, or another number. */
export function conflictError(payment: Content, known: KnownContent): InputError {
	const { reference } = payment;
	const earlier = `${historyOf(known)}: ${contentText(known)}`;
	const advice = conflictAdvice(payment, known);

	if (matchKeyOf(known.reference) !== matchKeyOf(reference)) {
		return new InputError(
			`Possible duplicate: "${known.reference}" ${earlier}, and "${reference}" has the same number`,
			`${oneInvoiceAdvice(known)}${advice}`,
		);
	}

	if (known.payee !== payment.payee) {
		return new InputError(
			`Possible duplicate: "${known.reference}" ${earlier}, and this is ${contentText(payment)}`,
			`A misspelled or second address of one vendor would be paid twice. ${advice}`,
		);
	}

	if (known.amount !== payment.amount) {
		return new InputError(
			`"${known.reference}" ${earlier}, and this is ${contentText(payment)}`,
			`Compare both with the invoice. If this item is wrong, correct it. ${correctionAdvice(known)}`,
		);
	}

	const sameAdvice = isDone(known)
		? 'leave this one out'
		: `copy "${known.reference}" from this message`;
	return new InputError(
		`"${known.reference}" ${earlier}, and "${reference}" is another spelling of it`,
		`It is the same invoice if it has the same number: ${sameAdvice}. If the numbers differ, ask the person responsible for this workflow.`,
	);
}
