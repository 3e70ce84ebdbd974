import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { N8n } from '../n8n';
import { LEDGER_TABLE } from '../payouts/ledgerStore';

/** How long a write waits for one of n8n's. */
const BUSY_TIMEOUT_MS = 5_000;

/** The rows that runs which were killed have left, and that keep others from paying for a while. */
export const LEFT_BY_KILLED = `state IN ('preparing', 'sending')`;

/** Makes what a killed n8n has left in its ledger's table an hour older: nobody waits for it any more. */
export function ageLedger({ homeDirectory }: N8n): void {
	const file = join(homeDirectory, '.n8n/database.sqlite');
	const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
	try {
		const table = database.prepare('SELECT id FROM data_table WHERE name = ?').get(LEDGER_TABLE);
		database.exec(
			`UPDATE "data_table_user_${String(table?.['id'])}"
			SET updatedAt = strftime('%Y-%m-%d %H:%M:%f', updatedAt, '-1 hour') WHERE ${LEFT_BY_KILLED}`,
		);
	} finally {
		database.close();
	}
}
