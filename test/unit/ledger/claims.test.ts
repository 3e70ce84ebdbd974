import { LedgerError } from '../../../nodes/PartnerPayments/ledger/ledger';
import type { Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import type { RowValues } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { begins, blocksOf, claimOf, paymentOf, rulesWith } from './ledgerRuns';
import { Project } from './project';

const ADA = paymentOf('INV-1');
const GRACE = paymentOf('INV-2', { payee: 'grace@example.com' });

/** The mark of a claim whose rows are in the table, and what is read after it. */
const MARK = 'update get';

describe('a claim', () => {
	test('has all its rows, with one claim ID, however they were recorded', async () => {
		const project = new Project();
		const ledger = await project.record(ADA);
		await ledger.recordPayables([GRACE]);

		await claimOf(ledger, ADA, GRACE, paymentOf('INV-3'));

		expect(project.column('state')).toEqual(['sending', 'sending', 'sending']);
		expect(new Set(project.column('claim')).size).toBe(1);
	});

	test('takes no row of a payment that is not in it', async () => {
		const project = new Project();
		const ledger = await project.record(ADA, GRACE);

		await claimOf(ledger, ADA);

		expect(project.column('state')).toEqual(['sending', 'preparing']);
	});

	test('takes no row of a payment that another one of its rows was recorded with', async () => {
		const project = new Project();
		const ledger = await project.record(ADA, paymentOf('INV-3'));
		await ledger.recordPayables([GRACE]);

		await claimOf(ledger, ADA, GRACE);

		expect(project.column('state')).toEqual(['sending', 'preparing', 'sending']);
	});

	test('takes one sub-execution for what was recorded together', async () => {
		const project = new Project();
		const ledger = await project.record(ADA);
		await ledger.recordPayables([GRACE]);
		project.tables.executions.length = 0;

		await claimOf(ledger, ADA);

		expect(project.tables.executions).toEqual([MARK]);
	});

	test('has a row of its own for what its run has left before', async () => {
		const project = new Project();
		const ledger = await project.record(ADA);
		await ledger.storeLeftover([ADA], 'prepared');

		await claimOf(ledger, ADA);

		expect(project.column('state')).toEqual(['prepared', 'sending']);
	});

	test.each<[what: string, act: (project: Project) => void]>([
		['one of its rows is gone', (project) => project.rows.splice(1)],
		[
			'the payable of a row was edited',
			(project) => {
				project.change('pay-INV-1', { payable_id: 'edited' });
			},
		],
		[
			'another run has a row with its payable instead',
			(project) => {
				project.rows.splice(0);
				project.addRival(ADA, { state: 'surplus', payable_id: 'pay-INV-1' });
				project.addRival(GRACE, { state: 'surplus', payable_id: 'pay-INV-2' });
			},
		],
	])('stops when %s', async (_, act) => {
		const project = new Project();
		const ledger = await project.record(ADA, GRACE);
		project.beforeNth(MARK, () => {
			act(project);
		});

		await expect(ledger.begin([ADA, GRACE])).rejects.toThrow(/does not show/);
	});

	test('does not begin for what may be the invoice of another vendor, nor for its group', async () => {
		const project = new Project();
		const ledger = await project.record(ADA, GRACE);
		project.addRival(ADA, { state: 'prepared', payee: 'eve@example.com' });

		const beginning = await ledger.begin([ADA, GRACE]);

		expect(blocksOf(beginning, ADA, GRACE)).toEqual(['refused', 'new']);
	});

	test.each([
		['leaveUnconfirmed', 'unconfirmed'],
		['withdraw', 'preparing'],
	] as const)('is told that its answer was written down: %s', async (method, state) => {
		const project = new Project();
		const claim = await claimOf(project.open(), ADA);

		expect(await claim[method]()).toBe(true);
		expect(project.column('state')).toEqual([state]);
	});

	test('is recorded beside the rows of other payments', async () => {
		const project = new Project();
		const claim = await claimOf(project.open(), ADA);
		await project.record(GRACE);

		expect(await claim.complete('funded', 'fund-1')).toBe(true);
		expect(project.column('funding_id')).toEqual(['fund-1', '']);
	});

	test('stops when its rows are gone, and says that the table does not show them', async () => {
		const project = new Project();
		const ledger = await project.record(ADA);
		project.beforeNth(MARK, () => project.rows.splice(0));

		const beginning = ledger.begin([ADA]);

		await expect(beginning).rejects.toBeInstanceOf(LedgerError);
		await expect(beginning).rejects.toThrow(/does not show/);
	});

	test('stops when its rows are gone, with the reason why its mark got no answer', async () => {
		const project = new Project();
		const ledger = await project.record(ADA);
		project.beforeNth(MARK, () => {
			project.rows.splice(0);
			throw new Error('database is locked');
		});

		await expect(ledger.begin([ADA])).rejects.toThrow(/database is locked/);
	});

	test('that cannot be read is withdrawn, so that nothing becomes unconfirmed', async () => {
		const project = new Project();
		const ledger = await project.record(ADA);
		project.tables.after = async (kinds) => {
			await (kinds === MARK ? Promise.reject(new Error('database is locked')) : undefined);
		};

		await expect(ledger.begin([ADA])).rejects.toBeInstanceOf(LedgerError);

		expect(project.column('state')).toEqual(['preparing']);
	});

	test.each([
		['void', 'refused'],
		['paid', 'done'],
	])('stops when its row was made %s before its mark: %s', async (state, kind) => {
		const project = new Project();
		const ledger = await project.record(ADA);
		project.change('pay-INV-1', { state });

		const beginning = await ledger.begin([ADA]);

		expect(blocksOf(beginning, ADA)).toEqual([kind]);
		expect(project.column('state')).toEqual([state]);
	});

	test.each([
		[24_999, 'overLimit', 'preparing'],
		[25_000, 'begun', 'sending'],
	])('counts its own payment once for a limit of %i: %s', async (maxTotal, kind, state) => {
		const project = new Project();
		const ledger = await project.record(ADA);

		const beginning = await ledger.begin([ADA], rulesWith({ maxTotal }));

		expect(blocksOf(beginning, ADA)).toEqual([kind]);
		expect(project.column('state')).toEqual([state]);
	});

	test('that cannot begin leaves the other payments of its group for the next one', async () => {
		const project = new Project();
		await project.open().locate();
		project.addRival(ADA, { state: 'funded' });
		const ledger = await project.record(ADA, GRACE);

		const beginning = await ledger.begin([ADA, GRACE]);

		expect(blocksOf(beginning, ADA, GRACE)).toEqual(['done', 'new']);
		expect(await begins(ledger, GRACE)).toBe(true);
	});
});

describe('a claim that meets another one of its payment', () => {
	test('withdraws at once when it is not the first one, and takes over what becomes of that', async () => {
		const project = new Project();
		const ledger = await project.record(GRACE);
		project.addRival(ADA, {});
		await ledger.recordPayables([ADA]);
		project.beforeNth('update', () => {
			project.change('rival', { state: 'funded' });
		});
		project.tables.executions.length = 0;

		const beginning = await ledger.begin([GRACE, ADA]);

		expect(blocksOf(beginning, GRACE, ADA)).toEqual(['new', 'done']);
		expect(project.column('state')).toEqual(['preparing', 'funded', 'preparing']);
		expect(project.tables.executions.slice(0, 3)).toEqual(['update update', MARK, 'update']);
	});

	test.each<[what: string, rivals: Array<Partial<RowValues>>, withdrawn: string]>([
		['is paid', [{ state: 'funded' }], `${MARK},update`],
		[
			'is paid, beside one that is being sent',
			[{ state: 'sending' }, { state: 'funded' }],
			`${MARK},update`,
		],
		[
			'was only prepared for another vendor',
			[{ state: 'prepared', payee: 'eve@example.com' }],
			// The payable of that one is looked for, too.
			`${MARK},get,update`,
		],
	])('waits for none that %s', async (_, rivals, withdrawn) => {
		const project = new Project();
		const ledger = await project.record(ADA);
		for (const values of rivals) {
			project.addRival(ADA, values);
		}
		project.tables.executions.length = 0;

		await ledger.begin([ADA]);

		expect(project.tables.executions.join()).toMatch(new RegExp(`^${withdrawn},`));
	});

	test('begins again, with another claim ID, once that one has withdrawn', async () => {
		const project = new Project();
		const other = project.open();
		await other.locate();
		project.addRival(ADA, {});
		const ledger = await project.record(ADA);
		let withdrawn: unknown;
		project.tables.after = async (kinds) => {
			await Promise.resolve();
			if (kinds === 'update') {
				withdrawn = project.column('claim').at(-1);
				project.change('rival', { state: 'surplus' });
			}
		};

		const isBegun = await begins(ledger, ADA);

		expect(isBegun).toBe(true);
		expect(project.column('state')).toEqual(['surplus', 'sending']);
		expect(project.column('claim').at(-1)).not.toBe(withdrawn);
	});

	test('waits when it is the first one, and withdraws nothing', async () => {
		const project = new Project();
		await project.open().locate();
		project.addRival(ADA, { state: 'surplus', claim: 'older' });
		const ledger = await project.record(ADA);
		project.addRival(ADA, {});
		project.beforeNth('get', () => {
			project.change('rival', { state: 'preparing' });
		});
		project.tables.executions.length = 0;

		const isBegun = await begins(ledger, ADA);

		expect(isBegun).toBe(true);
		expect(project.tables.executions).not.toContain('update');
	});

	test('stops waiting when one of its own rows is paid meanwhile', async () => {
		const project = new Project();
		const ledger = await project.record(ADA, GRACE);
		project.addRival(ADA, {});
		project.beforeNth('get', () => {
			project.change('pay-INV-1', { state: 'paid' });
			project.change('rival', { state: 'surplus' });
		});

		const beginning = await ledger.begin([ADA, GRACE]);

		expect(blocksOf(beginning, ADA, GRACE)).toEqual(['done', 'new']);
		expect(project.column('state')).toEqual(['paid', 'preparing', 'surplus']);
	});

	test('waits no longer than its patience, and leaves its payment to that one', async () => {
		const project = new Project();
		const ledger = await project.record(ADA);
		project.addRival(ADA, {});

		const beginning = await ledger.begin([ADA]);

		expect(blocksOf(beginning, ADA)).toEqual(['busy']);
		expect(project.column('state')).toEqual(['preparing', 'sending']);
	});

	test('gives up after five attempts', async () => {
		const project = new Project();
		await project.open().locate();
		const ledger = project.open();
		await ledger.locate();
		project.addRival(ADA, {});
		await ledger.recordPayables([ADA]);
		let attempts = 0;
		project.tables.before = async (kinds) => {
			await Promise.resolve();
			if (kinds === MARK) {
				attempts += 1;
				project.change('rival', { state: 'sending' });
			}
			if (kinds === 'update') {
				project.change('rival', { state: 'surplus' });
			}
		};

		const beginning = await ledger.begin([ADA]);

		expect(beginning.kind).toBe('blocked');
		expect(attempts).toBe(5);
		expect(project.column('state')).toEqual(['surplus', 'preparing']);
	});
});

describe('once a payment is paid', () => {
	const stateOf = async (values: Partial<RowValues>, payment = ADA): Promise<unknown> => {
		const project = new Project();
		await project.open().locate();
		project.addRival(payment, values);
		const claim = await claimOf(project.open(), { ...ADA, differentInvoices: [] });

		await claim.complete('funded', 'fund-1');

		return project.rows.find((row) => row['id'] === 1)?.['state'];
	};

	test.each<[what: string, values: Partial<RowValues>, state: string | undefined]>([
		['was prepared with its payable', { state: 'prepared', payable_id: 'pay-INV-1' }, undefined],
		['was held without a payable', { state: 'held', payable_id: '' }, undefined],
		['was prepared with another payable', { state: 'prepared' }, 'surplus'],
		['was held with another payable', { state: 'held' }, 'surplus'],
		['a person found not paid', { state: 'not_paid' }, 'not_paid'],
		[
			'a person found not paid without a payable',
			{ state: 'not_paid', payable_id: '' },
			'not_paid',
		],
		[
			'a person found not paid, with its funding',
			{ state: 'not_paid', payable_id: 'pay-INV-1', funding_id: 'fund-0', claim: '' },
			'not_paid',
		],
		['another run prepares', { state: 'preparing' }, 'preparing'],
	])('a row of it that %s is tidied up: %j', async (_, values, state) => {
		expect(await stateOf(values)).toBe(state);
	});

	test.each<[what: string, payment: Payment]>([
		['another vendor', paymentOf('INV-1', { payee: 'eve@example.com', amount: 1 })],
		['another invoice', GRACE],
	])('what is prepared for %s stays', async (_, payment) => {
		expect(await stateOf({ state: 'prepared' }, payment)).toBe('prepared');
	});

	test('with others of its vendor, each row is compared with its own invoice', async () => {
		const project = new Project();
		await project.open().locate();
		const other = paymentOf('INV-3');
		project.addRival(other, { state: 'prepared', payable_id: 'pay-INV-3' });
		const claim = await claimOf(project.open(), ADA, other);

		await claim.complete('funded', 'fund-1');

		expect(project.column('state')).toEqual(['funded', 'funded']);
	});

	test('a row of its payable that its event marks as paid, too, is tidied up #one-row-paid', async () => {
		const project = new Project();
		await project.open().locate();
		project.addRival(ADA, { state: 'prepared', payable_id: 'pay-INV-1' });
		const claim = await claimOf(project.open(), ADA);
		for (const row of project.rows.filter(({ payable_id: id }) => id === 'pay-INV-1')) {
			Object.assign(row, { state: 'paid' });
		}

		await claim.complete('funded', 'fund-1');

		expect(project.column('state')).toEqual(['paid']);
		expect(project.column('funding_id')).toEqual(['fund-1']);
	});

	test('a row that changes meanwhile stays', async () => {
		const project = new Project();
		await project.open().locate();
		project.addRival(ADA, { state: 'prepared' });
		const claim = await claimOf(project.open(), ADA);
		project.change('rival', { state: 'unconfirmed' });

		await claim.complete('funded', 'fund-1');

		expect(project.column('state')).toEqual(['unconfirmed', 'funded']);
	});

	test('before its answer, it stays paid, and has the funding of the answer', async () => {
		const project = new Project();
		const claim = await claimOf(project.open(), ADA);
		project.change('pay-INV-1', { state: 'paid' });

		const isRecorded = await claim.complete('funded', 'fund-1');

		expect(isRecorded).toBe(true);
		expect(project.rows).toMatchObject([{ state: 'paid', funding_id: 'fund-1' }]);
	});

	test.each(['leaveUnconfirmed', 'withdraw'] as const)(
		'before its answer is none, it stays paid: %s',
		async (method) => {
			const project = new Project();
			const claim = await claimOf(project.open(), ADA);
			project.change('pay-INV-1', { state: 'paid' });

			await claim[method]();

			expect(project.column('state')).toEqual(['paid']);
		},
	);
});
