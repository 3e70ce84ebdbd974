import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Client } from '../api/client';
import { readEnvironment } from '../api/auth/credentials';
import { getPartner } from '../api/endpoints';
import { ServiceError } from '../api/http/errors';
import { identifier } from '../api/responseReaders';
import { NoLedgerError } from '../ledger/findLedger';
import { openRecords } from '../ledger/openLedger';
import type { PaidPayable } from '../ledger/protocol/records';
import { isRecord, stringOrEmpty } from '../shared/typeGuards';
import { claimItems } from './deduplicator';
import { isThin, parseEvent, type ServiceEvent } from './eventParsing';
import { isChosenStatus, readParameters, type TriggerParameters } from './fields';

/**
 * The items that an execution begins with: the events of the delivery that has started it.
 *
 * @throws ServiceError when a partner must be fetched, and the service does not return it
 */
export async function startEvents(n8n: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = await claimItems(n8n);
	const parameters = await readParameters(n8n);
	const events = items.map(({ json }) => ({
		json,
		event: isRecord(json.body) ? parseEvent(json.body, parameters.identifiers) : undefined,
	}));
	const paid = events.flatMap(({ json, event }) =>
		event?.kind === 'payablePaid' && json.verified === true ? paidPayableOf(event) : [],
	);
	await markPaid(n8n, parameters, paid).catch((error: unknown) => {
		if (error instanceof NoLedgerError) {
			return;
		}
		const reason = error instanceof Error ? error.message : String(error);
		n8n.logger.warn(`"${n8n.getNode().name}" could not mark a payable as paid: ${reason}`);
	});
	const begun: INodeExecutionData[] = [];
	// One at a time, so that payouts do not wait for the partners of many events.
	for (const { json, event } of events) {
		begun.push(...(event === undefined ? [{ json }] : await begin(n8n, parameters, json, event)));
	}
	return begun;
}

const paidPayableOf = ({ objectId, occurredAt }: ServiceEvent): PaidPayable => ({
	payableId: String(objectId),
	paidAt: occurredAt ?? new Date().toISOString(),
});

/** Marks payables as paid in the ledger: one sub-execution for a delivery. */
async function markPaid(
	n8n: IExecuteFunctions,
	{ credentialType, workspaceId }: TriggerParameters,
	paid: PaidPayable[],
): Promise<void> {
	if (paid.length === 0) {
		return;
	}
	const credentials = await n8n.getCredentials<IDataObject>(credentialType);
	const environment = readEnvironment(credentials);
	await openRecords(n8n, credentials).markPaid(environment, workspaceId, paid);
}

/** The item of an event; none when its partner must be fetched, and has a status that was not chosen. */
async function begin(
	n8n: IExecuteFunctions,
	{ credentialType, workspaceId, statuses, simplify }: TriggerParameters,
	json: IDataObject,
	event: ServiceEvent,
): Promise<INodeExecutionData[]> {
	const item = (known: ServiceEvent): INodeExecutionData[] => [
		{ json: simplify ? simplified(known, workspaceId, json) : json },
	];
	if (!isThin(event) || (!simplify && statuses.length === 0)) {
		return item(event);
	}
	const id = String(event.objectId);
	const client = await Client.connect(n8n, credentialType);
	const partner = await getPartner(client, workspaceId, id);
	if ((identifier(partner) ?? id) !== id) {
		throw new ServiceError({
			message: `The service returned another partner than ${id}`,
			hint: 'Check the partner in the service, then retry this execution.',
		});
	}
	const status = stringOrEmpty(partner.status);
	return isChosenStatus(status, statuses) ? item({ ...event, status, object: partner }) : [];
}

/** An event of one workspace names no other, so that `workspaceId` is also that of an event that names none. */
const simplified = (
	event: ServiceEvent,
	workspaceId: string,
	{ verified }: IDataObject,
): IDataObject => ({
	event: event.kind,
	event_type: event.type ?? null,
	event_id: event.id ?? null,
	occurred_at: event.occurredAt ?? null,
	workspace_id: workspaceId,
	[`${event.subject}_id`]: event.objectId,
	status: event.status ?? null,
	[event.subject]: event.object,
	verified,
});
