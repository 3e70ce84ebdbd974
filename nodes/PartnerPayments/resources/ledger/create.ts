import { itemOperation } from '../../execution/operation';
import { refuseAsTool } from '../../execution/safeguards';
import { createLedger } from '../../ledger/openLedger';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create ledger',
	description:
		'Make the ledger table, or confirm one that was restored or replaced. Sends nothing to the service.',
	fields: [],
	read: (item) => {
		refuseAsTool(item, 'A person decides which table is the ledger.');
	},
	run: async ({ n8n, client, hint }) => {
		const ledger = await createLedger(n8n, client.credentials);
		hint(
			`The ledger is the table "${ledger.table}". It knows ${ledger.payments} payments. What was paid before and is not among them can be paid again.`,
		);
		const json = {
			result: ledger.result,
			table: ledger.table,
			table_id: ledger.tableId,
			payments: ledger.payments,
			since: ledger.since ?? null,
		};
		return [{ json }];
	},
});
