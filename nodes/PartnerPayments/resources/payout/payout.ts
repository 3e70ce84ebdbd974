import type { IDataObject } from 'n8n-workflow';

import type { Entry, ItemResult } from '../../execution/operation';
import type { Claim, EntryState, LedgerEntry } from '../../ledger/entry';
import { conflictError, type ClaimedEntry, type References } from '../../ledger/references';
import type { PayableCreate } from '../../service/api/payables';
import { ServiceError } from '../../service/http/errors';
import { InputError } from '../../shared/inputError';
import { DENOMINATION } from '../../shared/money';

/** What an item asks for. */
export interface PayoutRequest {
	claim: Claim;
	payable: PayableCreate;
	/** `none` stops before the funding. */
	method: 'balance' | 'invoice' | 'none';
	/** What the funding says of itself; payouts with the same text can share one. */
	fundingText: { description?: string; po_number?: string };
	/** Payouts that share a funding, at most. */
	payablesPerFunding: number;
	/** Minor units; a run with more than that is rejected. */
	maxAmount: number;
	maxTotal: number;
}

/** The status of a payout's item: the state that it has come to, or how else it ended. */
type PayoutStatus =
	| Extract<EntryState, 'approved' | 'funded' | 'awaiting_deposit'>
	| 'duplicate'
	/** Its entry stays in the state `funding`. */
	| 'in_doubt'
	| 'failed';

/** One payout in progress: what was asked for, the state it has come to, and how it ended. */
export class Payout {
	readonly request: PayoutRequest;

	ledgerEntry: LedgerEntry = { state: 'claimed', facts: {} };

	private ending: { status: PayoutStatus; error?: unknown } | undefined;

	constructor(
		private readonly entry: Entry<PayoutRequest>,
		private readonly references: References,
	) {
		this.request = entry.input;
	}

	/** Whether nothing more is to be done for it in this run. */
	get hasEnded(): boolean {
		return this.ending !== undefined;
	}

	get payableId(): string | undefined {
		const { payable_id: id } = this.ledgerEntry.facts;
		return typeof id === 'string' ? id : undefined;
	}

	/** Continues where an earlier run has stopped. */
	resume(claimed: ClaimedEntry | InputError): void {
		if (claimed instanceof InputError) {
			this.end('failed', claimed);
			return;
		}
		const { isNew, ...entry } = claimed;
		this.ledgerEntry = entry;
		if (!isNew && entry.state === 'claimed') this.countUnusedPayable();
		if (entry.state === 'approved' && this.request.method === 'none') this.end('duplicate');
		this.endIfLocked(entry.state);
	}

	/** Ends when its funding was made, or may have been made, by somebody else. */
	endIfLocked(state: EntryState): void {
		if (state === 'funded' || state === 'awaiting_deposit') this.end('duplicate');
		if (state === 'funding') {
			this.endInDoubt('an earlier run sent the funding, or was just about to, and knows no answer');
		}
	}

	/** Comes to another state; later runs are told. */
	advance(state: EntryState, facts: IDataObject = {}): void {
		this.ledgerEntry = { state, facts: { ...this.ledgerEntry.facts, ...facts } };
		this.references.update(this.request.claim, this.ledgerEntry);
	}

	/** The approval was sent and not answered; later runs are told. */
	keepUnansweredApproval(): void {
		const entry = { ...this.ledgerEntry, isApprovalUnanswered: true };
		this.references.update(this.request.claim, entry);
	}

	/** A payable may exist that nothing is done with: it was never approved, so no money can move. */
	countUnusedPayable(): void {
		const { facts } = this.ledgerEntry;
		const unused = Number(facts.unused_payables ?? 0) + 1;
		this.ledgerEntry = { ...this.ledgerEntry, facts: { ...facts, unused_payables: unused } };
	}

	/** @param error why it could not be done, or what is not known */
	end(status: PayoutStatus, error?: unknown): void {
		this.ending = { status, error };
	}

	/**
	 * Its funding was sent, or was just about to be, and the outcome is not known.
	 *
	 * @param what what is known, as the rest of a sentence
	 */
	endInDoubt(what: string): void {
		const { reference, content } = this.request.claim;
		const name = this.payableId === undefined ? 'the payable' : `payable ${this.payableId}`;
		const ifNone =
			this.payableId === undefined
				? ' If there is none, send the payout again under a new unique reference.'
				: '';
		this.advance('funding');
		this.end(
			'in_doubt',
			new ServiceError({
				message: `In doubt whether it was paid: ${what}`,
				hint: `It may have been paid, and running this again does not pay "${reference}" twice. Look up ${name} (${content}) in the service itself. If it is funded, nothing is left to do. If it is only approved, pay it with the resource Funding, operation Create.${ifNone}`,
				outcome: 'unknown',
			}),
		);
	}

	/** Ends as the payout did that has the same reference. */
	endLike(first: Payout): void {
		const { claim } = first.request;
		if (claim.content !== this.request.claim.content) {
			this.end('failed', conflictError(this.request.claim, claim.content));
			return;
		}
		const { status = 'failed', error } = first.ending ?? {};
		this.ledgerEntry = first.ledgerEntry;
		this.end(error === undefined ? 'duplicate' : status, error);
	}

	/** The item that comes out: its status, and all that is known. */
	result(): ItemResult {
		const { item, input } = this.entry;
		const { status, error } = this.ending ?? { status: 'failed' };
		const { state, facts } = this.ledgerEntry;
		const json = {
			status,
			...(status === 'duplicate' && { first_status: state }),
			unique_reference: input.claim.reference,
			payable_id: null,
			funding_id: null,
			amount: input.payable.amount,
			amount_denomination: DENOMINATION,
			...facts,
		};
		return { items: [item], output: { json }, ...(error !== undefined && { error }) };
	}
}
