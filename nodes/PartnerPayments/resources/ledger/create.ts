import { itemOperation } from '../../execution/operation';
import { assertNotTool } from '../../execution/safeguards';
import { createLedger } from '../../ledger/openLedger';
import type { LedgerSummary } from '../../ledger/protocol/records';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create ledger',
	description:
		'Make the ledger table, or confirm one that was restored or replaced. Sends nothing to the service.',
	fields: [],
	read: (item) => {
		assertNotTool(item, 'A person decides which table is the ledger.');
	},
	run: async ({ n8n, client, hint }) => {
		const { result, table, tableId, summary } = await createLedger(n8n, client.credentials);
		hint(
			`The ledger is the table "${table}". It knows ${knownText(summary)}. What was paid before and is not among them can be paid again.`,
		);
		const json = {
			result,
			table,
			table_id: tableId,
			payments: summary.sent,
			not_sent: summary.notSent,
			since: summary.since ?? null,
		};
		return [{ json }];
	},
});

/** What a ledger knows, to follow "knows". */
function knownText({ sent, notSent }: LedgerSummary): string {
	const count = sent + notSent;
	if (count === 0) {
		return 'no payouts';
	}

	const isOne = count === 1;
	const payouts = isOne ? '1 payout' : `${count} payouts`;
	if (sent === 0) {
		return `${payouts}, none of ${isOne ? 'it' : 'them'} paid`;
	}
	return `${payouts}: ${sent} paid or sent, ${notSent} not`;
}
