import type { Ledger } from '../../ledger/ledger';
import type { Client } from '../../service/api/client';
import { balanceOf, getWallet } from '../../service/api/wallets';
import { InputError } from '../../shared/inputError';
import { groupBy } from '../../shared/lists';
import { inMajorUnits, sum } from '../../shared/money';
import type { Payout } from './payout';

/**
 * Ends the payouts of a workspace for which today's limit or the wallet is not enough, before anything
 * is sent for them. They are paid together or not at all, since nobody said which ones come first.
 */
export async function endUnaffordable(
	client: Client,
	ledger: Ledger,
	payouts: Payout[],
): Promise<void> {
	const byWorkspace = groupBy(payouts, ({ request }) => request.claim.workspaceId);
	await Promise.all(
		byWorkspace.map(async (group) => {
			const reason = (await aboveDailyLimit(ledger, group)) ?? (await aboveBalance(client, group));
			if (reason !== undefined) for (const payout of group) payout.end('not_sent', reason);
		}),
	);
}

/** What the claims of this run already count in the ledger, as they are claimed before. */
async function aboveDailyLimit(ledger: Ledger, payouts: Payout[]): Promise<InputError | undefined> {
	const limited = payouts.flatMap(({ request: { claim, daily } }) =>
		daily === undefined ? [] : [{ ...daily, workspaceId: claim.workspaceId }],
	);
	const [first] = limited;
	if (first === undefined) return undefined;
	const limit = Math.min(...limited.map((daily) => daily.limit));
	const spent = await ledger.spentSince(first.workspaceId, first.since);
	if (spent === undefined || spent <= limit) return undefined;
	return new InputError(
		`The payouts and fundings of the workspace add up to ${inMajorUnits(spent)} today with this run, which is above the Maximum per Day, ${inMajorUnits(limit)}`,
		'Run it again tomorrow with the same unique references, or let the person who is responsible for this workflow raise the limit.',
	);
}

async function aboveBalance(client: Client, payouts: Payout[]): Promise<InputError | undefined> {
	const checked = payouts.filter(({ request }) => request.isBalanceChecked);
	const [first] = checked;
	if (first === undefined) return undefined;
	const needed = sum(checked.map(({ request }) => request.payable.amount));
	// Nothing is concluded from a wallet that cannot be read: the funding will tell.
	const wallet = await getWallet(client, first.request.claim.workspaceId).catch(() => ({}));
	const balance = balanceOf(wallet);
	if (balance === undefined || needed <= balance) return undefined;
	return new InputError(
		`The wallet of the workspace holds ${inMajorUnits(balance)}, and its payouts in this run need ${inMajorUnits(needed)}`,
		'Top up the wallet, or pay fewer at once, and run it again with the same unique references. If the balance is read wrongly, turn off Check Balance.',
	);
}
