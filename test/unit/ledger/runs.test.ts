import { numberKeyOf, type Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import { OwnRows } from '../../../nodes/PartnerPayments/ledger/protocol/ownRows';
import { PaymentReader } from '../../../nodes/PartnerPayments/ledger/protocol/paymentReader';
import { equals, type Condition } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { PATIENCE } from '../../../nodes/PartnerPayments/ledger/times';
import { elapse, useFakeTime } from '../../support/fakeTime';
import { claimOf, kindsIn, payableOf, paymentOf, prepareIn } from './ledgerRuns';
import { Project } from './project';

const ADA = paymentOf('INV-1');
const GRACE = paymentOf('INV-2', { payee: 'grace@example.com' });

describe('a run that prepares many payments', () => {
	useFakeTime();

	/** Announces a payment; returns its ledger and what ends that. */
	const announce = async (project: Project) => {
		const ledger = project.open();
		return { ledger, end: await elapse(ledger.announce([ADA])) };
	};

	test('shows them to others as long as it works, and not to itself', async () => {
		const project = new Project();
		const { ledger } = await announce(project);

		await jest.advanceTimersByTimeAsync(20 * 60_000);

		expect(await elapse(kindsIn(project.open(), ADA))).toEqual(['busy']);
		expect(await elapse(kindsIn(ledger, ADA))).toEqual(['new']);
		const renewals = project.tables.executions.filter((kinds) => kinds === 'update');
		expect(renewals.length).toBeLessThanOrEqual(10);
	});

	test('goes on when a sign of life cannot be written', async () => {
		const project = new Project();
		await announce(project);
		project.beforeNth('update', () => {
			throw new Error('database is locked');
		});

		await jest.advanceTimersByTimeAsync(20 * 60_000);

		expect(await elapse(kindsIn(project.open(), ADA))).toEqual(['busy']);
	});

	test('shows nothing more, and writes nothing more, once it has ended', async () => {
		const project = new Project();
		const { end } = await announce(project);

		await elapse(end());
		const kinds = await elapse(kindsIn(project.open(), ADA));
		project.tables.executions.length = 0;
		await jest.advanceTimersByTimeAsync(20 * 60_000);

		expect(kinds).toEqual(['new']);
		expect(project.tables.executions).toEqual([]);
	});
});

describe('a look at the ledger', () => {
	test.each(['preparing', 'sending'] as const)(
		'waits for a run that is about to end: %s',
		async (state) => {
			const project = new Project();
			const ledger = project.open();
			await ledger.locate();
			project.addRival(ADA, { state: 'surplus', claim: 'older' });
			project.addRival(ADA, { state });
			// The first look reads two times: by the number, and by the payables that were found.
			project.beforeNth(
				'get',
				() => {
					project.change('rival', { state: 'funded' });
				},
				state === 'preparing' ? 3 : 2,
			);

			expect(await kindsIn(ledger, ADA, GRACE)).toEqual(['done', 'new']);
		},
	);

	test('tells payables apart that are funded by their IDs', async () => {
		const project = new Project();
		const [one, other] = [payableOf('pay-1'), payableOf('pay-2')];
		await (await claimOf(project.open(), one)).complete('funded', 'fund-1');

		expect(await kindsIn(project.open(), one, other)).toEqual(['done', 'new']);
	});

	test('asks for no earlier payable of what is paid', async () => {
		const project = new Project();
		const ledger = project.open();
		await ledger.locate();
		project.addRival(ADA, { state: 'surplus' });
		project.addRival(ADA, { state: 'funded', payable_id: 'pay-2' });
		project.tables.executions.length = 0;

		expect(await kindsIn(ledger, ADA)).toEqual(['done']);

		expect(project.tables.executions).toEqual(['get']);
	});

	test('takes no other reference for its own that was paid with a payable it had earlier', async () => {
		const project = new Project();
		await project.open().locate();
		project.addRival(ADA, { state: 'surplus' });
		project.addRival(GRACE, { state: 'funded' });

		expect(await kindsIn(project.open(), ADA)).toEqual(['new']);
	});

	test('finds new what its own run prepares', async () => {
		const project = new Project();
		const ledger = await project.record(ADA);

		expect(await kindsIn(ledger, ADA)).toEqual(['new']);
		expect(await kindsIn(project.open(), ADA)).toEqual(['busy']);
	});

	test('finds what its own run has paid', async () => {
		const project = new Project();
		const ledger = project.open();
		await (await claimOf(ledger, ADA)).complete('funded', 'fund-1');

		expect(await kindsIn(ledger, ADA)).toEqual(['done']);
	});

	test('finds a payable that is funded by its ID among a thousand that were of late', async () => {
		const project = new Project();
		await project.open().locate();
		const payables = Array.from({ length: 1_000 }, (_, index) => `pay-${index}`);
		for (const payableId of payables) {
			project.addRival(payableOf(payableId), { state: 'funded', payable_id: payableId });
		}

		const verdicts = await project.open().recordPayables([
			{ ...ADA, payableId: 'pay-999' },
			{ ...GRACE, payableId: 'pay-1000' },
		]);

		expect([...verdicts.values()].map(({ kind }) => kind)).toEqual(['done', 'new']);
	});

	test('records nothing in no sub-execution', async () => {
		const project = new Project();
		await project.open().locate();
		project.tables.executions.length = 0;

		await project.record();

		expect(project.tables.executions).toEqual([]);
	});

	test('does not wait for one that has no payable yet', async () => {
		const project = new Project();
		const ledger = project.open();
		await ledger.locate();
		project.addRival(ADA, { state: 'preparing', payable_id: '' });
		project.tables.executions.length = 0;

		expect(await kindsIn(ledger, ADA)).toEqual(['busy']);

		expect(project.tables.executions).toEqual(['get']);
	});

	test('names an open payout of another vendor beside a new one, and none that is paid', async () => {
		const project = new Project();
		const eve = paymentOf('INV-1', { payee: 'eve@example.com', amount: 1, payableId: 'pay-eve' });
		await prepareIn(project.open(), eve);
		project.addRival({ ...eve, reference: 'Bill 1' }, { state: 'prepared' });

		const [open] = [...(await project.open().find([ADA])).verdicts.values()];
		project.change('pay-eve', { state: 'paid' });
		const [paid] = [...(await project.open().find([ADA])).verdicts.values()];

		expect(open).toMatchObject({ kind: 'new', beside: { payee: 'eve@example.com', amount: 1 } });
		expect(paid).toEqual({ kind: 'new' });
	});
});

describe('a payment that waits for a person', () => {
	test('is written down once, also when it is held again', async () => {
		const project = new Project();
		const held = { ...ADA, payableId: undefined };

		await project.open().hold([held]);
		await project.open().hold([held]);

		expect(project.rows).toMatchObject([{ state: 'held', payable_id: '', payee: ADA.payee }]);
	});

	test('has its approver from the start, and no other payment gets that one', async () => {
		const project = new Project();
		const [one, other] = [ADA, GRACE].map((payment) => ({ ...payment, payableId: undefined }));
		await project.open().hold([{ ...ADA, ...one, approvedBy: 'Ann' }]);
		await project.open().hold([{ ...GRACE, ...other, approvedBy: 'Ann' }]);
		const first = project.column('approved_by');

		await project.open().hold([{ ...ADA, ...one, approvedBy: 'Bea' }]);

		expect(first).toEqual(['Ann', 'Ann']);
		expect(project.column('approved_by')).toEqual(['Bea', 'Ann']);
	});

	test('keeps the payable that its run has made', async () => {
		const project = new Project();
		const ledger = await project.record(ADA, GRACE);

		await ledger.hold([ADA]);

		expect(project.column('state')).toEqual(['held', 'preparing']);
	});

	test('and has the payable of an earlier run is held in a row of its own', async () => {
		const project = new Project();
		await prepareIn(project.open(), ADA);

		await project.open().hold([ADA]);

		expect(project.column('state')).toEqual(['prepared', 'held']);
	});
});

test('payables that were recorded together are left in one step', async () => {
	const project = new Project();
	const ledger = await project.record(ADA, GRACE);
	project.tables.executions.length = 0;

	await ledger.storeLeftover([ADA, GRACE], 'prepared');

	expect(project.tables.executions).toEqual(['update']);
	expect(project.column('state')).toEqual(['prepared', 'prepared']);
});

describe('a payment is looked for', () => {
	const BY_NUMBER = [equals('number_key', numberKeyOf(ADA))];
	const BY_PAYABLE = [equals('payable_id', 'pay-INV-1')];

	test.each<[by: string, payment: Payment, conditions: Condition[]]>([
		['its number and its payable', ADA, [...BY_NUMBER, ...BY_PAYABLE]],
		['its number alone before it has one', { ...ADA, payableId: undefined }, BY_NUMBER],
		['its payable alone when it is funded by its ID', payableOf('pay-INV-1'), BY_PAYABLE],
	])('by %s', (_, payment, conditions) => {
		const reader = new PaymentReader(new Project().table(), 'sandbox', new OwnRows(), PATIENCE);

		expect(reader.searchConditions([payment])).toEqual(conditions);
	});

	test('by its number alone once nobody funds its new payable by its ID', () => {
		const ownRows = new OwnRows();
		const reader = new PaymentReader(new Project().table(), 'sandbox', ownRows, PATIENCE);
		ownRows.add([ADA], { claimId: 'claim-1', isNewPayable: true });
		const before = reader.searchConditions([ADA]);

		ownRows.markUncontested([ADA]);

		expect(before).toEqual([...BY_NUMBER, ...BY_PAYABLE]);
		expect(reader.searchConditions([ADA])).toEqual(BY_NUMBER);
	});
});

describe('a run that funds a payable by its ID', () => {
	const BY_ID = payableOf('pay-1');

	test('keeps no row of a claim that was withdrawn', async () => {
		const project = new Project();
		const run = project.open();
		await (await claimOf(run, BY_ID)).withdraw();

		await run.deleteWithdrawn([BY_ID]);

		expect(project.column('state')).toEqual([]);
	});

	test('keeps the row of a claim without a clear answer', async () => {
		const project = new Project();
		const run = project.open();
		await (await claimOf(run, BY_ID)).leaveUnconfirmed();

		await run.deleteWithdrawn([BY_ID]);

		expect(project.column('state')).toEqual(['unconfirmed']);
	});
});

describe('a run that does not pay what an earlier run has prepared', () => {
	test.each([
		['prepared', ['prepared']],
		['surplus', ['prepared']],
		['held', ['prepared', 'held']],
	] as const)('leaves the row of that run alone: %s', async (leftover, states) => {
		const project = new Project();
		await prepareIn(project.open(), ADA);
		const later = project.open();
		await (await claimOf(later, ADA)).withdraw();

		await later.storeLeftover([ADA], leftover);

		expect(project.column('state')).toEqual(states);
	});

	test('leaves it alone in a group, and keeps what it has prepared itself', async () => {
		const project = new Project();
		await prepareIn(project.open(), ADA);
		const later = await project.record(GRACE);
		await (await claimOf(later, ADA, GRACE)).withdraw();

		await later.storeLeftover([ADA, GRACE], 'prepared');

		expect(project.column('reference')).toEqual(['INV-1', 'INV-2']);
		expect(project.column('state')).toEqual(['prepared', 'prepared']);
	});
});
