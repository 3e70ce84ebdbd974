import type { Entry, ItemResult, RunContext } from '../../execution/operation';
import { referenceKey } from '../../execution/sharedReferences';
import { LedgerError, TakenOverError, type Ledger } from '../../ledger/ledger';
import type { Client } from '../../service/api/client';
import { isNotDone, ServiceError } from '../../service/http/errors';
import { forEachConcurrent } from '../../shared/concurrency';
import { chunk, groupBy, listed } from '../../shared/lists';
import { endUnaffordable } from './affordable';
import { Funder, ledgerReason } from './fund';
import { Payout } from './payout';
import { prepare } from './prepare';
import type { PayoutRequest } from './request';

const MAX_CONCURRENT_PAYOUTS = 64;

/** Payouts that are funded together, when all of them are approved or have failed. */
interface Batch {
	payouts: Payout[];
	/** How many are not prepared yet. */
	unprepared: number;
}

/**
 * Pays what the items ask for, each unique reference once. Payables are created and approved several
 * at a time; a batch is funded as soon as its last payable is approved, while others are prepared.
 * One payout that fails does not stop the others; a funding that is not answered ends the run.
 *
 * @returns one result for each item, with all that is known of it
 */
export async function pay(
	{ client, ledger: ledgerOf, hint, signal }: RunContext,
	entries: Array<Entry<PayoutRequest>>,
): Promise<ItemResult[]> {
	const payouts = entries.map((entry) => new Payout(entry));
	const sameReference = groupBy(payouts, ({ request }) => referenceKey(request.claim));
	const firsts = sameReference.flatMap(([first]) => first ?? []);
	const endOpen = (error: unknown): void => {
		const status = error instanceof LedgerError ? 'not_sent' : 'failed';
		for (const payout of firsts) if (!payout.hasEnded) payout.end(status, error);
	};
	try {
		const ledger = await ledgerOf('payout');
		const claims = firsts.map(({ request }) => request.claim);
		const funder = new Funder(client, ledger, () => signal?.aborted === true);
		await ledger.exclusively(claims, async () => {
			await payFirsts(client, ledger, funder, firsts).catch(endOpen);
			await finish(ledger, funder, firsts);
		});
	} catch (error) {
		endOpen(error);
	}
	for (const [first, ...repeated] of sameReference)
		for (const payout of repeated) if (first !== undefined) payout.endLike(first);
	hintAtRepeated(sameReference, hint);
	return payouts.map((payout) => payout.result());
}

/** Many items with one reference by mistake look like many payouts that are done. */
function hintAtRepeated(sameReference: Payout[][], hint: RunContext['hint']): void {
	for (const [first, ...repeated] of sameReference) {
		if (first === undefined || repeated.length === 0 || !first.isPaid) continue;
		const { reference } = first.request.claim;
		const indexes = [first, ...repeated].map(({ index }) => index);
		const alike = `Items ${listed(indexes)} have the same unique reference, "${reference}", payee and amount, so they are one payment`;
		const { index } = first;
		hint(
			first.isFunded
				? `${alike}, which was made once, for item ${index}${index === 0 ? ' (n8n counts from 0)' : ''}. If they are payments of their own, item ${index} keeps this reference for good, or leaves the input for good: give only the others references of their own. Under another reference it is paid twice.`
				: `${alike}, which an earlier run has made: nothing was paid now. If they are payments of their own, one of them keeps this reference for good, unless the one that was paid has left the input already: give only the others references of their own. Under another reference it is paid twice.`,
		);
		return;
	}
}

async function payFirsts(
	client: Client,
	ledger: Ledger,
	funder: Funder,
	payouts: Payout[],
): Promise<void> {
	const claimed = await ledger.claim(payouts.map(({ request }) => request.claim));
	claimed.forEach((entry, index) => payouts[index]?.resume(entry));
	const open = payouts.filter(({ hasEnded }) => !hasEnded);
	await endUnaffordable(client, ledger, open);
	await payAll(
		client,
		ledger,
		funder,
		open.filter(({ hasEnded }) => !hasEnded),
	);
	await fundAgain(
		ledger,
		funder,
		payouts.filter(({ isInDoubtBefore }) => isInDoubtBefore),
	);
}

async function payAll(
	client: Client,
	ledger: Ledger,
	funder: Funder,
	payouts: Payout[],
): Promise<void> {
	const batches = batchesOf(payouts);
	const fundings: Array<Promise<void>> = [];
	await forEachConcurrent(
		payouts,
		MAX_CONCURRENT_PAYOUTS,
		async (payout) => {
			await prepare(client, ledger, payout).catch((error: unknown) => {
				endUnprepared(payout, funder, error);
			});
			const batch = batches.get(payout);
			if (batch === undefined || --batch.unprepared > 0) return;
			fundings.push(funder.fund(batch.payouts.filter(({ hasEnded }) => !hasEnded)));
		},
		() => funder.isStopped,
	);
	await Promise.all(fundings);
}

/** No funding was sent for a payout that could not be prepared. */
function endUnprepared(payout: Payout, funder: Funder, error: unknown): void {
	if (error instanceof TakenOverError) {
		payout.endTakenOver();
		return;
	}
	const isUnanswered = error instanceof ServiceError && error.answer === 'ambiguous';
	if (isUnanswered) funder.stop('the service does not answer');
	const isLedgerError = error instanceof LedgerError;
	if (isLedgerError) funder.stop(ledgerReason(error));
	const isRefused = error instanceof ServiceError && (error.isRefusal || error.answer === 'denied');
	const isNotSent = isLedgerError || (isNotDone(error) && !isRefused);
	payout.end(isNotSent ? 'not_sent' : 'failed', error);
}

/** Sends the fundings in doubt of earlier runs once more, one by one. */
async function fundAgain(ledger: Ledger, funder: Funder, payouts: Payout[]): Promise<void> {
	const claims = await ledger.resend(payouts.map(({ request }) => request.claim));
	const own = payouts.filter(({ request }) => claims.has(request.claim));
	for (const payout of own) payout.isClaimed = true;
	for (const payout of own) {
		if (funder.isStopped) return;
		payout.fundAgain();
		await funder.fundAgain(payout);
	}
}

/** Ends the run for its payouts; what the ledger cannot keep any more, a later run finds out. */
async function finish(ledger: Ledger, funder: Funder, payouts: Payout[]): Promise<void> {
	for (const payout of payouts) if (!payout.hasEnded) payout.endNotSent(funder.stopReason);
	const claimed = payouts.filter(({ isClaimed }) => isClaimed);
	const unfunded = claimed.filter(({ entry }) => entry.state === 'approved');
	const claimsOf = (some: Payout[]) => some.map(({ request }) => request.claim);
	await ledger.advance(claimsOf(unfunded), { state: 'approved' }).catch(() => undefined);
	await ledger.finish(claimsOf(claimed)).catch(() => undefined);
}

/** The batch of each payout: those with the same workspace, method and funding text, in their order. */
function batchesOf(payouts: Payout[]): Map<Payout, Batch> {
	const alike = groupBy(payouts, ({ request }) => {
		const { payable, method, fundingText, isReferenceShown } = request;
		return JSON.stringify([payable.workspace_id, method, fundingText, isReferenceShown]);
	});
	const batches = alike
		.flatMap((all) => chunk(all, Math.min(...all.map(({ request }) => request.payablesPerFunding))))
		.map((batch): Batch => ({ payouts: batch, unprepared: batch.length }));
	return new Map(batches.flatMap((batch) => batch.payouts.map((payout) => [payout, batch])));
}
