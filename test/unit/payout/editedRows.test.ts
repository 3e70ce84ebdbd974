import type { IDataObject } from 'n8n-workflow';

import { DataTableLedger } from '../../../nodes/PartnerPayments/ledger/dataTable/dataTableLedger';
import { N8nApi } from '../../../nodes/PartnerPayments/ledger/dataTable/n8nApi';
import { entryOf, toTableRow } from '../../../nodes/PartnerPayments/ledger/dataTable/row';
import { TableRows } from '../../../nodes/PartnerPayments/ledger/dataTable/rows';
import type { LedgerKind } from '../../../nodes/PartnerPayments/ledger/ledger';
import { systemClock } from '../../../nodes/PartnerPayments/service/http/clock';
import { rejectionOf } from '../support';
import { claimOf, NO_OWN_REFERENCES } from '../ledger/ledgerContract-support';

const CLAIM = claimOf('INV-1');

/** A run with a table that answers each request with one row: of a payout, as a person has changed it. */
function openWith(changes: IDataObject): DataTableLedger {
	const row = {
		...{ id: 1, reference: CLAIM.reference, operation: 'payout', environment: 'sandbox' },
		...{ workspace_id: CLAIM.workspaceId, content: CLAIM.content, amount_cents: CLAIM.amount },
		...{ state: 'funded', run: '', createdAt: '2026-01-01', updatedAt: '2026-01-01' },
		...changes,
	};
	const send = async () => await Promise.resolve({ status: 200, body: { data: [row] } });
	const run = {
		rows: new TableRows(new N8nApi(send, 'n8n.example', systemClock), 'table-1'),
		...{ scope: { kind: 'payout', environment: 'sandbox' } as const, token: 'run', execution: '1' },
		...{ clock: systemClock, signal: undefined },
		patience: { idleMs: 20, inDoubtMs: 20, pollMs: 5 },
	};
	return new DataTableLedger(run, NO_OWN_REFERENCES);
}

test.each(['operation', 'environment', 'workspace_id'])(
	'a row of which a person has emptied %s lets nothing be claimed for its reference',
	async (field) => {
		expect(await openWith({}).claim([CLAIM])).toMatchObject([{ state: 'funded' }]);
		expect(await rejectionOf(openWith({ [field]: '' }).claim([CLAIM]))).toHaveProperty(
			'message',
			expect.stringContaining('lacks its operation, environment or workspace_id'),
		);
	},
);

test.each([12.5, -100, NaN, Infinity, 1e300, null])(
	'an amount that is no whole number of cents (%p) is named where the limit of the day counts it',
	async (amount) => {
		const run = openWith({ amount_cents: amount });
		expect(await rejectionOf(run.spentSince(CLAIM.workspaceId, '2020-01-01'))).toMatchObject({
			message: expect.stringContaining('The amount_cents of "INV-1" in the ledger table is not'),
		});
	},
);

test.each<[kind: LedgerKind, written: string | null]>([
	['payout', ''],
	['payout', null],
	['payout', 'creating'],
	['payable', 'approved'],
	['funding', 'Funded'],
	['funding', 'created'],
])('of a %s, a state that it never has (%p) is in doubt, and is told', (kind, written) => {
	expect(entryOf(toTableRow({ operation: kind, state: written }))).toMatchObject({
		state: kind === 'payable' ? 'creating' : 'funding',
		unknownState: written ?? '',
	});
});
