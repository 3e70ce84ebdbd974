import { applicationCredentialData } from '../../tools/sandboxCredentialData';
import {
	type Credential,
	type Execution,
	START,
	type StoredWorkflow,
	successfulItems,
	workflowWithTrigger,
} from '../../tools/n8n';
import { useBench } from './setup';
import {
	answerWithSecret,
	deliver,
	deliverSigned,
	listen,
	type Listening,
	paidEvent,
	signatureOf,
	workspace,
} from './triggered';

const bench = useBench();

const CLIENT = 'partnerPaymentsApi';
const USER = 'partnerPaymentsOAuth2Api';
const SECRET = 'whsec_of_the_account';

let credential: Credential;
/** A credential that knows the account's signing secret. */
let signing: Credential;

beforeAll(async () => {
	const { n8n, credentialData } = bench();
	credential = await n8n.createCredential('Client', CLIENT, credentialData);
	signing = await n8n.createCredential('Signing client', CLIENT, {
		...credentialData,
		webhookSigningSecret: SECRET,
	});
});

beforeEach(async () => {
	await bench().sandbox.control.clearFaults();
});

/** All executions of a workflow, once they are over. */
async function executionsOf({ id }: StoredWorkflow): Promise<Execution[]> {
	return await bench().n8n.executions.allFinished(id);
}

/** The items that the trigger gave out, of all executions together. */
const itemsOf = async (workflow: StoredWorkflow): Promise<Array<Record<string, unknown>>> =>
	(await executionsOf(workflow)).flatMap((execution) =>
		successfulItems(execution, START).map(({ json }) => json),
	);

/** A trigger that has heard of no secret at all. */
async function listenUnsigned(parameters: Record<string, unknown> = {}): Promise<Listening> {
	await answerWithSecret(bench());
	return await listen(bench(), credential, parameters);
}

const event = (change: object = {}) => paidEvent(bench().sandbox.workspaceId, change);

const subscriptionsBeside = (earlier: number) => async () =>
	(await bench().sandbox.control.subscriptions()).length - earlier;

/** Counts the subscriptions that are made from now on. */
const countSubscriptions = async () =>
	subscriptionsBeside((await bench().sandbox.control.subscriptions()).length);

describe('the subscription', () => {
	test('is made once, whatever becomes of the workflow, and anew for another workspace', async () => {
		const { n8n, sandbox } = bench();
		await sandbox.control.clearRequests();
		const made = await countSubscriptions();
		const { workflow } = await listen(bench(), credential);
		for (let round = 0; round < 5; round += 1) {
			await n8n.deactivate(workflow.id);
			await n8n.activate(workflow.id);
		}
		for (let round = 0; round < 5; round += 1) {
			await n8n.saveWorkflow({
				...workflow,
				settings: { ...workflow.settings, callerPolicy: 'any' },
			});
			await n8n.activate(workflow.id);
		}
		await n8n.restart();
		await n8n.restart();
		expect(await made()).toBe(1);

		const nodes = workflow.nodes.map((node) => ({
			...node,
			parameters: { ...node.parameters, workspaceId: workspace(sandbox.secondWorkspaceId) },
		}));
		await n8n.saveWorkflow({ ...workflow, nodes });
		await n8n.activate(workflow.id);
		expect(await made()).toBe(2);
		await n8n.saveWorkflow(workflow);
		await n8n.activate(workflow.id);
		expect(await made()).toBe(2);
		const [first, second] = (await sandbox.control.subscriptions()).slice(-2);
		expect(first).toMatchObject({ workspaceId: sandbox.workspaceId, events: ['payable.paid'] });
		expect(second).toMatchObject({ workspaceId: sandbox.secondWorkspaceId, url: first?.url });

		const requests = await sandbox.control.requests();
		expect(requests.filter(({ outsideContract }) => outsideContract)).toEqual([]);
		expect(new Set(requests.map(({ operationId }) => operationId))).toEqual(
			new Set(['requestToken', 'createWebhookSubscription']),
		);
	});

	test('is made anew for an event that it lacks, and not for one less', async () => {
		const { n8n } = bench();
		const made = await countSubscriptions();
		const { workflow } = await listen(bench(), credential);
		const choose = async (events: string[]) => {
			const nodes = workflow.nodes.map((node) => ({
				...node,
				parameters: { ...node.parameters, events },
			}));
			await n8n.saveWorkflow({ ...workflow, nodes });
			await n8n.activate(workflow.id);
		};
		await choose(['payablePaid', 'payableApproved']);
		expect(await made()).toBe(2);
		await choose(['payableApproved']);
		expect(await made()).toBe(2);
	});

	test('of a test is made once, however often one listens for a test event', async () => {
		const { n8n, sandbox } = bench();
		const made = await countSubscriptions();
		const { id } = await n8n.createWorkflow(
			workflowWithTrigger(
				{ workspaceId: workspace(sandbox.workspaceId), events: ['payablePaid'] },
				signing,
			),
		);
		for (let round = 0; round < 3; round += 1) {
			await n8n.listenForTest(id);
			await n8n.stopListening(id);
		}
		await n8n.listenForTest(id);
		expect(await made()).toBe(1);
		const url = (await sandbox.control.subscriptions()).at(-1)?.url ?? '';
		expect(url).toContain('/webhook-test/');
		expect((await deliver(url, event())).status).toBe(401);
		expect((await deliverSigned(url, event(), SECRET)).status).toBe(200);
		const modes = (await n8n.executions.allFinished(id)).map(({ mode }) => mode);
		expect(modes).toEqual(['manual']);
	});

	test('of a test takes no event away from the active workflow', async () => {
		const { n8n, sandbox } = bench();
		const { workflow, url } = await listen(bench(), signing);
		await n8n.listenForTest(workflow.id);
		const testUrl = (await sandbox.control.subscriptions()).at(-1)?.url ?? '';
		expect(testUrl).not.toBe(url);
		const body = event();
		await deliverSigned(testUrl, body, SECRET);
		await deliverSigned(url, body, SECRET);
		const modes = (await executionsOf(workflow)).map(({ mode }) => mode);
		expect(modes.sort()).toEqual(['manual', 'webhook']);
	});

	test('says what the options want it to say', async () => {
		const { sandbox } = bench();
		await sandbox.control.addFault({
			kind: 'status',
			status: 201,
			match: { operationId: 'createWebhookSubscription' },
			body: { webhook_subscription: { id: 'subscription-1' } },
		});
		await sandbox.control.clearRequests();
		await listen(bench(), credential, {
			events: ['payablePaid', 'partnerStatusChanged'],
			options: {
				subscriptionUrlKey: 'callback',
				subscriptionEventsKey: 'topics',
				subscriptionExtraFields: '{"description": "n8n", "active": true}',
			},
		});
		const [request] = await sandbox.control.requests('createWebhookSubscription');
		expect(request?.body).toEqual({
			callback: expect.stringContaining('/webhook/'),
			topics: ['partner.status_changed', 'payable.paid'],
			description: 'n8n',
			active: true,
		});
	});

	test('that the service refuses leaves the workflow inactive, with the words of the service', async () => {
		const { n8n, sandbox } = bench();
		await sandbox.control.addFault({
			kind: 'status',
			status: 422,
			times: 10,
			match: { operationId: 'createWebhookSubscription' },
			body: { error: { message: 'This address cannot be reached from here' } },
		});
		await expect(listen(bench(), credential)).rejects.toThrow(
			/This address cannot be reached from here/,
		);
		await sandbox.control.clearFaults();
		const made = await countSubscriptions();
		const { workflow } = await listen(bench(), credential);
		expect(await made()).toBe(1);
		await n8n.deactivate(workflow.id);
	});

	test('is not made over plain HTTP, and the activation says why', async () => {
		const { n8n, credentialData } = bench();
		const insecure = await n8n.createCredential('Insecure', CLIENT, {
			...credentialData,
			apiBaseUrl: 'http://api.example.com/v1',
		});
		await expect(listen(bench(), insecure)).rejects.toThrow(
			/Base URL of the credential must start with https/,
		);
	});

	test('is made with an account that was connected, and without one the activation says why', async () => {
		const { n8n, sandbox } = bench();
		const unconnected = await n8n.createCredential(
			'Unconnected',
			USER,
			applicationCredentialData(sandbox),
		);
		await expect(listen(bench(), unconnected, { authentication: 'oAuth2' })).rejects.toThrow(
			/The credential is not connected to an account/,
		);

		const connected = await n8n.createCredential('Connected', USER, {
			...applicationCredentialData(sandbox),
			oauthTokenData: {
				access_token: await sandbox.control.userToken(),
				token_type: 'Bearer',
			},
		});
		const secret = 'whsec_of_the_connected';
		await answerWithSecret(bench(), secret);
		const made = await countSubscriptions();
		const { workflow, url } = await listen(bench(), connected, { authentication: 'oAuth2' });
		expect(await made()).toBe(1);
		expect((await deliver(url, event())).status).toBe(401);
		expect((await deliverSigned(url, event(), secret)).status).toBe(200);
		expect(await itemsOf(workflow)).toMatchObject([{ event: 'payablePaid', verified: true }]);
	});
});

describe('an event', () => {
	test('starts one execution with a simple item', async () => {
		const { workflow, url } = await listenUnsigned();
		const body = event();
		expect(await deliver(url, body)).toEqual({ status: 200, data: { message: 'Received' } });
		expect(await itemsOf(workflow)).toEqual([
			{
				event: 'payablePaid',
				event_type: 'payable.paid',
				event_id: body.id,
				occurred_at: '2026-01-02T03:04:05Z',
				workspace_id: bench().sandbox.workspaceId,
				payable_id: 'payable-1',
				status: 'paid',
				payable: { id: 'payable-1', status: 'paid', amount: 1999 },
				verified: false,
			},
		]);
	});

	test('starts one execution, also when it comes twenty times at once and again after a restart', async () => {
		const { workflow, url } = await listenUnsigned();
		const body = event();
		const receipts = await Promise.all(
			Array.from({ length: 20 }, async () => await deliver(url, body)),
		);
		expect(receipts.map(({ status }) => status)).toEqual(receipts.map(() => 200));
		expect(await itemsOf(workflow)).toHaveLength(1);

		await bench().n8n.restart();
		expect((await deliver(url, { ...body, attempt: 2 })).status).toBe(200);
		expect(await itemsOf(workflow)).toHaveLength(1);
		await deliver(url, event());
		expect(await itemsOf(workflow)).toHaveLength(2);
	});

	test('without an ID starts one execution for all that it says', async () => {
		const { workflow, url } = await listenUnsigned();
		const body = event({ id: undefined });
		await deliver(url, body);
		await bench().n8n.restart();
		await deliver(url, body);
		expect(await itemsOf(workflow)).toHaveLength(1);
		await deliver(url, { ...body, created_at: '2026-01-03T00:00:00Z' });
		expect(await itemsOf(workflow)).toHaveLength(2);
	});

	test('starts one execution each, when many come at once', async () => {
		const { workflow, url } = await listenUnsigned();
		const bodies = Array.from({ length: 20 }, () => event());
		await Promise.all(bodies.map(async (body) => await deliver(url, body)));
		await bench().n8n.restart();
		await Promise.all(bodies.map(async (body) => await deliver(url, body)));
		const ids = (await itemsOf(workflow)).map((item) => item.event_id);
		expect(ids.sort()).toEqual(bodies.map(({ id }) => id).sort());
	});

	test('that was not chosen starts nothing', async () => {
		const { workflow, url } = await listenUnsigned({ events: ['payableApproved'] });
		const ignored = [
			event(),
			event({ event_type: 'payable.status_changed' }),
			event({ event_type: 'partner.status_changed', data: { partner: { id: 'partner-1' } } }),
			event({ event_type: 'payable.created' }),
			event({ event_type: 'payable.approved', workspace_id: bench().sandbox.secondWorkspaceId }),
		];
		for (const body of ignored) {
			expect(await deliver(url, body)).toMatchObject({ status: 200 });
		}
		const wanted = event({ event_type: 'payable.approved' });
		await deliver(url, wanted);
		expect(await itemsOf(workflow)).toMatchObject([{ event_id: wanted.id }]);
	});

	test('starts an execution for the chosen statuses alone', async () => {
		const { workflow, url } = await listenUnsigned({
			events: ['partnerStatusChanged'],
			options: { statuses: [' Verified ', 'rejected'] },
		});
		for (const status of ['pending', 'VERIFIED', 'unverified', 'rejected', undefined]) {
			const change = {
				event_type: 'partner.status_changed',
				data: { partner: { id: 'p', status } },
			};
			expect((await deliver(url, event(change))).status).toBe(200);
		}
		const statuses = (await itemsOf(workflow)).map(({ status }) => status);
		expect(statuses.sort()).toEqual(['VERIFIED', 'rejected']);
	});

	test('is handed on as it was sent when it is not to be simplified', async () => {
		const { workflow, url } = await listenUnsigned({ options: { simplify: false } });
		const body = event({ extra: { nested: [1, null, 'x'] } });
		await deliver(url, body);
		expect(await itemsOf(workflow)).toEqual([body]);
	});

	test.each<[envelope: string, body: () => unknown, count: number]>([
		['the default one', () => event(), 1],
		[
			'type and payload',
			() => ({ type: 'PayablePaid', payload: { id: 'payable-1', status: 'paid' } }),
			1,
		],
		['a bare payable', () => ({ id: 'payable-1', status: 'paid', amount: 1999 }), 1],
		['a list of events', () => ({ events: [event(), event(), { type: 'ping' }] }), 2],
		['a list alone', () => [event(), event()], 2],
	])('is recognised in %s', async (_, body, count) => {
		const { workflow, url } = await listenUnsigned();
		expect((await deliver(url, JSON.stringify(body()))).status).toBe(200);
		expect(await executionsOf(workflow)).toHaveLength(1);
		const items = await itemsOf(workflow);
		expect(items).toHaveLength(count);
		for (const item of items) {
			expect(item).toMatchObject({ event: 'payablePaid', payable_id: 'payable-1', status: 'paid' });
		}
	});

	test('that came in a list is not started again when it comes alone', async () => {
		const { workflow, url } = await listenUnsigned();
		const [first, second] = [event(), event()];
		await deliver(url, [first, first]);
		await deliver(url, [first, second]);
		await deliver(url, second);
		const ids = (await itemsOf(workflow)).map((item) => item.event_id);
		expect(ids.sort()).toEqual([first.id, second.id].sort());
	});

	test('with an unknown identifier starts an execution when it was assigned', async () => {
		const map = [{ kind: 'payablePaid', identifier: 'Obligation.Settled' }];
		const plain = await listenUnsigned();
		const assigned = await listenUnsigned({ options: { eventIdentifiers: { map } } });
		const body = event({ event_type: 'obligation.settled' });
		for (const { url } of [plain, assigned]) expect((await deliver(url, body)).status).toBe(200);
		expect(await executionsOf(plain.workflow)).toEqual([]);
		expect(await itemsOf(assigned.workflow)).toMatchObject([
			{ event: 'payablePaid', event_type: 'obligation.settled', event_id: body.id },
		]);
	});
});

describe('a delivery', () => {
	test('is refused when its signature is missing or wrong, and starts nothing', async () => {
		const { workflow, url } = await listen(bench(), signing);
		const body = JSON.stringify(event());
		const right = signatureOf(body, SECRET);
		const forged: Array<Record<string, string>> = [
			{},
			{ 'X-Signature': '' },
			{ 'X-Signature': signatureOf(body, 'another secret') },
			{ 'X-Signature': right.slice(0, -2) },
			{ 'X-Signature': `${right}00` },
			{ 'X-Signature': signatureOf(JSON.stringify(event()), SECRET) },
			{ 'X-Hub-Signature': right },
			{ Authorization: right },
		];
		for (const headers of forged) {
			expect(await deliver(url, body, headers)).toEqual({
				status: 401,
				data: { message: 'The signature is missing or wrong' },
			});
		}
		// Forged ones do not count as the first delivery of the event.
		expect((await deliver(url, body, { 'X-Signature': right })).status).toBe(200);
		expect(await executionsOf(workflow)).toHaveLength(1);
	});

	test.each([
		['hex', (body: string) => signatureOf(body, SECRET)],
		['base64', (body: string) => signatureOf(body, SECRET, 'base64')],
		['hex with a prefix', (body: string) => `sha256=${signatureOf(body, SECRET)}`],
		['base64 with a prefix', (body: string) => `sha256=${signatureOf(body, SECRET, 'base64')}`],
	])('is accepted with its signature in %s', async (_, sign) => {
		const { workflow, url } = await listen(bench(), signing);
		const body = JSON.stringify(event());
		expect((await deliver(url, body, { 'X-Signature': sign(body) })).status).toBe(200);
		expect(await itemsOf(workflow)).toMatchObject([{ verified: true }]);
	});

	test('is accepted with its signature in the header that was chosen, and in no other', async () => {
		const { workflow, url } = await listen(bench(), signing, {
			options: { signatureHeader: 'Acme-Signature' },
		});
		const body = JSON.stringify(event());
		const signature = signatureOf(body, SECRET);
		expect((await deliver(url, body, { 'X-Signature': signature })).status).toBe(401);
		expect((await deliver(url, body, { 'ACME-SIGNATURE': signature })).status).toBe(200);
		expect(await itemsOf(workflow)).toHaveLength(1);
	});

	test('is checked with the secret of the subscription, which is nowhere in clear', async () => {
		const { n8n, sandbox } = bench();
		const secret = 'whsec_7f3a-of-the-subscription';
		await answerWithSecret(bench(), secret);
		const { workflow, url } = await listen(bench(), credential);
		for (const headers of [{}, { 'X-Signature': signatureOf(JSON.stringify(event()), secret) }]) {
			expect((await deliver(url, event(), headers)).status).toBe(401);
		}
		expect((await deliverSigned(url, event(), secret)).status).toBe(200);
		expect(await itemsOf(workflow)).toMatchObject([{ verified: true }]);
		await n8n.restart();
		expect((await deliverSigned(url, event(), secret)).status).toBe(200);
		expect((await deliver(url, event())).status).toBe(401);

		await n8n.deactivate(workflow.id);
		expect(n8n.database.workflowText()).toContain(url);
		const stored = n8n.database.workflowText() + n8n.database.executionText() + n8n.log();
		expect(stored).not.toContain(secret);
		expect(stored).not.toContain(Buffer.from(secret).toString('base64'));
		expect(JSON.stringify(await sandbox.control.requests())).not.toContain(secret);
	});

	test('is refused when it was signed for another workspace', async () => {
		const { sandbox } = bench();
		const secrets = { one: 'whsec_one', other: 'whsec_other' };
		await answerWithSecret(bench(), secrets.one);
		const one = await listen(bench(), credential);
		await answerWithSecret(bench(), secrets.other);
		const other = await listen(bench(), credential, {
			workspaceId: workspace(sandbox.secondWorkspaceId),
		});
		expect((await deliverSigned(one.url, event(), secrets.other)).status).toBe(401);
		const elsewhere = event({ workspace_id: sandbox.secondWorkspaceId });
		expect((await deliverSigned(other.url, elsewhere, secrets.one)).status).toBe(401);
		expect((await deliverSigned(one.url, event(), secrets.one)).status).toBe(200);
		expect(await executionsOf(one.workflow)).toHaveLength(1);
		expect(await executionsOf(other.workflow)).toEqual([]);
	});

	test('is checked again after the client got another secret and the workflow was activated', async () => {
		const { n8n, sandbox } = bench();
		await answerWithSecret(bench(), 'whsec_before');
		const { workflow, url } = await listen(bench(), credential);
		const connected = await n8n.createCredential('Another client', USER, {
			...applicationCredentialData(sandbox),
			oauthTokenData: { access_token: await sandbox.control.userToken(), token_type: 'Bearer' },
		});
		const nodes = workflow.nodes.map((node) => ({
			...node,
			parameters: { ...node.parameters, authentication: 'oAuth2' },
			credentials: { [USER]: { id: connected.id, name: connected.name } },
		}));
		await answerWithSecret(bench(), 'whsec_after');
		const made = await countSubscriptions();
		await n8n.saveWorkflow({ ...workflow, nodes });
		await n8n.activate(workflow.id);
		expect(await made()).toBe(1);
		expect((await deliver(url, event())).status).toBe(401);
		expect((await deliverSigned(url, event(), 'whsec_before')).status).toBe(401);
		expect((await deliverSigned(url, event(), 'whsec_after')).status).toBe(200);
		expect(await itemsOf(workflow)).toMatchObject([{ verified: true }]);
	});

	test('is refused for its size before anything else, then for its signature, then as no JSON', async () => {
		const { workflow, url } = await listen(bench(), signing);
		const large = Buffer.alloc(1024 * 1024 + 1, 'x');
		expect((await deliver(url, large, { 'content-type': 'text/plain' })).status).toBe(413);
		const text = { 'content-type': 'text/plain' };
		expect((await deliver(url, 'no JSON', text)).status).toBe(401);
		const signature = { 'X-Signature': signatureOf('no JSON', SECRET) };
		expect(await deliver(url, 'no JSON', { ...text, ...signature })).toEqual({
			status: 400,
			data: { message: 'The body is not JSON, or too deep' },
		});
		expect(await executionsOf(workflow)).toEqual([]);
	});
});
