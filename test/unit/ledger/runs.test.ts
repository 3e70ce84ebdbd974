import { elapse, useFakeTime } from '../../support/fakeTime';
import { claimOf, kindsIn, paymentOf, prepareIn } from './ledgerContract.suite';
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
		project.tables.executions.length = 0;
		await jest.advanceTimersByTimeAsync(20 * 60_000);

		expect(project.tables.executions).toEqual([]);
		expect(await elapse(kindsIn(project.open(), ADA))).toEqual(['new']);
	});
});

describe('a look at the ledger', () => {
	test('waits for a run that is about to send', async () => {
		const project = new Project();
		const ledger = project.open();
		await ledger.locate();
		project.addRival(ADA, { state: 'preparing' });
		project.beforeNth(
			'get',
			() => {
				project.change('rival', { state: 'funded' });
			},
			2,
		);

		expect(await kindsIn(ledger, ADA)).toEqual(['done']);
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

		const [open] = [...(await project.open().find([ADA])).values()];
		project.change('pay-eve', { state: 'paid' });
		const [paid] = [...(await project.open().find([ADA])).values()];

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

describe('a run that does not pay what an earlier run has prepared', () => {
	test.each(['prepared', 'surplus'] as const)(
		'leaves the row of that run alone: %s',
		async (leftover) => {
			const project = new Project();
			await prepareIn(project.open(), ADA);
			const later = project.open();
			await (await claimOf(later, ADA)).withdraw();

			await later.release([ADA], leftover);

			expect(project.column('state')).toEqual(['prepared']);
		},
	);
});
