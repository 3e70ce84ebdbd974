import type { IDataObject } from 'n8n-workflow';

import type { components } from '../../../../contract/service';
import { requestOf, type Client } from './client';
import { anyRecord, identifiedRecord, type Identified } from './responseReaders';

export type PayableCreate = components['schemas']['PayableCreate'];

/** Creates a payable in the state draft; `amount` in minor units, `due_date` in ISO 8601 UTC. */
export async function createPayable(client: Client, payable: PayableCreate): Promise<Identified> {
	const request = requestOf('nonIdempotent', 'create the payable', '/payable', {}, { ...payable });
	return await client.send(request, identifiedRecord('payable'));
}

/** Approves a payable, so that it can be funded; gives its ID, and whatever the service answers. */
export async function approvePayable(client: Client, payableId: string): Promise<IDataObject> {
	const values = { id: payableId };
	const request = requestOf('idempotent', 'approve the payable', '/payable/{id}/approve', values);
	return { id: payableId, ...(await client.send(request, anyRecord('payable'))) };
}
