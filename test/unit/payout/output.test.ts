import { COLUMNS } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { payoutJson } from '../../../nodes/PartnerPayments/resources/payout/output';

const payment = {
	payee: 'ana@example.com',
	amount: 1999,
	workspaceId: '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10',
};

// People read a table from the left: dollars before cents, which they could take for dollars.
test('a payout has its fields in the order in which people read them', () => {
	const json = payoutJson({
		status: 'held',
		reason: 'The vendor is new',
		release: { kind: 'ifDifferent', lines: ['INV-7 …'], mayBePaid: true, hasResolved: false },
		hint: 'Look',
		uniqueReference: 'INV-7',
		payment,
		payableId: 'p1',
		approvedBy: 'Ana',
	});

	expect(Object.keys(json)).toEqual([
		'status',
		'reason',
		'hint',
		'different_invoice',
		'unique_reference',
		'payee',
		'amount_usd',
		'amount_cents',
		'workspace_id',
		'payable_id',
		'funding_id',
		'approved_by',
	]);
});

test('the ledger has its columns in the order in which people read them', () => {
	const names = COLUMNS.map(({ name }) => name);

	expect(names.slice(0, 8)).toEqual([
		'reference',
		'state',
		'payee',
		'amount_usd',
		'amount_cents',
		'invoice_date',
		'payable_id',
		'funding_id',
	]);
});
