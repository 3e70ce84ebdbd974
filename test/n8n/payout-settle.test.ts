import { randomUUID } from 'node:crypto';

import { poll } from '../../tools/n8n/poll';
import type { Fault } from '../../sandbox/client';
import { StoredTables } from './support/storedTables';
import {
	addVendors,
	hintsOf,
	once,
	payoutsFor,
	statusesOf,
	timesFunded,
	usePayouts,
} from './support/payouts';

const { fixture, createTableWorkflow, requestCounts } = usePayouts();

// Other test files have tables in the same n8n.
const LIMITED = `Limited ${randomUUID()}`;
const DELETED = `Deleted ${randomUUID()}`;

const CREATE_FUNDING = { match: { operationId: 'createFunding' } } as const;

/** Pays one vendor, and loses the answer to the funding before or after it took effect. */
async function payInDoubt(kind: 'cut_before' | 'cut_after') {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 1);
	const payouts = payoutsFor(payees);
	const workflow = await createTableWorkflow();
	await sandbox.control.addFault({ kind, ...CREATE_FUNDING });
	const [item] = await workflow.pay(payouts);
	expect(item).toMatchObject({
		status: 'in_doubt',
		hint: expect.stringMatching(
			/close it in a node of its own with the operation Settle, outcome Paid.*Settle, outcome Not Paid/,
		),
	});
	await sandbox.control.clearRequests();
	const [{ reference } = { reference: '' }] = payouts;
	return { payees, payouts, workflow, item, reference };
}

/** The tables of the n8n under test, which a person changes here. */
const tables = (): StoredTables => new StoredTables(fixture().n8n, fixture().ledgerTable);

/** Settles as the items say, which name a reference or a payable. */
const settleWorkflow = async (change: object) =>
	await createTableWorkflow({ operation: 'settle', ...change });

describe('a payout in doubt', () => {
	test('that was paid is settled as paid, and is a duplicate from then on #settled-as-paid', async () => {
		const { payees, payouts, workflow, reference, item } = await payInDoubt('cut_after');
		const settle = await settleWorkflow({ outcome: 'paid' });
		const settled = await settle.execute([{ reference }]);
		expect(await settle.newestOutput()).toMatchObject([
			{ status: 'funded', unique_reference: reference, is_settled: true },
		]);
		expect(hintsOf(settled)).toEqual([expect.stringContaining('it is never sent again. If that')]);
		expect(await workflow.pay(payouts)).toMatchObject([
			{ status: 'duplicate', first_status: 'funded', payable_id: item?.['payable_id'] },
		]);
		expect(await timesFunded(fixture().sandbox, payees)).toEqual(once(payees));
		expect(await requestCounts()).toEqual({});
	});

	test('that was not paid is settled as not paid, and then paid once with the same payable #settled-as-not-paid', async () => {
		const { payees, payouts, workflow, reference, item } = await payInDoubt('cut_before');
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['in_doubt']);
		const settle = await settleWorkflow({ outcome: 'notPaid' });
		const settled = await settle.execute([{ reference }]);
		expect(await settle.newestOutput()).toMatchObject([{ status: 'approved', is_settled: true }]);
		expect(hintsOf(settled)).toEqual([expect.stringContaining('and not paid yet')]);
		expect(await workflow.pay(payouts)).toMatchObject([
			{ status: 'funded', payable_id: item?.['payable_id'] },
		]);
		expect(await timesFunded(fixture().sandbox, payees)).toEqual(once(payees));
		expect(await requestCounts()).toEqual({ getWallet: 1, createFunding: 1 });
	});

	test('is settled by hand in the table #settled-by-hand', async () => {
		const { payees, payouts, workflow, reference } = await payInDoubt('cut_before');
		await tables().writeState(reference, 'approved');
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['funded']);
		expect(await timesFunded(fixture().sandbox, payees)).toEqual(once(payees));
	});

	test('is settled by the payable that an event names; others change nothing #settled-by-event', async () => {
		const { payouts, workflow, item } = await payInDoubt('cut_after');
		const settle = await settleWorkflow({
			findBy: 'payableId',
			payableId: '={{ $json.payable_id }}',
			outcome: 'paid',
		});
		expect(
			await settle.pay([{ payable_id: item?.['payable_id'] }, { payable_id: 'of another' }]),
		).toMatchObject([
			{ status: 'funded', is_settled: true },
			{ payable_id: 'of another', is_settled: false },
		]);
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['duplicate']);
	});

	test('is settled once by several items, and by nobody who does not know #settled-once', async () => {
		const { payees, payouts, workflow, reference } = await payInDoubt('cut_before');
		const unknown = await settleWorkflow({ outcome: '={{ $json.outcome ?? "unknown" }}' });
		expect(await unknown.pay([{ reference }])).toMatchObject([
			{ error: expect.stringContaining('Outcome is Not Known Yet') },
		]);
		const both = ['paid', 'notPaid'].map((outcome) => ({ reference, outcome }));
		const refusal = {
			error: expect.stringMatching(/^Nothing was settled of .* some that it was not/),
		};
		expect(await unknown.pay(both)).toMatchObject([refusal, refusal]);
		const settle = await settleWorkflow({ outcome: 'notPaid' });
		for (let times = 0; times < 2; times += 1) {
			expect(await settle.pay([{ reference }, { reference }])).toMatchObject([
				{ status: 'approved', is_settled: true },
			]);
		}
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['funded']);
		expect(await timesFunded(fixture().sandbox, payees)).toEqual(once(payees));
	});

	test('that was settled as paid by mistake is paid once after it was taken back in the table #settlement-taken-back', async () => {
		const { payees, payouts, workflow, reference } = await payInDoubt('cut_before');
		await (await settleWorkflow({ outcome: 'paid' })).pay([{ reference }]);
		const notPaid = await settleWorkflow({ outcome: 'notPaid' });
		expect(await notPaid.pay([{ reference }])).toMatchObject([
			{
				error: expect.stringContaining('the ledger table says that it is funded'),
				details: {
					hint: expect.stringContaining('write funding into its state in the ledger table'),
				},
			},
		]);
		await tables().writeState(reference, 'funding');
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['in_doubt']);
		expect(await notPaid.pay([{ reference }])).toMatchObject([{ status: 'approved' }]);
		expect(statusesOf(await workflow.pay(payouts))).toEqual(['funded']);
		const [paid] = await notPaid.pay([{ reference }]);
		expect(paid).toMatchObject({ details: { hint: expect.stringMatching(/^Its funding is /) } });
		expect(await timesFunded(fixture().sandbox, payees)).toEqual(once(payees));
	});

	test.each(['cut_after', 'cut_before'] as const)(
		'whose answer was lost by %s is funded again where the service refuses a second funding',
		async (kind) => {
			const { payees, payouts, item } = await payInDoubt(kind);
			const again = await createTableWorkflow({ options: { whenInDoubt: 'fundAgain' } });
			expect(await again.pay(payouts)).toMatchObject([
				{ status: 'funded', payable_id: item?.['payable_id'] },
			]);
			expect(await requestCounts()).toEqual({ createFunding: 1 });
			expect(await timesFunded(fixture().sandbox, payees)).toEqual(once(payees));
			expect(statusesOf(await again.pay(payouts))).toEqual(['duplicate']);
		},
	);

	test('stays in doubt when the second funding is refused for another reason #second-funding-other-reason', async () => {
		const { sandbox } = fixture();
		const { payouts } = await payInDoubt('cut_before');
		await sandbox.control.addFault({ kind: 'status', status: 402, ...CREATE_FUNDING });
		const again = await createTableWorkflow({ options: { whenInDoubt: 'fundAgain' } });
		expect(statusesOf(await again.pay(payouts))).toEqual(['in_doubt']);
	});
});

describe('a funding that waits, since the service took too many requests', () => {
	const tooMany = (seconds: string): Fault => ({
		kind: 'status',
		status: 429,
		headers: { 'retry-after': seconds },
		...CREATE_FUNDING,
	});

	test('is sent again once it may be', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 2);
		await sandbox.control.addFault(tooMany('1'));
		const workflow = await createTableWorkflow();
		expect(statusesOf(await workflow.pay(payoutsFor(payees)))).toEqual(['funded', 'funded']);
		expect(await requestCounts()).toMatchObject({ createFunding: 2 });
	});

	test('is sent for the others alone, when the table says meanwhile that one is paid', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 2);
		await sandbox.control.addFault(tooMany('3'));
		const payouts = payoutsFor(payees);
		const waiting = (await createTableWorkflow()).pay(payouts);
		await poll('the refusal', async () => (await requestCounts())['createFunding']);
		await tables().writeState(payouts[0]?.reference ?? '', 'funded');
		expect(statusesOf(await waiting)).toEqual(['duplicate', 'funded']);
		const [paid = '', other = ''] = payees;
		expect(await timesFunded(sandbox, payees)).toEqual({ [paid]: 0, [other]: 1 });
	});
});

test('the ledger lists what it knows, such as all that is in doubt #ledger-lists-doubts', async () => {
	const { reference, item, workflow } = await payInDoubt('cut_before');
	const [paid] = await addVendors(fixture().sandbox, 1);
	await workflow.pay(payoutsFor([paid ?? '']));
	const list = async (filters: object) =>
		await (await createTableWorkflow({ operation: 'getMany', returnAll: true, filters })).pay([{}]);
	expect(await list({ status: 'in_doubt' })).toContainEqual(
		expect.objectContaining({
			status: 'in_doubt',
			unique_reference: reference,
			payable_id: item?.['payable_id'],
			amount: 100,
			is_running: false,
		}),
	);
	expect(await list({ payee: paid })).toMatchObject([{ status: 'funded', payee: paid }]);
	expect(await list({ since: '2100-01-01' })).toEqual([]);
});

test('another workflow and another node know what was paid #table-shared-by-workflows', async () => {
	const payees = await addVendors(fixture().sandbox, 2);
	const payouts = payoutsFor(payees);
	await (await createTableWorkflow()).pay(payouts);
	expect(statusesOf(await (await createTableWorkflow()).pay(payouts))).toEqual([
		'duplicate',
		'duplicate',
	]);
	expect(await timesFunded(fixture().sandbox, payees)).toEqual(once(payees));
});

test('a payable that a payout has prepared is funded by that payout alone #payable-funded-by-its-payout', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 1);
	const [payout] = payoutsFor(payees);
	const reference = payout?.reference;
	const prepare = await createTableWorkflow({ fundingMethod: 'none' });
	const [prepared] = await prepare.pay([{ ...payout }]);
	const fund = await createTableWorkflow({
		resource: 'funding',
		operation: 'create',
		method: 'balance',
		payableIds: prepared?.['payable_id'],
		amount: prepared?.['amount'],
		uniqueReference: `Funding of ${reference}`,
	});
	expect(await fund.pay([{}])).toMatchObject([
		{ error: expect.stringContaining(`belongs to the payout "${reference}"`) },
	]);
	expect(statusesOf(await (await createTableWorkflow()).pay([{ ...payout }]))).toEqual(['funded']);
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
});

test('what today has paid counts for the limit per day, of all workflows of the table #limit-per-day', async () => {
	const { sandbox } = fixture();
	await tables().add(LIMITED);
	const table = { ledgerTable: { __rl: true, mode: 'name', value: LIMITED } };
	const options = { maxPerDay: '2.50' };
	const payees = await addVendors(sandbox, 3);
	const [first, rest] = [payoutsFor(payees.slice(0, 2)), payoutsFor(payees.slice(2))];
	expect(statusesOf(await (await createTableWorkflow({ ...table, options })).pay(first))).toEqual([
		'funded',
		'funded',
	]);
	const workflow = await createTableWorkflow({ ...table, options });
	const [refused] = await workflow.pay(rest);
	expect(refused).toMatchObject({
		status: 'not_sent',
		error: expect.stringMatching(
			/^The payouts and fundings of the workspace add up to 3.00 today with this run, which is above the Maximum per Day, 2.50/,
		),
	});
	expect(statusesOf(await workflow.pay(first))).toEqual(['duplicate', 'duplicate']);
	expect(await timesFunded(sandbox, payees.slice(2))).toEqual({ [payees[2] ?? '']: 0 });
});

test('a table that was deleted is not replaced by one that knows nothing #deleted-table', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 1);
	await tables().add(DELETED);
	const ledgerTable = { __rl: true, mode: 'name', value: DELETED };
	const workflow = await createTableWorkflow({ ledgerTable });
	expect(statusesOf(await workflow.pay(payoutsFor(payees)))).toEqual(['funded']);
	await tables().delete(DELETED);
	for (let times = 0; times < 2; times += 1) {
		const [item] = await workflow.pay(payoutsFor(payees));
		expect(item?.['hint']).toMatch(/Have the table restored from a backup/);
	}
	expect(await tables().find(DELETED)).toBeUndefined();
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
});
