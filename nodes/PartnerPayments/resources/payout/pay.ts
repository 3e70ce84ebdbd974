import {
	chunk,
	groupBy,
	type Entry,
	type ItemResult,
	type RunContext,
} from '../../execution/operation';
import type { References } from '../../ledger/references';
import type { Client } from '../../service/api/client';
import { forEachConcurrent } from '../../shared/concurrency';
import { fund } from './fund';
import { Payout, type PayoutRequest } from './payout';
import { prepare } from './prepare';

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
 * One payout that fails does not stop the others.
 *
 * @returns one result for each item, with all that is known of it
 */
export async function pay(
	{ client, references: referencesOf, signal }: RunContext,
	entries: Array<Entry<PayoutRequest>>,
): Promise<ItemResult[]> {
	const references = referencesOf('payout');
	const payouts = entries.map((entry) => new Payout(entry, references));
	const sameReference = groupBy(payouts, ({ request }) => request.claim.reference);
	const firsts = sameReference.flatMap(([first]) => first ?? []);
	const names = firsts.map(({ request }) => request.claim.reference);
	await references.exclusively(names, async () => {
		const claimed = await references.claim(firsts.map(({ request }) => request.claim));
		claimed.forEach((entry, index) => firsts[index]?.resume(entry));
		const open = firsts.filter(({ hasEnded }) => !hasEnded);
		await payAll(client, references, open, () => signal?.aborted === true);
	});
	for (const [first, ...repeated] of sameReference)
		for (const payout of repeated) if (first !== undefined) payout.endLike(first);
	return payouts.map((payout) => payout.result());
}

async function payAll(
	client: Client,
	references: References,
	payouts: Payout[],
	isCancelled: () => boolean,
): Promise<void> {
	const batches = batchesOf(payouts);
	const fundings: Array<Promise<void>> = [];
	await forEachConcurrent(
		payouts,
		MAX_CONCURRENT_PAYOUTS,
		async (payout) => {
			await prepare(client, payout).catch((error: unknown) => {
				payout.end('failed', error);
			});
			const batch = batches.get(payout);
			if (batch === undefined || --batch.unprepared > 0 || isCancelled()) return;
			const ready = batch.payouts.filter(({ hasEnded }) => !hasEnded);
			fundings.push(
				fund(client, references, ready).catch((error: unknown) => {
					for (const payout of ready) if (!payout.hasEnded) payout.end('failed', error);
				}),
			);
		},
		isCancelled,
	);
	await Promise.all(fundings);
	const undone = payouts.filter(({ hasEnded, payableId }) => hasEnded && payableId === undefined);
	await references.release(undone.map(({ request }) => request.claim));
}

/** The batch of each payout: those with the same workspace, method and funding text, in their order. */
function batchesOf(payouts: Payout[]): Map<Payout, Batch> {
	const alike = groupBy(payouts, ({ request: { payable, method, fundingText } }) =>
		JSON.stringify([payable.workspace_id, method, fundingText]),
	);
	const batches = alike
		.flatMap((all) => chunk(all, Math.min(...all.map(({ request }) => request.payablesPerFunding))))
		.map((batch): Batch => ({ payouts: batch, unprepared: batch.length }));
	return new Map(batches.flatMap((batch) => batch.payouts.map((payout) => [payout, batch])));
}
