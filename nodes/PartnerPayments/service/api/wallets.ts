import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../shared/json';
import { DENOMINATION } from '../../shared/money';
import { requestOf, type Client } from './client';
import { anyRecord, recordList, recordThat } from './responseReaders';

/** The wallet of a workspace: its balance, and the account that bank transfers go to; `workspaceId` is a UUID. */
export async function getWallet(client: Client, workspaceId: string): Promise<IDataObject> {
	return await client.send(
		requestOf('safe', 'get the wallet', '/workspace/{id}/wallet', { id: workspaceId }),
		recordThat('wallet', 'a wallet', (wallet) => Object.keys(wallet).length > 0),
	);
}

/** The deposits that are not linked to a funding yet; `workspaceId` is a UUID. */
export async function getDeposits(client: Client, workspaceId: string): Promise<IDataObject[]> {
	return await client.send(
		requestOf('safe', 'get the deposits', '/workspace/{id}/wallet/deposit', { id: workspaceId }),
		recordList('deposits', 'a list of deposits'),
	);
}

/** Simulates an incoming transfer, in the sandbox environment only; `amount` in minor units. */
export async function simulateDeposit(
	client: Client,
	workspaceId: string,
	deposit: IDataObject,
): Promise<IDataObject> {
	const template = '/workspace/{id}/wallet/deposit';
	const values = { id: workspaceId };
	const request = requestOf('nonIdempotent', 'simulate the deposit', template, values, deposit);
	return await client.send(request, anyRecord('deposit'));
}

/** The balance of a wallet in minor units; undefined when it is not found, or counts in something else. */
export function balanceOf(wallet: IDataObject): number | undefined {
	const found = [wallet.balance, wallet.available_balance, wallet.amount].find(
		(value) => value !== undefined && value !== null,
	);
	const { amount, amount_denomination: denomination = DENOMINATION } = isRecord(found)
		? found
		: { ...wallet, amount: found };
	if (denomination !== DENOMINATION) return undefined;
	return typeof amount === 'number' && Number.isSafeInteger(amount) ? amount : undefined;
}
