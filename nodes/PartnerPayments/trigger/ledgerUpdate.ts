import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { openRecords, readLedgerSettings } from '../ledger/openLedger';
import { readAuthentication, readCredentials } from '../api/auth/credentials';
import { readWorkspaceId } from '../shared/workspaceId';
import { isRecord } from '../shared/json';

/** A payable whose money has arrived, as a verified event says. */
export interface PaidPayable extends IDataObject {
	payableId: string;
	/** Left out where the event names no workspace: it is the trigger's then. */
	workspaceId?: string;
	/** ISO 8601, where the event tells. */
	paidAt?: string;
}

/**
 * Marks what verified events say is paid in the ledger table of the credential, where it has one. An
 * event is never dropped because that fails.
 *
 * @param items as the delivery handed them over
 * @returns them as they go on
 */
export async function markPaid(
	n8n: IExecuteFunctions,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const paid = items.flatMap(({ paid: payable }) => (isPaidPayable(payable) ? [payable] : []));
	await markInLedger(n8n, paid).catch((error: unknown) => {
		const reason = error instanceof Error ? error.message : String(error);
		n8n.logger.warn(`Partner Payments Trigger could not mark a payable paid: ${reason}`);
	});
	return items.map(({ json }) => ({ json }));
}

async function markInLedger(n8n: IExecuteFunctions, paid: PaidPayable[]): Promise<void> {
	if (paid.length === 0) return;
	const authentication = readAuthentication(n8n.getNodeParameter('authentication', 0));
	const credentials = await readCredentials(n8n, authentication);
	if (readLedgerSettings(credentials) === undefined) return;
	const records = await openRecords(n8n, credentials);
	const own = readWorkspaceId(n8n.getNodeParameter('workspaceId', 0, '', { extractValue: true }));
	for (const { payableId, workspaceId = own, paidAt } of paid)
		await records.markPaid(payableId, workspaceId, paidAt ?? new Date().toISOString());
}

const isPaidPayable = (value: unknown): value is PaidPayable =>
	isRecord(value) && typeof value.payableId === 'string';
