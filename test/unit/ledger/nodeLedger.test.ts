import { openLedger } from '../../../nodes/PartnerPayments/ledger/openLedger';
import { NodeLedger } from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
import { rejectionOf } from '../support';
import { elapse, useFakeTime } from './fakeTime';
import { attemptOf, begins, ledgerContract, paymentOf, statusesIn } from './ledgerContract';
import { N8nProcesses } from './n8nProcesses';

const FIRST = paymentOf('INV-1');

ledgerContract(() => new N8nProcesses());

test('a process that died before its answer leaves its payments unconfirmed #died', async () => {
	const n8n = new N8nProcesses();
	await attemptOf(await n8n.open(), FIRST);
	expect(await statusesIn(await n8n.open(), FIRST)).toEqual(['unconfirmed']);
});

test('what static data says decides nothing', async () => {
	const staticData = {};
	const attempt = await attemptOf(await new N8nProcesses().open({ staticData }), FIRST);
	await attempt.complete('funded', 'fund-1');
	expect(JSON.stringify(staticData)).toContain('fund-1');
	const elsewhere = await new N8nProcesses().open({ staticData });
	expect(await statusesIn(elsewhere, FIRST)).toEqual(['new']);
	expect(await begins(elsewhere, FIRST)).toBe(true);
});

test('a full store refuses new payments, and forgets none #full-refuses', async () => {
	const n8n = new N8nProcesses();
	const open = async () => await n8n.open({ maxKeys: 12 });
	const payments = ['INV-1', 'INV-2', 'INV-3', 'INV-4', 'INV-5'].map((name) => paymentOf(name));
	for (const payment of payments)
		await (await attemptOf(await open(), payment)).complete('funded', 'fund-1');
	expect(await rejectionOf((await open()).begin([paymentOf('INV-6')]))).toMatchObject({
		message: 'This node remembers as many payments as it can',
	});
	expect(await statusesIn(await open(), ...payments)).toEqual(payments.map(() => 'done'));
});

test('a workflow that was never saved is refused', () => {
	const host = new N8nProcesses().database.host({ process: 'one', workflow: '' });
	expect(() => new NodeLedger(host, 'sandbox')).toThrow(
		'A unique reference needs a workflow that was saved',
	);
});

describe('a node that uses a ledger table', () => {
	test('pays nothing without it any more #table-then-node', async () => {
		const n8n = new N8nProcesses();
		expect(await (await n8n.open()).noteTable()).toBe(false);
		expect(await rejectionOf((await n8n.open()).begin([FIRST]))).toMatchObject({
			message: expect.stringContaining('has kept its payments in a ledger table'),
		});
	});

	test('is told whether it has paid before, and pays none of it again', async () => {
		const n8n = new N8nProcesses();
		await (await attemptOf(await n8n.open(), FIRST)).complete('funded', 'fund-1');
		const later = await n8n.open();
		expect(await later.noteTable()).toBe(true);
		expect(await statusesIn(later, FIRST)).toEqual(['done']);
	});

	test('of a note and a payment at once, one is refused #stores-exclude-each-other', async () => {
		for (let round = 0; round < 20; round += 1) {
			const n8n = new N8nProcesses();
			const [one, other] = [await n8n.open(), await n8n.open()];
			const [hasPayments, beginning] = await Promise.all([
				one.noteTable(),
				other.begin([FIRST]).catch(() => undefined),
			]);
			const isBegun = beginning !== undefined && 'attempt' in beginning;
			expect(isBegun && !hasPayments).toBe(false);
		}
	});

	test('whose look was cut off is not noted', async () => {
		const n8n = new N8nProcesses();
		const row = JSON.stringify([n8n.workflow, 'n:node-1']);
		await (await attemptOf(await n8n.open(), FIRST)).withdraw();
		const { before } = n8n.database;
		n8n.database.before = async (statement, nth) => {
			await before(statement, nth);
			// The keys were added, and the process dies before it removes any.
			if (statement.verb === 'update')
				n8n.database.before = async () => await new Promise(() => {});
		};
		void (await n8n.open()).begin([paymentOf('INV-2')]);
		await new Promise((resolve) => setTimeout(resolve, 50));
		n8n.database.before = before;
		n8n.database.rows.delete(JSON.stringify([n8n.workflow, '']));
		expect(n8n.database.keys(row)).toHaveLength(4);
		expect(await begins(await n8n.open(), FIRST)).toBe(true);
	});
});

test('without a key in the credential, the node keeps its payments by itself', async () => {
	const host = new N8nProcesses().database.host({ process: 'one' });
	const ledger = await openLedger(host as never, { n8nApiKey: ' ' }, 'sandbox');
	expect(ledger.isShared).toBe(false);
});

describe('a database', () => {
	useFakeTime();

	test('that does not work lets nothing begin, and keeps unconfirmed what had begun', async () => {
		const n8n = new N8nProcesses();
		const run = await n8n.open();
		const attempt = await elapse(attemptOf(run, FIRST));
		const { before } = n8n.database;
		n8n.database.before = async () => await Promise.reject(new Error('connection lost'));
		for (const call of [run.find([FIRST]), run.begin([FIRST]), attempt.withdraw()]) {
			expect(await elapse(rejectionOf(call))).toMatchObject({
				message: "n8n's database does not keep what was paid",
			});
		}
		n8n.database.before = before;
		expect(await elapse(statusesIn(await n8n.open(), FIRST))).toEqual(['unconfirmed']);
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
			expect(await elapse(rejectionOf(run.begin([FIRST])))).toMatchObject({
				message: expect.stringContaining('Remove Duplicates'),
			});
			expect(n8n.database.keys(context)).toEqual(expect.arrayContaining(row.data));
		},
	);
});
