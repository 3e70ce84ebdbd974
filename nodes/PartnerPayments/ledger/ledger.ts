import { ExplainedError, type InputError } from '../shared/errors';
import { nameOf, type Content, type Payment } from './payment';
import type { FundedState, State } from './states';
import type { Row } from './table/rows';

/** Whether the service has taken the funding of a payment, as far as the ledger knows. */
export const isDone = ({ state = '' }: { state?: string }): boolean =>
	state === 'funded' || state === 'awaiting_deposit' || state === 'paid';

/** What the ledger knows of a payment. */
export interface Known {
	/** A person may have written any text. */
	state: string;
	/** When it was paid, or written down, as far as the ledger knows. ISO 8601. */
	at?: string;
	payableId?: string;
	fundingId?: string;
	/** A funding of it that a person has resolved as not paid, before its answer came or after that. */
	resolvedFundingId?: string;
	approvedBy?: string;
	/** The date of its invoice, as YYYY-MM-DD. */
	invoiceDate?: string;
	pdfUrl?: string;
}

/** What the ledger has under a reference. */
export interface KnownContent extends Content {
	/** As people see it: a person may have written any text. */
	state: string;
	/** When it was paid, or written down. ISO 8601. */
	at: string;
	/** Whether it has a payable, which can have been funded in the service. */
	hasPayable: boolean;
}

/** How a payment that is held can be paid. */
export type Release =
	/** When a person agrees. */
	| { kind: 'afterYes' }
	/**
	 * If it is another invoice than those that look like it: with these lines, as from `differentInvoiceText`.
	 * `mayBePaid`: whether one of those was paid, or may be. `hasResolved`: whether a person resolved one, which this may replace.
	 */
	| { kind: 'ifDifferent'; lines: string[]; mayBePaid: boolean; hasResolved: boolean }
	/** Not before a person has found out whether one that looks like it was paid. */
	| { kind: 'findOutFirst' }
	/** Never, if the same invoice was paid in another workspace. */
	| { kind: 'sameInvoice' };

/** What the ledger says about a payment that somebody asks for. */
export type Verdict =
	/** The ledger has no payable for it, and nothing against it. `beside`: an unfinished payout of another vendor with its reference. */
	| { kind: 'new'; beside?: KnownContent }
	/** A payable is ready for this run, and no money has moved, or a person has resolved it as not paid. */
	| { kind: 'prepared'; known: Known }
	/** Another execution works on it. */
	| { kind: 'busy' }
	/** A rule of this run allows no more. */
	| { kind: 'overLimit'; error: InputError }
	/** A rule of this run wants a person to decide. */
	| { kind: 'held'; reason: string; release: Release }
	/** Whether it was funded is unknown. */
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

/** Whether a verdict allows a run to send the payment. */
export const allowsSending = ({ kind }: Verdict): boolean => kind === 'new' || kind === 'prepared';

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

/**
 * Whether a claim has begun. Blocked: a verdict about one of its payments or more is in the way. If all verdicts
 * allow sending, other runs were in the way at each attempt.
 */
export type BeginResult = { kind: 'begun'; claim: Claim } | { kind: 'blocked'; verdicts: Verdicts };

/** What a run leaves of a payable that it has not funded. */
export const LEFTOVERS = ['surplus', 'held', 'prepared'] as const satisfies State[];
export type Leftover = (typeof LEFTOVERS)[number];

/** What is known about payments before a run prepares them. */
export interface Found {
	verdicts: Verdicts;
	/** The rows with the numbers of the payments. */
	rows: Row[];
}

/**
 * What is known about payments. Methods throw a LedgerError when nothing may be sent. The one rule: until
 * a claim is withdrawn, or a person resolves it, `begin` gives no other claim to its payments. The payments
 * of a call have different names (`nameOf`).
 */
export interface Ledger {
	/**
	 * Finds the ledger's table, or makes it, unless this process has found it before. Every other method does the same,
	 * so this is only for a run that wants to fail early.
	 */
	locate(): Promise<void>;
	find(payments: Payment[]): Promise<Found>;
	/** Shows other executions that this one prepares payments; returns what ends that. */
	announce(payments: Payment[]): Promise<() => Promise<void>>;
	/**
	 * Writes down payables that were just created, before they are approved. A payable that somebody funds by its
	 * ID is not to be approved: the verdict says so.
	 */
	recordPayables(payments: Payment[]): Promise<Verdicts>;
	/**
	 * The verdicts about payments of one workspace that break rules. The others have none.
	 *
	 * @param found of these payments and maybe more, a moment before: its rows are not read again
	 */
	checkRules(payments: Payment[], rules: Rules, found?: Found): Promise<Verdicts>;
	/** Begins a claim to fund payments of one workspace together, directly before the request. */
	begin(payments: Payment[], rules?: Rules): Promise<BeginResult>;
	/**
	 * Stores what this run leaves of payables that it has not funded: the state of their rows. A row that a later run
	 * does not need is deleted.
	 */
	storeLeftover(payments: Payment[], leftover: Leftover): Promise<void>;
	/** Deletes the rows of payables that are funded by their IDs, once their claim is withdrawn: no later run needs them. */
	deleteWithdrawn(payments: Payment[]): Promise<void>;
	/** Stores payments that a person decides about. */
	hold(payments: Payment[]): Promise<void>;
}

/** The ledger cannot be used, so nothing may be sent. */
export class LedgerError extends ExplainedError {}
