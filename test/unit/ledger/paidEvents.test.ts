import { paymentOf } from './ledgerRuns';
import { recordsOf } from './recordsOf';

test('an event marks a payable of its workspace and environment as paid, once', async () => {
	const { workspaceId } = paymentOf('INV-1');
	const own = { payable_id: 'p1', state: 'funded' };
	const { records, rows } = await recordsOf([
		own,
		{ ...own, environment: 'production' },
		{ ...own, workspace_id: 'other' },
		{ ...own, state: 'paid', paid_at: 'before' },
		{ payable_id: 'p2' },
		{ payable_id: 'p3' },
	]);
	const paid = [{ payableId: 'p1', paidAt: 'now' }];

	const found = await records.markPaid('sandbox', workspaceId.toUpperCase(), paid, ['p2']);

	expect(rows.map(({ state }) => state)).toEqual([
		'paid',
		'funded',
		'funded',
		'paid',
		'prepared',
		'prepared',
	]);
	expect(rows.map(({ paid_at: at }) => at)).toEqual(['now', '', '', 'before', '', '']);
	expect(found.map(({ id }) => id)).toEqual([1, 4, 5]);
});

describe('the events of many payables at once', () => {
	const paidAt = '2026-03-01T10:00:00.000Z';
	const many = Array.from({ length: 200 }, (_, index) => `p${index}`);
	const { workspaceId } = paymentOf('INV-1');

	test('are read and marked by two sub-executions, however many there are', async () => {
		const { records, rows, executions } = await recordsOf(
			many.map((id) => ({ payable_id: id, state: 'funded' })),
		);

		const found = await records.markPaid(
			'sandbox',
			workspaceId,
			many.map((payableId) => ({ payableId, paidAt })),
		);

		expect(executions).toEqual(['get', 'update get']);
		expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['paid']));
		expect(new Set(rows.map(({ paid_at: at }) => at))).toEqual(new Set([paidAt]));
		expect(found).toHaveLength(many.length);
		expect(found.every(({ state }) => state === 'paid')).toBe(true);
	});

	test('mark those of their workspace and environment that are not paid, each at its time', async () => {
		const other = '2026-03-01T10:00:07.000Z';
		const { records, rows } = await recordsOf([
			{ payable_id: 'p1', state: 'sending' },
			{ payable_id: 'p2', state: 'void' },
			{ payable_id: 'p3', state: 'paid', paid_at: 'before' },
			{ payable_id: 'p4', state: 'funded', environment: 'production' },
			{ payable_id: 'p5', state: 'funded', workspace_id: 'other' },
			{ payable_id: 'other', state: 'funded' },
		]);

		const found = await records.markPaid(
			'sandbox',
			workspaceId,
			many.map((payableId) => ({ payableId, paidAt: payableId === 'p2' ? other : paidAt })),
		);

		expect(rows.map(({ state, paid_at: at }) => [state, at])).toEqual([
			['paid', paidAt],
			['paid', other],
			['paid', 'before'],
			['funded', ''],
			['funded', ''],
			['funded', ''],
		]);
		expect(found.map(({ payable_id: id }) => id)).toEqual(['p1', 'p2', 'p3']);
	});
});
