import {
	type Credential,
	NODE_UNDER_TEST,
	nodeError,
	outputItems,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { payoutParameters } from '../../tools/payouts/parameters';
import { addVendors, Payer, timesFunded, wishesFor } from './payer';
import { useBench } from './setup';

const bench = useBench();
let credential: Credential;

beforeAll(async () => {
	const { n8n, sandbox, credentialData } = bench();
	credential = await n8n.createCredential('Client', 'partnerPaymentsApi', credentialData);
	await sandbox.control.deposit(sandbox.workspaceId, 100_000_000);
});

beforeEach(async () => {
	await bench().sandbox.control.clearFaults();
	await bench().sandbox.control.clearRequests();
});

const payer = async (change: object = {}, settings?: Parameters<typeof Payer.set>[3]) =>
	await Payer.set(
		bench().n8n,
		credential,
		payoutParameters(bench().sandbox.workspaceId, change),
		settings,
	);

/** How many requests of each kind the sandbox has got, fundings and approvals among them. */
async function requests(): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	for (const { operationId } of await bench().sandbox.control.requests()) {
		if (operationId !== null && operationId !== 'requestToken')
			counts[operationId] = (counts[operationId] ?? 0) + 1;
	}
	return counts;
}

const once = (payees: string[]) => Object.fromEntries(payees.map((payee) => [payee, 1]));
const statuses = (items: Array<Record<string, unknown>>) => items.map(({ status }) => status);

describe('a payout', () => {
	test('is one funding for many, and a later run sends nothing', async () => {
		const { sandbox } = bench();
		const payees = await addVendors(sandbox, 3);
		const workflow = await payer();
		const wishes = wishesFor(payees);
		const paid = await workflow.pay(wishes);
		expect(paid).toEqual(
			wishes.map(({ reference, amount }) => ({
				status: 'funded',
				unique_reference: reference,
				payable_id: expect.any(String),
				funding_id: paid[0]?.['funding_id'],
				amount,
				amount_denomination: 'us_cents',
			})),
		);
		expect(await requests()).toEqual({ createPayable: 3, approvePayable: 3, createFunding: 1 });

		const again = await workflow.pay(wishes);
		expect(again).toEqual(
			paid.map((item) => ({ ...item, status: 'duplicate', first_status: 'funded' })),
		);
		expect(await requests()).toMatchObject({ createPayable: 3, createFunding: 1 });
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('is remembered over a restart of n8n', async () => {
		const { sandbox, n8n } = bench();
		const payees = await addVendors(sandbox, 2);
		const workflow = await payer();
		const paid = await workflow.pay(wishesFor(payees));
		await n8n.restart();
		await n8n.activate(workflow.workflow.id);
		const again = await workflow.pay(wishesFor(payees));
		expect(again.map(({ payable_id: id }) => id)).toEqual(paid.map(({ payable_id: id }) => id));
		expect(statuses(again)).toEqual(['duplicate', 'duplicate']);
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('is remembered in manual runs too, whose static data n8n does not keep', async () => {
		const { sandbox, n8n } = bench();
		const payees = await addVendors(sandbox, 2);
		const workflow = await n8n.createWorkflow(
			workflowWithNode({
				credential,
				parameters: payoutParameters(sandbox.workspaceId),
				items: wishesFor(payees),
			}),
		);
		await n8n.runManually(workflow.id);
		await n8n.restart();
		const execution = await n8n.runManually(workflow.id);
		const again = successfulItems(execution, NODE_UNDER_TEST).map(({ json }) => json);
		expect(again).toMatchObject([
			{ status: 'duplicate', first_status: 'funded', payable_id: null },
			{ status: 'duplicate', first_status: 'funded', payable_id: null },
		]);
		expect(await requests()).toMatchObject({ createPayable: 2, createFunding: 1 });
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('is made once when two items of a run have its reference', async () => {
		const { sandbox } = bench();
		const [payee = '', other = ''] = await addVendors(sandbox, 2);
		const workflow = await payer();
		const items = await workflow.pay([
			{ reference: 'twice', payee, amount: 100 },
			{ reference: 'twice', payee, amount: 100 },
			{ reference: 'twice', payee: other, amount: 250 },
		]);
		expect(statuses(items)).toEqual(['funded', 'duplicate', 'failed']);
		expect(items[2]?.['error']).toMatch(
			new RegExp(`"twice" stands for 1.00 to ${payee} .* now it is for 2.50 to ${other} `),
		);
		expect(await timesFunded(sandbox, [payee, other])).toEqual({ [payee]: 1, [other]: 0 });
	});

	test('of another amount or payee is refused in a later run, and both are shown', async () => {
		const { sandbox } = bench();
		const [payee = ''] = await addVendors(sandbox, 1);
		const workflow = await payer();
		await workflow.pay([{ reference: 'same', payee, amount: 100 }]);
		const [item] = await workflow.pay([{ reference: 'same', payee, amount: 101 }]);
		expect(item).toMatchObject({
			status: 'failed',
			error: expect.stringContaining('stands for 1.00'),
		});
		expect(item?.['error']).toContain('now it is for 1.01');
		expect(await timesFunded(sandbox, [payee])).toEqual({ [payee]: 1 });
	});

	test('stops before the money moves, and goes on from there when it is told to fund', async () => {
		const { sandbox, n8n } = bench();
		const payees = await addVendors(sandbox, 2);
		const workflow = await payer({ fundingMethod: '={{ $json.method }}' });
		const wishes = wishesFor(payees);
		const prepared = await workflow.pay(wishes.map((wish) => ({ ...wish, method: 'none' })));
		expect(statuses(prepared)).toEqual(['approved', 'approved']);
		expect(await requests()).toEqual({ createPayable: 2, approvePayable: 2 });
		expect(
			statuses(await workflow.pay(wishes.map((wish) => ({ ...wish, method: 'none' })))),
		).toEqual(['duplicate', 'duplicate']);
		await n8n.restart();
		await n8n.activate(workflow.workflow.id);
		const paid = await workflow.pay(wishes.map((wish) => ({ ...wish, method: 'balance' })));
		expect(statuses(paid)).toEqual(['funded', 'funded']);
		expect(await requests()).toEqual({ createPayable: 2, approvePayable: 2, createFunding: 1 });
	});

	test('by invoice waits for the deposit, with the invoice at hand', async () => {
		const { sandbox } = bench();
		const payees = await addVendors(sandbox, 2);
		const workflow = await payer({
			fundingMethod: 'invoice',
			options: { poNumber: 'PO-7', fundingDescription: 'March' },
		});
		const items = await workflow.pay(wishesFor(payees));
		expect(items[0]).toMatchObject({
			status: 'awaiting_deposit',
			funding_id: expect.any(String),
			pdf_url: expect.stringMatching(/^http/),
		});
		expect(items[1]?.['funding_id']).toBe(items[0]?.['funding_id']);
		const [funding] = (await sandbox.control.requests('createFunding')).map(({ body }) => body);
		expect(funding).toMatchObject({ method: 'invoice', po_number: 'PO-7', description: 'March' });
	});
});

describe('limits', () => {
	test.each([
		['maxAmount', '200', /2.01 in item 1 is above the Maximum Amount, 2.00/],
		['maxTotal', '300', /add up to 3.01, which is above the Maximum Total, 3.00/],
	])('%s refuses the whole run before its first request', async (name, limit, sentence) => {
		const { sandbox } = bench();
		const [one = '', two = ''] = await addVendors(sandbox, 2);
		const workflow = await payer({ options: { [name]: limit } }, {});
		const execution = await workflow.execute([
			{ reference: 'one', payee: one, amount: 100 },
			{ reference: 'two', payee: two, amount: 201 },
		]);
		expect(nodeError(execution, NODE_UNDER_TEST)?.message).toMatch(sentence);
		expect(await bench().sandbox.control.requests()).toEqual([]);
	});
});

describe('when an answer is lost', () => {
	test('the funding is in doubt, and is never sent again', async () => {
		const { sandbox } = bench();
		const payees = await addVendors(sandbox, 3);
		const workflow = await payer();
		await sandbox.control.addFault({
			kind: 'cut_after',
			match: { operationId: 'createFunding' },
		});
		const items = await workflow.pay(wishesFor(payees));
		expect(statuses(items)).toEqual(['in_doubt', 'in_doubt', 'in_doubt']);
		expect(items[0]?.['error']).toMatch(
			/^In doubt whether it was paid: the funding was sent, and the connection was closed/,
		);
		expect(items[0]?.['hint']).toMatch(/Look up payable .* in the service itself/);
		const again = await workflow.pay(wishesFor(payees));
		expect(statuses(again)).toEqual(['in_doubt', 'in_doubt', 'in_doubt']);
		expect(again[0]?.['payable_id']).toBe(items[0]?.['payable_id']);
		expect(await requests()).toMatchObject({ createPayable: 3, createFunding: 1 });
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('of a creation, the payable is created again, since a draft moves no money', async () => {
		const { sandbox } = bench();
		const payees = await addVendors(sandbox, 1);
		const workflow = await payer();
		await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createPayable' } });
		const [item] = await workflow.pay(wishesFor(payees));
		expect(item).toMatchObject({ status: 'funded', unused_payables: 1 });
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('of an approval, it is sent again', async () => {
		const { sandbox } = bench();
		const payees = await addVendors(sandbox, 1);
		const workflow = await payer();
		await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'approvePayable' } });
		const [item] = await workflow.pay(wishesFor(payees));
		expect(item).toMatchObject({ status: 'funded' });
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});
});

describe('one payout that fails', () => {
	test('does not stop the others of its funding', async () => {
		const { sandbox } = bench();
		const payees = await addVendors(sandbox, 4);
		const [wallet] = (await sandbox.control.workspaces()).map(({ balance }) => balance);
		const wishes = wishesFor(payees).map((wish, index) =>
			index === 2 ? { ...wish, amount: Number(wallet) } : wish,
		);
		const items = await (await payer()).pay(wishes);
		expect(statuses(items)).toEqual(['funded', 'funded', 'failed', 'funded']);
		expect(items[2]?.['payable_id']).toEqual(expect.any(String));
	});

	test('that cannot be read comes out with a status like the others', async () => {
		const { sandbox } = bench();
		const [payee = ''] = await addVendors(sandbox, 1);
		const items = await (
			await payer()
		).pay([
			{ reference: 'unreadable', payee, amount: '1,5' },
			{ reference: 'readable', payee, amount: 100 },
		]);
		expect(statuses(items)).toEqual(['failed', 'funded']);
		expect(items[0]).toMatchObject({
			unique_reference: 'unreadable',
			error: 'The amount "1,5" is not a plain number [item 0]',
			hint: expect.stringMatching(/Nothing was sent for it\.$/),
		});
	});

	test('is named by the error of a run that does not go on, which says what was done', async () => {
		const { sandbox } = bench();
		const payees = await addVendors(sandbox, 2);
		const workflow = await payer({}, {});
		await sandbox.control.addFault({
			kind: 'status',
			status: 422,
			match: { operationId: 'createPayable' },
		});
		const execution = await workflow.execute(wishesFor(payees));
		const error = nodeError(execution, NODE_UNDER_TEST);
		expect(error?.message).toMatch(/^Could not create the payable.*\[item \d\]$/);
		expect(error?.description).toMatch(/Done all the same: item \d \(/);
		expect(statuses(await workflow.newest())).toEqual([]);
		const again = outputItems(await workflow.execute(wishesFor(payees)), NODE_UNDER_TEST);
		expect(again.map(({ json }) => json['status']).sort()).toEqual(['duplicate', 'funded']);
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('is repeated by "Retry On Fail", and the others are not', async () => {
		const { sandbox } = bench();
		const payees = await addVendors(sandbox, 3);
		const workflow = await payer({}, { retryOnFail: { maxTries: 3, waitBetweenTries: 100 } });
		await sandbox.control.addFault({
			kind: 'status',
			status: 422,
			match: { operationId: 'createPayable' },
		});
		const items = await workflow.pay(wishesFor(payees));
		expect(statuses(items).sort()).toEqual(['duplicate', 'duplicate', 'funded']);
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('goes to the error output with all that is known of it', async () => {
		const { sandbox } = bench();
		const payees = await addVendors(sandbox, 2);
		const workflow = await payer({}, { onError: 'continueErrorOutput' });
		await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
		const execution = await workflow.execute(wishesFor(payees));
		const [first] = outputItems(execution, NODE_UNDER_TEST, 1).map(({ json }) => json);
		expect(first).toMatchObject({
			error: expect.stringContaining('[item 0]'),
			details: { status: 'in_doubt', in_doubt: true, payable_id: expect.any(String) },
		});
	});
});

test('two executions at the same time pay once', async () => {
	const { sandbox } = bench();
	const payees = await addVendors(sandbox, 5);
	const workflow = await payer();
	await sandbox.control.addFault({ kind: 'latency', ms: 100, times: 30 });
	const wishes = wishesFor(payees);
	const both = await Promise.all([workflow.execute(wishes), workflow.execute(wishes)]);
	expect(both).toHaveLength(2);
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	expect(await requests()).toMatchObject({ createPayable: 5, createFunding: 1 });
});

test('payouts keep to the limit of the account by themselves, and tell that they waited', async () => {
	const { n8n, sandbox, credentialData } = bench();
	const payees = await addVendors(sandbox, 30);
	const limited = await n8n.createCredential('Limited', 'partnerPaymentsApi', {
		...credentialData,
		requestsPerMinute: 20,
		rateWindowSeconds: 1,
	});
	const { requestsPerMinute, windowSeconds } = await sandbox.control.rateLimit();
	await sandbox.control.setRequestsPerMinute(20, 1);
	const workflow = await Payer.set(n8n, limited, payoutParameters(sandbox.workspaceId));
	const execution = await workflow.execute(wishesFor(payees));
	const { accounts } = await sandbox.control.rateLimit();
	await sandbox.control.setRequestsPerMinute(requestsPerMinute, windowSeconds);
	expect(statuses(successfulItems(execution, NODE_UNDER_TEST).map(({ json }) => json))).toEqual(
		payees.map(() => 'funded'),
	);
	expect(accounts).toEqual([expect.objectContaining({ refused: 0 })]);
	expect(accounts[0]?.largestWindow).toBeLessThanOrEqual(20);
	expect(execution.data.resultData.runData[NODE_UNDER_TEST]?.[0]?.hints).toEqual([
		expect.objectContaining({ message: expect.stringMatching(/^This run waited \d+ s/) }),
	]);
});

describe('a unique reference of a single step', () => {
	const single = async (change: object) =>
		await Payer.set(bench().n8n, credential, {
			workspaceId: { __rl: true, mode: 'id', value: bench().sandbox.workspaceId },
			amount: '={{ $json.amount }}',
			uniqueReference: '={{ $json.reference }}',
			...change,
		});

	test('creates a payable once, and tells what is known of it', async () => {
		const [payee = ''] = await addVendors(bench().sandbox, 1);
		const workflow = await single({
			resource: 'payable',
			operation: 'create',
			payeeEmail: '={{ $json.payee }}',
		});
		const wish = { reference: 'P-1', payee, amount: 100 };
		const [first, second] = await workflow.pay([wish, wish]);
		expect(first).toMatchObject({ id: expect.any(String), unique_reference: 'P-1' });
		expect(second).toEqual({ ...first, duplicate: true });
		expect(await workflow.pay([wish])).toEqual([{ ...first, duplicate: true }]);
		expect(await requests()).toEqual({ createPayable: 1 });
	});

	test('funds once, and a funding in doubt is not sent again', async () => {
		const { sandbox } = bench();
		const payees = await addVendors(sandbox, 2);
		const prepared = await (await payer({ fundingMethod: 'none' })).pay(wishesFor(payees));
		const workflow = await single({
			resource: 'funding',
			operation: 'create',
			payableIds: '={{ $json.payable_id }}',
		});
		const wishes = prepared.map((item, index) => ({ ...item, reference: `F-${index}` }));
		const [funded] = await workflow.pay(wishes.slice(0, 1));
		expect(funded).toMatchObject({ id: expect.any(String), unique_reference: 'F-0' });
		await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
		const [lost] = await workflow.pay(wishes.slice(1));
		expect(lost).toMatchObject({ details: { in_doubt: true } });
		const again = await workflow.pay(wishes);
		expect(again[0]).toEqual({ ...funded, duplicate: true });
		expect(again[1]).toMatchObject({
			error: expect.stringContaining('In doubt what came of "F-1"'),
		});
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});
});
