import {
	NODE_UNDER_TEST,
	type StoredWorkflow,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { useFixture } from './support/fixture';

const NAME = 'Account whose tokens are renewed';

const fixture = useFixture();

let byHand: StoredWorkflow;

beforeAll(async () => {
	const { n8n, connectUser } = fixture();
	const credential = await connectUser(NAME);

	const parameters = { authentication: 'oAuth2', resource: 'user', operation: 'getWorkspaces' };
	byHand = await n8n.createWorkflow(workflowWithNode({ credential, parameters }));
});

beforeEach(async () => {
	await fixture().sandbox.control.clearRequests();
});

test.each(['rotated', 'kept'] as const)(
	'an expired token is renewed by the next run, again and again, with refresh tokens that are %s #refresh-tokens-in-workflows',
	async (mode) => {
		const { sandbox } = fixture();
		await sandbox.control.setSettings({ refreshTokens: mode });
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
