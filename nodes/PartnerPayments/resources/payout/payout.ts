import type { Entry, ItemResult } from '../../execution/operation';
import {
	isSettled,
	reasonOfDoubt,
	type ClaimedEntry,
	type EntryState,
	type EntryUpdate,
	type LedgerEntry,
} from '../../ledger/ledger';
import { ServiceError } from '../../service/http/errors';
import { InputError } from '../../shared/inputError';
import { DENOMINATION } from '../../shared/money';
import type { PayoutRequest } from './request';
import { inDoubtHint } from './inDoubtHint';

/** The status of a payout's item: the state that it has come to, or how else it ended. */
type PayoutStatus =
	| Extract<EntryState, 'approved' | 'funded' | 'awaiting_deposit'>
	| 'duplicate'
	/** Its entry stays in the state `funding`. */
	| 'in_doubt'
	/** No funding was sent for it: running it again does no harm. */
	| 'not_sent'
	| 'failed';

/** One payout in progress: what was asked for, the state it has come to, and how it ended. */
export class Payout {
	readonly request: PayoutRequest;

	entry: LedgerEntry = { state: 'claimed', facts: {}, isApprovalUnanswered: false };

	/** Whether the reference is this run's to work on, so that it has to be finished. */
	isClaimed = false;

	/** Whether this run is to send a funding once more that an earlier one got no answer to. */
	isInDoubtBefore = false;

	private ending: { status: PayoutStatus; error?: unknown } | undefined;

	constructor(private readonly item: Entry<PayoutRequest>) {
		this.request = item.input;
	}

	/** Whether nothing more is to be done for it in this run. */
	get hasEnded(): boolean {
		return this.ending !== undefined;
	}

	/** Number of its input item. */
	get index(): number {
		return this.item.item.index;
	}

	/** Whether this run has funded it. */
	get isFunded(): boolean {
		return this.isPaid && this.ending?.status !== 'duplicate';
	}

	/** Whether this run or an earlier one has funded it. */
	get isPaid(): boolean {
		return isSettled(this.entry.state, 'payout');
	}

	get payableId(): string | undefined {
		return this.entry.facts.payable_id;
	}

	/** Goes on where an earlier run has stopped, or ends as that one did. */
	resume(claimed: ClaimedEntry | InputError): void {
		this.isClaimed = false;
		if (claimed instanceof InputError) {
			this.end('failed', claimed);
			return;
		}
		const { isNew, isInterrupted, ...entry } = claimed;
		this.entry = { ...entry, isApprovalUnanswered: entry.isApprovalUnanswered || isInterrupted };
		const { state } = entry;
		if (this.isPaid) {
			this.end('duplicate');
		} else if (state === 'funding') {
			const { isFundedAgain, method } = this.request;
			this.isInDoubtBefore = isFundedAgain && method !== 'none' && this.payableId !== undefined;
			this.endInDoubt(reasonOfDoubt(entry, 'the funding'));
		} else {
			this.isClaimed = true;
			if (!isNew && state === 'claimed') this.countUnusedPayable();
			if (state === 'approved' && this.request.method === 'none') this.end('duplicate');
		}
	}

	/** The doubt of an earlier run is this run's now, which sends the funding once more. */
	fundAgain(): void {
		this.ending = undefined;
	}

	/** Comes to another state. */
	learn({ state, facts = {}, isApprovalUnanswered = false }: EntryUpdate): void {
		this.entry = { state, facts: { ...this.entry.facts, ...facts }, isApprovalUnanswered };
	}

	/** A payable may exist that nothing is done with: it was never approved, so no money can move. */
	countUnusedPayable(): void {
		const { facts } = this.entry;
		this.entry.facts = { ...facts, unused_payables: (facts.unused_payables ?? 0) + 1 };
	}

	/** @param error why it could not be done, or what is not known */
	end(status: PayoutStatus, error?: unknown): void {
		this.ending = { status, error };
	}

	/** @param reason why the run sent no funding for it, as the rest of a sentence */
	endNotSent(reason: string): void {
		const { reference } = this.request.claim;
		this.end(
			'not_sent',
			new ServiceError({
				message: `This run sent no payment for it, since ${reason}`,
				hint: `Run it again with the same unique reference, "${reference}", when that is cleared up: it is paid once. Pay it in no other way.`,
			}),
		);
	}

	/**
	 * Another run has it now. What this run has prepared for it is not named, so that nobody funds that
	 * as well.
	 */
	endTakenOver(): void {
		this.entry = { ...this.entry, facts: {} };
		this.endNotSent('another run works on it, and says what comes of it');
	}

	/**
	 * Its funding was sent, or was just about to be, and the outcome is not known.
	 *
	 * @param what what is known, as the rest of a sentence
	 */
	endInDoubt(what: string): void {
		this.entry = { ...this.entry, state: 'funding' };
		this.end(
			'in_doubt',
			new ServiceError({
				message: `In doubt whether it was paid, so do not pay it again: ${what}`,
				hint: inDoubtHint(this.request, this.entry),
				outcome: 'unknown',
			}),
		);
	}

	/** Ends as the payout did that has the same reference. */
	endLike(first: Payout): void {
		const { status = 'failed', error } = first.ending ?? {};
		this.entry = first.entry;
		this.end(error === undefined ? 'duplicate' : status, error);
	}

	/** The item that comes out: its status, and all that is known. */
	result(): ItemResult {
		const { item, input } = this.item;
		const { status, error } = this.ending ?? { status: 'failed' };
		const { state, facts } = this.entry;
		const json = {
			status,
			...(status === 'duplicate' && { first_status: state }),
			unique_reference: input.claim.reference,
			payee: input.claim.payee,
			amount: input.payable.amount,
			amount_denomination: DENOMINATION,
			payable_id: null,
			funding_id: null,
			...facts,
		};
		return { items: [item], output: { json }, ...(error !== undefined && { error }) };
	}
}
