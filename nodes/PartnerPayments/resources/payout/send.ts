import type { ItemParameters } from '../../execution/itemParameters';
import {
	readAll,
	type Entry,
	type ItemResult,
	type Operation,
	type RunContext,
} from '../../execution/operation';
import { assertAtMost } from '../../execution/safeguards';
import { keyOf, LedgerError, type Ledger, type Payment } from '../../ledger/ledger';
import type { Client } from '../../api/client';
import { approvePayable, balanceOf, createPayable, getWallet } from '../../api/endpoints';
import { isUnanswered, outcomeOf, ServiceError } from '../../api/http/errors';
import { saysNo } from '../../api/http/outcome';
import { withMutex } from '../../shared/concurrency';
import { InputError, reject } from '../../shared/values';
import { groupBy } from '../../shared/lists';
import { inMajorUnits, sum } from '../../shared/money';
import { payoutFields } from './fields';
import { batchesOf, Funder, rulesOf } from './fund';
import { Payout } from './payout';
import { isPreviewed, readRequest, rejectShared, type PayoutRequest } from './request';
import { needsOf, repeatedHint, summaryOf } from './summary';

/** So few payouts are prepared before another execution could do the same. */
const MAX_UNANNOUNCED = 3;
const MAX_CREATIONS = 4;

export const send: Operation = {
	name: 'Send',
	value: 'send',
	action: 'Send payout',
	description: 'Create, approve and fund a payable per item. Each unique reference is paid once.',
	fields: payoutFields,
	plan: async (inputs, rejectWith) => {
		const unread: ItemParameters[] = [];
		const isPreview = inputs.some(isPreviewed);
		const rejectItem = (item: ItemParameters, error: unknown): void => {
			const reason = error instanceof Error ? error.message : String(error);
			const json = {
				...(isPreview ? { status: 'refused', reason } : { status: 'failed' }),
				unique_reference: item.writtenReference(),
				payable_id: null,
				funding_id: null,
			};
			rejectWith({ item, output: { json }, ...(!isPreview && { error }) });
		};
		const read = await readAll(inputs, readRequest, ({ item, error }) => {
			unread.push(item);
			rejectItem(item, error);
		});
		const entries = rejectShared(read, unread, rejectItem);
		try {
			assertInBounds(entries);
		} catch (error) {
			for (const { item } of entries) rejectItem(item, error);
			return [];
		}
		if (entries.length === 0) return [];
		return [
			{ items: entries.map(({ item }) => item), execute: pay.bind(undefined, entries, isPreview) },
		];
	},
};

/** Throws for payouts above a limit. Items with the same reference count once. */
function assertInBounds(entries: Array<Entry<PayoutRequest>>): void {
	for (const { input, item } of entries)
		assertAtMost(input.maxAmount, input.payment.amount, ` in item ${item.index}`);
	const groups = groupBy(entries, ({ input }) => keyOf(input.payment));
	const total = sum(groups.map(([first]) => first?.input.payment.amount ?? 0));
	const limit = Math.min(...entries.map(({ input }) => input.maxTotal));
	if (total <= limit) return;
	reject(
		`The payouts add up to ${inMajorUnits(total)}, above "Limit: Maximum Total", ${inMajorUnits(limit)}`,
		'Correct the amounts, or ask the person responsible for this workflow to raise the limit.',
	);
}

/**
 * Pays each unique reference once, or shows what it would do. Payables are created and approved several at
 * a time; a batch is funded while the next ones are prepared. A failed payout does not stop the others.
 */
async function pay(
	entries: Array<Entry<PayoutRequest>>,
	isPreview: boolean,
	context: RunContext,
): Promise<ItemResult[]> {
	const payouts = entries.map(({ input, item }) => new Payout(input, item));
	const sameReference = groupBy(payouts, ({ request }) => keyOf(request.payment));
	const firsts = sameReference.flatMap(([first]) => first ?? []);
	const names = firsts.map(({ request }) => keyOf(request.payment));
	const work = async () => await (isPreview ? lookUp(context, firsts) : payFirsts(context, firsts));
	await withMutex(names, work, context.signal).catch((error: unknown) => {
		const isNotSent = error instanceof LedgerError || context.signal?.aborted === true;
		const status = isNotSent ? 'not_sent' : 'failed';
		for (const payout of firsts) if (!payout.hasEnded) payout.end(status, error);
	});
	if (isPreview) for (const payout of firsts) payout.endPreview();
	for (const [first, ...repeated] of sameReference)
		for (const payout of repeated) if (first !== undefined) payout.endLike(first);
	const wouldPay = firsts.filter(({ status }) => status === 'would_pay');
	const needs = isPreview ? await needsOf(context.client, wouldPay) : '';
	if (isPreview) context.hint(`Preview, nothing was sent. ${summaryOf(firsts)} ${needs}`);
	else if (firsts.length > 1) context.hint(summaryOf(firsts));
	const repeated = repeatedHint(sameReference);
	if (repeated !== undefined) context.hint(repeated);
	return payouts.map((payout) => payout.result());
}

async function payFirsts(context: RunContext, payouts: Payout[]): Promise<void> {
	const { client, signal } = context;
	const ledger = await lookUp(context, payouts);
	const open = (): Payout[] => payouts.filter(({ hasEnded }) => !hasEnded);
	const funder = new Funder(client, ledger, signal);
	const isAnnounced = open().length > MAX_UNANNOUNCED;
	// It only saves work of other executions, so nothing waits for it or fails with it.
	const announcing = isAnnounced && ledger.announce(paymentsOf(open())).catch(() => undefined);
	const batches = batchesOf(open());
	const prepareNext = async (): Promise<Payout[] | undefined> => {
		const batch = funder.stopReason === undefined ? batches.shift() : undefined;
		await Promise.all((batch ?? []).map(async (payout) => await prepare(client, payout, funder)));
		return batch;
	};
	try {
		// While a batch is funded, the next ones are prepared.
		const ahead = [prepareNext(), prepareNext()];
		for (let batch = await ahead.shift(); batch !== undefined; batch = await ahead.shift()) {
			ahead.push(prepareNext());
			const prepared = batch.filter(({ hasEnded }) => !hasEnded);
			if (batch[0]?.request.method === 'none') {
				const error = await keep(ledger, prepared, 'prepared');
				for (const payout of prepared)
					payout.end(error === undefined ? 'prepared' : 'not_sent', error);
			} else await funder.fund(prepared);
		}
	} finally {
		for (const payout of open()) payout.endNotSent(funder.stopReason ?? 'the run has ended');
		const prepared = payouts.filter(({ isToBeKept }) => isToBeKept);
		await keep(ledger, prepared, 'prepared');
		const held = payouts.filter(({ status }) => status === 'held');
		await keep(ledger, held, 'held');
		const endAnnouncing = await announcing;
		if (endAnnouncing) await endAnnouncing().catch(() => undefined);
	}
}

/** Ends the payouts that the ledger, a rule or the wallet blocks. Changes nothing at the service. */
async function lookUp(context: RunContext, payouts: Payout[]): Promise<Ledger> {
	const ledger = context.ledger();
	await ledger.locate();
	const [found, balances] = await Promise.all([
		ledger.find(paymentsOf(payouts)),
		balancesOf(context.client, payouts),
	]);
	for (const [index, entry] of found.entries()) payouts[index]?.resume(entry);
	const open = payouts.filter(({ hasEnded }) => !hasEnded);
	// Payouts of a workspace are paid together or not at all, since none of them comes first.
	const byWorkspace = groupBy(open, ({ request }) => request.payment.workspaceId);
	await Promise.all(
		byWorkspace.map(async (group) => {
			const rules = rulesOf(group);
			const reviewed = rules === undefined ? [] : await ledger.review(paymentsOf(group), rules);
			for (const [index, entry] of reviewed.entries())
				if (entry !== undefined) group[index]?.resume(entry);
			const rest = group.filter(({ hasEnded }) => !hasEnded);
			const error = aboveBalance(balances, rest);
			if (error !== undefined) for (const payout of rest) payout.end('not_sent', error);
		}),
	);
	return ledger;
}

const paymentsOf = (payouts: Payout[]): Payment[] => payouts.map(({ payment }) => payment);

async function prepare(client: Client, payout: Payout, funder: Funder): Promise<void> {
	if (payout.known.payableId !== undefined) return;
	try {
		const payableId = await create(client, payout);
		payout.known = { payableId };
		await approvePayable(client, payableId);
		payout.isNewlyPrepared = true;
	} catch (error) {
		if (isUnanswered(error)) funder.stop('the service does not answer');
		// A payable whose approval got no answer moves no money.
		const isNotSent = outcomeOf(error) === 'notSent' || isUnanswered(error);
		payout.end(isNotSent ? 'not_sent' : 'failed', error);
	}
}

/** Repeats a creation without an answer: a payable that is not approved moves no money. */
async function create(client: Client, { request }: Payout): Promise<string> {
	for (let creations = 1; ; creations += 1) {
		const created = await createPayable(client, request.payable).catch((error: unknown) => {
			if (!(error instanceof ServiceError) || error.outcome !== 'unknown') throw error;
			if (creations < MAX_CREATIONS) return undefined;
			const { reason, status, answer } = error;
			throw new ServiceError({
				message: `Could not create the payable, tried ${MAX_CREATIONS} times: ${reason}`,
				hint: 'No money has moved. Check the workspace, then run it again with the same unique reference. The service may have drafts of this payable: do not approve or fund them.',
				outcome: saysNo(answer) ? 'refused' : 'notSent',
				status,
				answer,
			});
		});
		if (created !== undefined) return String(created.id);
	}
}

/** Returns the error of a ledger that cannot be used. */
async function keep(ledger: Ledger, payouts: Payout[], state: 'prepared' | 'held') {
	if (payouts.length === 0) return undefined;
	return await ledger.keep(paymentsOf(payouts), state).catch((error: unknown) => error);
}

/** The balances (minor units) of the workspaces whose payouts need one. Without it, the funding itself decides. */
async function balancesOf(client: Client, payouts: Payout[]): Promise<Map<string, number>> {
	const checked = payouts.filter(({ request }) => request.isBalanceChecked);
	const workspaceIds = new Set(checked.map(({ payment }) => payment.workspaceId));
	const balances = new Map<string, number>();
	await Promise.all(
		[...workspaceIds].map(async (workspaceId) => {
			const balance = balanceOf(await getWallet(client, workspaceId).catch(() => ({})));
			if (balance !== undefined) {
				balances.set(workspaceId, balance);
			}
		}),
	);
	return balances;
}

/** The error for payouts of one workspace that need more than its wallet holds. */
function aboveBalance(balances: Map<string, number>, payouts: Payout[]): InputError | undefined {
	const checked = payouts.filter(({ request }) => request.isBalanceChecked);
	const [first] = checked;
	if (first === undefined) {
		return undefined;
	}
	const needed = sum(checked.map(({ payment }) => payment.amount));
	const balance = balances.get(first.payment.workspaceId);
	if (balance === undefined || needed <= balance) return undefined;
	return new InputError(
		`The wallet holds ${inMajorUnits(balance)}, and this run needs ${inMajorUnits(needed)}`,
		'Check the workspace. Top up its wallet, or pay fewer at once. Then run it again with the same unique references. If the balance is wrong, turn off "Check Balance".',
	);
}
