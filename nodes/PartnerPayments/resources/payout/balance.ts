import type { Client } from '../../api/client';
import { balanceOf, getWallet } from '../../api/endpoints';
import { dollarText, sum } from '../../shared/money';
import { InputError } from '../../shared/errors';
import type { Payout } from './payout';

/** The balances (minor units) of the workspaces whose payouts need one. Without a balance, the funding itself decides. */
export async function balancesOf(client: Client, payouts: Payout[]): Promise<Map<string, number>> {
	const checked = payouts.filter(({ request }) => request.isBalanceChecked);
	const workspaceIds = new Set(checked.map(({ payment }) => payment.workspaceId));
	const balances = new Map<string, number>();
	await Promise.all(
		[...workspaceIds].map(async (workspaceId) => {
			const wallet = await getWallet(client, workspaceId).catch(() => ({}));
			const balance = balanceOf(wallet);
			if (balance !== undefined) {
				balances.set(workspaceId, balance);
			}
		}),
	);
	return balances;
}

/** The error for payouts of one workspace that need more than its wallet holds. */
export function aboveBalance(
	balances: Map<string, number>,
	payouts: Payout[],
): InputError | undefined {
	const checked = payouts.filter(({ request }) => request.isBalanceChecked);
	const [first] = checked;
	if (first === undefined) {
		return undefined;
	}
	const needed = sum(checked.map(({ payment }) => payment.amount));
	const balance = balances.get(first.payment.workspaceId);
	if (balance === undefined || needed <= balance) {
		return undefined;
	}
	return new InputError(
		`The wallet holds ${dollarText(balance)}, and this run needs ${dollarText(needed)}`,
		'Check the workspace. Top up its wallet, or pay fewer at once. Then run it again with the same unique references. If the balance is wrong, turn off "Check Balance".',
	);
}
