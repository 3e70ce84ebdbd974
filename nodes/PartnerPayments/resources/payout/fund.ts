import { isOpen, LedgerError, type DailyLimit, type Entry, type Ledger } from '../../ledger/ledger';
import type { Client } from '../../api/client';
import { getInvoicePdfUrl, type FundingCreate } from '../../api/endpoints';
import { isNotDone, ServiceError } from '../../api/http/errors';
import { DENOMINATION, sum } from '../../shared/money';
import { sendFunding, type FundingResult } from '../funding/sendFunding';
import type { Payout } from './payout';
import { withReferences } from './request';

/** Fundings that may fail one after the other, without one that is taken, before the run ends. */
const MAX_FAILURES = 5;

/** What became of a group: its payouts were funded, or declined together, or they ended otherwise. */
type GroupResult = 'funded' | 'declined' | 'ended';

/**
 * Funds the approved payouts of a run, one funding at a time, so that the first one that is not answered
 * ends the run: a service that does not answer gets no further money.
 */
export class Funder {
	/** Why nothing more is sent in this run, as the rest of a sentence. */
	stopReason = 'the run was stopped';
	private hasStopped = false;
	private failures = 0;

	constructor(
		private readonly client: Client,
		private readonly ledger: Ledger,
		private readonly isCancelled: () => boolean,
	) {}

	get isStopped(): boolean {
		return this.hasStopped || this.isCancelled();
	}

	stop(reason: string): void {
		if (!this.hasStopped) this.stopReason = reason;
		this.hasStopped = true;
	}

	/** Funds payouts of one workspace and method together; one call at a time. */
	async fund(payouts: Payout[]): Promise<void> {
		try {
			if ((await this.send(payouts)) === 'declined') await this.split(payouts);
		} catch (error) {
			for (const payout of payouts) if (!payout.hasEnded) payout.end('failed', error);
		}
	}

	/**
	 * Finds the payouts that cannot be paid in a group that was declined: a declined funding has moved
	 * nothing. The other half is tried before a half is divided further.
	 */
	private async split(payouts: Payout[]): Promise<void> {
		if (payouts.length < 2) return;
		const middle = Math.floor(payouts.length / 2);
		const [one, other] = [payouts.slice(0, middle), payouts.slice(middle)];
		const result = await this.send(one);
		// With one half paid, the other one is the one that was declined.
		const isOtherDeclined =
			(result === 'funded' && other.length > 1) || (await this.send(other)) === 'declined';
		if (result === 'declined') await this.split(one);
		if (isOtherDeclined) await this.split(other);
	}

	/** Sends one funding; what it does not fund ends here, unless it may be split. */
	private async send(payouts: Payout[], isRepeated = false): Promise<GroupResult> {
		const [first] = payouts;
		if (first === undefined) return 'ended';
		if (this.isStopped) {
			for (const payout of payouts) payout.endNotSent(this.stopReason);
			return 'ended';
		}
		const payments = payouts.map(({ payment }) => payment);
		try {
			const result = await sendFunding(
				this.client,
				this.ledger,
				payments,
				fundingOf(first, payouts),
				strictest(payouts),
			);
			if ('blocked' in result) return await this.sendRest(payouts, result.blocked, isRepeated);
			this.failures = 0;
			await this.endFunded(payouts, result);
			return 'funded';
		} catch (error) {
			return this.endUnfunded(payouts, error);
		}
	}

	/** Goes on without the payouts that another run has by now. */
	private async sendRest(
		payouts: Payout[],
		entries: Entry[],
		isRepeated: boolean,
	): Promise<GroupResult> {
		for (const [index, entry] of entries.entries())
			if (!isOpen(entry)) payouts[index]?.resume(entry);
		const rest = payouts.filter(({ hasEnded }) => !hasEnded);
		if (!isRepeated) return await this.send(rest, true);
		for (const payout of rest) payout.endNotSent('other executions work on its group');
		return 'ended';
	}

	private async endFunded(
		payouts: Payout[],
		{ funding, state, attempt }: Exclude<FundingResult, { blocked: unknown }>,
	): Promise<void> {
		const fundingId = String(funding.id);
		const isInvoice = state === 'awaiting_deposit';
		const find = async () => await getInvoicePdfUrl(this.client, fundingId).catch(() => undefined);
		const pdfUrl = isInvoice ? await find() : undefined;
		if (pdfUrl !== undefined) await attempt.addInvoice(pdfUrl).catch(() => undefined);
		for (const payout of payouts) payout.endFunded(state, fundingId, pdfUrl);
	}

	private endUnfunded(payouts: Payout[], error: unknown): GroupResult {
		if (error instanceof LedgerError) {
			this.stop(`its ledger cannot be used (${error.message})`);
			for (const payout of payouts) payout.end('not_sent', error);
			return 'ended';
		}
		const answer = error instanceof ServiceError ? error.answer : undefined;
		if (!isNotDone(error)) {
			this.stop('the service did not answer a funding of this run');
			for (const payout of payouts)
				payout.endUnconfirmed(`the funding was sent, and ${reasonOf(error)}`);
			return 'ended';
		}
		this.failures += 1;
		if (this.failures === MAX_FAILURES)
			this.stop(`${MAX_FAILURES} fundings in a row failed (${reasonOf(error)})`);
		// What a conflict is about is not known, so that a part of the group might be paid already.
		if (answer === 'declined' && payouts.length > 1) return 'declined';
		const isRefused = answer === 'declined' || answer === 'conflict' || answer === 'denied';
		for (const payout of payouts) payout.end(isRefused ? 'failed' : 'not_sent', error);
		return 'ended';
	}
}

function fundingOf({ request }: Payout, payouts: Payout[]): FundingCreate {
	const { method, fundingText, payable } = request;
	const references = payouts.map(({ payment }) => payment.reference);
	return {
		workspace_id: payable.workspace_id,
		method: method === 'invoice' ? 'invoice' : 'balance',
		amount: sum(payouts.map(({ payment }) => payment.amount)),
		amount_denomination: DENOMINATION,
		...fundingText,
		description: withReferences(fundingText.description, references),
		payable_ids: payouts.flatMap(({ known }) => known.payableId ?? []),
	};
}

export const strictest = (payouts: Payout[]): DailyLimit | undefined =>
	payouts
		.flatMap(({ request }) => request.daily ?? [])
		.sort((one, other) => one.limit - other.limit)[0];

const reasonOf = (error: unknown): string =>
	error instanceof ServiceError ? error.reason : String(error);
