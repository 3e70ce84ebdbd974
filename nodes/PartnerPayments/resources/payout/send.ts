import type { ItemParameters } from '../../execution/itemParameters';
import {
	readAll,
	type Entry,
	type ItemResult,
	type Operation,
	type Output,
	type RunContext,
} from '../../execution/operation';
import { assertAtMost } from '../../execution/safeguards';
import {
	dailyLimitError,
	keyOf,
	LedgerError,
	type Ledger,
	type Payment,
} from '../../ledger/ledger';
import type { Client } from '../../api/client';
import { approvePayable, balanceOf, createPayable, getWallet } from '../../api/endpoints';
import { isInDoubt, isNotDone, ServiceError } from '../../api/http/errors';
import { withMutex } from '../../shared/concurrency';
import { InputError, reject } from '../../shared/values';
import { chunk, groupBy, listed } from '../../shared/lists';
import { inMajorUnits, sum } from '../../shared/money';
import { payoutFields } from './fields';
import { Funder, strictest } from './fund';
import { Payout } from './payout';
import { readRequest, rejectShared, type PayoutRequest } from './request';

const MAX_PER_FUNDING = 50;
/** So few payouts are prepared before another execution could begin to. */
const MAX_UNANNOUNCED = 3;
/** How often a payable is created whose creation was not answered. */
const MAX_CREATIONS = 4;

const USE_A_TABLE =
	'Only this node knows what it has paid. With an n8n API key in the credential, a ledger table knows it for all nodes and workflows, and shows it to you.';

export const send: Operation = {
	name: 'Send',
	value: 'send',
	action: 'Send payout',
	description:
		'Create, approve and fund a payable per item. However often it runs, each unique reference is paid once.',
	fields: payoutFields,
	plan: async (inputs, rejectWith) => {
		const unread: ItemParameters[] = [];
		const rejectItem = (item: ItemParameters, error: unknown): void => {
			rejectWith({ item, error, output: rejected(item) });
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
		return [{ items: entries.map(({ item }) => item), execute: pay.bind(undefined, entries) }];
	},
};

/** Throws for payouts that are above a limit. Of the items with one reference the first one counts. */
function assertInBounds(entries: Array<Entry<PayoutRequest>>): void {
	for (const { input, item } of entries)
		assertAtMost(input.maxAmount, input.payment.amount, ` in item ${item.index}`);
	const groups = groupBy(entries, ({ input }) => keyOf(input.payment));
	const total = sum(groups.map(([first]) => first?.input.payment.amount ?? 0));
	const limit = Math.min(...entries.map(({ input }) => input.maxTotal));
	if (total <= limit) return;
	reject(
		`The payouts of this run add up to ${inMajorUnits(total)}, above the Maximum Total of ${inMajorUnits(limit)}`,
		'Correct the amounts, or let the person responsible for this workflow raise the limit.',
	);
}

/** A payout that was rejected comes out like the others, as far as it can be read. */
const rejected = (item: ItemParameters): Output => ({
	json: {
		status: 'failed',
		unique_reference: item.writtenReference(),
		payable_id: null,
		funding_id: null,
	},
});

/**
 * Pays what the items ask for, each unique reference once. Payables are created and approved several
 * at a time; a batch is funded as soon as its last payable is approved, while others are prepared.
 * One payout that fails does not stop the others; a funding that is not answered ends the run.
 */
export async function pay(
	entries: Array<Entry<PayoutRequest>>,
	context: RunContext,
): Promise<ItemResult[]> {
	const payouts = entries.map(({ input, item }) => new Payout(input, item));
	const sameReference = groupBy(payouts, ({ request }) => keyOf(request.payment));
	const firsts = sameReference.flatMap(([first]) => first ?? []);
	const names = firsts.map(({ request }) => keyOf(request.payment));
	await withMutex(names, payFirsts.bind(undefined, context, firsts), context.signal).catch(
		(error: unknown) => {
			const isNotSent = error instanceof LedgerError || context.signal?.aborted === true;
			const status = isNotSent ? 'not_sent' : 'failed';
			for (const payout of firsts) if (!payout.hasEnded) payout.end(status, error);
		},
	);
	for (const [first, ...repeated] of sameReference)
		for (const payout of repeated) if (first !== undefined) payout.endLike(first);
	hintAtRepeated(sameReference, context.hint);
	return payouts.map((payout) => payout.result());
}

async function payFirsts(context: RunContext, payouts: Payout[]): Promise<void> {
	const { client, signal } = context;
	const ledger = await openLedger(context, payouts);
	const open = (): Payout[] => payouts.filter(({ hasEnded }) => !hasEnded);
	const found = await ledger.find(paymentsOf(payouts));
	for (const [index, entry] of found.entries()) payouts[index]?.resume(entry);
	await endUnaffordable(client, ledger, open());
	const funder = new Funder(client, ledger, () => signal?.aborted === true);
	const isAnnounced = open().length > MAX_UNANNOUNCED;
	// It only saves other executions the work, so that nothing waits for it or fails with it.
	const announcing = isAnnounced && ledger.announce?.(paymentsOf(open())).catch(() => undefined);
	const batches = batchesOf(open());
	const prepareOne = async (payout: Payout): Promise<void> => {
		await prepare(client, payout).catch((error: unknown) => {
			endUnprepared(payout, funder, error);
		});
	};
	const prepareNext = async (): Promise<Payout[] | undefined> => {
		const batch = funder.isStopped ? undefined : batches.shift();
		await Promise.all((batch ?? []).map(prepareOne));
		return batch;
	};
	try {
		// While a batch is funded, the next ones are prepared.
		const ahead = [prepareNext(), prepareNext()];
		for (let batch = await ahead.shift(); batch !== undefined; batch = await ahead.shift()) {
			ahead.push(prepareNext());
			const prepared = batch.filter(({ hasEnded }) => !hasEnded);
			const isFunded = batch[0]?.request.method !== 'none';
			await (isFunded ? funder.fund(prepared) : keep(ledger, prepared));
		}
	} finally {
		for (const payout of open()) payout.endNotSent(funder.stopReason);
		const prepared = payouts.filter(({ isToBeKept }) => isToBeKept);
		if (prepared.length > 0) await ledger.keepPrepared(paymentsOf(prepared)).catch(() => undefined);
		const endAnnouncing = await announcing;
		if (endAnnouncing) await endAnnouncing().catch(() => undefined);
	}
}

const paymentsOf = (payouts: Payout[]): Payment[] => payouts.map(({ payment }) => payment);

async function openLedger(
	{ client, ledger, hint }: RunContext,
	payouts: Payout[],
): Promise<Ledger> {
	const opened = await ledger();
	if (opened.isShared) return opened;
	if (client.environment === 'production') hint(USE_A_TABLE);
	if (payouts.every(({ request }) => request.daily === undefined)) return opened;
	return reject(
		'"Maximum per Day" needs a ledger table, which knows what all runs have paid',
		'Enter an n8n API key in the credential, or remove the option.',
	);
}

async function prepare(client: Client, payout: Payout): Promise<void> {
	if (payout.known.payableId !== undefined) return;
	const payableId = await create(client, payout);
	payout.known = { payableId };
	await approvePayable(client, payableId);
	payout.isNewlyPrepared = true;
}

/** A creation without an answer is repeated: a payable that was never approved moves no money. */
async function create(client: Client, payout: Payout, creation = 1): Promise<string> {
	return await createPayable(client, payout.request.payable).then(
		({ id }) => String(id),
		async (error: unknown) => {
			if (!isInDoubt(error)) throw error;
			if (creation === MAX_CREATIONS) throw notCreatedError(error);
			return await create(client, payout, creation + 1);
		},
	);
}

const notCreatedError = ({ reason, status, answer }: ServiceError): ServiceError =>
	new ServiceError({
		message: `Could not create the payable, tried ${MAX_CREATIONS} times: ${reason}`,
		hint: 'No money has moved. Run it again with the same unique reference. The service may have drafts of it: do not approve or fund them.',
		status,
		answer,
	});

async function keep(ledger: Ledger, payouts: Payout[]): Promise<void> {
	if (payouts.length === 0) return;
	const error = await ledger.keepPrepared(paymentsOf(payouts)).catch((reason: unknown) => reason);
	for (const payout of payouts) payout.end(error === undefined ? 'prepared' : 'not_sent', error);
}

/** No funding was sent for a payout that could not be prepared. */
function endUnprepared(payout: Payout, funder: Funder, error: unknown): void {
	const isUnanswered = error instanceof ServiceError && error.answer === 'ambiguous';
	if (isUnanswered) funder.stop('the service does not answer');
	const isRefused = error instanceof ServiceError && (error.isRefusal || error.answer === 'denied');
	payout.end(isNotDone(error) && !isRefused ? 'not_sent' : 'failed', error);
}

/**
 * Ends the payouts of a workspace for which today's limit or the wallet is not enough, before anything
 * is sent for them. They are paid together or not at all, since nobody said which ones come first.
 */
async function endUnaffordable(client: Client, ledger: Ledger, payouts: Payout[]): Promise<void> {
	const byWorkspace = groupBy(payouts, ({ request }) => request.payment.workspaceId);
	await Promise.all(
		byWorkspace.map(async (group) => {
			const reason = (await aboveDailyLimit(ledger, group)) ?? (await aboveBalance(client, group));
			if (reason !== undefined) for (const payout of group) payout.end('not_sent', reason);
		}),
	);
}

async function aboveDailyLimit(ledger: Ledger, payouts: Payout[]): Promise<InputError | undefined> {
	const daily = strictest(payouts);
	if (daily === undefined) return undefined;
	const spent = await ledger.spentSince?.(daily.workspaceId, daily.since);
	const total = (spent ?? 0) + sum(payouts.map(({ payment }) => payment.amount));
	return total <= daily.limit ? undefined : dailyLimitError(total, daily.limit);
}

async function aboveBalance(client: Client, payouts: Payout[]): Promise<InputError | undefined> {
	const checked = payouts.filter(({ request }) => request.isBalanceChecked);
	const [first] = checked;
	if (first === undefined) return undefined;
	const needed = sum(checked.map(({ payment }) => payment.amount));
	// Nothing is concluded from a wallet that cannot be read: the funding will tell.
	const balance = balanceOf(await getWallet(client, first.payment.workspaceId).catch(() => ({})));
	if (balance === undefined || needed <= balance) return undefined;
	return new InputError(
		`The wallet holds ${inMajorUnits(balance)}, and the payouts of this run need ${inMajorUnits(needed)}`,
		'Top up the wallet, or pay fewer at once, and run it again with the same unique references. If the balance is read wrongly, turn off Check Balance.',
	);
}

/** Many items with one reference by mistake look like many payouts that are done. */
function hintAtRepeated(sameReference: Payout[][], hint: RunContext['hint']): void {
	for (const [first, ...repeated] of sameReference) {
		if (first === undefined || repeated.length === 0 || !first.isPaid) continue;
		const { reference } = first.request.payment;
		const indexes = [first, ...repeated].map(({ item }) => item.index);
		hint(
			`Items ${listed(indexes)} have the same unique reference, "${reference}", payee and amount, so they are one payment, made once. If they are several payments, item ${indexes[0] ?? ''} keeps the reference, and the others get their own.`,
		);
		return;
	}
}

/** Payouts that can share a funding: with the same workspace, method and funding text, in their order. */
function batchesOf(payouts: Payout[]): Payout[][] {
	const alike = groupBy(payouts, ({ request }) => {
		const { payable, method, fundingText } = request;
		return JSON.stringify([payable.workspace_id, method, fundingText]);
	});
	return alike.flatMap((all) => chunk(all, MAX_PER_FUNDING));
}
