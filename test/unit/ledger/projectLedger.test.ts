import { LedgerError } from '../../../nodes/PartnerPayments/ledger/ledger';
import { LedgerRecords } from '../../../nodes/PartnerPayments/ledger/protocol/records';
import { LedgerProtocol } from '../../../nodes/PartnerPayments/ledger/protocol/ledgerProtocol';
import { LedgerTable } from '../../../nodes/PartnerPayments/ledger/table/ledgerTable';
import { ProjectStore } from '../../../nodes/PartnerPayments/ledger/table/projectStore';
import { equals } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { elapse, useFakeTime } from '../../support/fakeTime';
import { DataTables } from '../../support/dataTables';
import { ledgerContract } from './ledgerContract.suite';
import { begins, claimOf, kindsIn, paymentOf, prepareIn, rulesWith, verdictIn } from './ledgerRuns';
import { Project } from './project';

describe('the ledger of a project', () => {
	ledgerContract(() => {
		const project = new Project();
		return { open: (options) => project.open(options) };
	});

	test('names the approver of the run that pays, whoever agreed before #approver-of-payer', async () => {
		const project = new Project();
		const [one, other] = [paymentOf('INV-1'), paymentOf('INV-2')];
		const earlier = [one, other].map((payment) => ({ ...payment, approvedBy: 'Ann' }));
		await prepareIn(project.open(), ...earlier);
		expect(project.column('approved_by')).toEqual(['Ann', 'Ann']);

		await (await claimOf(project.open(), { ...one, approvedBy: 'Bea' })).complete('funded', 'f-1');
		await (await claimOf(project.open(), other)).complete('funded', 'f-2');

		expect(project.column('approved_by')).toEqual(['Bea', '']);
		expect(await verdictIn(project.open(), one)).toMatchObject({ known: { approvedBy: 'Bea' } });
	});

	test('names the last approver of a payment that is held again', async () => {
		const project = new Project();
		const payment = paymentOf('INV-1', { payableId: undefined });
		await project.open().hold([payment]);
		const approvers: unknown[][] = [];

		for (const approvedBy of ['Ann', 'Bea', undefined]) {
			await project.open().hold([{ ...payment, approvedBy }]);
			approvers.push(project.column('approved_by'));
		}

		expect(approvers).toEqual([['Ann'], ['Bea'], ['Bea']]);
	});

	test('takes four sub-executions for a group of any size: look, record, begin, complete', async () => {
		const project = new Project();
		const payments = Array.from({ length: 300 }, (_, index) => paymentOf(`INV-${index}`));
		await project.open().find(payments);
		const ledger = project.open();
		await ledger.locate();
		project.tables.executions.length = 0;

		await ledger.find(payments);
		await ledger.recordPayables(payments);
		await (await claimOf(ledger, ...payments)).complete('funded', 'fund-1');

		expect(project.tables.executions).toEqual([
			'get',
			'insert get',
			'update get',
			'update update get',
		]);
	});

	test('is not read for a rule that only looks at the payments', async () => {
		const project = new Project();
		const ledger = project.open();
		await ledger.locate();
		project.tables.executions.length = 0;

		const verdicts = await ledger.checkRules([paymentOf('INV-1')], rulesWith({ holdAbove: 100 }));

		expect([...verdicts.values()]).toMatchObject([{ kind: 'held' }]);
		expect(project.tables.executions).toEqual([]);
	});

	test('looks at a table that this process knows while it lists the tables: one sub-execution', async () => {
		const project = new Project();
		const id = await project.table().id();
		const resolve = async (): Promise<string> => await Promise.resolve(id);
		const table = new LedgerTable(project.store, resolve, id);
		project.tables.executions.length = 0;

		await table.all(equals('key', 'any'));

		expect(project.tables.executions).toEqual(['list get']);
	});

	test('is not taken for empty when the look at it fails beside the list of tables', async () => {
		const project = new Project();
		const id = await project.table().id();
		const resolve = async (): Promise<string> => await Promise.resolve(id);
		const table = new LedgerTable(project.store, resolve, id);

		const looking = table.all({ columnName: 'unknown' as 'key', condition: 'eq', value: 'any' });

		await expect(looking).rejects.toThrow(/lacks columns: unknown/);
	});

	test('marks what an event says in one sub-execution, also in a table that was replaced', async () => {
		const project = new Project();
		const payments = [paymentOf('INV-1'), paymentOf('INV-2')];
		await (await claimOf(project.open(), ...payments)).complete('funded', 'fund-1');
		const id = await project.table().id();
		const resolve = async (): Promise<string> => await Promise.resolve(id);
		const paid = payments.map(({ payableId = '' }) => ({
			payableId,
			paidAt: '2026-03-01T10:00:00Z',
		}));
		const { workspaceId } = paymentOf('INV-1');
		project.tables.executions.length = 0;

		const known = new LedgerRecords(new LedgerTable(project.store, resolve, id));
		await known.markPaid('sandbox', workspaceId, paid.slice(0, 1));
		expect(project.tables.executions).toEqual(['list update get']);

		const replaced = new LedgerTable(project.store, resolve, 'deleted000000000');
		await new LedgerRecords(replaced).markPaid('sandbox', workspaceId, paid);
		const rows = await known.list({}, 9);
		expect(rows.map(({ state }) => state)).toEqual(['paid', 'paid']);
	});

	test('reads the right table when the one that was expected is another one by now', async () => {
		const project = new Project();
		const payment = paymentOf('INV-1');
		await (await claimOf(project.open(), payment)).complete('funded', 'fund-1');
		const id = await project.table().id();
		const resolve = async (): Promise<string> => await Promise.resolve(id);
		const table = new LedgerTable(project.store, resolve, 'deleted000000000');

		const ledger = new LedgerProtocol(table, { execution: '1', environment: 'sandbox' });

		expect(await kindsIn(ledger, payment)).toEqual(['done']);
	});

	test('of which the insert was not answered is looked for, and the claim goes on', async () => {
		const project = new Project();
		let isFirst = true;
		project.tables.after = async (kinds) => {
			await Promise.resolve();
			if (kinds.startsWith('insert') && isFirst) {
				isFirst = false;
				throw new Error('synchronization error: result count changed during pagination');
			}
		};

		const claim = await claimOf(project.open(), paymentOf('INV-1'));
		await claim.complete('funded', 'fund-1');

		expect(project.rows).toMatchObject([{ state: 'funded' }]);
	});

	test('is read again when somebody wrote at the same time', async () => {
		const project = new Project();
		let failures = 2;
		project.tables.after = async (kinds) => {
			await Promise.resolve();
			if (kinds === 'get' && failures > 0) {
				failures -= 1;
				throw new Error('synchronization error: result count changed during pagination');
			}
		};

		expect(await kindsIn(project.open(), paymentOf('INV-1'))).toEqual(['new']);
		expect(failures).toBe(0);
	});

	test('lets nothing begin when it cannot be written, and says what to do', async () => {
		const project = new Project();
		await project.open().find([paymentOf('INV-1')]);
		project.tables.before = async (kinds) => {
			await Promise.resolve();
			if (kinds.startsWith('insert')) {
				throw new Error('Data table size limit exceeded: 50MB used, limit is 50MB');
			}
		};

		const beginning = project.open().begin([paymentOf('INV-1')]);

		await expect(beginning).rejects.toBeInstanceOf(LedgerError);
		await expect(beginning).rejects.toThrow(/full/);
	});

	test('keeps an answer that comes after n8n has ended the execution', async () => {
		const project = new Project();
		const claim = await claimOf(project.open(), paymentOf('INV-1'));
		let isTimedOut = false;
		project.tables.before = async () => {
			await Promise.resolve();
			if (!isTimedOut) {
				isTimedOut = true;
				throw new Error('The execution was cancelled because it timed out');
			}
		};

		await claim.complete('funded', 'fund-1');

		expect(await kindsIn(project.open(), paymentOf('INV-1'))).toEqual(['done']);
	});

	describe('keeps an answer', () => {
		useFakeTime();

		test('as soon as the table can be written again #answer-is-repeated', async () => {
			const project = new Project();
			const claim = await elapse(claimOf(project.open(), paymentOf('INV-1')));
			let failures = 5;
			project.tables.before = async () => {
				failures -= 1;
				await (failures >= 0 ? Promise.reject(new Error('database is locked')) : undefined);
			};

			const isRecorded = await elapse(claim.complete('funded', 'fund-1'));

			expect(isRecorded).toBe(true);
			expect(await elapse(kindsIn(project.open(), paymentOf('INV-1')))).toEqual(['done']);
		});

		test.each([
			'timeout exceeded when trying to connect',
			'Connection terminated due to connection timeout',
			'canceling statement due to statement timeout',
			'Knex: Timeout acquiring a connection. The pool is probably full.',
		])('also after the database says "%s" #database-timeout', async (message) => {
			const project = new Project();
			const claim = await elapse(claimOf(project.open(), paymentOf('INV-1')));
			let failures = 2;
			project.tables.before = async () => {
				failures -= 1;
				await (failures >= 0 ? Promise.reject(new Error(message)) : undefined);
			};

			expect(await elapse(claim.complete('funded', 'fund-1'))).toBe(true);

			expect(await elapse(kindsIn(project.open(), paymentOf('INV-1')))).toEqual(['done']);
		});

		test('or says that it could not, when a person has deleted its row #row-deleted', async () => {
			const project = new Project();
			const claim = await elapse(claimOf(project.open(), paymentOf('INV-1')));
			for (const table of project.tables.tables) {
				table.rows = [];
			}

			expect(await elapse(claim.complete('funded', 'fund-1'))).toBe(false);
		});

		test('or says at once that it could not, when a person has deleted the table #table-deleted-meanwhile', async () => {
			const project = new Project();
			const claim = await elapse(claimOf(project.open(), paymentOf('INV-1')));
			const before = Date.now();
			project.tables.before = async () =>
				await Promise.reject(
					new Error("Data table with ID 'x' could not be found in this project"),
				);

			const isRecorded = await elapse(claim.complete('funded', 'fund-1'));

			expect(isRecorded).toBe(false);
			expect(Date.now() - before).toBeLessThan(60_000);
		});

		test.each(['complete', 'withdraw', 'leaveUnconfirmed'] as const)(
			'or says that it could not, when its row counts as unconfirmed: %s #answer-is-lost',
			async (method) => {
				const project = new Project();
				const claim = await elapse(claimOf(project.open(), paymentOf('INV-1')));
				project.tables.before = async () => await Promise.reject(new Error('database is locked'));

				const isRecorded = await elapse(claim[method]('funded', 'fund-1'));

				expect(isRecorded).toBe(false);
				project.tables.before = async () => await Promise.resolve();
				await jest.advanceTimersByTimeAsync(60_000);
				expect(await elapse(kindsIn(project.open(), paymentOf('INV-1')))).toEqual(['unconfirmed']);
			},
		);
	});

	test('finds more payments than one query may name', async () => {
		const project = new Project();
		const payments = Array.from({ length: 1_900 }, (_, index) => paymentOf(`INV-${index}`));
		await prepareIn(project.open(), ...payments);

		const statuses = await kindsIn(project.open(), ...payments);

		expect(statuses).toEqual(payments.map(() => 'prepared'));
	});

	test('says that a workflow must be saved', async () => {
		const store = new ProjectStore(new DataTables().host(''));

		await expect(store.list()).rejects.toThrow(/no saved workflow/);
	});

	test.each([
		['Attempted to use Data table node but the module is disabled', /switched off/],
		['Unrecognized node type: n8n-nodes-base.dataTable', /node .* is switched off/],
		['Cannot modify data tables on a protected instance', /protected/],
		['Filter validation failed: Column(s) "key" do not exist', /lacks columns: key/],
		["Data table with ID 'x' could not be found in this project", /no Data Table/],
	])('explains "%s"', async (message, explanation) => {
		const tables = new DataTables();
		tables.before = async () => await Promise.reject(new Error(message));

		await expect(new ProjectStore(tables.host()).list()).rejects.toThrow(explanation);
	});
});

test('a payment begins in one of two processes whose reads and writes meet', async () => {
	const project = new Project();
	await project.open().locate();
	const payment = paymentOf('INV-1');
	const results = await Promise.all(
		Array.from({ length: 6 }, async () => await begins(project.open(), payment)),
	);
	expect(results.filter(Boolean).length).toBeLessThanOrEqual(1);
});

test('all rows are read where n8n returns a page of any of them', async () => {
	const project = new Project();
	const payments = Array.from({ length: 2_500 }, (_, index) => paymentOf(`INV-${index}`));
	await prepareIn(project.open(), ...payments);
	const store = Object.create(project.store) as ProjectStore;
	Object.assign(store, { limits: { ...project.store.limits, isOrdered: () => false } });
	store.run = async (tableId, steps) => {
		const rows = await project.store.run(tableId, steps);
		return rows.sort(() => Math.random() - 0.5);
	};
	const id = await project.table().id();
	const table = new LedgerTable(store, async () => await Promise.resolve(id));

	const found = await table.all(equals('state', 'prepared'));
	const newest = table.each([equals('state', 'prepared')], 'descending');

	expect(found.map(({ reference }) => reference)).toEqual(
		payments.map(({ reference }) => reference),
	);
	expect((await newest.next()).value).toMatchObject({ reference: 'INV-2499' });
});
