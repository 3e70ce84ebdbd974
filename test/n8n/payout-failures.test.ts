import { NODE_UNDER_TEST, nodeError, outputItems } from '../../tools/n8n';
import {
	addVendors,
	hintsOf,
	once,
	payoutsFor,
	statusesOf,
	timesFunded,
	usePayouts,
} from './support/payouts';

const { fixture, createWorkflow, requestCounts } = usePayouts();

describe('when an answer is lost', () => {
	test('the funding is unconfirmed, and is never sent again #lost-funding', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 3);
		const workflow = await createWorkflow();
		await sandbox.control.addFault({
			kind: 'cut_after',
			match: { operationId: 'createFunding' },
		});
		const execution = await workflow.execute(payoutsFor(payees));
		expect(hintsOf(execution)).toEqual([
			expect.stringMatching(/^Of 3 items, 3 are unconfirmed\. /),
		]);
		const items = await workflow.newestOutput();
		expect(statusesOf(items)).toEqual(['unconfirmed', 'unconfirmed', 'unconfirmed']);
		expect(items[0]?.['error']).toMatch(
			/^Unconfirmed whether it was paid, .*: the funding was sent, and the connection was closed/,
		);
		expect(items[0]?.['hint']).toMatch(/Search the service for a funding with \[INV /);
		const again = await workflow.pay(payoutsFor(payees));
		expect(statusesOf(again)).toEqual(['unconfirmed', 'unconfirmed', 'unconfirmed']);
		expect(again[0]?.['payable_id']).toBe(items[0]?.['payable_id']);
		expect(await requestCounts()).toMatchObject({ createPayable: 3, createFunding: 1 });
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('of a creation, the payable is created again, since a draft moves no money #lost-creation', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 1);
		const workflow = await createWorkflow();
		await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createPayable' } });
		const [item] = await workflow.pay(payoutsFor(payees));
		expect(item).toMatchObject({ status: 'funded' });
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('of an approval, it is sent again #lost-approval', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 1);
		const workflow = await createWorkflow();
		await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'approvePayable' } });
		const [item] = await workflow.pay(payoutsFor(payees));
		expect(item).toMatchObject({ status: 'funded' });
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});
});

describe('one payout that fails', () => {
	test('does not stop the others of its funding #failure-stops-no-other', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 4);
		const [wallet] = (await sandbox.control.workspaces()).map(({ balance }) => balance);
		const payouts = payoutsFor(payees).map((payout, index) =>
			index === 2 ? { ...payout, amount: Number(wallet) } : payout,
		);
		const unchecked = await createWorkflow({ options: { checkBalance: false } });
		const items = await unchecked.pay(payouts);
		expect(statusesOf(items)).toEqual(['funded', 'funded', 'failed', 'funded']);
		expect(items[2]?.['payable_id']).toEqual(expect.any(String));
	});

	test('is named by the error of a run that does not go on, which says what was done', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 2);
		const workflow = await createWorkflow({}, {});
		await sandbox.control.addFault({
			kind: 'status',
			status: 422,
			match: { operationId: 'createPayable' },
		});
		const execution = await workflow.execute(payoutsFor(payees));
		const error = nodeError(execution, NODE_UNDER_TEST);
		expect(error?.message).toMatch(/^Could not create the payable.*\[item \d\]$/);
		expect(error?.description).toMatch(/This is item \d \(INV /);
		expect(error?.description).toMatch(/Done all the same: item \d \(/);
		expect(statusesOf(await workflow.newestOutput())).toEqual([]);
		const again = outputItems(await workflow.execute(payoutsFor(payees)), NODE_UNDER_TEST);
		expect(again.map(({ json }) => json['status']).sort()).toEqual(['duplicate', 'funded']);
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('is repeated by "Retry On Fail", and the others are not #retry-on-fail-repeats-one', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 3);
		const workflow = await createWorkflow(
			{},
			{ retryOnFail: { maxTries: 3, waitBetweenTries: 100 } },
		);
		await sandbox.control.addFault({
			kind: 'status',
			status: 422,
			match: { operationId: 'createPayable' },
		});
		const items = await workflow.pay(payoutsFor(payees));
		expect(statusesOf(items).sort()).toEqual(['duplicate', 'duplicate', 'funded']);
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('goes to the error output with all that is known of it', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 2);
		const workflow = await createWorkflow({}, { onError: 'continueErrorOutput' });
		await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
		const execution = await workflow.execute(payoutsFor(payees));
		const [first] = outputItems(execution, NODE_UNDER_TEST, 1).map(({ json }) => json);
		expect(first).toMatchObject({
			error: expect.stringContaining('[item 0]'),
			message: { status: 'unconfirmed', unconfirmed: true, payable_id: expect.any(String) },
		});
	});
});
