import type { Client } from '../../api/client';
import type { ItemParameters } from '../../execution/itemParameters';
import type { ReadItem, ItemResult, RunContext } from '../../execution/operation';
import { type Found, LedgerError, verdictOn, type Ledger } from '../../ledger/ledger';
import { nameOf, numberKeyOf, type Payment } from '../../ledger/payment';
import { preparedAhead, withMutex } from '../../shared/concurrency';
import { groupBy, type NonEmpty } from '../../shared/lists';
import { aboveBalance, balancesOf } from './balance';
import { batchesOf, rulesOf } from './batches';
import { breachOf, endAboveLimit } from './bounds';
import { FundingRun } from './fundingRun';
import { remainingOf, Payout } from './payout';
import { prepare } from './prepare';
import { storeLeftovers } from './storeLeftovers';
import type { PayoutRequest } from './request';
import {
	besideHint,
	draftsHint,
	previewHint,
	repeatedHint,
	resultHint,
	unrecordedHint,
} from './summary';

/** Runs up to this size are not announced: their payables are recorded within moments. */
const MAX_UNANNOUNCED = 100;

/** How many batches are prepared at once, the one that is funded next among them. */
const BATCHES_AHEAD = 2;

/**
 * Pays each payment once, or shows what it would do. Payables are created and approved several at a time;
 * a batch is funded while the next ones are prepared. A failed payout does not stop the others.
 */
export async function pay(
	entries: Array<ReadItem<PayoutRequest>>,
	{ isPreview, leftOut }: { isPreview: boolean; leftOut: ItemParameters[] },
	context: RunContext,
): Promise<ItemResult[]> {
	const payouts = entries.map(({ input, item }) => new Payout(input, item));
	const byPayment = groupBy(payouts, ({ request }) => nameOf(request.payment));
	const firsts = byPayment.map(([first]) => first);

	const limitText = await payUnderMutex(firsts, isPreview, context);

	for (const [first, ...repeated] of byPayment) {
		for (const payout of repeated) {
			payout.endLike(first);
		}
	}

	const hints = [
		isPreview
			? await previewHint(context.client, firsts, leftOut, limitText)
			: resultHint(firsts, leftOut, limitText),
		isPreview ? undefined : unrecordedHint(firsts),
		draftsHint(firsts),
		repeatedHint(byPayment),
		besideHint(firsts),
	];
	for (const hint of hints) {
		if (hint !== undefined) {
			context.hint(hint);
		}
	}
	return payouts.map((payout) => (isPreview ? payout.previewResult() : payout.result()));
}

/**
 * Pays payouts, or screens them, while no other run of this process works on their invoice numbers.
 *
 * @returns which limit keeps the run as a whole from sending, as a sentence; undefined if none does
 */
async function payUnderMutex(
	payouts: Payout[],
	isPreview: boolean,
	context: RunContext,
): Promise<string | undefined> {
	const numbers = payouts.map(({ request }) => numberKeyOf(request.payment));
	try {
		return await withMutex(
			numbers,
			async () => {
				const ledger = isPreview ? await context.ledgerForPreview() : context.ledger();
				const limitText = await screen(ledger, context.client, payouts);
				if (!isPreview) {
					await payInBatches(ledger, context, payouts);
				}
				return limitText;
			},
			context.signal,
		);
	} catch (error) {
		endRemaining(payouts, error, context.signal);
		return undefined;
	}
}

/** Ends payouts after an error of the run. Only some errors tell for certain that nothing was sent. */
function endRemaining(payouts: Payout[], error: unknown, signal: AbortSignal | undefined): void {
	const isNotSent = error instanceof LedgerError || signal?.aborted === true;
	for (const payout of remainingOf(payouts)) {
		payout.end(isNotSent ? 'not_sent' : 'failed', error);
	}
}

/** Prepares and funds payouts that nothing has blocked so far. */
async function payInBatches(ledger: Ledger, context: RunContext, payouts: Payout[]): Promise<void> {
	const { client, signal } = context;
	const fundingRun = new FundingRun(client, ledger, signal);
	const endAnnouncing = announce(ledger, remainingOf(payouts));

	const batches = preparedAhead(
		batchesOf(remainingOf(payouts)),
		BATCHES_AHEAD,
		async (batch) => {
			await prepare(client, ledger, batch, fundingRun);
		},
		() => fundingRun.stopReason !== undefined,
	);

	try {
		for await (const batch of batches) {
			const ended = batch.filter(({ hasEnded }) => hasEnded);
			await storeLeftovers(ledger, ended);

			// The payouts of a batch have one funding method.
			if (batch[0].request.method === 'none') {
				await keepPrepared(ledger, remainingOf(batch));
			} else {
				await fundingRun.fund(remainingOf(batch));
			}
		}
		for (const payout of remainingOf(payouts)) {
			payout.endNotSent(fundingRun.stopReason ?? 'the run has ended');
		}
	} catch (error) {
		endRemaining(payouts, error, signal);
	} finally {
		// The ledger skips what was stored after a batch. What could not be stored is tried again.
		await storeLeftovers(ledger, payouts);
		await storeHeld(ledger, payouts);
		await endAnnouncing();
	}
}

/**
 * Screens payouts before anything is sent: ends those that the ledger, a rule, or the wallet blocks. Changes
 * nothing at the service.
 *
 * @returns which limit keeps the run as a whole from sending, as a sentence; undefined if none does
 */
async function screen(
	ledger: Ledger,
	client: Client,
	payouts: Payout[],
): Promise<string | undefined> {
	await ledger.locate();

	// A run that may exceed a limit asks the service for nothing before the ledger has told what was paid.
	const mayExceedLimit = breachOf(payouts) !== undefined;
	const finding = ledger.find(paymentsOf(payouts));
	const asking = mayExceedLimit ? undefined : balancesOf(client, payouts);
	const [found, earlyBalances] = await Promise.all([finding, asking]);

	for (const payout of payouts) {
		payout.apply(verdictOn(payout.payment, found.verdicts));
	}

	// What was paid before is not paid again, so it counts for no limit.
	const remaining = remainingOf(payouts);
	const breach = breachOf(remaining);
	if (breach !== undefined) {
		return endAboveLimit(remaining, breach);
	}

	const balances = earlyBalances ?? (await balancesOf(client, remaining));
	const byWorkspace = groupBy(remaining, ({ request }) => request.payment.workspaceId);
	await Promise.all(
		byWorkspace.map(async (group) => {
			await applyRules(ledger, group, found);
			endAboveBalance(remainingOf(group), balances);
		}),
	);
	return undefined;
}

/** Payouts of a workspace are paid together or not at all, since none of them comes first. */
function endAboveBalance(payouts: Payout[], balances: Map<string, number>): void {
	const error = aboveBalance(balances, payouts);
	if (error === undefined) {
		return;
	}
	for (const payout of payouts) {
		payout.end('not_sent', error);
	}
}

/** Ends the payouts of a workspace that rules hold or forbid. */
async function applyRules(ledger: Ledger, payouts: NonEmpty<Payout>, found: Found): Promise<void> {
	const rules = rulesOf(payouts);
	if (rules === undefined) {
		return;
	}
	const broken = await ledger.checkRules(paymentsOf(payouts), rules, found);
	for (const payout of payouts) {
		const verdict = broken.get(nameOf(payout.payment));
		if (verdict !== undefined) {
			payout.apply(verdict);
		}
	}
}

/** Shows many payouts to other executions. It only saves their work, so nothing waits for it or fails with it. */
function announce(ledger: Ledger, payouts: Payout[]): () => Promise<void> {
	if (payouts.length <= MAX_UNANNOUNCED) {
		return async () => {};
	}
	const announcing = ledger.announce(paymentsOf(payouts)).catch(() => undefined);
	return async () => {
		const end = await announcing;
		await end?.().catch(() => undefined);
	};
}

/** Ends payouts whose payables are for a later run. */
async function keepPrepared(ledger: Ledger, payouts: Payout[]): Promise<void> {
	try {
		await ledger.storeLeftover(paymentsOf(payouts), 'prepared');
	} catch (error) {
		for (const payout of payouts) {
			payout.end('not_sent', error);
		}
		return;
	}

	for (const payout of payouts) {
		payout.end('prepared');
	}
}

/** Writes payouts that wait for a person into the ledger. If that fails, the next run judges them anew. */
async function storeHeld(ledger: Ledger, payouts: Payout[]): Promise<void> {
	const held = payouts.filter(({ status }) => status === 'held');
	await ledger.hold(paymentsOf(held)).catch(() => undefined);
}

const paymentsOf = (payouts: Payout[]): Payment[] => payouts.map(({ payment }) => payment);
