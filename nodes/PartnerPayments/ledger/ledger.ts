import { foldReference } from '../shared/references';
import { ExplainedError, InputError } from '../shared/values';
import { inMajorUnits } from '../shared/money';

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
] as const;
export type State = (typeof STATES)[number];

export type FundedState = Extract<State, 'funded' | 'awaiting_deposit'>;

/** Whether the service has taken the funding of a payment, as far as the ledger knows. */
export const isDone = ({ state = '' }: { state?: string }): boolean =>
	['funded', 'awaiting_deposit', 'paid'].includes(state);

export interface Payment {
	/** As from `normalizeReference`; empty for a payable that is funded by its ID. */
	reference: string;
	/** A UUID. The same reference in another workspace is another payment. */
	workspaceId: string;
	/** Email address or service ID; empty when only the payable is known. */
	payee: string;
	amount: number;
	payableId?: string | undefined;
}

/** Finds a payment in the ledger, for any capitals and punctuation of its reference. */
export const keyOf = ({ reference, workspaceId, payableId = '' }: Payment): string =>
	reference === ''
		? `payable ${payableId}`
		: `${workspaceId.toLowerCase()} ${foldReference(reference)}`;

export interface Entry {
	/** `busy`: not now, since another execution works on it or `error` says why. `done`: it was funded. */
	status: 'new' | 'prepared' | 'busy' | 'held' | 'unconfirmed' | 'done' | 'refused';
	/** As the ledger has it. A person may have written any text. */
	state?: string;
	payableId?: string;
	fundingId?: string;
	pdfUrl?: string;
	reason?: string;
	error?: InputError;
}

export const isOpen = ({ status }: Entry): boolean => status === 'new' || status === 'prepared';

/** What a run may pay. Amounts in minor units, infinite without a limit; times in ISO 8601. */
export interface Rules {
	/** The most that a workspace pays in a day, which began at `dayStart`. */
	maxPerDay: number;
	dayStart: string;
	/** Payments that wait until a person agrees: above an amount, to a new payee, or with a possible duplicate since a time. */
	holdAbove: number;
	holdNewPayees: boolean;
	holdDuplicatesSince: string | undefined;
}

/** One funding that only this run may send now. */
export interface Attempt {
	/** The service took it. If this cannot be stored, the payments are unconfirmed later, never forgotten. */
	complete(state: FundedState, fundingId: string): Promise<void>;
	addInvoice(pdfUrl: string): Promise<void>;
	/** It was not sent, or was refused. The payments keep their payables and may begin again. */
	withdraw(): Promise<void>;
	leaveUnconfirmed(): Promise<void>;
}

/** An attempt, or the entries of all payments when some block it. */
export type Beginning = { attempt: Attempt } | { blocked: Entry[] };

/**
 * What is known about payments. Methods throw a LedgerError when nothing may be sent. The one rule: until
 * an attempt is withdrawn, or a person resolves it, `begin` gives no other attempt for its payments.
 */
export interface Ledger {
	/** Finds where the ledger is, or makes it, unless this process knows. Nothing may be sent before. */
	locate(): Promise<void>;
	/** The entries of payments, in their order. */
	find(payments: Payment[]): Promise<Entry[]>;
	/** Shows other executions that this one prepares payments; returns what ends that. */
	announce(payments: Payment[]): Promise<() => Promise<void>>;
	/** Stores payments that are prepared or held. */
	keep(payments: Payment[], state: 'prepared' | 'held'): Promise<void>;
	/** The entries of payments of one workspace that break rules, in their order; undefined for the others. */
	review(payments: Payment[], rules: Rules): Promise<Array<Entry | undefined>>;
	/** Begins an attempt to fund payments of one workspace together, directly before the request. */
	begin(payments: Payment[], rules?: Rules): Promise<Beginning>;
}

/** The ledger cannot be used, so nothing may be sent. */
export class LedgerError extends ExplainedError {}

/** What a payment asks for under its reference. */
export type Content = Pick<Payment, 'reference' | 'payee' | 'amount'>;

const contentText = ({ payee, amount }: Content): string => `${inMajorUnits(amount)} to ${payee}`;

/** The error for a payment whose key another content has. */
export function conflictError(payment: Payment, known?: Content): InputError {
	const { reference } = payment;
	if (known !== undefined && known.reference !== reference)
		return new InputError(
			`Unique Reference "${reference}" is another spelling of "${known.reference}"`,
			`Same payment: write "${known.reference}" here too. Another vendor's invoice: check that it was not paid, then add the vendor to this reference.`,
		);
	return new InputError(
		`Unique Reference "${reference}" belongs to ${known === undefined ? 'another payment' : contentText(known)}, not to ${contentText(payment)}`,
		'This item is wrong: correct it. The first values were wrong: if it is prepared or held, resolve it as "Not Paid" first. Another vendor\'s invoice with this number: check that it was not paid, then add the vendor to this reference.',
	);
}
