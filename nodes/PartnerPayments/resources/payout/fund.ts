import { isOpen, LedgerError, type Ledger, type Rules } from '../../ledger/ledger';
import type { Client } from '../../api/client';
import { getInvoicePdfUrl, type FundingCreate } from '../../api/endpoints';
import { isGroupRefusal, outcomeOf, ServiceError } from '../../api/http/errors';
import { chunk, groupBy } from '../../shared/lists';
import { DENOMINATION, sum } from '../../shared/money';
import { sendFunding } from '../funding/sendFunding';
import type { Payout } from './payout';
import { withReferences } from './request';

const MAX_PER_FUNDING = 50;
/** So many failed fundings in a row end the run. */
const MAX_FAILURES = 5;

/** How a group ended: funded, declined together, or in another way. */
type GroupResult = 'funded' | 'declined' | 'ended';

/** Funds the approved payouts of a run, one funding at a time. The first one without an answer ends the run. */
export class Funder {
	private failures = 0;
	private reason: string | undefined;

	constructor(
		private readonly client: Client,
		private readonly ledger: Ledger,
		private readonly signal: AbortSignal | undefined,
	) {}

	/** Why nothing more is sent. */
	get stopReason(): string | undefined {
		return this.reason ?? (this.signal?.aborted === true ? 'the run was stopped' : undefined);
	}

	stop(reason: string): void {
		this.reason ??= reason;
	}

	/** Funds payouts that can share a funding. One call at a time. */
	async fund(payouts: Payout[]): Promise<void> {
		if ((await this.send(payouts)) === 'declined') await this.split(payouts);
	}

	/** Finds the payouts that cannot be paid in a declined group. Tries both halves before it divides one. */
	private async split(payouts: Payout[]): Promise<void> {
		if (payouts.length < 2) return;
		const middle = Math.floor(payouts.length / 2);
		const [one, other] = [payouts.slice(0, middle), payouts.slice(middle)];
		const result = await this.send(one);
		// With one half paid, the other half must be the cause.
		const isOtherDeclined =
			(result === 'funded' && other.length > 1) || (await this.send(other)) === 'declined';
		if (result === 'declined') await this.split(one);
		if (isOtherDeclined) await this.split(other);
	}

	/** Sends one funding. Payouts that it does not fund end, unless the group may be split. */
	private async send(payouts: Payout[], isRepeated = false): Promise<GroupResult> {
		const [first] = payouts;
		if (first === undefined) return 'ended';
		if (this.stopReason !== undefined) return endNotSent(payouts, this.stopReason);
		const payments = payouts.map(({ payment }) => payment);
		const { client, ledger } = this;
		try {
			const body = fundingOf(first, payouts);
			const result = await sendFunding(client, ledger, payments, body, rulesOf(payouts));
			if ('blocked' in result) {
				for (const [index, entry] of result.blocked.entries())
					if (!isOpen(entry)) payouts[index]?.resume(entry);
				const rest = payouts.filter(({ hasEnded }) => !hasEnded);
				if (!isRepeated) return await this.send(rest, true);
				return endNotSent(rest, 'other executions work on its group');
			}
			this.failures = 0;
			const { funding, state, attempt } = result;
			const fundingId = String(funding.id);
			const isInvoice = state === 'awaiting_deposit';
			const findPdf = async () => await getInvoicePdfUrl(client, fundingId).catch(() => undefined);
			const pdfUrl = isInvoice ? await findPdf() : undefined;
			if (pdfUrl !== undefined) await attempt.addInvoice(pdfUrl).catch(() => undefined);
			for (const payout of payouts) payout.endFunded(state, fundingId, pdfUrl);
			return 'funded';
		} catch (error) {
			return this.endUnfunded(payouts, error);
		}
	}

	private endUnfunded(payouts: Payout[], error: unknown): GroupResult {
		if (error instanceof LedgerError) {
			this.stop(`its ledger cannot be used (${error.message})`);
			for (const payout of payouts) payout.end('not_sent', error);
			return 'ended';
		}
		const outcome = outcomeOf(error);
		if (outcome === 'unknown') {
			this.stop('the service did not answer a funding of this run');
			for (const payout of payouts)
				payout.endUnconfirmed(`the funding was sent, and ${reasonOf(error)}`);
			return 'ended';
		}
		this.failures += 1;
		if (this.failures === MAX_FAILURES)
			this.stop(`${MAX_FAILURES} fundings in a row failed (${reasonOf(error)})`);
		// After a conflict, a part of the group may be paid already.
		if (isGroupRefusal(error) && payouts.length > 1) return 'declined';
		for (const payout of payouts) payout.end(outcome === 'refused' ? 'failed' : 'not_sent', error);
		return 'ended';
	}
}

function endNotSent(payouts: Payout[], reason: string): GroupResult {
	for (const payout of payouts) payout.endNotSent(reason);
	return 'ended';
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

/** The strictest of the rules of several payouts; undefined when they have none. */
export function rulesOf(payouts: Payout[]): Rules | undefined {
	const all = payouts.map(({ request }) => request.rules);
	const maxPerDay = Math.min(...all.map((rules) => rules.maxPerDay));
	const holdAbove = Math.min(...all.map((rules) => rules.holdAbove));
	const holdNewPayees = all.some((rules) => rules.holdNewPayees);
	const [holdDuplicatesSince] = all.flatMap((rules) => rules.holdDuplicatesSince ?? []).sort();
	const isLimited = Math.min(maxPerDay, holdAbove) < Infinity;
	if (!isLimited && !holdNewPayees && holdDuplicatesSince === undefined) return undefined;
	const dayStart = all[0]?.dayStart ?? '';
	return { maxPerDay, dayStart, holdAbove, holdNewPayees, holdDuplicatesSince };
}

/** Payouts that can share a funding: with the same workspace, method and funding text, in their order. */
export function batchesOf(payouts: Payout[]): Payout[][] {
	const alike = groupBy(payouts, ({ request }) => {
		const { payable, method, fundingText } = request;
		return JSON.stringify([payable.workspace_id, method, fundingText]);
	});
	return alike.flatMap((all) => chunk(all, MAX_PER_FUNDING));
}

const reasonOf = (error: unknown): string =>
	error instanceof ServiceError ? error.reason : String(error);
