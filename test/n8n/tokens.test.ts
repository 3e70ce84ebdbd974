import { randomUUID } from 'node:crypto';

import {
	byId,
	NODE_UNDER_TEST,
	nodeError,
	type StoredWorkflow,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { useFixture } from './support/fixture';

const RUNS = 5;
const RUNS_AT_ONCE = 20;
const RENEWAL_MS = 3000;
const NAME = 'Account whose tokens are renewed';
const WEBHOOK = randomUUID();

const fixture = useFixture();

let byHand: StoredWorkflow;
let byWebhook: StoredWorkflow;

beforeAll(async () => {
	const { n8n, connectUser } = fixture();
	const credential = await connectUser(NAME);

	const parameters = { authentication: 'oAuth2', resource: 'user', operation: 'getWorkspaces' };
	const subject = { credential, parameters };
	byHand = await n8n.createWorkflow(workflowWithNode(subject));
	byWebhook = await n8n.createWorkflow(workflowWithNode({ ...subject, webhookPath: WEBHOOK }));
	await n8n.activate(byWebhook.id);
});

beforeEach(async () => {
	await fixture().sandbox.control.clearRequests();
});

test.each(['rotated', 'kept'] as const)(
	'an expired token is renewed by the next run, again and again, with refresh tokens that are %s #refresh-tokens-in-workflows',
	async (mode) => {
		const { sandbox } = fixture();
		await sandbox.control.setRefreshTokens(mode);
		const before = tokens();
		for (const renewals of [1, 2]) {
			await sandbox.control.expireTokens();
			await expectWorkspaces();
			expect(await refreshRequests()).toHaveLength(renewals);
		}
		const after = tokens();
		expect(after.access_token).not.toBe(before.access_token);
		expect(after.refresh_token === before.refresh_token).toBe(mode === 'kept');
	},
);

test(`${RUNS_AT_ONCE} runs that find the token expired renew it once`, async () => {
	const { n8n, sandbox } = fixture();
	await sandbox.control.setRefreshTokens('rotated');
	await sandbox.control.expireTokens();
	// The renewal takes its time, so that many runs come with the old token meanwhile.
	const match = { operationId: 'requestToken' };
	await sandbox.control.addFault({ kind: 'latency', ms: RENEWAL_MS, match });
	const runs = await Promise.all(
		Array.from({ length: RUNS_AT_ONCE }, async () =>
			n8n.client.callWebhook(WEBHOOK, { items: [{}] }),
		),
	);

	for (const { status, data } of runs) {
		expect({ status, data }).toEqual({ status: 200, data: [expect.anything(), expect.anything()] });
	}
	const calls = await sandbox.control.requests('getCurrentUserWorkspaces');
	const refused = calls.filter(({ status }) => status === 401).length;
	const renewals = await refreshRequests();
	expect(refused).toBeGreaterThan(1);
	expect(renewals).toHaveLength(1);
});

test('a user who took access back reads that the credential needs to be reconnected', async () => {
	const { n8n, sandbox } = fixture();
	await sandbox.control.revokeGrants(sandbox.userId);
	const error = nodeError(await n8n.runManually(byHand.id), NODE_UNDER_TEST);
	expect(error?.message).toContain(NAME);
	expect(error?.message).toContain('reconnected');
});

test(`one token serves ${RUNS} runs at the same time, and one more after it expired`, async () => {
	const { n8n, sandbox, createClient } = fixture();
	const workspaceId = byId(sandbox.workspaceId);
	const parameters = { resource: 'wallet', operation: 'get', workspaceId };
	const credential = await createClient();
	const { id } = await n8n.createWorkflow(workflowWithNode({ credential, parameters }));
	for (const tokens of [1, 2]) {
		const runs = Array.from({ length: RUNS }, async () => await n8n.runManually(id));
		for (const execution of await Promise.all(runs))
			expect(successfulItems(execution, NODE_UNDER_TEST)).toHaveLength(1);
		expect(await sandbox.control.requests('requestToken')).toHaveLength(tokens);
		await sandbox.control.expireTokens();
	}
});

/** Runs the workflow without a user. */
async function expectWorkspaces(): Promise<void> {
	const execution = await fixture().n8n.runManually(byHand.id);
	expect(successfulItems(execution, NODE_UNDER_TEST)).toHaveLength(2);
}

async function refreshRequests() {
	const requests = await fixture().sandbox.control.requests('requestToken');
	return requests.filter(({ body }) => JSON.stringify(body).includes('"refresh_token"'));
}

/** The tokens that n8n now holds. */
function tokens() {
	const { oauthTokenData } = fixture().n8n.database.credential(NAME);
	return oauthTokenData as Record<'access_token' | 'refresh_token', string>;
}
