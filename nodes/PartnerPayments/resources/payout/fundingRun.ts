import type { Client } from '../../api/client';
import { getInvoicePdfUrl } from '../../api/endpoints';
import { isConflict, isGroupRefusal, outcomeOf, ServiceError } from '../../api/http/errors';
import {
	LedgerError,
	allowsSending,
	verdictOn,
	type Ledger,
	type Verdicts,
} from '../../ledger/ledger';
import { ExplainedError } from '../../shared/errors';
import { isNonEmpty } from '../../shared/lists';
import { sendFunding, type FundingOrder, type FundingResult } from '../funding/sendFunding';
import { fundingOf, rulesOf } from './batches';
import { remainingOf, type Payout } from './payout';
import { storeLeftovers } from './storeLeftovers';

/** How many failed fundings in a row end the run. */
const MAX_FAILURES = 5;

/** How a group ended: funded; refused as a whole, so that a part of it can be tried; or in another way. */
type GroupResult = 'funded' | 'divisible' | 'ended';

/** Funds the approved payouts of a run, one funding at a time. The first one without a clear answer ends the run. */
export class FundingRun {
	private readonly createdPayableIds = new Set<string>();
	private failures = 0;
	private reason: string | undefined;

	constructor(
		private readonly client: Client,
		private readonly ledger: Ledger,
		private readonly signal: AbortSignal | undefined,
	) {}

	/** Why nothing more is sent. */
	get stopReason(): string | undefined {
		const wasStopped = this.signal?.aborted === true;
		return this.reason ?? (wasStopped ? 'the run was stopped' : undefined);
	}

	/** Whether this run has created this payable. */
	hasCreatedPayable(id: string): boolean {
		return this.createdPayableIds.has(id);
	}

	addCreatedPayable(id: string): void {
		this.createdPayableIds.add(id);
	}

	stop(reason: string): void {
		this.reason ??= reason;
	}

	/** Funds payouts that can share a funding. One call at a time. */
	async fund(payouts: Payout[]): Promise<void> {
		const result = await this.sendUnblocked(payouts);
		if (result === 'divisible') {
			await this.divide(payouts);
		}
	}

	/**
	 * Finds the payouts that cannot be paid in a group that was refused. Tries both halves before it divides one, unless
	 * the first was funded: then the cause is in the second.
	 */
	private async divide(payouts: Payout[]): Promise<void> {
		const remaining = remainingOf(payouts);
		const middle = Math.floor(remaining.length / 2);
		const firstHalf = remaining.slice(0, middle);
		const secondHalf = remaining.slice(middle);

		const resultOfFirst = await this.sendUnblocked(firstHalf);
		if (resultOfFirst === 'funded' && secondHalf.length > 1) {
			// The cause must be in the second half, so that half is not sent as a whole.
			await this.divide(secondHalf);
			return;
		}

		const resultOfSecond = await this.sendUnblocked(secondHalf);
		if (resultOfFirst === 'divisible') {
			await this.divide(firstHalf);
		}
		if (resultOfSecond === 'divisible') {
			await this.divide(secondHalf);
		}
	}

	/** Sends one funding. If the ledger blocks some of its payouts, sends one for the others in its place. */
	private async sendUnblocked(payouts: Payout[]): Promise<GroupResult> {
		const result = await this.sendGroup(payouts);
		if (result !== 'blocked') {
			return result;
		}

		// Those that the ledger blocks have ended. The others can be funded without them.
		const resultOfRest = await this.sendGroup(remainingOf(payouts));
		if (resultOfRest !== 'blocked') {
			return resultOfRest;
		}

		endAllNotSent(remainingOf(payouts), 'other executions work on its group');
		return 'ended';
	}

	/** Sends one funding for all of these payouts, and applies how it ended. */
	private async sendGroup(payouts: Payout[]): Promise<GroupResult | 'blocked'> {
		if (!isNonEmpty(payouts)) {
			return 'ended';
		}
		if (this.stopReason !== undefined) {
			endAllNotSent(payouts, this.stopReason);
			return 'ended';
		}

		const order: FundingOrder = {
			payments: payouts.map(({ payment }) => payment),
			body: fundingOf(payouts),
			rules: rulesOf(payouts),
			conflictOutcome: 'unknown',
		};
		// It throws only while it waits for its turn: then nothing was sent, or what was sent was refused and withdrawn.
		const result = await sendFunding(this.client, this.ledger, order).catch((error: unknown) => ({
			kind: 'notSent' as const,
			error,
		}));

		switch (result.kind) {
			case 'funded':
				await this.applyFunded(payouts, result);
				return 'funded';
			case 'failed':
				return this.applyFailed(payouts, result);
			case 'notSent':
				return this.applyNotSent(payouts, result.error);
			case 'blocked':
				await this.applyBlocked(payouts, result.verdicts);
				return 'blocked';
		}
	}

	private async applyFunded(
		payouts: Payout[],
		{ funding, state, claim, isRecorded }: Extract<FundingResult, { kind: 'funded' }>,
	): Promise<void> {
		this.failures = 0;
		const fundingId = String(funding.id);
		const details: { fundingId: string; pdfUrl?: string } = { fundingId };
		if (state === 'awaiting_deposit') {
			const pdfUrl = await getInvoicePdfUrl(this.client, fundingId).catch(() => undefined);
			if (pdfUrl !== undefined) {
				details.pdfUrl = pdfUrl;
				await claim.addInvoice(pdfUrl).catch(() => undefined);
			}
		}

		for (const payout of payouts) {
			payout.endFunded(state, details, isRecorded);
		}
	}

	/** Ends the payouts that the ledger blocks, and none of the others. */
	private async applyBlocked(payouts: Payout[], verdicts: Verdicts): Promise<void> {
		for (const payout of payouts) {
			const verdict = verdictOn(payout.payment, verdicts);
			if (!allowsSending(verdict)) {
				payout.apply(verdict);
			}
		}

		const ended = payouts.filter(({ hasEnded }) => hasEnded);
		await storeLeftovers(this.ledger, ended);
	}

	/** Ends payouts whose funding was not sent, since something failed before it. */
	private applyNotSent(payouts: Payout[], error: unknown): GroupResult {
		if (error instanceof LedgerError) {
			this.stop(`its ledger cannot be used (${error.message})`);
		}

		// Any other error is a fault of this package: then a person has to look at the payout.
		const status = error instanceof ExplainedError ? 'not_sent' : 'failed';
		for (const payout of payouts) {
			payout.end(status, error);
		}
		return 'ended';
	}

	/** Ends payouts whose funding did not work or may not have, unless the group may be divided. */
	private applyFailed(
		payouts: Payout[],
		{ error, isRecorded }: Extract<FundingResult, { kind: 'failed' }>,
	): GroupResult {
		const outcome = outcomeOf(error);
		const isOfConflict = isConflict(error);
		if (outcome === 'unknown' && !isOfConflict) {
			this.applyUnanswered(payouts, error);
			return 'ended';
		}

		if (!isRecorded) {
			this.stop('its ledger cannot be written');
		}
		// A 409 is an answer: the service works, so the run goes on with other payouts.
		this.failures += 1;
		if (this.failures === MAX_FAILURES) {
			this.stop(`${MAX_FAILURES} fundings in a row failed (${reasonOf(error)})`);
		}
		if (isOfConflict) {
			for (const payout of payouts) {
				payout.endConflicting(reasonOf(error));
			}
			return 'ended';
		}
		if (isGroupRefusal(error) && payouts.length > 1 && isRecorded) {
			return 'divisible';
		}

		for (const payout of payouts) {
			payout.endUnfunded(outcome === 'refused' ? 'failed' : 'not_sent', error, isRecorded);
		}
		return 'ended';
	}

	/** Ends payouts that may be funded. Whether the ledger could write it down or not, they become unconfirmed there. */
	private applyUnanswered(payouts: Payout[], error: unknown): void {
		this.stop('the service did not answer a funding of this run');
		for (const payout of payouts) {
			payout.endUnanswered(`the funding was sent, and ${reasonOf(error)}`);
		}
	}
}

function endAllNotSent(payouts: Payout[], reason: string): void {
	for (const payout of payouts) {
		payout.endNotSent(reason);
	}
}

const reasonOf = (error: unknown): string =>
	error instanceof ServiceError ? error.reason : String(error);
