import {
	byId,
	type Credential,
	type Execution,
	NODE_UNDER_TEST,
	nodeError,
	type NodeSetup,
	outputItems,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { useFixture } from './support/fixture';

const fixture = useFixture();
let credential: Credential;

beforeAll(async () => {
	credential = await fixture().createClient();
});
afterEach(async () => {
	await fixture().sandbox.control.clearFaults();
});

/** Runs one node by hand, by default with a credential that works. */
async function run(setup: NodeSetup): Promise<Execution> {
	const { n8n, sandbox } = fixture();
	const workflow = await n8n.createWorkflow(workflowWithNode({ credential, ...setup }));
	await sandbox.control.clearRequests();
	return await n8n.runManually(workflow.id);
}

/** The parameters that create a payable of each item's amount in major units. */
const payable = () => ({
	resource: 'payable',
	operation: 'create',
	workspaceId: byId(fixture().sandbox.workspaceId),
	payeeEmail: 'ana@example.com',
	amount: '={{ $json.amount }}',
	amountUnit: 'major',
});

/** The error of a run that must fail, as the user reads it. */
function errorText(execution: Execution): string {
	const error = nodeError(execution, NODE_UNDER_TEST);
	if (error === undefined) throw new Error('The node did not fail');
	return `${error.message}. ${error.description ?? ''}`;
}

const wallet = () => ({
	resource: 'wallet',
	operation: 'get',
	workspaceId: byId(fixture().sandbox.workspaceId),
});

test('an unreachable host is named, with the item, where n8n has a text of its own', async () => {
	const credential = await fixture().createClient({ apiBaseUrl: 'http://localhost:9' });
	const execution = await run({ parameters: wallet(), credential });
	expect(errorText(execution)).toMatch(/localhost:9 .*\[item 0\]\. Check the API Base URL/);
});

test('an operation that needs a user says so', async () => {
	const execution = await run({ parameters: { resource: 'user', operation: 'get' } });
	expect(errorText(execution)).toMatch(/OAuth2 credential.*\[item 0\].*\(status 403\)/);
});

test('an account that was never connected says so, and nothing is sent', async () => {
	const unconnected = await fixture().createUser({ oauthTokenData: undefined });
	const parameters = { authentication: 'oAuth2', resource: 'user', operation: 'get' };
	const execution = await run({ parameters, credential: unconnected });
	expect(errorText(execution)).toMatch(/not connected to an account \[item 0\]/);
	expect(await fixture().sandbox.control.requests()).toEqual([]);
});

test('too many requests fail nothing where waiting helps #too-many-requests', async () => {
	const match = { operationId: 'createPayable' };
	await fixture().sandbox.control.addFault({ match, kind: 'status', status: 429 });
	const execution = await run({ parameters: payable(), items: [{ amount: '1' }] });
	expect(successfulItems(execution, NODE_UNDER_TEST)).toHaveLength(1);
	const requests = await fixture().sandbox.control.requests('createPayable');
	expect(requests.map(({ status }) => status)).toEqual([429, 200]);
});

test('a connection cut after the effect leaves a payable in doubt #creation-in-doubt', async () => {
	const match = { operationId: 'createPayable' };
	await fixture().sandbox.control.addFault({ match, kind: 'cut_after' });
	const onError = 'continueRegularOutput';
	const execution = await run({ parameters: payable(), items: [{ amount: '1' }], onError });
	expect(outputItems(execution, NODE_UNDER_TEST)[0]?.json).toEqual({
		error: expect.stringContaining('[item 0]'),
		details: expect.objectContaining({
			unconfirmed: true,
			hint: expect.stringContaining('"amount":100'),
		}),
	});
	expect(await fixture().sandbox.control.requests('createPayable')).toHaveLength(1);
});

describe('one bad item among good ones', () => {
	const items = [{ amount: '1' }, { amount: 'x' }, { amount: '3' }];

	test('becomes an item with its error when the node continues', async () => {
		const execution = await run({ parameters: payable(), items, onError: 'continueRegularOutput' });
		const out = outputItems(execution, NODE_UNDER_TEST);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(out.map(({ json }) => json.amount)).toEqual([100, undefined, 300]);
		expect(out[1]?.json).toMatchObject({
			error: expect.stringContaining('[item 1]'),
			details: { unconfirmed: false },
		});
	});

	test('goes to the error output when the node has one', async () => {
		const execution = await run({ parameters: payable(), items, onError: 'continueErrorOutput' });
		const amounts = (output: number): unknown[] =>
			outputItems(execution, NODE_UNDER_TEST, output).map(({ json }) => json.amount);
		expect(amounts(0)).toEqual([100, 300]);
		expect(amounts(1)).toEqual(['x']);
	});
});

test('an operation that creates does not run with "Retry On Fail", and sends nothing', async () => {
	const retryOnFail = { maxTries: 2, waitBetweenTries: 0 };
	const items = [{ amount: '1' }];
	const execution = await run({ parameters: payable(), items, retryOnFail });
	expect(errorText(execution)).toContain('Retry On Fail');
	expect(await fixture().sandbox.control.requests()).toEqual([]);
});
