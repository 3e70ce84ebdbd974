import type { IDataObject } from 'n8n-workflow';

import type { Standing } from '../../ledger/gate';
import { conflict, type Beginning, type Claim, type References } from '../../ledger/references';
import { ServiceError } from '../../service/http/errors';
import type { PayableCreate } from '../../service/api/payables';
import { DENOMINATION } from '../../shared/money';
import type { Done, Entry } from '../../execution/operation';

/** What an item asks for. */
export interface Order {
	claim: Claim;
	payable: PayableCreate;
	/** `none` stops before the funding. */
	method: 'balance' | 'invoice' | 'none';
	/** What the funding says of itself; payouts with the same words can share one. */
	words: { description?: string; po_number?: string };
	/** Payouts that share a funding, at most. */
	payablesPerFunding: number;
	/** Minor units; a run with more than that is refused. */
	maxAmount: number;
	maxTotal: number;
}

/** How far a payout has come, as later runs are told. */
type Step =
	| 'created'
	/** The approval was sent, and not answered. */
	| 'approving'
	| 'approved'
	| 'awaiting_deposit'
	| 'funded'
	/** The funding was sent, and not answered. */
	| 'in_doubt';

/** What came of a payout in this run. */
type Status = Exclude<Step, 'created' | 'approving'> | 'duplicate' | 'failed';

/** One payout on its way: what was asked for, how far it has come, and how it ended. */
export class Payout {
	readonly order: Order;

	private facts: IDataObject = {};

	private outcome: { status: Status; error?: unknown } | undefined;

	constructor(
		private readonly entry: Entry<Order>,
		private readonly references: References,
	) {
		this.order = entry.input;
	}

	/** Whether nothing more is to be done for it in this run. */
	get isOver(): boolean {
		return this.outcome !== undefined;
	}

	get payableId(): string | undefined {
		const { payable_id: id } = this.facts;
		return typeof id === 'string' ? id : undefined;
	}

	/** Whether it has come so far, in this run or an earlier one. */
	hasReached(step: Step): boolean {
		return this.facts.step === step;
	}

	/** Goes on where an earlier run has stopped. */
	resume(beginning: Beginning): void {
		if (beginning.is === 'taken') this.end('failed', beginning.error);
		if (beginning.is === 'known') this.facts = { ...beginning.output };
		if (beginning.is === 'begun') this.meetGate(beginning.standing);
		if (this.hasReached('in_doubt')) this.meetGate('inDoubt');
		if (this.hasReached('funded') || this.hasReached('awaiting_deposit')) this.meetGate('done');
		if (this.hasReached('approved') && this.order.method === 'none') this.end('duplicate');
	}

	/** Does what its gate says: goes on only when it is open. */
	meetGate(standing: Standing): void {
		if (standing === 'open') this.mayHaveLeftPayable();
		if (standing === 'done') this.end('duplicate');
		if (standing === 'inDoubt') {
			this.endInDoubt('an earlier run sent the funding, or was just about to, and knows no answer');
		}
	}

	/** Comes one step further; later runs are told. */
	reach(step: Step, facts: IDataObject = {}): void {
		this.facts = { ...this.facts, ...facts, step };
		this.references.remember(this.order.claim, this.facts);
	}

	/** A payable may exist that nothing is done with: it was never approved, so no money can move. */
	mayHaveLeftPayable(): void {
		this.facts = { ...this.facts, unused_payables: Number(this.facts.unused_payables ?? 0) + 1 };
	}

	/** @param error why it could not be done, or what is not known */
	end(status: Status, error?: unknown): void {
		this.outcome = { status, error };
	}

	/**
	 * Its funding was sent, or was just about to be, and it is not known what came of it.
	 *
	 * @param what what is known, as the rest of a sentence
	 */
	endInDoubt(what: string): void {
		const { reference, content } = this.order.claim;
		const name = this.payableId === undefined ? 'the payable' : `payable ${this.payableId}`;
		const ifNone =
			this.payableId === undefined
				? ' If there is none, send the payout again under a new unique reference.'
				: '';
		this.reach('in_doubt');
		this.end(
			'in_doubt',
			new ServiceError(
				`In doubt whether it was paid: ${what}`,
				`It may have been paid, and running this again does not pay "${reference}" twice. Look up ${name} (${content}) in the service itself. If it is funded, nothing is left to do. If it is only approved, pay it with the resource Funding, operation Create.${ifNone}`,
				'inDoubt',
			),
		);
	}

	/** Ends as the payout did that has the same reference. */
	endAs(first: Payout): void {
		const { claim } = first.order;
		if (claim.content !== this.order.claim.content) {
			this.end('failed', conflict(this.order.claim, claim.content));
			return;
		}
		const { status = 'failed', error } = first.outcome ?? {};
		this.facts = { ...first.facts };
		this.end(error === undefined ? 'duplicate' : status, error);
	}

	/** The item that comes out: its status, and all that is known. */
	done(): Done {
		const { item, input } = this.entry;
		const { status, error } = this.outcome ?? { status: 'failed' };
		const { step, ...facts } = this.facts;
		const json = {
			status,
			...(status === 'duplicate' && { first_status: step ?? 'funded' }),
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
