import type { ItemParameters } from '../../execution/itemParameters';
import type { ReadItem, ItemResult, RunContext } from '../../execution/operation';
import {
	LedgerError,
	nameOf,
	numberKeyOf,
	verdictOn,
	type Ledger,
	type Payment,
} from '../../ledger/ledger';
import { preparedAhead, withMutex } from '../../shared/concurrency';
import { groupBy, type NonEmpty } from '../../shared/lists';
import { aboveBalance, balancesOf } from './balance';
import { batchesOf, FundingRun, rulesOf } from './fundingRun';
import { breachOf, endAboveLimit } from './bounds';
import { leave } from './leave';
import { Payout } from './payout';
import { prepare } from './prepare';
import type { PayoutRequest } from './request';
import { besideHint, previewHint, repeatedHint, resultHint, unrecordedHint } from './summary';

/** The payables of so many payouts are in the ledger in a moment, which shows them to other executions. */
const MAX_UNANNOUNCED = 100;

/** So many batches are prepared while one is funded. */
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
	const samePayment = groupBy(payouts, ({ request }) => nameOf(request.payment));
	const firsts = samePayment.map(([first]) => first);

	const names = firsts.map(({ request }) => numberKeyOf(request.payment));
	const work = async () => await (isPreview ? lookUp(context, firsts) : payEach(context, firsts));
	const done = await withMutex(names, work, context.signal).catch((error: unknown) => {
		const isNotSent = error instanceof LedgerError || context.signal?.aborted === true;
		for (const payout of firsts.filter(({ hasEnded }) => !hasEnded)) {
			payout.end(isNotSent ? 'not_sent' : 'failed', error);
		}
		return undefined;
	});

	for (const [first, ...repeated] of samePayment) {
		for (const payout of repeated) {
			payout.endLike(first);
		}
	}
	const hints = [
		isPreview
			? await previewHint(context.client, firsts, leftOut, done?.notice)
			: resultHint(firsts, leftOut, done?.notice),
		isPreview ? undefined : unrecordedHint(firsts),
		repeatedHint(samePayment),
		besideHint(firsts),
	];
	for (const hint of hints) {
		if (hint !== undefined) {
			context.hint(hint);
		}
	}
	return payouts.map((payout) => (isPreview ? payout.previewResult() : payout.result()));
}

async function payEach(context: RunContext, payouts: Payout[]): Promise<LookUp> {
	const { client, signal } = context;
	const found = await lookUp(context, payouts);
	const { ledger } = found;
	const fundingRun = new FundingRun(client, ledger, signal);
	const open = (): Payout[] => payouts.filter(({ hasEnded }) => !hasEnded);
	const endAnnouncing = announce(ledger, open());

	const batches = preparedAhead(
		batchesOf(open()),
		BATCHES_AHEAD,
		async (batch) => {
			await prepare(client, ledger, batch, fundingRun);
		},
		() => fundingRun.stopReason !== undefined,
	);

	try {
		for await (const batch of batches) {
			const ended = batch.filter(({ hasEnded }) => hasEnded);
			await leave(ledger, ended);
			const prepared = batch.filter(({ hasEnded }) => !hasEnded);
			if (batch[0].request.method === 'none') {
				await keepPrepared(ledger, prepared);
			} else {
				await fundingRun.fund(prepared);
			}
		}
	} finally {
		for (const payout of open()) {
			payout.endNotSent(fundingRun.stopReason ?? 'the run has ended');
		}
		await leave(ledger, payouts);
		const held = payouts.filter(({ status }) => status === 'held');
		await ledger.hold(paymentsOf(held)).catch(() => undefined);
		await endAnnouncing();
	}
	return found;
}

interface LookUp {
	ledger: Ledger;
	/** Why the run as a whole sends nothing. */
	notice: string | undefined;
}

/** Ends the payouts that the ledger, a rule or the wallet blocks. Changes nothing at the service. */
async function lookUp(context: RunContext, payouts: Payout[]): Promise<LookUp> {
	const ledger = context.ledger();
	await ledger.locate();
	// Where a limit may be exceeded, the service is asked for nothing before it is known.
	const mayExceed = breachOf(payouts) !== undefined;
	const finding = ledger.find(paymentsOf(payouts));
	const looking = mayExceed ? undefined : balancesOf(context.client, payouts);
	const [found, early] = await Promise.all([finding, looking]);
	for (const payout of payouts) {
		payout.apply(verdictOn(payout.payment, found));
	}

	const open = payouts.filter(({ hasEnded }) => !hasEnded);
	// What was paid before is not paid again, so it exceeds nothing.
	const breach = breachOf(open);
	if (breach !== undefined) {
		return { ledger, notice: endAboveLimit(open, breach) };
	}
	const balances = early ?? (await balancesOf(context.client, open));
	// Payouts of a workspace are paid together or not at all, since none of them comes first.
	const byWorkspace = groupBy(open, ({ request }) => request.payment.workspaceId);
	await Promise.all(
		byWorkspace.map(async (group) => {
			await applyRules(ledger, group);
			const rest = group.filter(({ hasEnded }) => !hasEnded);
			const error = aboveBalance(balances, rest);
			if (error === undefined) {
				return;
			}
			for (const payout of rest) {
				payout.end('not_sent', error);
			}
		}),
	);
	return { ledger, notice: undefined };
}

/** Ends the payouts of a workspace that rules hold or forbid. */
async function applyRules(ledger: Ledger, payouts: NonEmpty<Payout>): Promise<void> {
	const rules = rulesOf(payouts);
	if (rules === undefined) {
		return;
	}
	const broken = await ledger.applyRules(paymentsOf(payouts), rules);
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
		return async () => {
			await Promise.resolve();
		};
	}
	const announcing = ledger.announce(paymentsOf(payouts)).catch(() => undefined);
	return async () => {
		const end = await announcing;
		await end?.().catch(() => undefined);
	};
}

/** Ends payouts whose payables are for a later run. */
async function keepPrepared(ledger: Ledger, payouts: Payout[]): Promise<void> {
	const error = await ledger.release(paymentsOf(payouts), 'prepared').then(
		() => undefined,
		(failure: unknown) => failure,
	);
	for (const payout of payouts) {
		payout.end(error === undefined ? 'prepared' : 'not_sent', error);
	}
}

const paymentsOf = (payouts: Payout[]): Payment[] => payouts.map(({ payment }) => payment);
