import { characters, defaultSettings } from '../../sandbox/shared/settings';
import { NODE_UNDER_TEST, outputItems } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { hintsOf, statusesOf, usePayouts } from './support/payouts';

/** Long enough to stop the execution meanwhile. */
const FUNDING_MS = 3000;

const { fixture, addPayouts, createWorkflow, createSharedWorkflow, requestCounts } = usePayouts();

test('the service has the character of the suite, or none #each-character', async () => {
	const { sandboxCharacter: character } = globalThis;

	expect(await fixture().sandbox.control.settings()).toEqual({
		...defaultSettings,
		...(character && characters[character]),
		requestsPerMinute: expect.any(Number),
	});
});

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
			amount_cents: amount,
			amount_usd: '1.00',
			workspace_id: fixture().sandbox.workspaceId,
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

test('the ledger shows how far a run of many payouts is, and its end counts them #progress', async () => {
	const { n8n, sandbox } = fixture();
	const { payouts } = await addPayouts(150);
	const workflow = await createWorkflow();
	const filters = { status: 'paid' };
	const watch = await createWorkflow({ operation: 'getMany', returnAll: true, filters });
	const match = { operationId: 'createFunding' };
	await sandbox.control.addFault({ kind: 'latency', ms: FUNDING_MS, ratio: 1, match });
	const run = workflow.execute(payouts);
	for (const count of [0, 50, 100]) {
		await poll(`${count} funded payouts`, async () => {
			const [id] = n8n.database.executionIds(workflow.workflow.id);
			const paid = (await watch.pay([{}])).filter(({ execution }) => execution === id);

			return paid.length === count || undefined;
		});
	}

	expect(hintsOf(await run)).toContainEqual(
		expect.stringContaining('Payouts: 150 funded ($150.00).'),
	);
});

test.each([
	["the project's table", createWorkflow],
	['a shared table', createSharedWorkflow],
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
