import { balanceOf, getWallet } from '../../api/endpoints';
import type { Client } from '../../api/client';
import { rateLimitOf } from '../../api/http/rateLimiter';
import { isDone } from '../../ledger/ledger';
import { groupBy, listed } from '../../shared/lists';
import { inMajorUnits, sum } from '../../shared/money';
import { batchesOf } from './fund';
import type { Payout } from './payout';

const totalOf = (payouts: Payout[]): string =>
	inMajorUnits(sum(payouts.map(({ payment }) => payment.amount)));

/** How many payouts have which status, and how much they are in dollars. */
export function summaryOf(payouts: Payout[]): string {
	const counts = groupBy(payouts, ({ status }) => status).map(
		(alike) => `${alike.length} ${alike[0]?.status ?? ''} (${totalOf(alike)})`,
	);
	return `Payouts: ${counts.join(', ')}.`;
}

/** What a run would need for payouts: money by workspace, requests, and time. */
export async function needsOf(client: Client, payouts: Payout[]): Promise<string> {
	const byWorkspace = groupBy(payouts, ({ payment }) => payment.workspaceId);
	const needs = byWorkspace.map(async (group) => {
		const workspaceId = group[0]?.payment.workspaceId ?? '';
		const balance = balanceOf(await getWallet(client, workspaceId).catch(() => ({})));
		const wallet = balance === undefined ? '' : `, its wallet holds ${inMajorUnits(balance)}`;
		return `Workspace ${workspaceId} needs ${totalOf(group)}${wallet}.`;
	});
	const fundings = batchesOf(payouts).map(([first]) => first?.request.method ?? 'none');
	const requests = sum([
		...payouts.map(({ known }) => (known.payableId === undefined ? 2 : 0)),
		...fundings.map((method) => ({ balance: 1, invoice: 2, none: 0 })[method]),
	]);
	const { requests: limit } = rateLimitOf(client.credentials);
	const minutes = Math.ceil(requests / limit);
	return [...(await Promise.all(needs)), `Requests: ${requests}, in ${minutes} min at most.`].join(
		' ',
	);
}

/** Says which items share a reference: many items with one by mistake look like payouts that are done. */
export function repeatedHint(sameReference: Payout[][]): string | undefined {
	const repeated = sameReference.find(([first, second]) => first && isDone(first.known) && second);
	if (repeated === undefined) return undefined;
	const [index = '', ...others] = repeated.map(({ item }) => item.index);
	return `Items ${listed([index, ...others])} have the same unique reference, payee and amount, so they are one payment, made once. If they are several payments, item ${index} keeps the reference. Give the others their own.`;
}
