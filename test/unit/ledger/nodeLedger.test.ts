import { openNodeLedger } from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
import { rejectionOf } from '../support';
import { elapse, useFakeTime } from './fakeTime';
import { ledgerContract } from './ledgerContract';
import { claimOf, NEW } from './ledgerContract-support';
import { N8nProcesses } from './n8nProcesses';

const FIRST = claimOf('INV-1');

ledgerContract(
	{ sharesFacts: false, takesOver: false, knowsOtherKinds: false, refusesOtherCapitals: false },
	() => new N8nProcesses(),
);

test('what static data says decides nothing', async () => {
	const staticData = {};
	const run = await new N8nProcesses().open({ staticData });
	await run.claim([FIRST]);
	await run.begin([FIRST], 'funding');
	await run.settle([FIRST], 'funded', { funding_id: 'fund-1' });
	await run.finish([FIRST]);
	expect(JSON.stringify(staticData)).toContain('fund-1');
	const elsewhere = await new N8nProcesses().open({ staticData });
	expect(await elsewhere.claim([FIRST])).toEqual([NEW]);
	expect((await elsewhere.begin([FIRST], 'funding')).size).toBe(0);
});

test('a workflow that was never saved is refused', () => {
	const host = new N8nProcesses().database.host({ process: 'one', workflow: '' });
	expect(() => openNodeLedger(host, { kind: 'payout', environment: 'sandbox' })).toThrow(
		'A unique reference needs a workflow that was saved',
	);
});

describe('a database', () => {
	useFakeTime();

	test('that does not work lets nothing begin, and keeps in doubt what had begun', async () => {
		const n8n = new N8nProcesses();
		const run = await n8n.open();
		await elapse(run.claim([FIRST]));
		await elapse(run.begin([FIRST], 'funding'));
		const { before } = n8n.database;
		n8n.database.before = async () => await Promise.reject(new Error('connection lost'));
		for (const call of [run.claim([FIRST]), run.begin([FIRST], 'funding')]) {
			expect(await elapse(rejectionOf(call))).toMatchObject({
				message: "n8n's database does not keep what is known of unique references",
			});
		}
		expect(await elapse(run.settle([FIRST], 'funded', {}))).toBe(false);
		n8n.database.before = before;
		const later = await n8n.open();
		expect(await elapse(later.claim([FIRST]))).toMatchObject([{ state: 'funding' }]);
	});

	test.each([
		{ mode: 'entries' as const, data: ['a', 'b'] },
		{ mode: 'latestDate' as const, data: ['a'] },
	])(
		"whose row n8n's Remove Duplicates node uses keeps it, and nothing begins: %j",
		async (row) => {
			const n8n = new N8nProcesses();
			const context = JSON.stringify([n8n.workflow, '']);
			n8n.database.rows.set(context, row);
			const run = await n8n.open();
			expect(await elapse(rejectionOf(run.claim([FIRST])))).toMatchObject({
				message: expect.stringContaining('Remove Duplicates'),
			});
			expect(n8n.database.keys(context)).toEqual(expect.arrayContaining(row.data));
		},
	);
});
