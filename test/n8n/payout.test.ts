import fc from 'fast-check';

import { NODE_UNDER_TEST, nodeError, outputItems, successfulItems } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { payoutParameters } from '../../tools/payouts/payout';
import { addVendors, hintsOf, PayoutWorkflow, statusesOf, usePayouts } from './support/payouts';

/** Long enough to stop the execution meanwhile. */
const FUNDING_MS = 3000;

const { fixture, addPayouts, createWorkflow, createTableWorkflow, requestCounts } = usePayouts();

test('a payout is one funding for many, and a later run sends nothing #one-funding-for-many', async () => {
	const { payouts, expectPaidOnce } = await addPayouts(3);
	const workflow = await createWorkflow();
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
	await expectPaidOnce();
});

test('payouts keep to the limit of the account by themselves, and tell that they waited', async () => {
	const { n8n, sandbox, createClient } = fixture();
	const { payouts } = await addPayouts(30);
	const limited = await createClient({ requestsPerMinute: 20, rateWindowSeconds: 1 });
	const { requestsPerMinute, rateWindowSeconds } = await sandbox.control.settings();
	await sandbox.control.setSettings({ requestsPerMinute: 20, rateWindowSeconds: 1 });
	const workflow = await PayoutWorkflow.create(n8n, limited, payoutParameters(sandbox.workspaceId));
	const execution = await workflow.execute(payouts);
	const accounts = await sandbox.control.rateLimit();
	await sandbox.control.setSettings({ requestsPerMinute, rateWindowSeconds });
	expect(statusesOf(successfulItems(execution, NODE_UNDER_TEST).map(({ json }) => json))).toEqual(
		payouts.map(() => 'funded'),
	);
	expect(accounts).toEqual([expect.objectContaining({ refused: 0 })]);
	expect(accounts[0]?.largestWindow).toBeLessThanOrEqual(20);
	expect(hintsOf(execution)).toEqual([expect.stringMatching(/^This run waited \d+ s/)]);
});

test.each([
	['the node', createWorkflow],
	['a Data Table', createTableWorkflow],
])(
	'an execution that is stopped while a funding is under way still learns its answer, remembered in %s',
	async (_, create) => {
		const { n8n, sandbox } = fixture();
		const { control } = sandbox;
		const { payouts, expectPaidOnce } = await addPayouts(3);
		const workflow = await create();
		const match = { operationId: 'createFunding' };
		await control.addFault({ kind: 'latency', ms: FUNDING_MS, match });
		const fundings = async () => await control.requests('createFunding');

		const stopped = workflow.execute(payouts);
		await poll('the funding', async () => (await fundings())[0]);
		const [running = ''] = n8n.database.executionIds(workflow.workflow.id);
		await n8n.executions.stop(running);
		expect((await stopped).status).toBe('canceled');

		const again = await workflow.pay(payouts);
		expect(statusesOf(again)).toEqual(['duplicate', 'duplicate', 'duplicate']);
		expect(again.map(({ first_status: status }) => status)).toEqual(['funded', 'funded', 'funded']);
		expect(await fundings()).toHaveLength(1);
		await expectPaidOnce();
	},
);

describe('one payout that fails', () => {
	test('is named by the error of a run that does not go on, which says what was done', async () => {
		const { sandbox } = fixture();
		const { payouts, expectPaidOnce } = await addPayouts(2);
		const workflow = await createWorkflow({}, {});
		await sandbox.control.addFault({
			kind: 'status',
			status: 422,
			match: { operationId: 'createPayable' },
		});
		const execution = await workflow.execute(payouts);
		const error = nodeError(execution, NODE_UNDER_TEST);
		expect(error?.message).toMatch(/^Could not create the payable.*\[item \d\]$/);
		expect(error?.description).toMatch(/This is item \d \(INV /);
		expect(error?.description).toMatch(/Done all the same: item \d \(/);
		expect(statusesOf(await workflow.newestOutput())).toEqual([]);
		const again = outputItems(await workflow.execute(payouts), NODE_UNDER_TEST);
		expect(again.map(({ json }) => json['status']).sort()).toEqual(['duplicate', 'funded']);
		await expectPaidOnce();
	});

	test('is repeated by "Retry On Fail", and the others are not #retry-on-fail-repeats-one', async () => {
		const { sandbox } = fixture();
		const { payouts, expectPaidOnce } = await addPayouts(3);
		const workflow = await createWorkflow(
			{},
			{ retryOnFail: { maxTries: 3, waitBetweenTries: 100 } },
		);
		await sandbox.control.addFault({
			kind: 'status',
			status: 422,
			match: { operationId: 'createPayable' },
		});
		const items = await workflow.pay(payouts);
		expect(statusesOf(items).sort()).toEqual(['duplicate', 'duplicate', 'funded']);
		await expectPaidOnce();
	});

	test('goes to the error output with all that is known of it', async () => {
		const { sandbox } = fixture();
		const { payouts } = await addPayouts(2);
		const workflow = await createWorkflow({}, { onError: 'continueErrorOutput' });
		await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
		const execution = await workflow.execute(payouts);
		const [first] = outputItems(execution, NODE_UNDER_TEST, 1).map(({ json }) => json);
		expect(first).toMatchObject({
			error: expect.stringContaining('[item 0]'),
			message: { status: 'unconfirmed', unconfirmed: true, payable_id: expect.any(String) },
		});
	});
});

const inDollars = (cents: number): string => (cents / 100).toFixed(2);

/** What each funding has paid so far, in cents. */
const fundedAmounts = async (): Promise<number[]> =>
	(await fixture().sandbox.control.allocations()).map(({ amount }) => amount);

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** References of which some are the same one, written in other ways. */
const references = ['A', ' A', 'A\u200b', 'B', 'Å', 'A\u030a', 'INV-7', 'INV-7 lock'];

describe('whatever the items, references and units', () => {
	let workflow: PayoutWorkflow;
	let payees: string[];
	beforeAll(async () => {
		payees = await addVendors(fixture().sandbox, 3);
		workflow = await createWorkflow({
			amountUnit: '={{ $json.unit }}',
			options: { maxAmount: '={{ $json.maxAmount }}', maxTotal: '={{ $json.maxTotal }}' },
		});
	});

	test('what is paid never exceeds a limit #never-above-a-limit', async () => {
		const item = fc.record({
			reference: fc.constantFrom(...references),
			payee: fc.nat(2),
			cents: fc.integer({ min: 1, max: 250 }),
			unit: fc.constantFrom('minor', 'major'),
		});
		let runs = 0;
		let paid = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.array(item, { minLength: 1, maxLength: 8 }),
				fc.integer({ min: 200, max: 400 }),
				fc.integer({ min: 200, max: 1500 }),
				async (items, maxAmount, maxTotal) => {
					runs += 1;
					const limits = { maxAmount: inDollars(maxAmount), maxTotal: inDollars(maxTotal) };
					const payouts = items.map(({ reference, payee, cents, unit }) => ({
						reference: `${reference} of ${runs}`,
						payee: payees[payee] ?? '',
						amount: unit === 'minor' ? cents : inDollars(cents),
						unit,
						...limits,
					}));
					for (let times = 0; times < 2; times += 1) {
						const before = (await fundedAmounts()).length;
						await workflow.pay(payouts);
						const amounts = (await fundedAmounts()).slice(before);
						paid += amounts.length;
						expect(sum(amounts)).toBeLessThanOrEqual(maxTotal);
						expect(Math.max(0, ...amounts)).toBeLessThanOrEqual(maxAmount);
					}
				},
			),
			{ numRuns: 12, seed: 10 },
		);
		// A property of runs that pay nothing would hold for nothing.
		expect(paid).toBeGreaterThan(5);
	});
});
