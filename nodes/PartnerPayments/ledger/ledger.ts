import { ExplainedError, foldReference, InputError } from '../shared/values';
import { inMajorUnits } from '../shared/money';

/** What a row of the ledger says of its payment; docs/paying-once.md explains each. */
export const STATES = [
	'preparing',
	'prepared',
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

/** What is to be paid once. */
export interface Payment {
	/** As `normalizeReference` writes it; empty for a payable that is funded by its ID. */
	reference: string;
	/** UUID of the workspace that pays. The same reference in another one is another payment. */
	workspaceId: string;
	/** Email address or service ID; empty where only the payable is known. */
	payee: string;
	amount: number;
	/** The payable that its funding names. */
	payableId?: string | undefined;
}

/** What finds a payment in the ledger, however its reference's capitals and dashes are written. */
export const keyOf = ({ reference, workspaceId, payableId = '' }: Payment): string =>
	reference === ''
		? `payable ${payableId}`
		: `${workspaceId.toLowerCase()} ${foldReference(reference)}`;

/** How a payment stands. */
export interface Entry {
	/** `busy`: another execution works on it. `done`: it was funded. `refused`: `error` says why. */
	status: 'new' | 'prepared' | 'busy' | 'unconfirmed' | 'done' | 'refused';
	/** As the ledger has it; what a person has written there may be no state at all. */
	state?: string;
	payableId?: string;
	fundingId?: string;
	pdfUrl?: string;
	error?: InputError;
}

/** Whether nothing keeps a payment from being begun. */
export const isOpen = ({ status }: Entry): boolean => status === 'new' || status === 'prepared';

/** What may be paid from a workspace (minor units) since a time (ISO 8601). */
export interface DailyLimit {
	workspaceId: string;
	limit: number;
	since: string;
}

/** One funding that may be sent now, by this run alone. */
export interface Attempt {
	/** The service took it. What cannot be kept is unconfirmed later, never forgotten. */
	complete(state: FundedState, fundingId: string): Promise<void>;
	/** Adds where the invoice of the funding can be downloaded. */
	addInvoice(pdfUrl: string): Promise<void>;
	/** It was not sent, or not done: the payments keep their payables, and may be tried again. */
	withdraw(): Promise<void>;
	/** It is not known whether it was done. */
	leaveUnconfirmed(): Promise<void>;
}

/** An attempt, or how all of the payments stand where some keep it from being made. */
export type Beginning = { attempt: Attempt } | { blocked: Entry[] };

/**
 * What is known of payments. Methods throw a LedgerError when nothing may be sent. The one rule: while
 * an attempt of a payment is neither withdrawn nor resolved by a person, `begin` gives no other run one.
 */
export interface Ledger {
	/** Whether other nodes know what this one has paid. */
	readonly isShared: boolean;
	/** How payments stand, in their order. */
	find(payments: Payment[]): Promise<Entry[]>;
	/** Tells other executions that this one prepares payments, where they see it; returns what takes that back. */
	announce?(payments: Payment[]): Promise<() => Promise<void>>;
	/** Keeps the payables of payments that are not kept yet. */
	keepPrepared(payments: Payment[]): Promise<void>;
	/** Begins an attempt to fund payments together, directly before their funding is sent. */
	begin(payments: Payment[], daily?: DailyLimit): Promise<Beginning>;
	/** What was paid from a workspace since a time, in minor units, where that is known. */
	spentSince?(workspaceId: string, since: string): Promise<number>;
}

/** The ledger cannot be used, so nothing may be sent. */
export class LedgerError extends ExplainedError {}

/** The error for a reference that stands for another payment, as far as that one is known. */
export function conflictError(
	payment: Payment,
	known?: Pick<Payment, 'payee' | 'amount'>,
): InputError {
	const textOf = ({ payee, amount }: Pick<Payment, 'payee' | 'amount'>): string =>
		`${inMajorUnits(amount)} to ${payee}`;
	return new InputError(
		`Unique Reference "${payment.reference}" belongs to ${known === undefined ? 'another payment' : textOf(known)}, not to ${textOf(payment)}`,
		'If this item is wrong, correct it. If the first values were wrong, look the reference up with "Get Many" of "Payout": only what is "Prepared" can be resolved as "Not Paid" and sent with other values.',
	);
}

/** The error for payments that would go beyond the limit of a day. */
export const dailyLimitError = (spent: number, limit: number): InputError =>
	new InputError(
		`The workspace would pay ${inMajorUnits(spent)} today, above the Maximum per Day of ${inMajorUnits(limit)}`,
		'Run it again tomorrow with the same unique references, or let the person responsible for this workflow raise the limit.',
	);
