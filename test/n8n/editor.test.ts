import { isDeepStrictEqual } from 'node:util';
import pWaitFor from 'p-wait-for';

import {
	byId,
	NODE_UNDER_TEST,
	nodeError,
	START,
	successfulItems,
	workflowWithNode,
	workflowWithTrigger,
} from '../../tools/n8n';
import { allow, connectAccount } from '../../tools/n8n/account';
import { Editor } from '../../tools/n8n/editor';
import { applicationCredentialData } from '../../tools/sandboxCredentialData';
import { useFixture } from './support/fixture';
import { useResource } from './support/resource';
import { findInClear, knownSecrets } from './support/secrets';
import { payVendor } from './support/trigger';

const FORM = 'Partner Payments OAuth2 API';
const NAME = 'Nora';

const WRONG_SECRET = 'a-secret-that-the-service-does-not-know';
// Other test files have credentials in the same n8n.
const USER = 'User whose secrets are searched';
const CLIENT = 'Client whose secrets are searched';

const fixture = useFixture();
/** How long the editor may take until it shows what is expected. */
const TIMEOUT_MS = 60_000;
const INTERVAL_MS = 100;

const editor = useResource(
	async () => await Editor.open(fixture().n8n),
	async (opened) => {
		await opened.close();
	},
);

describe('connecting an account', () => {
	test('a user gets from an empty form to a workflow that reads their account', async () => {
		const { n8n, sandbox } = fixture();
		await sandbox.control.addRedirectUri(n8n.callbackUrl);
		const form = await editor().newCredential(FORM);
		await form.fill(typedIn());
		await form.rename(NAME);
		await allow(await form.connect(), sandbox);
		await form.connected();

		await expectToShow(() => form.connection(), 'Account connected');

		const reopened = await editor().openCredential(NAME);

		await expectToShow(() => reopened.connection(), `Connected as ${sandbox.userEmail}`);
		expect(n8n.database.credential(NAME).oauthTokenData).toMatchObject({
			access_token: expect.stringMatching(/^.{20,}$/),
			refresh_token: expect.stringMatching(/^.{20,}$/),
		});

		const action = 'Get workspaces of connected user';
		await editor().newWorkflow();
		await editor().addNode('Manual Trigger');
		await editor().addNode('Partner Payments', action);
		await editor().node.chooseCredential(NAME);
		await editor().node.close();
		await editor().executeWorkflow();
		const node = await editor().openNode(action);

		const rows = await node.output();

		expect(rows).toHaveLength(2);
		expect(rows).toContainEqual({
			id: sandbox.workspaceId,
			display_name: 'Northwind Media US',
			role: expect.stringMatching(/Admin/),
		});
		expect(rows).toContainEqual({
			id: sandbox.secondWorkspaceId,
			display_name: 'Northwind Media Studio',
			role: expect.stringMatching(/Approver/),
		});
	});
});

test('listening for a test event twice shows each event, with one subscription', async () => {
	const { n8n, sandbox, createClient } = fixture();
	const parameters = { workspaceId: byId(sandbox.workspaceId), events: ['payablePaid'] };
	const { id } = await n8n.createWorkflow(workflowWithTrigger(parameters, await createClient()));
	const before = await sandbox.control.subscriptions();
	await editor().openWorkflow(id);
	const node = await editor().openNode(START);

	for (let round = 1; round <= 2; round += 1) {
		await node.listen();
		await node.stopListening();
		await node.listen();
		const payable = await payVendor(fixture(), round * 100);

		await expectToShow(async () => {
			const rows = await node.output();
			return rows.map(({ event, payable_id, verified }) => ({ event, payable_id, verified }));
		}, [{ event: 'payablePaid', payable_id: payable, verified: 'true' }]);
	}

	const made = (await sandbox.control.subscriptions()).slice(before.length);
	const modes = (await n8n.executions.allFinished(id)).map(({ mode }) => mode);
	expect(made).toMatchObject([{ url: expect.stringContaining('/webhook-test/') }]);
	expect(modes).toEqual(['manual', 'manual']);
});

test('no secret and no token is in a log, a URL, an error, a stored execution or on a page #no-secret-anywhere', async () => {
	const { n8n, sandbox, credentialData, createClient } = fixture();
	const { control } = sandbox;
	const secrets = new Set([WRONG_SECRET]);
	const pages: string[] = [];
	const look = async (): Promise<void> => {
		pages.push(await editor().visibleText());
	};

	await control.addRedirectUri(n8n.callbackUrl);
	const user = await n8n.createCredential(
		USER,
		'partnerPaymentsOAuth2Api',
		applicationCredentialData(sandbox),
	);

	const client = await createClient({}, CLIENT);
	const wrongData = { ...credentialData, clientSecret: WRONG_SECRET };
	const wrong = await createClient(wrongData, 'Wrong');
	const asUser = { authentication: 'oAuth2', resource: 'user', operation: 'getWorkspaces' };
	const asClient = {
		resource: 'wallet',
		operation: 'get',
		workspaceId: byId(sandbox.workspaceId),
	};

	const [ofUser, ofClient, ofWrong] = await Promise.all(
		[
			{ credential: user, parameters: asUser },
			{ credential: client, parameters: asClient },
			{ credential: wrong, parameters: asClient },
		].map(async (subject) => (await n8n.createWorkflow(workflowWithNode(subject))).id),
	);

	if (!ofUser || !ofClient || !ofWrong) {
		throw new Error('A workflow is missing');
	}

	await connectAccount(editor(), sandbox, USER);
	await look();
	for (const mode of [undefined, 'rotated', 'kept'] as const) {
		if (mode !== undefined) {
			await control.setSettings({ refreshTokens: mode });
			await control.expireTokens();
		}

		for (const id of [ofUser, ofClient]) {
			expect(successfulItems(await n8n.runManually(id), NODE_UNDER_TEST)).not.toEqual([]);
		}

		for (const secret of knownSecrets(n8n)) {
			secrets.add(secret);
		}
	}

	const refused = await n8n.runManually(ofWrong);
	const { status } = await n8n.testCredential('Wrong', 'partnerPaymentsApi', wrongData);

	expect(nodeError(refused, NODE_UNDER_TEST)).toBeDefined();
	expect(status).toBe('Error');

	await control.revokeGrants();
	for (const id of [ofUser, ofWrong]) {
		await editor().openWorkflow(id);
		const node = await editor().openNode(NODE_UNDER_TEST);
		await node.execute();
		await node.error();
		await look();
	}

	await editor().openCredential(USER);
	await look();

	const texts = {
		requests: JSON.stringify(await control.requests()),
		addresses: editor().requestedUrls.join('\n'),
		pages: pages.join('\n'),
	};

	const found = Object.entries(texts).filter(([, text]) =>
		[...secrets].some((secret) => text.includes(secret)),
	);

	// Three secrets, three access tokens of each account, and the user's three ID tokens and two
	// refresh tokens.
	expect(secrets.size).toBeGreaterThanOrEqual(14);
	expect(findInClear(n8n, secrets)).toEqual(new Map());
	expect(texts).toMatchObject({
		requests: expect.stringContaining('refresh_token'),
		addresses: expect.stringContaining('/oauth/authorize?'),
		pages: expect.stringContaining('needs to be reconnected'),
	});
	expect(found.map(([source]) => source)).toEqual([]);
});

/** What a user types into the empty form of a credential; the audience may be left empty. */
function typedIn(): Record<string, string> {
	const { sandbox } = fixture();
	return {
		Environment: 'Sandbox',
		'API Base URL': sandbox.apiUrl,
		'Auth Base URL': sandbox.authUrl,
		'Client ID': sandbox.applicationId,
		'Client Secret': sandbox.applicationSecret,
	};
}

/** Expects the editor to show exactly this in the end; it shows earlier states for a moment. */
async function expectToShow<Content>(
	read: () => Promise<Content>,
	expected: Content,
): Promise<void> {
	let content: Content | undefined;
	const isShown = async (): Promise<boolean> => {
		content = await read();
		return isDeepStrictEqual(content, expected);
	};

	const timeout = { milliseconds: TIMEOUT_MS, fallback: () => undefined };

	await pWaitFor(isShown, { interval: INTERVAL_MS, timeout });

	expect(content).toEqual(expected);
}
