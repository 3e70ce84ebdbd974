import type { IDataObject } from 'n8n-workflow';

import type { ItemParameters } from '../../execution/itemParameters';
import type { ItemResult } from '../../execution/operation';
import { ServiceError } from '../../api/http/errors';
import {
	isDone,
	type Known,
	type KnownContent,
	type Release,
	type Leftover,
	type Verdict,
} from '../../ledger/ledger';
import { historyOf } from '../../ledger/messages';
import type { Payment } from '../../ledger/payment';
import type { FundedState } from '../../ledger/states';
import { dollarText } from '../../shared/money';
import { askAboutResolved, WHEN_FOUND, WHEN_NOT_FOUND } from '../funding/sendFunding';
import { payoutJson, type PayoutOutput, type PayoutStatus, reasonOf } from './output';
import { releaseHint } from './releaseHint';
import type { PayoutRequest } from './request';

/** How far a payout is. It ends once. */
type Progress =
	| { kind: 'underWay' }
	| { kind: 'ended'; status: PayoutStatus; error: unknown; reason: string | undefined };

/** The payable of a payout. */
type Payable =
	| { kind: 'missing' }
	/** An earlier run has made it. */
	| { kind: 'earlier'; id: string }
	/** This run has made it. */
	| { kind: 'created'; id: string; isApproved: boolean };

/** What a payout tells of its end. */
type Shown = Pick<PayoutOutput, 'status' | 'reason' | 'hint'>;

/** One payout in progress: its request, its payable, and how it ended. */
export class Payout {
	private payable: Payable = { kind: 'missing' };

	/** What the ledger knows of it. */
	private known: Known | undefined;

	private progress: Progress = { kind: 'underWay' };

	/** Whether a payable of this run is not needed, since what the ledger has of its reference is in the way. */
	private isPayableSurplus = false;

	/** How it can be paid if it was held. */
	release: Release | undefined;

	/** An unfinished payout of another vendor with its reference. */
	beside: KnownContent | undefined;

	/** Whether the service may have drafts of its payable that this run does not use: a creation had no answer. */
	mayHaveDrafts = false;

	/** Whether a funding of this run has paid it, or may have. */
	mayBeFunded = false;

	/** Whether the ledger has the answer to its funding. */
	isRecorded = true;

	/** How the first one of several items for its payment ended, where the ledger knows nothing of it. */
	private firstStatus: PayoutStatus | undefined;

	/** Who agreed to it, as this run was told. What was sent before keeps the one that the ledger has. */
	private approvedBy: string | undefined;

	constructor(
		readonly request: PayoutRequest,
		readonly item: ItemParameters,
	) {
		this.approvedBy = request.payment.approvedBy;
	}

	get hasEnded(): boolean {
		return this.progress.kind === 'ended';
	}

	/** How it ended; a payout that has not would be paid. */
	get status(): PayoutStatus {
		return this.progress.kind === 'ended' ? this.progress.status : 'would_pay';
	}

	/** Whether it was funded, by this run or an earlier one. */
	get isDone(): boolean {
		return this.known !== undefined && isDone(this.known);
	}

	/** Whether it was funded by invoice, and waits for its deposit: it is not paid yet. */
	get isAwaiting(): boolean {
		return this.known?.state === 'awaiting_deposit';
	}

	/** Why it was held, or what is different about the payment that it repeats. */
	get reason(): string | undefined {
		return this.progress.kind === 'ended' ? this.progress.reason : undefined;
	}

	/** What the ledger knows of it, as the rest of a sentence. */
	get history(): string {
		return historyOf({ state: this.known?.state ?? '', at: this.known?.at ?? '' });
	}

	get payableId(): string | undefined {
		return this.payable.kind === 'missing' ? undefined : this.payable.id;
	}

	/** This run has made its payable. */
	setCreated(id: string): void {
		this.payable = { kind: 'created', id, isApproved: false };
	}

	/** The payable that this run has made is approved. */
	setApproved(): void {
		if (this.payable.kind !== 'created') {
			throw new Error(`The payout of "${this.payment.reference}" has no payable to approve`);
		}
		this.payable = { kind: 'created', id: this.payable.id, isApproved: true };
	}

	/** Another payout has the payable too, so this one must not touch it, nor leave it to a later run. */
	dropPayable(): void {
		this.payable = { kind: 'missing' };
	}

	/** What was asked for, with the payable that it has by now. */
	get payment(): Payment {
		return { ...this.request.payment, payableId: this.payableId };
	}

	/** What becomes of its payable when this run has not funded it. */
	get leftover(): Leftover {
		if (this.status === 'held') {
			return 'held';
		}
		const isUseless = this.payable.kind === 'created' && !this.payable.isApproved;
		return this.isPayableSurplus || isUseless ? 'surplus' : 'prepared';
	}

	/** Continues where an earlier run has stopped, or ends as the ledger says. */
	apply(verdict: Verdict): void {
		switch (verdict.kind) {
			case 'new':
				this.beside ??= verdict.beside;
				return;
			case 'prepared':
				this.resumePrepared(verdict.known);
				return;
			case 'held':
				this.release = verdict.release;
				this.end('held', undefined, verdict.reason);
				return;
			case 'overLimit':
				this.end('not_sent', verdict.error);
				return;
			case 'busy':
				this.isPayableSurplus = true;
				this.endNotSent('another execution works on it');
				return;
			case 'done':
				this.takeOver(verdict.known);
				this.approvedBy = verdict.known.approvedBy;
				this.end('duplicate', undefined, this.otherDateReason(verdict.known.invoiceDate));
				return;
			case 'unconfirmed':
				this.takeOver(verdict.known);
				this.approvedBy = verdict.known.approvedBy;
				this.endUnconfirmed(
					unconfirmedReason(verdict.known.state),
					this.adviceAbout(verdict.known.resolvedFundingId, WHEN_NOT_FOUND),
				);
				return;
			case 'refused':
				this.takeOver(verdict.known);
				this.end('failed', verdict.error);
		}
	}

	endFunded(
		state: FundedState,
		funding: Pick<Known, 'fundingId' | 'pdfUrl'>,
		isRecorded: boolean,
	): void {
		this.known = { ...this.known, ...funding, state };
		if (this.payableId !== undefined) {
			this.known.payableId = this.payableId;
		}
		this.isRecorded = isRecorded;
		this.mayBeFunded = true;
		this.end(state);
	}

	/**
	 * Ends since its funding was sent, and nobody knows what became of it.
	 *
	 * @param what the rest of a sentence
	 */
	endUnanswered(what: string): void {
		this.mayBeFunded = true;
		this.endUnconfirmed(what, this.findOut(WHEN_NOT_FOUND));
	}

	/**
	 * Ends since the service did not take its payable, which is in another funding, or is canceled.
	 *
	 * @param what the rest of a sentence
	 */
	endConflicting(what: string): void {
		this.mayBeFunded = true;
		const advice = this.adviceAbout(this.known?.resolvedFundingId, NOT_FOUND_AFTER_CONFLICT);
		this.endUnconfirmed(what, advice);
	}

	end(status: PayoutStatus, error?: unknown, reason?: string): void {
		if (this.hasEnded) {
			throw new Error(`The payout of "${this.payment.reference}" has ended as ${this.status}`);
		}
		this.progress = { kind: 'ended', status, error, reason };
	}

	/** Ends since the service has not funded it. */
	endUnfunded(status: PayoutStatus, error: unknown, isRecorded: boolean): void {
		this.isRecorded = isRecorded;
		if (!isRecorded || !isDeclined(error)) {
			this.end(status, error);
			return;
		}
		this.end(status, error.reworded({ hint: this.hintAfterRefusal(error.hint) }));
	}

	/** @param reason the rest of a sentence */
	endNotSent(reason: string): void {
		this.end(
			'not_sent',
			new ServiceError({
				message: `Nothing was sent for this payout: ${reason}`,
				hint: `Run it again later with the same unique reference, "${this.payment.reference}". It is paid once.`,
			}),
		);
	}

	/**
	 * @param what the rest of a sentence
	 * @param advice how a person finds out whether it was paid
	 */
	private endUnconfirmed(what: string, advice: string): void {
		this.end(
			'unconfirmed',
			new ServiceError({
				message: `Unconfirmed, so it is not paid again: ${what}`,
				hint: `Never pay it in another way. ${advice}`,
				outcome: 'unknown',
			}),
		);
	}

	/**
	 * @param resolvedFundingId a funding that a person has resolved as not paid
	 * @param notFound what to do where no funding is found
	 */
	private adviceAbout(resolvedFundingId: string | undefined, notFound: string): string {
		return resolvedFundingId === undefined
			? this.findOut(notFound)
			: askAboutResolved(resolvedFundingId);
	}

	/** @param notFound what to do where no funding is found */
	private findOut(notFound: string): string {
		const { reference } = this.payment;
		return `Search the service for a funding of [${reference}] with ${this.payableText()}. ${WHEN_FOUND} ${notFound}`;
	}

	/**
	 * What to do after a funding was refused for what it asks. The payout stays prepared for its payee and amount, so that
	 * another payee or amount under its reference is refused until a person resolves it.
	 */
	private hintAfterRefusal(hint: string): string {
		const resolvedFundingId = this.known?.resolvedFundingId;
		if (resolvedFundingId !== undefined) {
			return `${MAY_HAVE_MOVED_MONEY} ${askAboutResolved(resolvedFundingId)} Correct the item before you run it again.`;
		}
		if (this.payable.kind === 'earlier') {
			// The run that made it may have funded it, or a person had the time to cancel it.
			return `${MAY_HAVE_MOVED_MONEY} Search the service for a funding of payable ${this.payable.id}. ${WHEN_FOUND} Set "Find By" to "Payable ID" there. ${NOT_FOUND_BEFORE_A_CHANGE}`;
		}
		return `${hint} The payout stays prepared. Before you change its payee or amount, use "Resolve" of "Payout" as "Not Paid".`;
	}

	/** Ends a repeated item like the first one: as its duplicate, or with the same problem. */
	endLike(first: Payout): void {
		const { progress } = first;
		// Only in a preview: what would be paid has not ended.
		if (progress.kind === 'underWay') {
			return;
		}
		this.payable = first.payable;
		this.release = first.release;
		this.known = first.known;
		this.firstStatus = progress.status;
		this.approvedBy = first.approvedBy;
		const isProblem = progress.error !== undefined || progress.reason !== undefined;
		if (isProblem) {
			this.end(progress.status, progress.error, progress.reason);
			return;
		}
		this.end('duplicate', undefined, this.otherDateReason(first.payment.invoiceDate));
	}

	result(): ItemResult {
		const output = {
			json: this.json({ status: this.status, reason: this.reason, hint: this.hint }),
		};
		return this.error === undefined
			? { item: this.item, output }
			: { item: this.item, output, error: this.error };
	}

	/** Its result in a preview: with a reason and a hint instead of an error. */
	previewResult(): ItemResult {
		if (this.error === undefined) {
			const hint = this.status === 'duplicate' ? this.hint : undefined;
			const json = this.json({ status: this.status, reason: this.reason, hint });
			return { item: this.item, output: { json } };
		}

		const status = this.status === 'unconfirmed' ? 'unconfirmed' : 'refused';
		const { reason, hint } = reasonOf(this.error);
		return { item: this.item, output: { json: this.json({ status, reason, hint }) } };
	}

	/** What a person does about the reason. */
	private get hint(): string | undefined {
		if (this.release !== undefined) {
			return releaseHint([this.release]);
		}
		const isDuplicate = this.status === 'duplicate' && this.reason !== undefined;
		return isDuplicate ? COMPARE_BY_DATE : undefined;
	}

	/** What a duplicate says if its invoice has another date than the one that it repeats. */
	private otherDateReason(knownDate: string | undefined): string | undefined {
		const { invoiceDate } = this.payment;
		if (invoiceDate === undefined || knownDate === undefined || invoiceDate === knownDate) {
			return undefined;
		}
		return `The ledger has it with the invoice date ${knownDate}, not ${invoiceDate}`;
	}

	private get error(): unknown {
		return this.progress.kind === 'ended' ? this.progress.error : undefined;
	}

	private json({ status, reason, hint }: Shown): IDataObject {
		const { payment } = this.request;
		return payoutJson({
			status,
			firstStatus: this.known?.state ?? this.firstStatus,
			reason,
			hint,
			release: this.release,
			uniqueReference: payment.reference,
			payment,
			payableId: this.payableId,
			approvedBy: this.approvedBy,
			known: this.known,
			isRecorded: this.isRecorded,
		});
	}

	/** Another vendor's funding may have the same reference. */
	private payableText(): string {
		const id = this.known?.payableId ?? this.payableId;
		const what = `${dollarText(this.payment.amount)} to ${this.payment.payee}`;
		return id === undefined ? what : `payable ${id}, ${what}`;
	}

	private resumePrepared(known: Known): void {
		this.known = known;
		// A payable that this run has made stays.
		if (known.payableId !== undefined && this.payable.kind === 'missing') {
			this.payable = { kind: 'earlier', id: known.payableId };
		}
		if (this.request.method === 'none') {
			this.approvedBy = known.approvedBy;
			this.end('duplicate');
		}
	}

	/** Takes over what the ledger knows. That is in the way of this payout, so a payable of this run is not needed. */
	private takeOver(known: Known): void {
		this.known = known;
		this.isPayableSurplus = true;
	}
}

const COMPARE_BY_DATE =
	'Compare the invoices. If it is the same one, do nothing. If another invoice was paid under this number by mistake, ask the person responsible for this workflow.';

const MAY_HAVE_MOVED_MONEY = 'This request moved no money, but an earlier one may have.';

const NOT_FOUND_AFTER_CONFLICT =
	'Not found: wait until the operator of the service confirms that it was not funded. If its payable was canceled, use "Void", and the person responsible decides under which number it is paid. If not, use "Not Paid".';

const NOT_FOUND_BEFORE_A_CHANGE =
	'Not found: wait until the operator of the service confirms that none exists, and none is on its way. Then correct the item, and run it again. Another payee or amount: first use "Not Paid". Payable canceled: ask the person responsible about "Void".';

/** Whether the service refused a request for what it asks. */
const isDeclined = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && error.failureKind === 'declined';

/** Why a payment is unconfirmed that the ledger has in this state, as the rest of a sentence. */
function unconfirmedReason(state: string): string {
	const wasSent = state === 'unconfirmed' || state === 'sending';
	return wasSent
		? 'an earlier run may have sent its funding, and no answer is known'
		: `the ledger table has "${state}" for it, which leaves open whether it was paid`;
}

/** The payouts that have not ended yet. */
export const remainingOf = (payouts: Payout[]): Payout[] =>
	payouts.filter(({ hasEnded }) => !hasEnded);
