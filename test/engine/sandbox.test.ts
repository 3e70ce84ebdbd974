import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/client';
import { sandboxCredentialData } from '../../tools/sandboxCredentialData';
import { startSandbox } from '../support/sandbox';
import type { StoredCredentials } from './credentials';
import type { ExecutionOptions, ExecutionResult } from './engine';
import { byId, execute } from './support';

let sandbox: Sandbox;
let credentials: StoredCredentials;

beforeAll(async () => {
	sandbox = await startSandbox({ requestsPerMinute: 10_000 });
});
afterAll(async () => {
	await sandbox.stop();
});
beforeEach(async () => {
	await sandbox.control.reset();
	credentials = sandboxCredentialData(sandbox);
});

async function executeOperation(
	operation: string,
	parameters: INodeParameters,
	changes: Partial<ExecutionOptions> = {},
): Promise<ExecutionResult> {
	const [resource = '', name = ''] = operation.split('.');
	const common = { authentication: 'clientCredentials', resource, operation: name };
	return await execute({ parameters: { ...common, ...parameters }, credentials, ...changes });
}

/** The items of an execution that must not fail. */
async function jsonOf(...args: Parameters<typeof executeOperation>): Promise<IDataObject[]> {
	const { items, error } = await executeOperation(...args);
	expect(error).toBeUndefined();
	return items.map(({ json }) => json);
}

/** A text that an item must have. */
function textOf(item: IDataObject | undefined, name: string): string {
	const value = item?.[name];
	if (typeof value !== 'string') throw new Error(`The item has no ${name}`);
	return value;
}

const workspaceId = () => byId(sandbox.workspaceId);
const forAna = (changes: INodeParameters = {}): INodeParameters => ({
	workspaceId: workspaceId(),
	payeeEmail: sandbox.verifiedVendorEmail,
	amount: '19.99',
	amountUnit: 'major',
	...changes,
});

/** Payables that are approved, as their `create` put them out. */
async function approvedPayables(count: number): Promise<IDataObject[]> {
	const items = Array.from({ length: count }, () => ({}));
	const payables = await jsonOf('payable.create', forAna(), { items });
	await jsonOf('payable.approve', { payableId: '={{ $json.id }}' }, { items: payables });
	return payables;
}

test('a payable is created, approved and paid from the balance', async () => {
	const [payable] = await jsonOf('payable.create', forAna({ payableDescription: 'Video edit' }));
	expect(payable).toMatchObject({ status: 'draft', amount: 1999, description: 'Video edit' });
	const items = [{ ...payable }];
	const [approved] = await jsonOf('payable.approve', { payableId: '={{ $json.id }}' }, { items });
	expect(approved).toMatchObject({ id: payable?.id });

	const [funding] = await jsonOf(
		'funding.create',
		{ workspaceId: workspaceId(), payableIds: '={{ $json.id }}', amount: '={{ $json.amount }}' },
		{ items },
	);
	expect(funding).toMatchObject({ amount: 1999, payable_ids: [payable?.id] });
	expect((await sandbox.control.payables()).map(({ status }) => status)).toEqual(['paid']);
	const [wallet] = await jsonOf('wallet.get', { workspaceId: workspaceId() });
	expect(wallet).toMatchObject({ balance: sandbox.openingBalance - 1999 });
	expect((await sandbox.control.ledger()).sum).toBe(0);
});

test('an invoice is downloaded, and paid by a deposit', async () => {
	const payables = await approvedPayables(2);
	const [funding] = await jsonOf(
		'funding.create',
		{
			workspaceId: workspaceId(),
			method: 'invoice',
			payableIds: '={{ $json.id }}',
			combineItems: true,
			amount: '',
			poNumber: 'PO-1',
		},
		{ items: payables },
	);
	expect(funding).toMatchObject({ amount: 3998 });
	const fundingId = textOf(funding, 'id');

	const { items } = await executeOperation('funding.getInvoicePdf', { fundingId, download: true });
	expect(Buffer.from(items[0]?.binary?.data?.data ?? '', 'base64').toString('latin1')).toMatch(
		/^%PDF-/,
	);

	await jsonOf('deposit.simulate', { workspaceId: workspaceId(), amount: '3998' });
	const [deposit] = await jsonOf('deposit.getAll', { workspaceId: workspaceId() });
	expect(deposit).toMatchObject({ amount: 3998 });
	const depositId = textOf(deposit, 'id');
	const [linked] = await jsonOf('funding.linkDeposit', { fundingId, depositId });
	expect(linked).toMatchObject({ id: fundingId, deposit_id: depositId });
	const statuses = (await sandbox.control.payables()).map(({ status }) => status);
	expect(statuses).toEqual(['paid', 'paid']);
});

test('a vendor is invited, by mail and by link', async () => {
	const payeeEmail = 'dora@example.com';
	await jsonOf('partner.invite', { workspaceId: workspaceId(), payeeEmail });
	expect(await sandbox.control.outbox()).toEqual([expect.objectContaining({ to: payeeEmail })]);
	const [partner] = (await sandbox.control.partners()).slice(-1);
	const [found] = await jsonOf('partner.get', {
		workspaceId: workspaceId(),
		partnerId: partner?.id ?? '',
	});
	expect(found).toMatchObject({ id: partner?.id, status: partner?.status });

	const [link] = await jsonOf('workspace.getInviteLink', { workspaceId: workspaceId() });
	const [workspace] = await jsonOf('workspace.get', {
		workspaceId: { __rl: true, mode: 'url', value: textOf(link, 'vendor_invite_url') },
	});
	expect(workspace).toMatchObject({
		id: sandbox.workspaceId,
		vendor_invite_url: link?.vendor_invite_url,
	});
});

test('an address is subscribed to events', async () => {
	const [subscription] = await jsonOf('webhookSubscription.create', {
		workspaceId: workspaceId(),
		url: 'https://hooks.example.com/payments',
		events: ['payablePaid'],
	});
	expect(subscription).toMatchObject({ events: ['payable.paid'] });
	expect(await sandbox.control.subscriptions()).toHaveLength(1);
});

test('a connected user sees themselves and their workspaces', async () => {
	const token = { access_token: await sandbox.control.userToken(), token_type: 'Bearer' };
	const user = {
		credentials: { ...credentials, grantType: 'authorizationCode', oauthTokenData: token },
	};
	const [found] = await jsonOf('user.get', { authentication: 'oAuth2' }, user);
	expect(found).toMatchObject({ id: sandbox.userId, first_name: 'Nora' });
	// The sandbox lists them by name.
	const workspaces = await jsonOf('user.getWorkspaces', { authentication: 'oAuth2' }, user);
	expect(workspaces.map(({ id }) => id)).toEqual([sandbox.secondWorkspaceId, sandbox.workspaceId]);
});

test('client credentials are told to use OAuth2 where a user is needed', async () => {
	const { error } = await executeOperation('user.get', {});
	expect(error?.message).toMatch(/choose an OAuth2 credential.* \[item 0\]$/);
	expect(error?.description).toMatch(/^Could not get the user: .*\(status 403\)$/);
});

test('200 payables in 5 executions at once need one token', async () => {
	await sandbox.control.expireTokens();
	const items = Array.from({ length: 40 }, () => ({}));
	const executions = Array.from({ length: 5 }, () =>
		jsonOf('payable.create', forAna(), { items, credentials: { ...credentials } }),
	);
	expect((await Promise.all(executions)).flat()).toHaveLength(200);
	expect(await sandbox.control.payables()).toHaveLength(200);
	expect(await sandbox.control.requests('requestToken')).toHaveLength(1);
});

test('a token that expired is renewed, and nothing is sent twice', async () => {
	await jsonOf('payable.create', forAna());
	await sandbox.control.expireTokens();
	await jsonOf('payable.create', forAna());
	expect(await sandbox.control.payables()).toHaveLength(2);
	const sent = await sandbox.control.requests('createPayable');
	expect(sent.map(({ status }) => status)).toEqual([expect.any(Number), 401, expect.any(Number)]);
});

test.each([
	['cut_before' as const, 0],
	['cut_after' as const, 1],
])('a funding whose connection is %s is in doubt and not repeated', async (kind, fundings) => {
	const [payable] = await approvedPayables(1);
	await sandbox.control.addFault({ kind, match: { operationId: 'createFunding' } });
	const { items } = await executeOperation(
		'funding.create',
		{ workspaceId: workspaceId(), payableIds: textOf(payable, 'id'), amount: '1999' },
		{ onError: 'continueRegularOutput' },
	);
	expect(items[0]?.json).toMatchObject({ details: { in_doubt: true } });
	expect(await sandbox.control.fundings()).toHaveLength(fundings);
	expect(await sandbox.control.requests('createFunding')).toHaveLength(1);
});

test.each([
	[
		'an unknown workspace',
		'wallet.get',
		{ workspaceId: byId('99999999-9999-4999-8999-999999999999') },
	],
	['an unknown payable', 'payable.approve', { payableId: 'pay_none' }],
	['an unknown funding', 'funding.getInvoicePdf', { fundingId: 'fnd_none' }],
])('%s is refused, and the error quotes the service', async (_, operation, parameters) => {
	const { error } = await executeOperation(operation, parameters);
	expect(error?.message).toMatch(
		/^Could not .* the service answered ".+" \(status 404\) \[item 0\]$/,
	);
});

test('more than the balance is refused, and nothing is paid', async () => {
	const [payable] = await jsonOf('payable.create', forAna({ amount: '9999.99' }));
	const payableId = textOf(payable, 'id');
	await jsonOf('payable.approve', { payableId });
	const { error } = await executeOperation('funding.create', {
		workspaceId: workspaceId(),
		payableIds: payableId,
		amount: '999999',
	});
	expect(error?.message).toMatch(/^Could not create the funding: .*\(status 4\d\d\) \[item 0\]$/);
	expect(await sandbox.control.fundings()).toEqual([]);
});
