import { balanceOf, getWallet } from '../../api/endpoints';
import type { Client } from '../../api/client';
import { rateLimitOf } from '../../api/http/rateLimiter';
import { groupBy, joinNames, type NonEmpty } from '../../shared/lists';
import { dollarText, sum } from '../../shared/money';
import { batchesOf } from './fundingRun';
import { contentText } from '../../ledger/ledger';
import type { Payout } from './payout';

const totalOf = (payouts: Payout[]): string =>
	dollarText(sum(payouts.map(({ payment }) => payment.amount)));

/** How many payouts have which status, and how much they are in dollars. */
export function summaryOf(payouts: Payout[]): string {
	const counts = groupBy(payouts, ({ status }) => status).map(
		(alike) => `${alike.length} ${alike[0].status} (${totalOf(alike)})`,
	);
	return `Payouts: ${counts.join(', ')}.`;
}

/** What a run would need for payouts: money by workspace, requests, and time. */
export async function needsOf(client: Client, payouts: Payout[]): Promise<string> {
	const byWorkspace = groupBy(payouts, ({ payment }) => payment.workspaceId);
	const needs = byWorkspace.map(async (group) => {
		const workspaceId = group[0].payment.workspaceId;
		const balance = balanceOf(await getWallet(client, workspaceId).catch(() => ({})));
		const wallet = balance === undefined ? '' : `, its wallet holds ${dollarText(balance)}`;
		return `Workspace ${workspaceId} needs ${totalOf(group)}${wallet}.`;
	});
	const fundings = batchesOf(payouts).map(([first]) => first.request.method);
	const requests = sum([
		...payouts.map(({ payableId }) => (payableId === undefined ? 2 : 0)),
		...fundings.map((method) => ({ balance: 1, invoice: 2, none: 0 })[method]),
	]);
	const { requests: limit } = rateLimitOf(client.credentials);
	const minutes = Math.ceil(requests / limit);
	return [...(await Promise.all(needs)), `Requests: ${requests}, in ${minutes} min at most.`].join(
		' ',
	);
}

/** Says which items are one payment: many items with one reference by mistake look like payouts that are done. */
export function repeatedHint(samePayment: Array<NonEmpty<Payout>>): string | undefined {
	const repeated = samePayment.find(([first, second]) => second !== undefined && first.isPaid);
	if (repeated === undefined) {
		return undefined;
	}
	const [index = '', ...others] = repeated.map(({ item }) => item.index);
	return `Items ${joinNames([index, ...others])} have the same unique reference, payee and amount, so they are one payment, made once. If they are several invoices, item ${index} keeps the reference. Give each of the others the number of its own invoice.`;
}

/** Says which payouts passed for another vendor's invoice beside one that is open: a person may have meant to correct it. */
export function besideHint(payouts: Payout[]): string | undefined {
	const pairs: string[] = [];
	for (const { beside, payment, status } of payouts) {
		const isPaying = status === 'funded' || status === 'awaiting_deposit' || status === 'would_pay';
		if (beside !== undefined && isPaying) {
			pairs.push(
				`"${payment.reference}" to ${payment.payee} beside ${contentText(beside)} (${beside.state})`,
			);
		}
	}
	return pairs.length === 0
		? undefined
		: `Payee and amount differ from an open payout with the same reference, so this counts as another vendor's invoice: ${joinNames(pairs)}. If it corrects the open one, resolve that before you do anything else.`;
}

/** Says which payouts the ledger knows less of than their items. */
export function unrecordedHint(payouts: Payout[]): string | undefined {
	const unrecorded = payouts.filter(({ isUnrecorded }) => isUnrecorded);
	if (unrecorded.length === 0) {
		return undefined;
	}
	const names = unrecorded.map(({ payment, status }) => `"${payment.reference}" (${status})`);
	return `The ledger could not write down how these ended: ${joinNames(names)}. They become unconfirmed, and are not paid again. When the ledger works, resolve each as its item says.`;
}
