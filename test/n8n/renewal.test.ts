import { applicationCredentialData } from '../../tools/sandboxCredentialData';
import {
	NODE_UNDER_TEST,
	type StoredWorkflow,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { useFixture } from './support/fixture';
import { connectAccount } from '../../tools/n8n/account';
import { useEditor } from './support/editor';

const RUNS_AT_ONCE = 50;
const RENEWAL_MS = 3000;
const NAME = 'Nora';
const WEBHOOK = 'workspaces';

const fixture = useFixture();
const editor = useEditor(fixture);

let byHand: StoredWorkflow;
let byWebhook: StoredWorkflow;

beforeAll(async () => {
	const { n8n, sandbox } = fixture();
	await sandbox.control.addRedirectUri(n8n.callbackUrl);
	const data = applicationCredentialData(sandbox);
	const credential = await n8n.createCredential(NAME, 'partnerPaymentsOAuth2Api', data);
	await connectAccount(editor(), sandbox, NAME);

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
		for (const renewals of [1, 2, 3]) {
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
	console.log(
		`${RUNS_AT_ONCE} runs at once: ${refused} with the old token, ${renewals.length} renewal(s)`,
	);
	expect(renewals).toHaveLength(1);
});

test('a user who took access back is told to reconnect, and reconnects', async () => {
	const { sandbox } = fixture();
	await sandbox.control.revokeGrants(sandbox.userId);
	await editor().openWorkflow(byHand.id);
	const node = await editor().openNode(NODE_UNDER_TEST);
	await node.execute();
	expect(await node.error()).toEqual({
		message: `The credential "${NAME}" needs to be reconnected. [item 0]`,
		description: expect.stringMatching(/^Open the credential and connect it again\./),
	});

	await connectAccount(editor(), sandbox, NAME);
	await editor().openWorkflow(byHand.id);
	const again = await editor().openNode(NODE_UNDER_TEST);
	await again.execute();
	expect(await again.output()).toHaveLength(2);
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
