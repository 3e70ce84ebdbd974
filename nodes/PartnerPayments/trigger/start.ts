import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readAuthentication, readCredentials, readWorkspace } from '../api/auth/credentials';
import { Client } from '../api/client';
import { getPartner } from '../api/endpoints';
import { ServiceError } from '../api/http/errors';
import { identifier } from '../api/responseReaders';
import { openRecords, readLedgerSettings } from '../ledger/openLedger';
import { isRecord, textOf } from '../shared/values';
import { claimItems } from './deduplicator';
import { isChosenStatus, readStatuses } from './fields';
import { rethrowTo } from './triggerData';

/** A payable that a verified event says is paid. */
export interface PaidPayable extends IDataObject {
	payableId: string;
	/** Left out when the event names no workspace: it is the trigger's then. */
	workspaceId?: string;
	/** ISO 8601. */
	paidAt?: string;
}

/**
 * The items that an execution begins with: the events of the delivery that has started it.
 *
 * @throws NodeOperationError when a partner must be fetched, and the service does not return it
 */
export async function startEvents(n8n: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = await claimItems(n8n);
	await markPaid(n8n, items).catch((error: unknown) => {
		const reason = error instanceof Error ? error.message : String(error);
		n8n.logger.warn(`"${n8n.getNode().name}" could not mark a payable as paid: ${reason}`);
	});
	const begun: INodeExecutionData[] = [];
	// One at a time, so that payouts do not wait for the partners of many events.
	for (const { json, thinPartner } of items)
		begun.push(
			...(typeof thinPartner === 'string'
				? await completed(n8n, json, thinPartner).catch(rethrowTo(n8n))
				: [{ json }]),
		);
	return begun;
}

/** Marks payables as paid in the ledger table, if the credential has one. */
async function markPaid(n8n: IExecuteFunctions, items: INodeExecutionData[]): Promise<void> {
	const paid = items.flatMap(({ paid: payable }) => (isPaidPayable(payable) ? [payable] : []));
	if (paid.length === 0) return;
	const credentials = await readCredentials(n8n, authenticationOf(n8n));
	if (readLedgerSettings(credentials) === undefined) return;
	const records = await openRecords(n8n, credentials);
	const own = await workspaceOf(n8n);
	for (const { payableId, workspaceId = own, paidAt } of paid)
		await records.markPaid(payableId, workspaceId, paidAt ?? new Date().toISOString());
}

/** Adds the service's record of its partner to an event, and leaves the event out if that status was not chosen. */
async function completed(
	n8n: IExecuteFunctions,
	json: IDataObject,
	id: string,
): Promise<INodeExecutionData[]> {
	const statuses = readStatuses(n8n.getNodeParameter('options.statuses', 0, []));
	const isRaw = 'body' in json;
	if (isRaw && statuses.length === 0) return [{ json }];
	const client = await Client.connect(n8n, authenticationOf(n8n));
	const partner = await getPartner(client, await workspaceOf(n8n), id);
	if ((identifier(partner) ?? id) !== id)
		throw new ServiceError({
			message: `The service returned another partner than ${id}`,
			hint: 'Check the partner in the service, then retry this execution.',
		});
	const status = textOf(partner.status);
	if (!isChosenStatus(status, statuses)) return [];
	return [{ json: isRaw ? json : { ...json, status, partner } }];
}

const authenticationOf = (n8n: IExecuteFunctions) =>
	readAuthentication(n8n.getNodeParameter('authentication', 0));

const workspaceOf = async (n8n: IExecuteFunctions): Promise<string> =>
	await readWorkspace(n8n, n8n.getNodeParameter('workspaceId', 0, ''), authenticationOf(n8n));

const isPaidPayable = (value: unknown): value is PaidPayable =>
	isRecord(value) && typeof value.payableId === 'string';
