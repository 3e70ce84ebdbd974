import type { ItemParameters } from '../../execution/itemParameters';
import { balanceOf, getWallet } from '../../api/endpoints';
import type { Client } from '../../api/client';
import { rateLimitOf } from '../../api/http/rateLimiter';
import { groupBy, joinNames, nameItems, type NonEmpty } from '../../shared/lists';
import { dollarText, sum } from '../../shared/money';
import { batchesOf } from './batches';
import type { Release } from '../../ledger/ledger';
import { contentText } from '../../ledger/messages';
import type { PayoutStatus } from './output';
import { remainingOf, type Payout } from './payout';
import { releaseHint } from './releaseHint';

const totalOf = (payouts: Payout[]): string =>
	dollarText(sum(payouts.map(({ payment }) => payment.amount)));

/** The ends of payouts for which this run has paid nothing, for certain. */
const UNPAID = new Set<PayoutStatus>(['held', 'duplicate', 'prepared', 'not_sent']);

/** How many payouts are named in a line at most. */
const MAX_NAMED = 10;

/** What a run did, for the line above its output; undefined when it paid its one payout, or says why not elsewhere. */
export function resultHint(
	payouts: Payout[],
	leftOut: ItemParameters[],
	limitText?: string,
): string | undefined {
	const details = detailsOf(payouts, releaseHint(releasesOf(payouts)));
	const isOne = payouts.length === 1 && leftOut.length === 0;
	if (isOne && details.length === 0) {
		return undefined;
	}
	const counts = isOne ? '' : summaryOf(payouts);
	return joinSentences([
		openingOf(payouts, limitText),
		counts,
		...details,
		...leftOutText(leftOut),
	]);
}

/** Says that nothing was paid, where that is certain. */
function openingOf(payouts: Payout[], limitText: string | undefined): string {
	if (limitText !== undefined) {
		return `Nothing was sent. ${limitText}`;
	}
	return payouts.every(({ status }) => UNPAID.has(status)) ? 'Nothing was paid.' : '';
}

/** What a run would do, and what it would need. */
export async function previewHint(
	client: Client,
	payouts: Payout[],
	leftOut: ItemParameters[],
	limitText = '',
): Promise<string> {
	const wouldPay = remainingOf(payouts);
	const needs = await needsOf(client, wouldPay);
	return joinSentences([
		'Preview, nothing was sent.',
		limitText,
		summaryOf(payouts),
		// A preview stores nothing, so there is nothing to resolve: the run itself says how to release.
		...detailsOf(payouts, ''),
		...leftOutText(leftOut),
		needs,
	]);
}

const joinSentences = (sentences: string[]): string =>
	sentences.filter((sentence) => sentence !== '').join(' ');

/** How many payouts have which status, and how much they are in dollars. */
function summaryOf(payouts: Payout[]): string {
	const counts = groupBy(payouts, ({ status }) => status).map(
		(alike) => `${alike.length} ${alike[0].status} (${totalOf(alike)})`,
	);
	return `Payouts: ${counts.join(', ')}.`;
}

const releasesOf = (payouts: Payout[]): Release[] =>
	payouts.flatMap(({ status, release }) => (status === 'held' ? (release ?? []) : []));

/**
 * Why payouts were not paid that did not fail: what a green check mark does not tell.
 *
 * @param releaseText how held ones are paid
 */
function detailsOf(payouts: Payout[], releaseText: string): string[] {
	const held = payouts.filter(({ status }) => status === 'held');
	const duplicates = payouts.filter(({ status }) => status === 'duplicate');
	const done = duplicates.filter(({ isDone }) => isDone);
	const awaiting = done.filter(({ isAwaiting }) => isAwaiting);
	const before = done.filter(({ isAwaiting }) => !isAwaiting);
	const earlier = duplicates.filter(({ isDone }) => !isDone);
	const prepared = payouts.filter(({ status }) => status === 'prepared');
	const sentences = [
		...listed('Held until a person decides', held, ({ reason }) => reason ?? ''),
		releaseText,
		...listed('Paid before, not again', before, ({ history }) => history),
		...listed('Not paid yet, nothing sent again', awaiting, ({ history }) => history),
		...listed('Prepared before', earlier, ({ history }) => history),
		...listed('Prepared until a person agrees', prepared, () => ''),
	];
	return sentences.filter((sentence) => sentence !== '');
}

function listed(title: string, payouts: Payout[], why: (payout: Payout) => string): string[] {
	if (payouts.length === 0) {
		return [];
	}
	const names = payouts.map((payout) => {
		const { reference, payee, amount } = payout.request.payment;
		const reason = why(payout);
		const reasonText = reason === '' ? '' : `: ${reason}`;
		return `"${reference}", ${dollarText(amount)} to ${payee}${reasonText}`;
	});
	const shown = names.slice(0, MAX_NAMED).join('; ');
	const more = names.length - MAX_NAMED;
	return [`${title}: ${shown}${more > 0 ? `; and ${more} more` : ''}.`];
}

/** The items that no total counts. */
function leftOutText(items: ItemParameters[]): string[] {
	if (items.length === 0) {
		return [];
	}
	const names = nameItems(items.map(({ index }) => index));
	return [`Not counted, since an error refused them: ${names}.`];
}

/** What a run would need for payouts: money by workspace, requests, and time. */
async function needsOf(client: Client, payouts: Payout[]): Promise<string> {
	const alike = groupBy(payouts, ({ request, payment }) =>
		JSON.stringify([payment.workspaceId, request.method]),
	);
	const needs = await Promise.all(alike.map(async (group) => await needOf(client, group)));
	const fundings = batchesOf(payouts).map(([first]) => first.request.method);
	const requests = sum([
		...payouts.map(({ payableId }) => (payableId === undefined ? 2 : 0)),
		...fundings.map((method) => ({ balance: 1, invoice: 2, none: 0 })[method]),
	]);
	const { requests: limit } = rateLimitOf(client.credentials);
	const minutes = Math.ceil(requests / limit);
	return [...needs, `Requests: ${requests}, in ${minutes} min at most.`].join(' ');
}

/** What payouts of one workspace and funding method need. Only what is paid from a wallet is compared with it. */
async function needOf(client: Client, payouts: NonEmpty<Payout>): Promise<string> {
	const [{ request, payment }] = payouts;
	const { workspaceId } = payment;
	const total = totalOf(payouts);
	switch (request.method) {
		case 'invoice':
			return `Workspace ${workspaceId} gets an invoice for ${total}.`;
		case 'none':
			return `Workspace ${workspaceId} prepares ${total}, and no money moves.`;
		case 'balance': {
			const balance = balanceOf(await getWallet(client, workspaceId).catch(() => ({})));
			const wallet = balance === undefined ? '' : `, its wallet holds ${dollarText(balance)}`;
			return `Workspace ${workspaceId} needs ${total}${wallet}.`;
		}
	}
}

/** Says which items are one payment: many items with one reference by mistake look like payouts that are done. */
export function repeatedHint(byPayment: Array<NonEmpty<Payout>>): string | undefined {
	const repeated = byPayment.find(([first, second]) => second !== undefined && first.isDone);
	if (repeated === undefined) {
		return undefined;
	}
	const [index = '', ...others] = repeated.map(({ item }) => item.index);
	return `Items ${joinNames([index, ...others])} have the same unique reference, payee and amount, so they are one payment, made once. One invoice: do nothing. Several invoices: item ${index} keeps the reference. Give each of the others the number of its own invoice.`;
}

/** Says which payouts have the reference of another vendor's open payout: a person may have meant to correct that one. */
export function besideHint(payouts: Payout[]): string | undefined {
	const pairs: string[] = [];
	const states = new Set<string>();
	for (const { beside, payment, status } of payouts) {
		const isPaying = status === 'funded' || status === 'awaiting_deposit' || status === 'would_pay';
		if (beside !== undefined && isPaying) {
			pairs.push(
				`"${payment.reference}" to ${payment.payee} beside ${contentText(beside)} (${beside.state})`,
			);
			states.add(beside.state);
		}
	}
	if (pairs.length === 0) {
		return undefined;
	}
	return joinSentences([
		`These also have an open payout to another payee, and both can be paid: ${joinNames(pairs)}. Two invoices: do nothing.`,
		[...states].some((state) => state !== UNCONFIRMED) ? LEAVE_OPEN_ONE : '',
		states.has(UNCONFIRMED) ? ASK_ABOUT_UNCONFIRMED : '',
	]);
}

const UNCONFIRMED = 'unconfirmed';

const LEAVE_OPEN_ONE =
	'If a new payout corrects a prepared or held one, use "Resolve" of "Payout" as "Not Paid" for the old one. Leave the old one out permanently.';

const ASK_ABOUT_UNCONFIRMED =
	'If a new payout corrects an unconfirmed one, ask the operator of the service whether that was paid. Only if not, use "Resolve" of "Payout" as "Not Paid" for it, and leave it out permanently. If it was, ask them to stop the wrong payment.';

/** Says of which payables the service may have drafts beside those that this run has used: no run pays these. */
export function draftsHint(payouts: Payout[]): string | undefined {
	const withDrafts = payouts.filter(
		({ mayHaveDrafts, payableId }) => mayHaveDrafts && payableId !== undefined,
	);
	if (withDrafts.length === 0) {
		return undefined;
	}
	const names = withDrafts.map(
		({ payment, payableId }) => `[${payment.reference}] beside payable ${payableId}`,
	);
	return `The service may have drafts of the same payouts: ${joinNames(names)}. Do not approve or fund them, there or with this node: that would pay again.`;
}

/** Says which payouts the ledger knows less of than their items. */
export function unrecordedHint(payouts: Payout[]): string | undefined {
	const unrecorded = payouts.filter(({ isRecorded }) => !isRecorded);
	if (unrecorded.length === 0) {
		return undefined;
	}
	const names = unrecorded.map(({ payment, status }) => `"${payment.reference}" (${status})`);
	const statuses = new Set(unrecorded.map(({ status }) => status));
	const outcomes = UNRECORDED_OUTCOMES.filter(({ ends }) => ends.some((end) => statuses.has(end)));
	return joinSentences([
		`The ledger could not write down how these ended: ${joinNames(names)}.`,
		'Run none of them again before that. Wait 20 minutes, and until the ledger works. Then use "Resolve" of "Payout". If it does not find one that is "funded" or "awaiting_deposit", take that out of each input: it would be paid again.',
		...outcomes.map(({ advice }) => advice),
	]);
}

/** How payouts are resolved whose end the ledger does not know. */
const UNRECORDED_OUTCOMES: Array<{ ends: PayoutStatus[]; advice: string }> = [
	{ ends: ['funded'], advice: '"funded" is "Paid".' },
	{
		ends: ['awaiting_deposit'],
		advice: '"awaiting_deposit" is "Paid" only after its deposit is linked.',
	},
	{
		ends: ['failed', 'not_sent'],
		advice: '"failed" or "not_sent" is "Not Paid".',
	},
];
