import { foldReference } from '../shared/reference';
import type { InputError } from '../shared/inputError';

/**
 * What a row of the ledger says of its reference: a run prepares it (`preparing`), a payable is ready
 * (`prepared`), its funding is about to be sent or not answered yet (`sending`), how that ended, or what
 * a person or an event has found out (`paid`, `not_paid`, `void` for never to be paid).
 */
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

/** The states of a funding that the service took. */
export type FundedState = Extract<State, 'funded' | 'awaiting_deposit'>;

/** What is to be paid once. */
export interface Payment {
	/** As `normalizeReference` writes it; empty for a payable that is funded by its ID. */
	reference: string;
	/** UUID of the workspace that pays. The same reference in another one is another payment. */
	workspaceId: string;
	/** Email address or service ID; empty where only the payable is known. */
	payee: string;
	/** Minor units. */
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

/** What may be paid from a workspace (minor units) since a time (ISO 8601). */
export interface DailyLimit {
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

/** An attempt, or how the payments stand that keep it from being made; in the order of the payments. */
export type Beginning = { attempt: Attempt } | { blocked: Entry[] };

/**
 * What is known of payments. Every method throws a LedgerError when the ledger cannot be used; nothing
 * may be sent then. The one rule: while an attempt of a payment is neither withdrawn nor resolved by a
 * person, `begin` gives no other run one.
 */
export interface Ledger {
	/** Whether other nodes know what this one has paid. */
	readonly isShared: boolean;

	/** How payments stand, in their order. */
	find(payments: Payment[]): Promise<Entry[]>;

	/** Tells other executions that this one prepares payments; returns what takes that back. */
	announce(payments: Payment[]): Promise<() => Promise<void>>;

	/** Keeps the payables of payments for which no funding is sent in this run. */
	keepPrepared(payments: Payment[]): Promise<void>;

	/** Begins an attempt to fund payments together, directly before their funding is sent. */
	begin(payments: Payment[], daily?: DailyLimit): Promise<Beginning>;

	/** What was paid from a workspace since a time, in minor units; undefined where that is not known. */
	spentSince(workspaceId: string, since: string): Promise<number | undefined>;
}

/** The ledger cannot be used, so nothing may be sent. */
export class LedgerError extends Error {
	/** @param hint what to do, in sentences; `message` has no full stop */
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
	}
}
