import { isDeepStrictEqual } from 'node:util';
import pWaitFor from 'p-wait-for';
import type { Page } from 'playwright-core';

import {
	byId,
	NODE_UNDER_TEST,
	nodeError,
	START,
	successfulItems,
	workflowWithNode,
	workflowWithTrigger,
} from '../../tools/n8n';
import { allow, connectAccount, signIn } from '../../tools/n8n/account';
import { type CredentialForm, Editor, type NodePanel } from '../../tools/n8n/editor';
import { payoutParameters } from '../../tools/payouts/payout';
import { applicationCredentialData } from '../../tools/sandboxCredentialData';
import { useFixture } from './support/fixture';
import { useResource } from './support/resource';
import { findInClear } from './support/secrets';
import { payVendor } from './support/trigger';

const CREDENTIAL = 'partnerPaymentsOAuth2Api';
const FORM = 'Partner Payments OAuth2 API';
const NAME = 'Nora';

const BEFORE = 'Before';
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

	test('a user who refuses comes back with an error #user-refuses', async () => {
		const { sandbox } = fixture();
		const { form, window } = await beginToConnect('Refused');
		await signIn(window, sandbox);
		await window.getByRole('button', { name: 'Refuse' }).click();

		await expectText(window, 'Failed to connect. The window can be closed now.');
		await window.getByText('More details').click();
		await expectText(window, '"error_description":"The user refused access."');
		await expectNothingConnected('Refused', form, window);
	});

	test('a state that n8n did not send is refused #foreign-state-refused', async () => {
		const { sandbox } = fixture();
		const { form, window } = await beginToConnect('Tampered');
		const sent = editor().requestedUrls.filter((url) => url.includes('/oauth/authorize?'));
		const address = new URL(sent.at(-1) ?? '');
		address.searchParams.set('state', withOtherToken(address.searchParams.get('state') ?? ''));
		await window.goto(address.href);
		await allow(window, sandbox);

		await expectText(window, 'The OAuth callback state is invalid!');
		await expectText(window, 'Failed to connect. The window can be closed now.');
		await expectNothingConnected('Tampered', form, window);
	});
});

test('before a run, the editor says how long it takes at the limit, and after it no more', async () => {
	const panel = await openWith(60);
	expect(await hints(panel)).toEqual([
		expect.stringMatching(/^Each 50 payouts take about a minute at 100 requests a minute\./),
	]);
	await panel.execute();
	await panel.output();
	expect((await hints(panel)).join()).not.toContain('payouts take');
	await panel.close();
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
	expect(made).toMatchObject([{ url: expect.stringContaining('/webhook-test/') }]);
	const modes = (await n8n.executions.allFinished(id)).map(({ mode }) => mode);
	expect(modes).toEqual(['manual', 'manual']);
});

test('no secret and no token is in a log, a URL, an error, a stored execution or on a page #no-secret-anywhere', async () => {
	const { n8n, sandbox, credentialData, createClient } = fixture();
	const { control } = sandbox;
	const secrets = new Set([
		sandbox.applicationSecret,
		String(credentialData.clientSecret),
		WRONG_SECRET,
	]);
	const remember = (tokens: unknown): void => {
		const found = Object.entries(tokens as object).filter(([name]) => /_?token$/i.test(name));
		for (const [, token] of found) secrets.add(String(token));
	};
	const rememberTokens = (): void => {
		remember(n8n.database.credential(USER).oauthTokenData);
		remember(n8n.database.credential(CLIENT));
	};
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
	if (!ofUser || !ofClient || !ofWrong) throw new Error('A workflow is missing');

	await connectAccount(editor(), sandbox, USER);
	await look();
	for (const mode of [undefined, 'rotated', 'kept'] as const) {
		if (mode !== undefined) {
			await control.setRefreshTokens(mode);
			await control.expireTokens();
		}
		for (const id of [ofUser, ofClient]) {
			expect(successfulItems(await n8n.runManually(id), NODE_UNDER_TEST)).not.toEqual([]);
		}
		rememberTokens();
	}
	expect(nodeError(await n8n.runManually(ofWrong), NODE_UNDER_TEST)).toBeDefined();
	const { status } = await n8n.testCredential('Wrong', 'partnerPaymentsApi', wrongData);
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

	// Three secrets, three access tokens of each account, and the user's three ID tokens and two
	// refresh tokens.
	expect(secrets.size).toBe(14);
	for (const secret of secrets) expect(secret.length).toBeGreaterThan(15);
	expect(findInClear(n8n, secrets)).toEqual(new Map());
	const texts = {
		requests: JSON.stringify(await control.requests()),
		addresses: editor().requestedUrls.join('\n'),
		pages: pages.join('\n'),
	};
	expect(texts).toMatchObject({
		requests: expect.stringContaining('refresh_token'),
		addresses: expect.stringContaining('/oauth/authorize?'),
		pages: expect.stringContaining('needs to be reconnected'),
	});
	const found = Object.entries(texts).filter(([, text]) =>
		[...secrets].some((secret) => text.includes(secret)),
	);
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

/** Stores a credential and presses "Connect"; returns also the window that this opens. */
async function beginToConnect(name: string): Promise<{ form: CredentialForm; window: Page }> {
	const { n8n, sandbox } = fixture();
	await n8n.createCredential(name, CREDENTIAL, applicationCredentialData(sandbox));
	await sandbox.control.clearRequests();
	const form = await editor().openCredential(name);
	return { form, window: await form.connect() };
}

/** The same state with another token in it, as an attacker would send it. */
function withOtherToken(state: string): string {
	const content = JSON.parse(Buffer.from(state, 'base64').toString()) as { token: string };
	const token = Buffer.from(content.token).reverse().toString();
	return Buffer.from(JSON.stringify({ ...content, token })).toString('base64');
}

async function expectText(window: Page, text: string): Promise<void> {
	await window.getByText(text).waitFor();
}

/** The editor says that nothing is connected, n8n has stored no token, and none was issued. */
async function expectNothingConnected(
	name: string,
	form: CredentialForm,
	window: Page,
): Promise<void> {
	const { n8n, sandbox } = fixture();
	await window.close();
	expect(await form.connection()).toBe('Connect your account to use this credential');
	expect(n8n.database.credential(name)).not.toHaveProperty('oauthTokenData');
	expect(await sandbox.control.requests('requestToken')).toEqual([]);
}

/** Opens a node whose input is known and which has not run: so many payouts. */
async function openWith(count: number): Promise<NodePanel> {
	const { n8n, sandbox, createClient } = fixture();
	const items = Array.from({ length: count }, (_, index) => ({
		reference: `INV-${count}-${index}`,
		payee: sandbox.verifiedVendorEmail,
		amount: 1,
	}));
	const parameters = payoutParameters(sandbox.workspaceId);
	const workflow = workflowWithNode({ credential: await createClient(), parameters, items });
	const { id } = await n8n.createWorkflow({
		...workflow,
		nodes: [
			...workflow.nodes,
			{
				name: BEFORE,
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [240, 0],
				parameters: {},
			},
		],
		connections: {
			[START]: { main: [[{ node: BEFORE, type: 'main', index: 0 }]] },
			[BEFORE]: { main: [[{ node: NODE_UNDER_TEST, type: 'main', index: 0 }]] },
		},
	});
	await editor().openWorkflow(id);
	const before = await editor().openNode(BEFORE);
	await before.execute();
	await before.close();
	const panel = await editor().openNode(NODE_UNDER_TEST);
	await panel.panel.getByText(`INV-${count}-0`).first().waitFor();
	return panel;
}

const hints = async (panel: NodePanel): Promise<string[]> =>
	await panel.panel.getByTestId('node-hint').allInnerTexts();

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
