import type { AxiosInstance } from 'axios';
import type { Funding } from '../../sandbox/client';
import { operations } from './contract-checks';
import { ok, errorOf, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

let other: AxiosInstance;
let user: AxiosInstance;

beforeAll(async () => {
	other = await fixture.otherClient();
	user = await fixture.client(await fixture.control.userToken());
});

beforeEach(async () => await fixture.control.reset());

describe('what belongs to another buyer does not exist #other-buyers-hidden', () => {
	const events = ['payable.paid'];
	const payable = { payee_email: 'a@example.com', amount: 5 };
	const post = async (rest: string, body: object) => await other.post(fixture.path(rest), body);
	const here = () => fixture.sandbox.workspaceId;
	const invites = [{ payee_email: 'new@example.com' }];
	const url = 'https://example.com';
	const funding = { method: 'balance', amount: 5, payable_ids: ['pbl_x'] };
	const workspaceCalls: [string, () => Promise<unknown>][] = [
		['getWorkspace', async () => await other.get(fixture.path())],
		['getWallet', async () => await other.get(fixture.path('/wallet'))],
		['getDeposits', async () => await other.get(fixture.path('/wallet/deposit'))],
		['simulateDeposit', async () => await post('/wallet/deposit', { amount: 5 })],
		['invitePartners', async () => await post('/partner/invite', { invites })],
		['createWebhookSubscription', async () => await post('/webhook-subscription', { url, events })],
		[
			'createPayable',
			async () => await other.post('/payable', { workspace_id: here(), ...payable }),
		],
		[
			'createFunding',
			async () => await other.post('/funding', { workspace_id: here(), ...funding }),
		],
	];
	test.each(workspaceCalls)('%s', async (_, request) => {
		const before = await fixture.control.state();
		expect(await request()).toMatchObject({
			status: 404,
			data: { error: { code: 'not_found' } },
		});
		expect(await fixture.control.state()).toEqual(before);
		expect(await fixture.control.outbox()).toEqual([]);
	});

	test('getPartner', async () => {
		const [partner] = await fixture.control.partners();
		const { workspaceId, otherWorkspaceId } = fixture.sandbox;
		for (const id of [workspaceId, otherWorkspaceId]) {
			const response = await other.get(`/workspace/${id}/partner/${partner?.id ?? ''}`);
			expect(errorOf(response).status).toBe(404);
		}
	});

	test('approvePayable', async () => {
		const { id } = await fixture.payable();
		expect(errorOf(await other.post(`/payable/${id}/approve`)).status).toBe(404);
		expect((await fixture.current({ id })).status).toBe('draft');
	});

	test('getFundingInvoicePdfUrl and linkDeposit', async () => {
		const { id, amount } = await fixture.funded([await fixture.approved()], { method: 'invoice' });
		const link = { deposit_id: (await fixture.deposit(amount)).id };
		expect(errorOf(await other.get(`/funding/${id}/pdf-url`)).status).toBe(404);
		expect(errorOf(await other.post(`/funding/${id}/link-deposit`, link)).status).toBe(404);
		expect((await fixture.control.fundings())[0]?.status).toBe('awaiting_deposit');
	});

	test('every endpoint is tried here, but for those of a user and of the identity provider', () => {
		const tried = [
			...workspaceCalls.map(([operationId]) => operationId),
			...['getPartner', 'approvePayable', 'getFundingInvoicePdfUrl', 'linkDeposit'],
			...['getCurrentUser', 'getCurrentUserWorkspaces', 'authorize', 'requestToken'],
		];
		expect(tried.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
	});

	test('a payable of another buyer cannot be funded', async () => {
		const { id, amount } = await fixture.approved();
		const { otherWorkspaceId: workspace_id, control } = fixture.sandbox;
		await control.deposit(workspace_id, amount);
		const wanted = { ...funding, workspace_id, amount, payable_ids: [id] };
		expect(errorOf(await other.post('/funding', wanted))).toMatchObject({
			status: 422,
			code: 'unknown_payable',
		});
	});
});

test('one buyer has several workspaces, each with its own wallet and partners', async () => {
	const { workspaceId, secondWorkspaceId } = fixture.sandbox;
	await fixture.deposit(300, secondWorkspaceId);
	expect(await fixture.balance(secondWorkspaceId)).toBe(300);
	expect(await fixture.balance(workspaceId)).toBe(fixture.sandbox.openingBalance);
	const payable = await fixture.approved({ workspace_id: secondWorkspaceId, amount: 300 });
	const funding: Funding = await fixture.funded([payable], { workspace_id: secondWorkspaceId });
	expect(funding.workspace_id).toBe(secondWorkspaceId);
	expect(await fixture.balance(secondWorkspaceId)).toBe(0);
});

describe('users', () => {
	test.each(['/user/current', '/user/current/workspaces'])(
		'client credentials are refused at the user endpoints: %s #user-endpoints-need-user',
		async (path) => {
			expect(errorOf(await fixture.api.get(path))).toMatchObject({
				status: 403,
				code: 'user_token_required',
			});
		},
	);

	test('act in the workspaces they have a role in, and in no others', async () => {
		const { workspaceId, secondWorkspaceId, otherWorkspaceId } = fixture.sandbox;
		expect((await user.get(`/workspace/${workspaceId}/wallet`)).status).toBe(200);
		expect((await user.get(`/workspace/${secondWorkspaceId}/wallet`)).status).toBe(200);
		expect((await user.get(`/workspace/${otherWorkspaceId}/wallet`)).status).toBe(404);
	});

	test('see only their own workspaces', async () => {
		const token = await fixture.control.userToken('hal@harbor.example');
		const hal = await fixture.client(token);
		expect(ok(await hal.get('/user/current'))).toMatchObject({ first_name: 'Hal' });
		expect(ok(await hal.get('/user/current/workspaces'))).toMatchObject({
			data: [{ id: fixture.sandbox.otherWorkspaceId }],
		});
	});
});

describe('a call without a good token answers 401', () => {
	const tampered = (token: string) => `${token.slice(0, -6)}AAAAAA`;
	const headers: [string, () => Promise<string | undefined>][] = [
		['no header', () => Promise.resolve(undefined)],
		['no token', () => Promise.resolve('Bearer ')],
		['another scheme', () => Promise.resolve('Basic YTpi')],
		['a token of nobody', () => Promise.resolve('Bearer abc.def.ghi')],
		['a tampered token', async () => `Bearer ${tampered(await fixture.sandbox.token())}`],
	];
	test.each(headers)('%s', async (_, authorization) => {
		const api = await fixture.client(null);
		const value = await authorization();
		const response = await api.get(fixture.path(), {
			headers: value === undefined ? {} : { authorization: value },
		});
		expect(errorOf(response)).toMatchObject({ status: 401, code: 'unauthorized' });
		expect(response.headers['www-authenticate']).toContain('Bearer');
	});

	test('comes before anything is said about the request', async () => {
		const api = await fixture.client(null);
		expect((await api.post('/payable', 'not even JSON')).status).toBe(401);
	});
});
