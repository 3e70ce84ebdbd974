import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import { path } from '../http/url';
import type { Call } from '../http/request';
import { unreadable } from '../http/errors';
import { isIdentified, record, type Identified } from './responseReaders';
import type { Gate, Service } from './client';

export type PayableCreate = components['schemas']['PayableCreate'];

/**
 * Creates a payable in the state draft.
 *
 * @param payable `amount` in minor units, `due_date` in ISO 8601 UTC
 * @param gate passed directly before the request
 * @returns the payable, with its `id`
 */
export async function createPayable(
	service: Service,
	payable: PayableCreate,
	gate?: Gate,
): Promise<Identified> {
	const call: Call = {
		method: 'POST',
		path: '/payable',
		task: 'create the payable',
		effect: 'creates',
		body: { ...payable },
	};
	const answer = await service.send(call, gate);
	const created = record(answer.body, 'payable');
	if (!isIdentified(created)) throw unreadable(call, "the payable's ID", answer.status);
	return created;
}

/**
 * Approves a payable, so that it can be funded.
 *
 * @returns the payable's id and whatever the service answers
 */
export async function approvePayable(service: Service, payableId: string): Promise<IDataObject> {
	const answer = await service.send({
		method: 'POST',
		path: path('/payable/{id}/approve', { id: payableId }),
		task: 'approve the payable',
		effect: 'setsState',
	});
	return { id: payableId, ...record(answer.body, 'payable') };
}
