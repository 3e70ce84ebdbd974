import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Client } from '../api/client';
import { readEnvironment } from '../api/auth/credentials';
import { getPartner } from '../api/endpoints';
import { ServiceError } from '../api/http/errors';
import { identifier } from '../api/responseReaders';
import { NoLedgerError } from '../ledger/findLedger';
import { openRecords } from '../ledger/openLedger';
import type { PaidPayable } from '../ledger/protocol/records';
import type { Row } from '../ledger/table/rows';
import { Batcher } from '../shared/batcher';
import { indexBy, type NonEmpty } from '../shared/lists';
import { formatDollars } from '../shared/money';
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
	const payableIds = events.flatMap(({ event }) =>
		event?.subject === 'payable' && parameters.simplify ? String(event.objectId) : [],
	);

	const rows = await recordPaid(n8n, parameters, { paid, payableIds }).catch((error: unknown) => {
		if (!(error instanceof NoLedgerError)) {
			const reason = error instanceof Error ? error.message : String(error);
			n8n.logger.warn(`"${n8n.getNode().name}" could not use the ledger of payouts: ${reason}`);
		}
		return [];
	});
	const ledger = indexBy(
		rows.filter(({ reference }) => reference !== ''),
		({ payable_id: payableId }) => payableId,
	);

	const begun: INodeExecutionData[] = [];
	// One at a time, so that payouts do not wait for the partners of many events.
	for (const { json, event } of events) {
		if (event === undefined) {
			begun.push({ json });
			continue;
		}
		const ofEvent = await itemsOfEvent(n8n, parameters, json, event, ledger);
		begun.push(...ofEvent);
	}

	return begun;
}

const paidPayableOf = ({ objectId, occurredAt }: ServiceEvent): PaidPayable => ({
	payableId: String(objectId),
	paidAt: wholeSecond(occurredAt ?? new Date().toISOString()),
});

/** A time (ISO 8601) to the second, so that the ledger marks at once what was paid together. */
function wholeSecond(time: string): string {
	const milliseconds = Date.parse(time);
	if (Number.isNaN(milliseconds)) {
		return time;
	}
	return new Date(milliseconds - (milliseconds % 1000)).toISOString();
}

/** What the ledger knows of payables, by their IDs. */
type KnownPayables = ReadonlyMap<string, NonEmpty<Row>>;

/** What the events of one execution say about payables. */
interface PayableEvents {
	paid: PaidPayable[];
	/** Those to read, also when nothing says that they are paid. */
	payableIds: string[];
}

/** What the executions of this process ask the ledger at once, by the trigger and its credential. */
const batchers = new Map<string, Batcher<PayableEvents, Row[]>>();

/**
 * Marks payables as paid in the ledger, and reads what it knows: one sub-execution at most for a delivery, and
 * one for all that come at the same time.
 */
async function recordPaid(
	n8n: IExecuteFunctions,
	{ credentialType, workspaceId }: TriggerParameters,
	events: PayableEvents,
): Promise<Row[]> {
	if (events.paid.length === 0 && events.payableIds.length === 0) {
		return [];
	}

	const { id, credentials: chosen } = n8n.getNode();
	const key = JSON.stringify([n8n.getWorkflow().id, id, chosen, workspaceId]);
	const batcher = batchers.get(key) ?? new Batcher<PayableEvents, Row[]>();
	batchers.set(key, batcher);

	return await batcher.run(events, async (batch) => {
		const paid = batch.flatMap((one) => one.paid);
		const payableIds = batch.flatMap((one) => one.payableIds);

		// Once for all of them, since n8n reads credentials slowly.
		const credentials = await n8n.getCredentials<IDataObject>(credentialType);
		const environment = readEnvironment(credentials);
		return await openRecords(n8n, credentials).markPaid(environment, workspaceId, paid, payableIds);
	});
}

/** The item of an event; none when its partner must be fetched, and has a status that was not chosen. */
async function itemsOfEvent(
	n8n: IExecuteFunctions,
	{ credentialType, workspaceId, statuses, simplify }: TriggerParameters,
	json: IDataObject,
	event: ServiceEvent,
	ledger: KnownPayables,
): Promise<INodeExecutionData[]> {
	const row = event.subject === 'payable' ? ledger.get(String(event.objectId))?.[0] : undefined;
	const item = (known: ServiceEvent): INodeExecutionData[] => [
		{ json: simplify ? simplified(known, workspaceId, json, row) : json },
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
	row: Row | undefined,
): IDataObject => ({
	event: event.kind,
	event_type: event.type ?? null,
	event_id: event.id ?? null,
	occurred_at: event.occurredAt ?? null,
	workspace_id: workspaceId,
	[`${event.subject}_id`]: event.objectId,
	status: event.status ?? null,
	...(row !== undefined && ledgerFields(row)),
	[event.subject]: event.object,
	verified,
});

/** What people know a payment by. */
const ledgerFields = ({ reference, payee, amount_cents: amount }: Row): IDataObject => ({
	unique_reference: reference,
	payee,
	...(amount !== null && { amount_usd: formatDollars(amount) }),
});
