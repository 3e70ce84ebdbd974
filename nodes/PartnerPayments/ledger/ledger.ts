import { isSimilar, matchKeyOf, numberIn } from '../shared/references';
import { ExplainedError, InputError } from '../shared/errors';
import { timeText } from '../shared/dates';
import { dollarText, formatDollars } from '../shared/money';

/** The states of a payment; docs/paying-once.md explains each. */
export const STATES = [
	'preparing',
	'prepared',
	'held',
	'sending',
	'unconfirmed',
	'funded',
	'awaiting_deposit',
	'paid',
	'not_paid',
	'void',
	'surplus',
] as const;
export type State = (typeof STATES)[number];

export type FundedState = Extract<State, 'funded' | 'awaiting_deposit'>;

/** Whether the service has taken the funding of a payment, as far as the ledger knows. */
export const isDone = ({ state = '' }: { state?: string }): boolean =>
	state === 'funded' || state === 'awaiting_deposit' || state === 'paid';

export interface Payment {
	/** As from `normalizeReference`; empty for a payable that is funded by its ID. */
	reference: string;
	/** A UUID. The same reference in another workspace is another payment. */
	workspaceId: string;
	/** Email address or service ID; empty when only the payable is known. */
	payee: string;
	/** Minor units. */
	amount: number;
	payableId?: string | undefined;
	/** Who agreed to it. It is only written down: it lets nothing pass. */
	approvedBy?: string | undefined;
	/** The lines, as from `differentInvoiceText`, with which a person has told it apart from other invoices. */
	differentInvoices?: readonly string[];
}

/** Finds the payments of a reference in the ledger, for any capitals and punctuation of it. */
export function keyOf({ reference, workspaceId, payableId = '' }: Payment): string {
	if (reference === '') {
		return `payable ${payableId}`;
	}
	return `${workspaceId.toLowerCase()} ${matchKeyOf(reference)}`;
}

/** Finds the payments whose invoice number is the same or similar. */
export function numberKeyOf(payment: Payment): string {
	const { reference, workspaceId } = payment;
	if (reference === '') {
		return keyOf(payment);
	}
	return `${workspaceId.toLowerCase()} ${numberIn(matchKeyOf(reference))}`;
}

/** Names a payment in its run: its invoice, vendor and amount. Items with the same name are one payment. */
export const nameOf = (payment: Payment): string =>
	JSON.stringify([keyOf(payment), payment.payee, payment.amount]);

/** How two payments of one workspace compare. */
export interface Comparison {
	number: 'same' | 'similar' | 'other';
	isSamePayee: boolean;
	isSameAmount: boolean;
	/** Whether a person has found that they are two invoices. */
	isToldApart: boolean;
}

/**
 * Whether two payments may be one invoice. An invoice has a vendor and a number: with the same number, it is
 * another vendor's if payee and amount both differ. With a similar number, it may be the same one if payee
 * and amount are both the same.
 */
export function mayBeOneInvoice(comparison: Comparison): boolean {
	const { number, isSamePayee, isSameAmount, isToldApart } = comparison;
	switch (number) {
		case 'same': {
			const isOtherVendors = !isSamePayee && (!isSameAmount || isToldApart);
			return !isOtherVendors;
		}
		case 'similar':
			return isSamePayee && isSameAmount && !isToldApart;
		case 'other':
			return false;
	}
}

/** Compares the numbers of two keys of one workspace, as from `keyOf`. */
export function compareNumbers(one: string, other: string): Comparison['number'] {
	if (one === other) {
		return 'same';
	}
	return isSimilar(matchKeyIn(one), matchKeyIn(other)) ? 'similar' : 'other';
}

/** The match key of a reference in a key. */
const matchKeyIn = (key: string): string => key.slice(key.indexOf(' ') + 1);

/** What the ledger knows of a payment. */
export interface Known {
	/** A person may have written any text. */
	state: string;
	/** When it was paid, or written down, as far as the ledger knows. ISO 8601. */
	at?: string;
	payableId?: string;
	fundingId?: string;
	approvedBy?: string;
	pdfUrl?: string;
}

/** What the ledger says about a payment that somebody asks for. */
export type Verdict =
	/** The ledger does not know it. `beside`: an open payout of another vendor with its reference. */
	| { kind: 'new'; beside?: KnownContent }
	/** A payable is ready, and no money has moved. */
	| { kind: 'prepared'; known: Known }
	/** Another execution works on it. */
	| { kind: 'busy' }
	/** A rule of this run allows no more. */
	| { kind: 'overLimit'; error: InputError }
	/**
	 * A rule of this run wants a person to decide. `differentInvoice`: what to enter if it is another invoice
	 * than the one that it may be a duplicate of.
	 */
	| { kind: 'held'; reason: string; differentInvoice?: string }
	/** Nobody knows whether it was funded. */
	| { kind: 'unconfirmed'; known: Known }
	/** It was funded. */
	| { kind: 'done'; known: Known }
	/** It must not be paid as it is asked for. */
	| { kind: 'refused'; error: InputError; known: Known };

/** The verdicts about payments, by `nameOf`. */
export type Verdicts = ReadonlyMap<string, Verdict>;

/** The verdict about a payment that was asked for. */
export function verdictOn(payment: Payment, verdicts: Verdicts): Verdict {
	const verdict = verdicts.get(nameOf(payment));
	if (verdict === undefined) {
		throw new Error(`The ledger has no verdict about ${nameOf(payment)}`);
	}
	return verdict;
}

/** Whether a payment may be sent. */
export const mayBeSent = ({ kind }: Verdict): boolean => kind === 'new' || kind === 'prepared';

/** What a run may pay. Amounts in minor units, infinite without a limit; times in ISO 8601. */
export interface Rules {
	/** The most that the execution pays, in all its branches and loops. */
	maxTotal: number;
	/** The most that a workspace pays in a day, which began at `dayStart`. */
	maxPerDay: number;
	dayStart: string;
	/**
	 * Payments that wait until a person agrees: above an amount, to a new payee, above so many times what the
	 * payee got at most, or with a possible duplicate since a time.
	 */
	holdAbove: number;
	holdNewPayees: boolean;
	holdUnusualTimes: number;
	holdDuplicatesSince: string | undefined;
}

/**
 * One funding that only this run may send now. Its answer is written into the ledger with one of the first
 * three. Each resolves to whether the ledger has it; if not, the payments count as unconfirmed later, and are
 * never forgotten.
 */
export interface Claim {
	/** The service took it. */
	complete(state: FundedState, fundingId: string): Promise<boolean>;
	/** It was not sent, or was refused. The payments may begin again. */
	withdraw(): Promise<boolean>;
	leaveUnconfirmed(): Promise<boolean>;
	/** Adds the address of an invoice to what was completed. */
	addInvoice(pdfUrl: string): Promise<void>;
}

/** How a claim has begun. Blocked: the verdict about one of its payments, or more, is in the way. */
export type BeginResult = { kind: 'begun'; claim: Claim } | { kind: 'blocked'; verdicts: Verdicts };

/** What a run leaves of a payable that it has not funded. */
export const LEFTOVERS = ['surplus', 'held', 'prepared'] as const satisfies State[];
export type Leftover = (typeof LEFTOVERS)[number];

/**
 * What is known about payments. Methods throw a LedgerError when nothing may be sent. The one rule: until
 * a claim is withdrawn, or a person resolves it, `begin` gives no other claim to its payments. The payments
 * of a call have different names (`nameOf`).
 */
export interface Ledger {
	/** Finds where the ledger is, or makes it, unless this process knows. Nothing may be sent before. */
	locate(): Promise<void>;
	find(payments: Payment[]): Promise<Verdicts>;
	/** Shows other executions that this one prepares payments; returns what ends that. */
	announce(payments: Payment[]): Promise<() => Promise<void>>;
	/**
	 * Writes down payables that were just created, before they are approved. A payable that somebody funds by its
	 * ID is not to be approved: the verdict says so.
	 */
	recordPayables(payments: Payment[]): Promise<Verdicts>;
	/** The verdicts about payments of one workspace that break rules. The others have none. */
	applyRules(payments: Payment[], rules: Rules): Promise<Verdicts>;
	/** Begins a claim to fund payments of one workspace together, directly before the request. */
	begin(payments: Payment[], rules?: Rules): Promise<BeginResult>;
	/** Leaves payables that were recorded, and are not funded, for a later run. */
	release(payments: Payment[], leftover: Leftover): Promise<void>;
	/** Stores payments that a person decides about. */
	hold(payments: Payment[]): Promise<void>;
}

/** The ledger cannot be used, so nothing may be sent. */
export class LedgerError extends ExplainedError {}

/** What a payment asks for under its reference. */
export type Content = Pick<Payment, 'reference' | 'payee' | 'amount'>;

/** What the ledger has under a reference. */
export interface KnownContent extends Content {
	/** As people see it: a person may have written any text. */
	state: string;
	/** When it was paid, or written down. ISO 8601. */
	at: string;
}

/** A payment as a part of a message. */
export const contentText = ({ payee, amount }: Content): string =>
	`${dollarText(amount)} to ${payee}`;

const CORRECT_EARLIER =
	'Nothing was sent for the earlier one: if it is wrong, use "Resolve" of "Payout" as "Not Paid", then run this again.';

/**
 * What a person enters as "Different Invoice" when a payment is another invoice than a known one that looks
 * like it. It names both, so that it lets no other payment pass, and passes no other invoice by.
 */
export const differentInvoiceText = (payment: Content, known: Content): string =>
	`${invoiceText(payment)} is not ${invoiceText(known)}`;

const invoiceText = ({ reference, payee, amount }: Content): string =>
	`${reference} ${formatDollars(amount)} ${payee}`;

/** Whether a person has found that a payment is another invoice than a known one. */
export function isToldApart(payment: Payment, known: Content): boolean {
	const { differentInvoices = [] } = payment;
	return (
		differentInvoices.length > 0 && differentInvoices.includes(differentInvoiceText(payment, known))
	);
}

const differentInvoiceHint = (payment: Content, known: Content): string =>
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
			return `was not paid, it is void`;
		default:
			return `may have been paid on ${when} (${state})`;
	}
}

/** What to do about a payout that looks like an earlier one in this state. */
function differentAdvice(payment: Content, known: KnownContent): string {
	switch (known.state) {
		case 'prepared':
		case 'held':
			return `${CORRECT_EARLIER} ${differentInvoiceHint(payment, known)}`;
		case 'void':
			return `Ask the person who resolved it as "Void". ${differentInvoiceHint(payment, known)}`;
		case 'unconfirmed':
		case 'sending':
			return 'First find out whether the earlier one was paid, then use "Resolve" of "Payout".';
		default:
			return `If the earlier one was wrong, ask the operator whether it can be stopped. ${differentInvoiceHint(payment, known)}`;
	}
}

/** What to do when the earlier payout of an invoice had the wrong amount. */
function correctionAdvice(state: string): string {
	switch (state) {
		case 'prepared':
		case 'held':
			return CORRECT_EARLIER;
		case 'void':
			return 'If the earlier one was wrong, ask the person who resolved it as "Void".';
		case 'unconfirmed':
		case 'sending':
			return 'First find out whether the earlier one was paid, then use "Resolve" of "Payout".';
		default:
			return 'If the earlier one was wrong, ask the person responsible first.';
	}
}

/** The error for an invoice that may be known with another payee, another amount, or another number. */
export function conflictError(payment: Content, known: KnownContent): InputError {
	const { reference } = payment;
	const earlier = `${historyOf(known)}: ${contentText(known)}`;
	const advice = differentAdvice(payment, known);

	if (matchKeyOf(known.reference) !== matchKeyOf(reference)) {
		return new InputError(
			`Possible duplicate: "${known.reference}" ${earlier}, and "${reference}" has the same number`,
			`If both are one invoice, leave this item out. ${advice}`,
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
			`Compare both with the invoice. If this item is wrong, correct it. ${correctionAdvice(known.state)}`,
		);
	}

	return new InputError(
		`"${known.reference}" ${earlier}, and "${reference}" is another spelling of it`,
		`It is the same invoice if it has the same number: copy "${known.reference}" from this message. If the numbers differ, ask the person responsible for this workflow.`,
	);
}
