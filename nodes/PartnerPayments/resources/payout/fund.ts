import { LedgerError, reasonOfDoubt, type Ledger } from '../../ledger/ledger';
import { NotBegunError, OnceRequest } from '../../ledger/onceRequest';
import type { Client } from '../../service/api/client';
import { createFunding, getInvoicePdfUrl, type FundingCreate } from '../../service/api/fundings';
import type { Identified } from '../../service/api/responseReaders';
import { isNotDone, ServiceError } from '../../service/http/errors';
import { DENOMINATION, sum } from '../../shared/money';
import { withReferences } from './description';
import type { Payout } from './payout';

/** Fundings that may fail one after the other, without one that is taken, before the run ends. */
const MAX_FAILURES = 5;

/** What came of one funding: its payouts were funded, or declined together, or they ended otherwise. */
type FundingResult = 'funded' | 'declined' | 'ended';

/**
 * Funds the approved payouts of a run. A funding is the one request that moves money, and it is sent
 * once. Fundings are sent one at a time, so that the first one that is not answered ends the run: a
 * service that does not answer gets no further money.
 */
export class Funder {
	/** Why nothing more is sent in this run, as the rest of a sentence. */
	stopReason = 'the run was stopped';
	private hasStopped = false;
	private failures = 0;
	private last: Promise<void> = Promise.resolve();

	constructor(
		private readonly client: Client,
		private readonly ledger: Ledger,
		private readonly isCancelled: () => boolean,
	) {}

	/** Whether nothing more is to be sent in this run. */
	get isStopped(): boolean {
		return this.hasStopped || this.isCancelled();
	}

	/** @param reason as the rest of a sentence */
	stop(reason: string): void {
		if (!this.hasStopped) this.stopReason = reason;
		this.hasStopped = true;
	}

	/**
	 * Sends the funding of a payout in doubt once more, alone. Whoever asks for that knows that the
	 * service refuses to fund a payable twice: a conflict then says that the first one was taken.
	 */
	async fundAgain(payout: Payout): Promise<void> {
		const body = fundingOf([payout]);
		if (body === undefined) return;
		const request = new OnceRequest(this.ledger, [payout.request.claim], 'funding');
		request.hasBegun = true;
		const funding = await createFunding(this.client, body, request.beforeSend).catch(
			async (error: unknown) => {
				if (error instanceof ServiceError && error.answer === 'conflict') {
					const state = settledState(payout);
					payout.learn({ state });
					payout.end(state);
					await request.settle(state, {});
					return undefined;
				}
				if (!isNotDone(error)) this.stop('the service did not answer a funding of this run');
				const isSent = error instanceof ServiceError;
				payout.endInDoubt(
					isSent
						? `the funding was sent once more, which told nothing (${reasonOf(error)})`
						: reasonOfDoubt(payout.entry, 'the funding'),
				);
				return undefined;
			},
		);
		if (funding === undefined) return;
		await settle(this.client, [payout], funding, request);
	}

	/** Funds payouts of one workspace and method together, after those that were handed in before. */
	async fund(payouts: Payout[]): Promise<void> {
		const fundAll = async (): Promise<void> => {
			if ((await this.send(payouts)) === 'declined') await this.split(payouts);
		};
		this.last = this.last.then(fundAll).catch((error: unknown) => {
			const status = error instanceof LedgerError ? 'not_sent' : 'failed';
			for (const payout of payouts) if (!payout.hasEnded) payout.end(status, error);
		});
		await this.last;
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
	private async send(payouts: Payout[], isRepeated = false): Promise<FundingResult> {
		const body = fundingOf(payouts);
		if (body === undefined) return 'ended';
		if (this.isStopped) {
			for (const payout of payouts) payout.endNotSent(this.stopReason);
			return 'ended';
		}
		const claims = payouts.map(({ request }) => request.claim);
		const request = new OnceRequest(this.ledger, claims, 'funding');
		const answer = await createFunding(this.client, body, request.beforeSend).catch(
			async (error: unknown) => {
				if (!request.hasBegun || isNotDone(error)) {
					await request.reopen('approved');
					if (error instanceof NotBegunError && !isRepeated)
						return await this.sendRemaining(payouts);
					return this.endUnfunded(payouts, error);
				}
				this.stop('the service did not answer a funding of this run');
				for (const payout of payouts)
					payout.endInDoubt(`the funding was sent, and ${reasonOf(error)}`);
				return 'ended';
			},
		);
		if (typeof answer === 'string') return answer;
		this.failures = 0;
		await settle(this.client, payouts, answer, request);
		return 'funded';
	}

	/**
	 * Goes on without the payouts that another run has by now. One whose entry does not name the payable
	 * any more that this run has approved is left to a later run, which finds out how it stands.
	 */
	private async sendRemaining(payouts: Payout[]): Promise<FundingResult> {
		const approved = new Map(payouts.map((payout) => [payout, payout.payableId]));
		const claimed = await this.ledger.claim(payouts.map(({ request }) => request.claim));
		claimed.forEach((entry, index) => payouts[index]?.resume(entry));
		for (const payout of payouts) {
			if (payout.hasEnded || payout.payableId === approved.get(payout)) continue;
			payout.endNotSent('another run, or a person, has changed its entry in the ledger meanwhile');
		}
		const remaining = payouts.filter(({ hasEnded }) => !hasEnded);
		return await this.send(remaining, true);
	}

	/** No money has moved for these payouts; says whether a part of them may be tried. */
	private endUnfunded(payouts: Payout[], error: unknown): FundingResult {
		if (error instanceof NotBegunError) {
			for (const payout of payouts) payout.endTakenOver();
			return 'ended';
		}
		this.failures += 1;
		if (error instanceof LedgerError) this.stop(ledgerReason(error));
		if (this.failures === MAX_FAILURES)
			this.stop(`${MAX_FAILURES} fundings in a row failed (${reasonOf(error)})`);
		// What a conflict is about is not known, so that a part of the group might be paid already.
		const answer = error instanceof ServiceError ? error.answer : undefined;
		if (answer === 'declined' && payouts.length > 1) return 'declined';
		const isRefused = answer === 'declined' || answer === 'conflict' || answer === 'denied';
		for (const payout of payouts) payout.end(isRefused ? 'failed' : 'not_sent', error);
		return 'ended';
	}
}

/** The funding of some payouts; undefined when there is nothing to fund, or not a payable for each. */
function fundingOf(payouts: Payout[]): FundingCreate | undefined {
	const [first] = payouts;
	const payableIds = payouts.flatMap(({ payableId }) => payableId ?? []);
	if (first === undefined || first.request.method === 'none') return undefined;
	if (payableIds.length < payouts.length) return undefined;
	const { method, fundingText, payable, isReferenceShown } = first.request;
	const references = payouts.map(({ request }) => request.claim.reference);
	const description = withReferences(fundingText.description, isReferenceShown ? references : []);
	return {
		workspace_id: payable.workspace_id,
		method,
		amount: sum(payouts.map(({ request }) => request.payable.amount)),
		amount_denomination: DENOMINATION,
		...fundingText,
		...(description !== undefined && { description }),
		payable_ids: payableIds,
	};
}

/** What a funding that is made leads to: by invoice, its money is still awaited. */
const settledState = ({ request }: Payout): 'funded' | 'awaiting_deposit' =>
	request.method === 'invoice' ? 'awaiting_deposit' : 'funded';

/** Keeps what the funding led to. */
async function settle(
	client: Client,
	payouts: Payout[],
	{ id }: Identified,
	request: OnceRequest,
): Promise<void> {
	const fundingId = String(id);
	const [first] = payouts;
	if (first === undefined) return;
	const state = settledState(first);
	const url =
		state === 'awaiting_deposit'
			? await getInvoicePdfUrl(client, fundingId).catch(() => undefined)
			: undefined;
	const facts = { funding_id: fundingId, ...(url !== undefined && { pdf_url: url }) };
	for (const payout of payouts) {
		payout.learn({ state, facts });
		payout.end(state);
	}
	await request.settle(state, facts);
}

/** Why a run stops whose ledger cannot be used, as the rest of a sentence. */
export const ledgerReason = ({ message }: LedgerError): string =>
	`its ledger cannot be used (${message})`;

function reasonOf(error: unknown): string {
	if (error instanceof ServiceError) return error.reason;
	return error instanceof Error ? error.message : String(error);
}
