import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { N8nApi } from '../../../nodes/PartnerPayments/ledger/dataTable/n8nApi';
import type { RowValues } from '../../../nodes/PartnerPayments/ledger/dataTable/row';
import { TableRows } from '../../../nodes/PartnerPayments/ledger/dataTable/rows';
import { tableOfName } from '../../../nodes/PartnerPayments/ledger/dataTable/tables';
import { MAX_KEYS } from '../../../nodes/PartnerPayments/ledger/nodeStore/host';
import { systemClock } from '../../../nodes/PartnerPayments/service/http/clock';
import type { N8n } from '../../n8n';
import { LEDGER_TABLE } from '../../payouts/ledgerStore';
import { makePayouts } from '../../payouts/payout';

/** How long a write waits for one of n8n's. */
const BUSY_TIMEOUT_MS = 5_000;
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
	const api = new N8nApi(
		async ({ method, path, body }) => ({
			status: 200,
			body: await client.publicApi(method, path, body),
		}),
		client.url,
		systemClock,
	);
	const table = await tableOfName(api, LEDGER_TABLE);
	if (table === undefined) throw new Error('No payout has made the ledger table yet');
	const batch = randomUUID();
	const rows = makePayouts('history', count).map(({ reference, payee, amount }): RowValues => ({
		reference,
		operation: 'payout',
		environment: 'sandbox',
		workspace_id: workspaceId,
		payee,
		amount_cents: amount,
		content: `${amount} us_cents to ${payee}`,
		state: 'funded',
		payable_id: randomUUID(),
		funding_id: randomUUID(),
		pdf_url: '',
		unused_payables: 0,
		approval: '',
		execution: '1',
		run: '',
		batch,
	}));
	await new TableRows(api, table.id).insert(rows, batch);
}
