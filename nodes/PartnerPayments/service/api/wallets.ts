import type { IDataObject } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { requestOf } from './requests';
import { anyRecord, recordList, recordThat } from './responseReaders';

/**
 * The wallet of a workspace: its balance, and the account that bank transfers go to.
 *
 * @param workspaceId UUID
 */
export async function getWallet(client: ServiceClient, workspaceId: string): Promise<IDataObject> {
	return await client.send(
		requestOf('safe', 'get the wallet', '/workspace/{id}/wallet', { id: workspaceId }),
		recordThat('wallet', 'a wallet', (wallet) => Object.keys(wallet).length > 0),
	);
}

/**
 * The deposits that are not linked to a funding yet.
 *
 * @param workspaceId UUID
 */
export async function getDeposits(
	client: ServiceClient,
	workspaceId: string,
): Promise<IDataObject[]> {
	return await client.send(
		requestOf('safe', 'get the deposits', '/workspace/{id}/wallet/deposit', { id: workspaceId }),
		recordList('deposits', 'a list of deposits'),
	);
}

/**
 * Simulates an incoming transfer. The endpoint exists in the sandbox environment only.
 *
 * @param workspaceId UUID
 * @param deposit `amount` in minor units, and whatever else the service wants
 */
export async function simulateDeposit(
	client: ServiceClient,
	workspaceId: string,
	deposit: IDataObject,
): Promise<IDataObject> {
	const template = '/workspace/{id}/wallet/deposit';
	const values = { id: workspaceId };
	const request = requestOf('nonIdempotent', 'simulate the deposit', template, values, deposit);
	return await client.send(request, anyRecord('deposit'));
}
