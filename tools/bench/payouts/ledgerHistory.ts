import { randomBytes, randomUUID } from 'node:crypto';

import { rowOf } from '../../../nodes/PartnerPayments/ledger/dataTable/rows';
import { MAX_KEYS } from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
import type { N8n } from '../../n8n';
import { makePayouts } from '../../payouts/payout';

/** n8n takes no request of more than 16 MB. */
const ROWS_PER_REQUEST = 5_000;
/** n8n keeps an MD5 hash of each key. */
const HASH_BYTES = 16;
const KEYS_PER_PAYOUT = 2;

/** So many payouts all but fill n8n's own store: the next ones have to fit in as well. */
export const NODE_HISTORY = (MAX_KEYS - 2_000) / KEYS_PER_PAYOUT;

/** Puts older keys before those that n8n keeps for the node of a workflow, as if it had made so many payouts. */
export function fillNodeStore({ database }: N8n, workflowId: string): void {
	const where = `WHERE workflowId = ? AND context LIKE 'n:%'`;
	const [row] = database.rows(`SELECT value FROM processed_data ${where}`, workflowId);
	const { mode, data } = JSON.parse(String(row?.['value'])) as { mode: string; data: string[] };
	const older = Array.from({ length: NODE_HISTORY * KEYS_PER_PAYOUT - data.length }, () =>
		randomBytes(HASH_BYTES).toString('base64'),
	);
	const value = JSON.stringify({ mode, data: [...older, ...data] });
	database.change(`UPDATE processed_data SET value = ? ${where}`, value, workflowId);
}

/** Adds payouts that were paid to the ledger table, through n8n's public API. */
export async function fillDataTable(
	{ client }: N8n,
	tableId: string,
	workspaceId: string,
	count: number,
): Promise<void> {
	const history = { state: 'funded', attempt: 'history', execution: '1' } as const;
	const rows = makePayouts(randomUUID(), count).map((payout) => ({
		...rowOf(
			{ ...payout, workspaceId, payableId: randomUUID() },
			{ ...history, environment: 'sandbox' },
		),
		funding_id: randomUUID(),
	}));
	for (let at = 0; at < count; at += ROWS_PER_REQUEST) {
		const data = rows.slice(at, at + ROWS_PER_REQUEST);
		const path = `/data-tables/${tableId}/rows`;
		await client.publicApi('POST', path, { data, returnType: 'count' });
	}
}
