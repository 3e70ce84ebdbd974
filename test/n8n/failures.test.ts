import {
	type Credential,
	type Execution,
	NODE_UNDER_TEST,
	nodeError,
	type OnError,
	outputItems,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { useBench } from './setup';

const bench = useBench();
let credential: Credential;

beforeAll(async () => {
	credential = await bench().n8n.createCredential(
		'Client',
		'partnerPaymentsApi',
		bench().credentialData,
	);
});

afterEach(async () => {
	await bench().sandbox.control.clearFaults();
});

const workspace = (value: string) => ({ __rl: true, mode: 'id', value });
const payable = (change: object = {}) => ({
	resource: 'payable',
	operation: 'create',
	workspaceId: workspace(bench().sandbox.workspaceId),
	payeeEmail: 'ana@example.com',
	amount: '={{ $json.amount }}',
	amountUnit: 'major',
	...change,
});

interface Run {
	parameters: Record<string, unknown>;
	items?: Array<Record<string, unknown>>;
	with?: Credential;
	onError?: OnError;
}

async function run({
	parameters,
	items,
	onError,
	with: other = credential,
}: Run): Promise<Execution> {
	const workflow = await bench().n8n.createWorkflow(
		workflowWithNode({
			credential: other,
			parameters,
			...(items !== undefined && { items }),
			...(onError !== undefined && { onError }),
		}),
	);
	await bench().sandbox.control.clearRequests();
	return await bench().n8n.runManually(workflow.id);
}

/** The error of a run that must fail, as the user reads it. */
function said(execution: Execution): string {
	const error = nodeError(execution, NODE_UNDER_TEST);
	if (error === undefined) throw new Error('The node did not fail');
	return `${error.message}. ${error.description ?? ''}`;
}

describe('amounts', () => {
	test('19.99 becomes 1999', async () => {
		const execution = await run({ parameters: payable(), items: [{ amount: '19.99' }] });
		expect(successfulItems(execution, NODE_UNDER_TEST)[0]?.json).toMatchObject({ amount: 1999 });
	});

	test.each([
		['1.005', '1.005', /"1.005" has 3 decimals, but the unit has only 2 \[item 1\].*at most two/],
		['0.1 + 0.2', 0.1 + 0.2, /"0.30000000000000004" has 17 decimals.*\.toFixed\(2\)/],
		['9007199254740993', '9007199254740993', /too large to be sent exactly \[item 1\].*Split/],
		['1,234.50', '1,234.50', /not a plain number.*without separators/],
		['zero', '0.00', /is zero.*above zero/],
		['a negative one', '-5', /is negative.*above zero/],
		['nothing', '', /is empty.*above zero/],
	])(
		'%s is refused before any request, also that of the item before it',
		async (_, amount, sentence) => {
			const execution = await run({ parameters: payable(), items: [{ amount: '5' }, { amount }] });
			expect(said(execution)).toMatch(sentence);
			expect(await bench().sandbox.control.requests()).toEqual([]);
		},
	);

	test('line items that do not add up are refused before any request', async () => {
		const lineItems = {
			item: [
				{ amount: '7', description: 'one' },
				{ amount: '2.99', description: 'two' },
			],
		};
		const execution = await run({ parameters: payable({ lineItems }), items: [{ amount: '10' }] });
		expect(said(execution)).toMatch(
			/line items add up to 9.99, but the amount is 10.00 \[item 0\].*Correct/,
		);
		expect(await bench().sandbox.control.requests()).toEqual([]);
	});
});

describe('one bad item among good ones', () => {
	const items = [{ amount: '1' }, { amount: 'x' }, { amount: '3' }];

	test('becomes an item with its error when the node goes on', async () => {
		const execution = await run({ parameters: payable(), items, onError: 'continueRegularOutput' });
		const out = outputItems(execution, NODE_UNDER_TEST);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(out.map(({ json }) => json.amount)).toEqual([100, undefined, 300]);
		expect(out[1]?.json).toEqual({
			error: 'The amount "x" is not a plain number [item 1]',
			details: { hint: expect.stringContaining('Nothing was sent for it'), in_doubt: false },
		});
	});

	test('goes to the error output when the node has one', async () => {
		const execution = await run({ parameters: payable(), items, onError: 'continueErrorOutput' });
		expect(outputItems(execution, NODE_UNDER_TEST).map(({ json }) => json.amount)).toEqual([
			100, 300,
		]);
		expect(outputItems(execution, NODE_UNDER_TEST, 1).map(({ json }) => json)).toEqual([
			expect.objectContaining({ amount: 'x', error: expect.stringContaining('[item 1]') }),
		]);
	});
});

describe('what goes wrong on the way is one sentence with the item and what to do', () => {
	const wallet = (id: string) => ({
		resource: 'wallet',
		operation: 'get',
		workspaceId: workspace(id),
	});

	test('an unreachable host', async () => {
		const other = await bench().n8n.createCredential('Gone', 'partnerPaymentsApi', {
			...bench().credentialData,
			apiBaseUrl: 'http://localhost:9',
		});
		const execution = await run({ parameters: wallet(bench().sandbox.workspaceId), with: other });
		expect(said(execution)).toMatch(
			/^Could not get the wallet: localhost:9 cannot be reached, nothing answers at that address, tried 5 times \[item 0\]\. Check the API Base URL/,
		);
	});

	test('a wrong secret', async () => {
		const other = await bench().n8n.createCredential('Wrong', 'partnerPaymentsApi', {
			...bench().credentialData,
			clientSecret: 'a-wrong-secret',
		});
		const execution = await run({ parameters: wallet(bench().sandbox.workspaceId), with: other });
		expect(said(execution)).toMatch(
			/^No access token: the client ID or the client secret is wrong .* \[item 0\]\. Check both in the credential/,
		);
	});

	test('a workspace of nobody', async () => {
		const execution = await run({ parameters: wallet('00000000-0000-4000-8000-000000000000') });
		expect(said(execution)).toMatch(
			/^Could not get the wallet: .*\(status 404\) \[item 0\]\. Check the IDs/,
		);
	});

	test('a refusal of the service', async () => {
		const parameters = payable({ payeeIdentifiedBy: 'serviceId', payeeServiceId: 'nobody' });
		const execution = await run({ parameters, items: [{ amount: '1' }] });
		expect(said(execution)).toMatch(
			/^Could not create the payable: .*nobody.*\(status 422\) \[item 0\]\. Check the values/,
		);
	});

	test('a page of a proxy in place of an answer', async () => {
		await bench().sandbox.control.addFault({
			match: { operationId: 'getWallet' },
			kind: 'status',
			status: 502,
			times: 5,
			body: '<html><head><title>502 Bad Gateway</title></head></html>',
			contentType: 'text/html',
		});
		const execution = await run({ parameters: wallet(bench().sandbox.workspaceId) });
		expect(said(execution)).toMatch(
			/^Could not get the wallet: the service answered "502 Bad Gateway" \(status 502\), tried 5 times \[item 0\]\. .*Try again later/,
		);
	});

	test('an outage, unless it is over soon', async () => {
		await bench().sandbox.control.addFault({
			match: { operationId: 'getWallet' },
			kind: 'status',
			status: 503,
			times: 2,
		});
		const execution = await run({ parameters: wallet(bench().sandbox.workspaceId) });
		expect(successfulItems(execution, NODE_UNDER_TEST)).toHaveLength(1);
		const requests = await bench().sandbox.control.requests('getWallet');
		expect(requests.map(({ status }) => status)).toEqual([503, 503, 200]);
	});

	test('too many requests, unless waiting helps', async () => {
		await bench().sandbox.control.addFault({
			match: { operationId: 'createPayable' },
			kind: 'status',
			status: 429,
		});
		const execution = await run({ parameters: payable(), items: [{ amount: '1' }] });
		expect(successfulItems(execution, NODE_UNDER_TEST)).toHaveLength(1);
		const requests = await bench().sandbox.control.requests('createPayable');
		expect(requests.map(({ status }) => status)).toEqual([429, 200]);
	});

	test('an empty success', async () => {
		await bench().sandbox.control.addFault({
			match: { operationId: 'getWallet' },
			kind: 'body',
			body: '',
		});
		const execution = await run({ parameters: wallet(bench().sandbox.workspaceId) });
		expect(said(execution)).toMatch(
			/^Could not get the wallet: the service answered without a wallet \(status 200\) \[item 0\]\. Check that the API Base URL/,
		);
	});

	test.each([
		['an empty success', { kind: 'body', body: '' }],
		['an error of the service', { kind: 'status', status: 500 }],
		['a connection cut after the effect', { kind: 'cut_after' }],
	] as const)('%s leaves a payable in doubt', async (_, fault) => {
		await bench().sandbox.control.addFault({ match: { operationId: 'createPayable' }, ...fault });
		const execution = await run({
			parameters: payable(),
			items: [{ amount: '1' }],
			onError: 'continueRegularOutput',
		});
		expect(outputItems(execution, NODE_UNDER_TEST)[0]?.json).toEqual({
			error: expect.stringMatching(
				/^In doubt whether the request to create the payable went through: .*\[item 0\]$/,
			),
			details: expect.objectContaining({
				in_doubt: true,
				hint: expect.stringMatching(
					/before you run this item again.*POST \/payable with .*"amount":100/,
				),
			}),
		});
		expect(await bench().sandbox.control.requests('createPayable')).toHaveLength(1);
	});

	test('a failure in the middle, which names what was done all the same', async () => {
		const { verifiedVendorServiceId: known, control } = bench().sandbox;
		const parameters = payable({
			payeeIdentifiedBy: 'serviceId',
			payeeServiceId: '={{ $json.payee }}',
		});
		const before = (await control.payables()).length;
		const execution = await run({
			parameters,
			items: [known, known, 'nobody', known].map((payee) => ({ amount: '1', payee })),
		});
		const created = (await control.payables()).slice(before).map(({ id }) => id);
		expect(said(execution)).toContain('[item 2]');
		expect(created.length).toBeGreaterThan(0);
		for (const id of created) expect(said(execution)).toContain(`(${id})`);
	});
});

test('user endpoints say that they need a connected user', async () => {
	const execution = await run({ parameters: { resource: 'user', operation: 'get' } });
	expect(said(execution)).toMatch(
		/choose an OAuth2 credential.* \[item 0\]\. Could not get the user: .*\(status 403\)/,
	);
});

test('an operation that creates does not run with "Retry On Fail", and sends nothing', async () => {
	const { n8n, sandbox } = bench();
	const workflow = await n8n.createWorkflow(
		workflowWithNode({
			credential,
			parameters: payable({ amount: '1' }),
			retryOnFail: { maxTries: 2, waitBetweenTries: 0 },
		}),
	);
	await sandbox.control.clearRequests();
	const execution = await n8n.runManually(workflow.id);
	expect(said(execution)).toMatch(
		/^This operation does not run with "Retry On Fail" unless each item has a unique reference \[item 0\]\. Turn it off/,
	);
	expect(await sandbox.control.requests()).toEqual([]);
});

test('an account that was never connected says so', async () => {
	const { n8n, credentialData } = bench();
	const unconnected = await n8n.createCredential(
		'Unconnected',
		'partnerPaymentsOAuth2Api',
		credentialData,
	);
	const parameters = { authentication: 'oAuth2', resource: 'user', operation: 'get' };
	const execution = await run({ parameters, with: unconnected });
	expect(said(execution)).toBe(
		'The credential is not connected to an account [item 0]. Open it and connect your account. Nothing was sent.',
	);
	expect(await bench().sandbox.control.requests()).toEqual([]);
});

test('no deposit is simulated in production, and nothing is sent', async () => {
	const production = await bench().n8n.createCredential('Production', 'partnerPaymentsApi', {
		...bench().credentialData,
		environment: 'production',
	});
	const parameters = { ...payable({ amount: '5' }), resource: 'deposit', operation: 'simulate' };
	const execution = await run({ parameters, with: production });
	expect(said(execution)).toMatch(/belongs to production, where deposits are real \[item 0\]/);
	expect(await bench().sandbox.control.requests()).toEqual([]);
});

test('no secret is in what n8n stored and logged', () => {
	const written = bench().n8n.database.executionText() + bench().n8n.log();
	expect(written.length).toBeGreaterThan(10_000);
	for (const secret of [
		String(bench().credentialData.clientSecret),
		'a-wrong-secret',
		'Bearer ',
		'eyJ',
	]) {
		expect(written).not.toContain(secret);
	}
});
