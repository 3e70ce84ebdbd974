import { openLedger } from '../../../nodes/PartnerPayments/ledger/openLedger';
import type { IDataObject } from 'n8n-workflow';

import {
	type Entry,
	keyOf,
	type Ledger,
	type Payment,
} from '../../../nodes/PartnerPayments/ledger/ledger';
import { MAX_STORED, NodeLedger } from '../../../nodes/PartnerPayments/ledger/nodeStore/nodeLedger';
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

/** What a run finds of a payment before it has a payable for it. */
async function entryOf(ledger: Ledger, payment: Payment): Promise<Entry | undefined> {
	return (await ledger.find([{ ...payment, payableId: undefined }]))[0];
}

describe('the IDs of the latest payments', () => {
	const OTHER = { ...FIRST, amount: 9_900 };

	test('are known after a restart, as static data has them', async () => {
		const n8n = new N8nProcesses();
		const staticData = {};
		const attempt = await attemptOf(await n8n.open({ staticData }), FIRST);
		await attempt.complete('awaiting_deposit', 'fund-1');
		const stored = structuredClone(staticData);
		expect(await entryOf(await n8n.open({ staticData: stored }), FIRST)).toEqual({
			...{ status: 'done', state: 'awaiting_deposit' },
			...{ payableId: 'pay-INV-1', fundingId: 'fund-1' },
		});
		expect(await entryOf(await n8n.open(), FIRST)).toEqual({ status: 'done', state: 'funded' });
	});

	test.each([
		...[5, null, 'text', {}, { content: 5, state: 'funded' }, { content: '[]', state: 5 }],
		...['[0, 0, 5, 1]', '[0, 0, "ada@example.com", null]'].map((content) => ({ content })),
	])('are none where static data holds %j', async (known) => {
		const n8n = new N8nProcesses();
		const run = await n8n.open({ process: 'one', staticData: {} });
		await (await attemptOf(run, FIRST)).complete('funded', 'fund-1');
		const nodes = { 'node-1': { [keyOf(FIRST)]: known } };
		const staticData = { partnerPayments: nodes };
		const later = await n8n.open({ staticData });
		expect(await entryOf(later, FIRST)).toEqual({ status: 'done', state: 'funded' });
		expect(await entryOf(later, OTHER)).toMatchObject({
			error: { message: expect.stringContaining('belongs to another payment, not to 99.00') },
		});
	});

	test('are told of an unconfirmed payment, and of no other payment', async () => {
		const n8n = new N8nProcesses();
		const staticData = {};
		const run = await n8n.open({ process: 'one', staticData });
		await (await attemptOf(run, FIRST)).leaveUnconfirmed();
		const unconfirmed = { status: 'unconfirmed', state: 'unconfirmed', payableId: 'pay-INV-1' };
		expect(await entryOf(run, FIRST)).toEqual(unconfirmed);
		const stored = structuredClone(staticData);
		expect(await entryOf(await n8n.open({ staticData: stored }), FIRST)).toEqual(unconfirmed);
		expect(JSON.stringify(stored)).toContain('"unconfirmed"');
		await run.keep([paymentOf('INV-2')]);
		expect(await entryOf(run, paymentOf('INV-2', { amount: 5 }))).toEqual({ status: 'new' });
		expect(await entryOf(run, OTHER)).toMatchObject({
			error: { message: expect.stringContaining('250.00 to ada@example.com, not to 99.00') },
		});
	});

	test('are those of the process where static data is older', async () => {
		const n8n = new N8nProcesses();
		const staticData = {};
		const run = await n8n.open({ process: 'one', staticData });
		await run.keep([FIRST]);
		const older = structuredClone(staticData);
		await (await attemptOf(run, FIRST)).complete('funded', 'fund-1');
		const later = await n8n.open({ process: 'one', staticData: older });
		expect(await entryOf(later, FIRST)).toMatchObject({ status: 'done', fundingId: 'fund-1' });
	});

	test('name the known spelling of a reference', async () => {
		const ledger = await new N8nProcesses().open();
		await (await attemptOf(ledger, FIRST)).complete('funded', 'fund-1');
		expect(await entryOf(ledger, { ...FIRST, reference: 'inv 1' })).toMatchObject({
			status: 'refused',
			error: { message: expect.stringContaining('"inv 1" is another spelling of "INV-1"') },
		});
	});

	test('are as many as stated, in static data and in the process', async () => {
		const n8n = new N8nProcesses();
		const staticData: IDataObject = {};
		const run = await n8n.open({ process: 'one', staticData });
		const payments = Array.from({ length: 50_001 }, (_, index) => paymentOf(`INV-${index}`));
		await run.keep(payments);
		const stored = JSON.parse(JSON.stringify(staticData)) as Record<string, IDataObject>;
		const { payments: kept = {} } = (stored['partnerPayments']?.['node-1'] ?? {}) as IDataObject;
		expect(Object.keys(kept as IDataObject)).toHaveLength(MAX_STORED);
		const [oldest = FIRST, second = FIRST] = payments;
		expect(await statusesIn(run, oldest, second)).toEqual(['new', 'prepared']);
	});
});

test('a payable that is funded by its ID is the same whatever is said of it', async () => {
	const n8n = new N8nProcesses();
	const payable = paymentOf('', { payableId: 'pay-7' });
	await (await attemptOf(await n8n.open(), payable)).complete('funded', 'fund-1');
	expect(await statusesIn(await n8n.open(), { ...payable, amount: 1, payee: '' })).toEqual([
		'done',
	]);
});

test.each([12, 13])(
	'a full store refuses new payments, and forgets none: %i keys #full-refuses',
	async (maxKeys) => {
		const n8n = new N8nProcesses();
		const open = async () => await n8n.open({ maxKeys });
		const payments = ['INV-1', 'INV-2', 'INV-3', 'INV-4', 'INV-5'].map((name) => paymentOf(name));
		for (const payment of payments)
			await (await attemptOf(await open(), payment)).complete('funded', 'fund-1');
		const sixth = await (await open()).begin([paymentOf('INV-6')]).catch(() => ({ blocked: [] }));
		expect('attempt' in sixth).toBe(maxKeys === 13);
		expect(await rejectionOf((await open()).begin([paymentOf('INV-7')]))).toMatchObject({
			message: 'This node cannot remember more payments',
			hint: expect.stringContaining('n8n API Key'),
		});
		expect(await statusesIn(await open(), ...payments)).toEqual(payments.map(() => 'done'));
	},
);

test('a workflow that was never saved is refused', () => {
	const host = new N8nProcesses().database.host({ process: 'one', workflow: '' });
	expect(() => new NodeLedger(host, 'sandbox')).toThrow(
		'A unique reference needs a saved workflow',
	);
});

describe('a node that uses a ledger table', () => {
	test('pays nothing without it any more #table-then-node', async () => {
		const n8n = new N8nProcesses();
		expect(await (await n8n.open()).noteTable()).toBe(false);
		expect(await rejectionOf((await n8n.open()).begin([FIRST]))).toMatchObject({
			message: expect.stringContaining('has used a ledger table'),
			hint: expect.stringContaining('the same "Ledger Table"'),
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
				message: "n8n's database cannot store what is paid",
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
