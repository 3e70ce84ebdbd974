import { NODE_UNDER_TEST, nodeError, successfulItems } from '../../tools/n8n';
import { payoutParameters } from '../../tools/payouts/payout';
import {
	addVendors,
	hintsOf,
	once,
	payoutsFor,
	PayoutWorkflow,
	statusesOf,
	timesFunded,
	usePayouts,
} from './support/payouts';

const { fixture, createWorkflow, requestCounts } = usePayouts();

describe('a payout', () => {
	test('is one funding for many, and a later run sends nothing #one-funding-for-many', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 3);
		const workflow = await createWorkflow();
		const payouts = payoutsFor(payees);
		const paid = await workflow.pay(payouts);
		expect(paid).toEqual(
			payouts.map(({ reference, payee, amount }) => ({
				status: 'funded',
				unique_reference: reference,
				payee,
				payable_id: expect.any(String),
				funding_id: paid[0]?.['funding_id'],
				amount,
				amount_denomination: 'us_cents',
			})),
		);
		expect(await requestCounts()).toEqual({
			getWallet: 1,
			createPayable: 3,
			approvePayable: 3,
			createFunding: 1,
		});

		const again = await workflow.pay(payouts);
		expect(again).toEqual(
			paid.map((item) => ({ ...item, status: 'duplicate', first_status: 'funded' })),
		);
		expect(await requestCounts()).toMatchObject({ createPayable: 3, createFunding: 1 });
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('is made once when two items of a run have its reference #once-in-a-run', async () => {
		const { sandbox } = fixture();
		const [payee = ''] = await addVendors(sandbox, 1);
		const workflow = await createWorkflow();
		const payout = { reference: 'twice', payee, amount: 100 };
		const execution = await workflow.execute([payout, payout]);
		expect(hintsOf(execution)).toEqual([
			expect.stringMatching(
				/^Items 0, 1 .* one payment, made once\. .* item 0 keeps the reference/,
			),
		]);
		expect(statusesOf(await workflow.newestOutput())).toEqual(['funded', 'duplicate']);
		expect(hintsOf(await workflow.execute([payout, payout]))).toEqual([
			expect.stringContaining('one payment, made once'),
		]);
		expect(await timesFunded(sandbox, [payee])).toEqual({ [payee]: 1 });
	});

	test('of another amount or payee is refused in a later run, and both are shown #other-content-refused', async () => {
		const { sandbox } = fixture();
		const [payee = ''] = await addVendors(sandbox, 1);
		const workflow = await createWorkflow();
		await workflow.pay([{ reference: 'same', payee, amount: 100 }]);
		const [item] = await workflow.pay([{ reference: 'same', payee, amount: 101 }]);
		expect(item).toMatchObject({
			status: 'failed',
			error: expect.stringContaining('belongs to 1.00'),
		});
		expect(item?.['error']).toContain('not to 1.01');
		expect(await timesFunded(sandbox, [payee])).toEqual({ [payee]: 1 });
	});

	test('by invoice waits for the deposit, with the invoice at hand #invoice-waits-for-deposit', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, 2);
		const workflow = await createWorkflow({
			fundingMethod: 'invoice',
			options: { poNumber: 'PO-7', fundingDescription: 'March' },
		});
		const items = await workflow.pay(payoutsFor(payees));
		expect(items[0]).toMatchObject({
			status: 'awaiting_deposit',
			funding_id: expect.any(String),
			pdf_url: expect.stringMatching(/^http/),
		});
		expect(items[1]?.['funding_id']).toBe(items[0]?.['funding_id']);
		const [funding] = (await sandbox.control.requests('createFunding')).map(({ body }) => body);
		expect(funding).toMatchObject({
			method: 'invoice',
			po_number: 'PO-7',
			description: `March ${payees.map((payee) => `[INV ${payee}]`).join(' ')}`,
		});
	});
});

describe('limits', () => {
	test.each([
		['maxAmount', '2.00', /2.01 in item 1 is above the Maximum Amount, 2.00/],
		['maxTotal', '3', /add up to 3.01, above the Maximum Total of 3.00/],
	])(
		'%s refuses the whole run before its first request #limit-before-first-request',
		async (name, limit, sentence) => {
			const { sandbox } = fixture();
			const [one = '', two = ''] = await addVendors(sandbox, 2);
			const workflow = await createWorkflow({ options: { [name]: limit } }, {});
			const execution = await workflow.execute([
				{ reference: 'one', payee: one, amount: 100 },
				{ reference: 'two', payee: two, amount: 201 },
			]);
			expect(nodeError(execution, NODE_UNDER_TEST)?.message).toMatch(sentence);
			expect(await fixture().sandbox.control.requests()).toEqual([]);
		},
	);
});

test('two executions at the same time pay once #executions-at-once', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 5);
	const workflow = await createWorkflow();
	await sandbox.control.addFault({ kind: 'latency', ms: 100, times: 30 });
	const payouts = payoutsFor(payees);
	const both = await Promise.all([workflow.execute(payouts), workflow.execute(payouts)]);
	expect(both).toHaveLength(2);
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	expect(await requestCounts()).toMatchObject({ createPayable: 5, createFunding: 1 });
});

test('payouts keep to the limit of the account by themselves, and tell that they waited', async () => {
	const { n8n, sandbox, createClient } = fixture();
	const payees = await addVendors(sandbox, 30);
	const limited = await createClient({ requestsPerMinute: 20, rateWindowSeconds: 1 });
	const { requestsPerMinute, windowSeconds } = await sandbox.control.rateLimit();
	await sandbox.control.setRequestsPerMinute(20, 1);
	const workflow = await PayoutWorkflow.create(n8n, limited, payoutParameters(sandbox.workspaceId));
	const execution = await workflow.execute(payoutsFor(payees));
	const { accounts } = await sandbox.control.rateLimit();
	await sandbox.control.setRequestsPerMinute(requestsPerMinute, windowSeconds);
	expect(statusesOf(successfulItems(execution, NODE_UNDER_TEST).map(({ json }) => json))).toEqual(
		payees.map(() => 'funded'),
	);
	expect(accounts).toEqual([expect.objectContaining({ refused: 0 })]);
	expect(accounts[0]?.largestWindow).toBeLessThanOrEqual(20);
	expect(hintsOf(execution)).toEqual([expect.stringMatching(/^This run waited \d+ s/)]);
});
