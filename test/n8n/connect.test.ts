import type { Page } from 'playwright-core';

import { applicationCredentialData } from '../../tools/sandboxCredentialData';
import { NODE_UNDER_TEST, workflowWithNode } from '../../tools/n8n';
import type { CredentialForm, NodePanel } from '../../tools/n8n/editor';
import { useFixture } from './support/fixture';
import { allow, signIn } from '../../tools/n8n/account';
import { expectToShow, useEditor } from './support/editor';

const CREDENTIAL = 'partnerPaymentsOAuth2Api';
const FORM = 'Partner Payments OAuth2 API';
const NAME = 'Nora';

const fixture = useFixture();
const editor = useEditor(fixture);

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

describe('the Workspace field', () => {
	test('offers the workspaces of the connected user, and finds them while the user types', async () => {
		const { sandbox } = fixture();
		const node = await openWalletNode();
		await node.chooseCredential(NAME);
		expect((await node.openList('Workspace')).sort()).toEqual([
			'Northwind Media Studio (Approver)',
			'Northwind Media US (Admin)',
		]);
		expect(await node.searchList('nobody')).toEqual(['No results']);
		expect(await node.searchList('stud')).toEqual(['Northwind Media Studio (Approver)']);
		await node.pick('Northwind Media Studio (Approver)');
		await expectToShow(() => node.value('Workspace'), 'Northwind Media Studio (Approver)');

		await sandbox.control.clearRequests();
		await node.execute();
		expect(await node.output()).toHaveLength(1);
		const [request] = await sandbox.control.requests('getWallet');
		expect(request?.path).toContain(sandbox.secondWorkspaceId);
	});
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

/** Opens a node and sets it to read the wallet of a workspace. */
async function openWalletNode(): Promise<NodePanel> {
	const { id } = await fixture().n8n.createWorkflow(workflowWithNode({ parameters: {} }));
	await editor().openWorkflow(id);
	const node = await editor().openNode(NODE_UNDER_TEST);
	await node.choose('Resource', 'Wallet');
	return node;
}
