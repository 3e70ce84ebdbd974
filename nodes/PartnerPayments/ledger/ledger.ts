import type { InputError } from '../shared/inputError';

/**
 * How far a unique reference has come. A payout goes through
 * `claimed → created → approved → funding → funded` or `awaiting_deposit`; a payable that is created
 * alone through `claimed → creating → created`; a funding through `claimed → funding → funded` or
 * `awaiting_deposit`.
 *
 * `creating` and `funding` mean that the request which must not be repeated was sent, or was about to
 * be: nothing but its answer, a person or an event leads out of them.
 */
export type EntryState =
	'claimed' | 'creating' | 'created' | 'approved' | 'funding' | 'funded' | 'awaiting_deposit';

/** The states in which the request that must not be repeated may be on its way. */
export type SendingState = Extract<EntryState, 'creating' | 'funding'>;

/** The states in which that request was answered. */
export type SettledState = Extract<EntryState, 'created' | 'funded' | 'awaiting_deposit'>;

/** Whether the request that must not be repeated may be on its way. */
export const isSending = (state: string): state is SendingState =>
	state === 'creating' || state === 'funding';

/** Whether that request was answered. To be created is the end of a payable alone. */
export const isSettled = (state: string, kind: string): state is SettledState =>
	state === 'funded' || state === 'awaiting_deposit' || (kind === 'payable' && state === 'created');

/** A reference and what it stands for. References are compared as `normalizeReference` writes them. */
export interface Claim {
	reference: string;
	/** UUID of the workspace that pays. The same reference in another workspace is another one. */
	workspaceId: string;
	/** What is paid to whom, as text. The same text means the same payment. */
	content: string;
	/** E-mail address or service ID of who is paid; empty where the payment names payables. */
	payee: string;
	/** Minor units. */
	amount: number;
}

/** What is known of a reference beside its state: IDs of the service, and what may be left unused. */
export interface EntryFacts {
	payable_id?: string;
	funding_id?: string;
	/** The address of the funding's invoice. */
	pdf_url?: string;
	/** How many payables may exist that nothing is done with. */
	unused_payables?: number;
}

/** What is known of a reference. */
export interface LedgerEntry {
	state: EntryState;
	facts: EntryFacts;
	/** Whether the approval was sent and not answered. */
	isApprovalUnanswered: boolean;
	/** What a person has written in place of a state that it can have; it is in doubt for that. */
	unknownState?: string;
	/** Whether the node has kept it by itself, before its references were kept in a Data Table. */
	isOutsideTable?: boolean;
}

/** What a run has learned of a reference; what is left out stays as it is. */
export interface EntryUpdate {
	state: EntryState;
	facts?: EntryFacts;
	isApprovalUnanswered?: boolean;
}

/**
 * Why a request is in doubt that this run has not sent, as the rest of a sentence.
 *
 * @param request what was sent, with its article
 */
export function reasonOfDoubt(entry: LedgerEntry, request: string): string {
	const { unknownState, isOutsideTable } = entry;
	if (unknownState !== undefined)
		return `its state in the ledger table, "${unknownState}", is none that it can have`;
	const when = isOutsideTable === true ? ', when Remember In was This Node' : '';
	return `an earlier run sent ${request}, or was about to${when}, and no answer is known`;
}

/** How a reference stands when a run claims it. */
export interface ClaimedEntry extends LedgerEntry {
	/** Whether nobody has used the reference before. */
	isNew: boolean;
	/** Whether the run that worked on it before was cut off, so that its last step may have been taken. */
	isInterrupted: boolean;
}

/** The kinds of requests that a unique reference stands for. Each knows its own references only. */
export type LedgerKind = 'payout' | 'payable' | 'funding';

/** What the references of a ledger belong to, beside their workspaces. */
export interface LedgerScope {
	kind: LedgerKind;
	environment: string;
}

/**
 * What is known of the unique references of one kind, as one run sees it. All claims are those that
 * `claim` was given, and each stands for one reference of the run.
 *
 * The one rule: `begin` succeeds for one run only, however many processes try, until `reopen`.
 * Every method throws a LedgerError when the ledger cannot be reached; nothing may be sent then.
 */
export interface Ledger {
	/** Works on references that nobody else in this process works on meanwhile. */
	exclusively<Result>(claims: Claim[], work: () => Promise<Result>): Promise<Result>;

	/**
	 * Claims references at the beginning of a run. What another run is still working on is waited for
	 * a while; what an earlier run has left before its request is this run's now.
	 *
	 * @returns in the order of the claims: how each stands, or that it stands for something else. One in
	 *   `creating` or `funding` is in doubt, or with another run; one that is settled is done.
	 */
	claim(claims: Claim[]): Promise<Array<ClaimedEntry | InputError>>;

	/**
	 * Keeps how far references have come before their request.
	 *
	 * @throws TakenOverError when another run has taken one over: this run must stop working on it
	 */
	advance(claims: Claim[], update: EntryUpdate): Promise<void>;

	/**
	 * Compare-and-set, directly before the request: the references are this run's and have not begun,
	 * and now they have. All of them or none.
	 *
	 * @returns those that could not begin, with how they stand; none has begun unless it is empty
	 */
	begin(claims: Claim[], state: SendingState): Promise<Map<Claim, LedgerEntry>>;

	/**
	 * Compare-and-set, directly before a request is sent again that the service has not let in: the
	 * references have begun, and are this run's still.
	 *
	 * @returns those that are not, with how they stand
	 */
	beginAgain(claims: Claim[], state: SendingState): Promise<Map<Claim, LedgerEntry>>;

	/**
	 * The request was answered. What cannot be kept reads as in doubt later, never as undone.
	 *
	 * @returns whether it was kept
	 */
	settle(claims: Claim[], state: SettledState, facts: EntryFacts): Promise<boolean>;

	/**
	 * Compare-and-set: references in doubt, whose run is over, are this run's, so that it may send their
	 * request once more.
	 *
	 * @returns those that are this run's now; none where the ledger does not know whose they are
	 */
	resend(claims: Claim[]): Promise<Set<Claim>>;

	/** The request was refused or never sent: the next one may begin. */
	reopen(claims: Claim[], state: EntryState): Promise<void>;

	/**
	 * What was paid from a workspace since a time, or is on its way, in minor units; undefined where the
	 * ledger does not know amounts.
	 *
	 * @param since ISO 8601
	 */
	spentSince(workspaceId: string, since: string): Promise<number | undefined>;

	/**
	 * The payouts to which payables belong, so that nothing else may fund them: references by payable
	 * ID. Empty where the ledger does not know payables.
	 */
	payoutsOf(payableIds: string[]): Promise<Map<string, string>>;

	/**
	 * Ends the run for these references. Those without a payable are forgotten and may be used for
	 * something else; a later run goes on with the others, or finds them in doubt.
	 */
	finish(claims: Claim[]): Promise<void>;
}

/** Another run has taken a reference over. Nothing was sent for it since. */
export class TakenOverError extends Error {
	constructor() {
		super('Another run has taken the reference over');
	}
}

/** The ledger cannot be used, so nothing may be sent. */
export class LedgerError extends Error {
	/**
	 * @param message what is wrong, without a full stop
	 * @param hint what to do, in sentences
	 */
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
	}
}
