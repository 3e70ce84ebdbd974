import type { IDataObject } from 'n8n-workflow';

import { path } from '../http/url';
import type { Call } from '../http/request';
import { unreadable } from '../http/errors';
import { list, record } from './responseReaders';
import type { Service } from './client';

/**
 * The wallet of a workspace: its balance, and the account that bank transfers go to.
 *
 * @param workspaceId UUID
 */
export async function getWallet(service: Service, workspaceId: string): Promise<IDataObject> {
	const call: Call = {
		method: 'GET',
		path: path('/workspace/{id}/wallet', { id: workspaceId }),
		task: 'get the wallet',
		effect: 'reads',
	};
	const answer = await service.send(call);
	const wallet = record(answer.body, 'wallet');
	if (Object.keys(wallet).length === 0) throw unreadable(call, 'a wallet', answer.status);
	return wallet;
}

/**
 * The deposits that are not linked to a funding yet.
 *
 * @param workspaceId UUID
 */
export async function getDeposits(service: Service, workspaceId: string): Promise<IDataObject[]> {
	const call: Call = {
		method: 'GET',
		path: path('/workspace/{id}/wallet/deposit', { id: workspaceId }),
		task: 'get the deposits',
		effect: 'reads',
	};
	const answer = await service.send(call);
	const deposits = list(answer.body, 'deposits');
	if (deposits === undefined) throw unreadable(call, 'a list of deposits', answer.status);
	return deposits;
}

/**
 * Simulates an incoming transfer. The endpoint exists in the sandbox environment only.
 *
 * @param workspaceId UUID
 * @param deposit `amount` in minor units, and whatever else the service wants
 */
export async function simulateDeposit(
	service: Service,
	workspaceId: string,
	deposit: IDataObject,
): Promise<IDataObject> {
	const answer = await service.send({
		method: 'POST',
		path: path('/workspace/{id}/wallet/deposit', { id: workspaceId }),
		task: 'simulate the deposit',
		effect: 'creates',
		body: deposit,
	});
	return record(answer.body, 'deposit');
}
