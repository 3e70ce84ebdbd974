import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { MAX_KEYS } from '../../../nodes/PartnerPayments/ledger/nodeStore/host';
import type { N8n } from '../../n8n';
import { LEDGER_TABLE } from '../../payouts/ledgerStore';
import { makePayouts } from '../../payouts/payout';

/** How long a write waits for one of n8n's. */
const BUSY_TIMEOUT_MS = 5_000;
/** n8n takes no request of more than 16 MB. */
const ROWS_PER_REQUEST = 5_000;
/** n8n keeps an MD5 hash of each key. */
const HASH_BYTES = 16;

/**
 * Puts older keys before those that n8n keeps for the node of a workflow, up to the maximum, as if it
 * had made so many payouts.
 */
export function fillNodeStore({ homeDirectory }: N8n, workflowId: string): void {
	const file = join(homeDirectory, '.n8n/database.sqlite');
	const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
	try {
		const where = `WHERE workflowId = ? AND context LIKE 'n:%'`;
		const row = database.prepare(`SELECT value FROM processed_data ${where}`).get(workflowId);
		const { mode, data } = JSON.parse(String(row?.['value'])) as { mode: string; data: string[] };
		const older = Array.from({ length: MAX_KEYS - data.length }, () =>
			randomBytes(HASH_BYTES).toString('base64'),
		);
		const value = JSON.stringify({ mode, data: [...older, ...data] });
		database.prepare(`UPDATE processed_data SET value = ? ${where}`).run(value, workflowId);
	} finally {
		database.close();
	}
}

/** Adds payouts that were paid to the ledger table, through n8n's public API. */
export async function fillDataTable(
	{ client }: N8n,
	workspaceId: string,
	count: number,
): Promise<void> {
	const { data: tables } = await client.publicApi<{ data: Array<{ id: string; name: string }> }>(
		'GET',
		'/data-tables',
	);
	const table = tables.find(({ name }) => name === LEDGER_TABLE);
	if (table === undefined) throw new Error('No payout has made the ledger table yet');
	const rows = makePayouts(randomUUID(), count).map(({ reference, payee, amount }) => ({
		reference,
		...{ operation: 'payout', environment: 'sandbox', workspace_id: workspaceId },
		...{ payee, amount_cents: amount, content: `${amount} us_cents to ${payee}` },
		...{ state: 'funded', payable_id: randomUUID(), funding_id: randomUUID(), pdf_url: '' },
		...{ unused_payables: 0, approval: '', execution: '1', run: '', batch: 'history' },
	}));
	for (let at = 0; at < count; at += ROWS_PER_REQUEST) {
		const data = rows.slice(at, at + ROWS_PER_REQUEST);
		const path = `/data-tables/${table.id}/rows`;
		await client.publicApi('POST', path, { data, returnType: 'count' });
	}
}
