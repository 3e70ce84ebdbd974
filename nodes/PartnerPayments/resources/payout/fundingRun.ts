import type { Client } from '../../api/client';
import { getInvoicePdfUrl, type FundingCreate } from '../../api/endpoints';
import { isConflict, isGroupRefusal, outcomeOf, ServiceError } from '../../api/http/errors';
import {
	LedgerError,
	mayBeSent,
	verdictOn,
	type Ledger,
	type Rules,
	type Verdicts,
} from '../../ledger/ledger';
import { chunk, groupBy, isNonEmpty, type NonEmpty } from '../../shared/lists';
import { DENOMINATION, sum } from '../../shared/money';
import { sendFunding, type FundingOrder, type FundingResult } from '../funding/sendFunding';
import { openOf, type Payout } from './payout';
import { releaseUnfunded } from './releaseUnfunded';
import { withReferences } from './request';

const MAX_PER_FUNDING = 50;
/** How many failed fundings in a row end the run. */
const MAX_FAILURES = 5;

/** How a group ended: funded, refused together so that it may be divided, or in another way. */
type GroupResult = 'funded' | 'refused' | 'ended';

/** Funds the approved payouts of a run, one funding at a time. The first one without an answer ends the run. */
export class FundingRun {
	private readonly payableIds = new Set<string>();
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

	/** Whether a payout of the run has this payable. */
	hasPayable(id: string): boolean {
		return this.payableIds.has(id);
	}

	addPayable(id: string): void {
		this.payableIds.add(id);
	}

	stop(reason: string): void {
		this.reason ??= reason;
	}

	/** Funds payouts that can share a funding. One call at a time. */
	async fund(payouts: Payout[]): Promise<void> {
		const result = await this.send(payouts);
		if (result === 'refused') {
			await this.divide(payouts);
		}
	}

	/** Finds the payouts that cannot be paid in a refused group. Tries both halves before it divides one. */
	private async divide(payouts: Payout[]): Promise<void> {
		const open = openOf(payouts);
		if (open.length < 2) {
			return;
		}
		const middle = Math.floor(open.length / 2);
		const one = open.slice(0, middle);
		const other = open.slice(middle);

		const resultOfOne = await this.send(one);
		if (resultOfOne === 'funded' && other.length > 1) {
			// The cause must be in the other half, so that one is not sent as a whole.
			await this.divide(other);
			return;
		}

		const resultOfOther = await this.send(other);
		if (resultOfOne === 'refused') {
			await this.divide(one);
		}
		if (resultOfOther === 'refused') {
			await this.divide(other);
		}
	}

	/** Sends one funding. Payouts that it does not fund end, unless the group may be divided. */
	private async send(payouts: Payout[]): Promise<GroupResult> {
		const result = await this.tryToSend(payouts);
		if (result !== 'blocked') {
			return result;
		}

		// Those that the ledger blocks have ended. The others can be funded without them.
		const resultOfRest = await this.tryToSend(openOf(payouts));
		if (resultOfRest !== 'blocked') {
			return resultOfRest;
		}

		endAllNotSent(openOf(payouts), 'other executions work on its group');
		return 'ended';
	}

	private async tryToSend(payouts: Payout[]): Promise<GroupResult | 'blocked'> {
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
			hasEarlierPayable: payouts.some(({ hasEarlierPayable }) => hasEarlierPayable),
		};
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
		const known: { fundingId: string; pdfUrl?: string } = { fundingId };
		if (state === 'awaiting_deposit') {
			const pdfUrl = await getInvoicePdfUrl(this.client, fundingId).catch(() => undefined);
			if (pdfUrl !== undefined) {
				known.pdfUrl = pdfUrl;
				await claim.addInvoice(pdfUrl).catch(() => undefined);
			}
		}

		for (const payout of payouts) {
			payout.endFunded(state, known, isRecorded);
		}
	}

	/** Ends the payouts that the ledger blocks. The others stay open. */
	private async applyBlocked(payouts: Payout[], verdicts: Verdicts): Promise<void> {
		for (const payout of payouts) {
			const verdict = verdictOn(payout.payment, verdicts);
			if (!mayBeSent(verdict)) {
				payout.apply(verdict);
			}
		}

		const ended = payouts.filter(({ hasEnded }) => hasEnded);
		await releaseUnfunded(this.ledger, ended);
	}

	/** Ends payouts whose funding was not sent, since something failed before it. */
	private applyNotSent(payouts: Payout[], error: unknown): GroupResult {
		if (error instanceof LedgerError) {
			this.stop(`its ledger cannot be used (${error.message})`);
		}

		const isExplained = outcomeOf(error) === 'notSent';
		for (const payout of payouts) {
			payout.end(isExplained ? 'not_sent' : 'failed', error);
		}
		return 'ended';
	}

	/** Ends payouts whose funding was sent, and was not answered or was refused, unless the group may be divided. */
	private applyFailed(
		payouts: Payout[],
		{ error, isRecorded }: Extract<FundingResult, { kind: 'failed' }>,
	): GroupResult {
		const outcome = outcomeOf(error);
		if (outcome === 'unknown') {
			this.applyUnanswered(payouts, error);
			return 'ended';
		}

		if (!isRecorded) {
			this.stop('its ledger cannot be written');
		}
		this.failures += 1;
		if (this.failures === MAX_FAILURES) {
			this.stop(`${MAX_FAILURES} fundings in a row failed (${reasonOf(error)})`);
		}
		if (isGroupRefusal(error) && payouts.length > 1 && isRecorded) {
			return 'refused';
		}

		for (const payout of payouts) {
			payout.endRefused(outcome === 'refused' ? 'failed' : 'not_sent', error, isRecorded);
		}
		return 'ended';
	}

	/** Whether the ledger could write it down or not, its rows count as unconfirmed in the end. */
	private applyUnanswered(payouts: Payout[], error: unknown): void {
		if (!isConflict(error)) {
			this.stop('the service did not answer a funding of this run');
		}

		const reason = isConflict(error)
			? reasonOf(error)
			: `the funding was sent, and ${reasonOf(error)}`;
		for (const payout of payouts) {
			payout.endUnanswered(reason);
		}
	}
}

function endAllNotSent(payouts: Payout[], reason: string): void {
	for (const payout of payouts) {
		payout.endNotSent(reason);
	}
}

/** The body of the request that moves money. Throws for a payout that must not be in one. */
function fundingOf(payouts: NonEmpty<Payout>): FundingCreate {
	const { method, fundingText, payable } = payouts[0].request;
	if (method === 'none') {
		throw new Error('A payout without a funding method is not funded');
	}

	const payableIds: string[] = [];
	for (const { payableId, payment } of payouts) {
		if (payableId === undefined) {
			throw new Error(`The payout of "${payment.reference}" has no payable to fund`);
		}
		payableIds.push(payableId);
	}

	const references = payouts.map(({ payment }) => payment.reference);
	return {
		workspace_id: payable.workspace_id,
		method,
		amount: sum(payouts.map(({ payment }) => payment.amount)),
		amount_denomination: DENOMINATION,
		...fundingText,
		description: withReferences(fundingText.description, references),
		payable_ids: payableIds,
	};
}

/** The strictest of the rules of several payouts; undefined when they have none. */
export function rulesOf(payouts: NonEmpty<Payout>): Rules | undefined {
	const all = payouts.map(({ request }) => request.rules);
	const maxTotal = Math.min(...all.map((rules) => rules.maxTotal));
	const maxPerDay = Math.min(...all.map((rules) => rules.maxPerDay));
	const holdAbove = Math.min(...all.map((rules) => rules.holdAbove));
	const holdNewPayees = all.some((rules) => rules.holdNewPayees);
	const holdUnusualTimes = Math.min(...all.map((rules) => rules.holdUnusualTimes));
	const [holdDuplicatesSince] = all.flatMap((rules) => rules.holdDuplicatesSince ?? []).sort();
	const { dayStart } = payouts[0].request.rules;

	const isLimited = Math.min(maxTotal, maxPerDay, holdAbove, holdUnusualTimes) < Infinity;
	if (!isLimited && !holdNewPayees && holdDuplicatesSince === undefined) {
		return undefined;
	}
	return {
		maxTotal,
		maxPerDay,
		dayStart,
		holdAbove,
		holdNewPayees,
		holdUnusualTimes,
		holdDuplicatesSince,
	};
}

/** Payouts that can share a funding: with the same workspace, method and funding text, in their order. */
export function batchesOf(payouts: Payout[]): Array<NonEmpty<Payout>> {
	const alike = groupBy(payouts, ({ request }) => {
		const { payable, method, fundingText } = request;
		return JSON.stringify([payable.workspace_id, method, fundingText]);
	});
	return alike.flatMap((all) => chunk(all, MAX_PER_FUNDING));
}

const reasonOf = (error: unknown): string =>
	error instanceof ServiceError ? error.reason : String(error);
