import type { AxiosInstance, AxiosResponse } from 'axios';
import type { Funding } from '../../sandbox/client';
import { operations } from './contract-checks';
import { errorOf, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

let other: AxiosInstance;
let user: AxiosInstance;

beforeAll(async () => {
	other = await fixture.otherClient();
	user = await fixture.client(await fixture.control.userToken());
});

describe('what belongs to another buyer does not exist #other-buyers-hidden', () => {
	const invites = [{ payee_email: 'new@example.com' }];
	const subscription = { url: 'https://example.com', events: ['payable.paid'] };
	const payable = { payee_email: 'a@example.com', amount: 5 };
	const funding = { method: 'balance', amount: 5, payable_ids: ['pbl_x'] };
	const get = async (rest: string) => await other.get(fixture.path(rest));
	const post = async (rest: string, body: object) => await other.post(fixture.path(rest), body);
	const create = async (path: string, fields: object) =>
		await other.post(path, { workspace_id: fixture.sandbox.workspaceId, ...fields });

	/** A partner, a draft, an open invoice and the deposit for it; answers their IDs. */
	const prepare = async () => {
		const { id: draft } = await fixture.payable();
		const approved = await fixture.approved();
		const { id: invoice } = await fixture.funded([approved], { method: 'invoice' });
		const { id: deposit_id } = await fixture.deposit(approved.amount);
		const [partner] = await fixture.control.partners();
		return { draft, invoice, deposit_id, partner: partner?.id ?? '' };
	};
	type Prepared = Awaited<ReturnType<typeof prepare>>;
	const calls: Record<string, (prepared: Prepared) => Promise<AxiosResponse>> = {
		getWorkspace: async () => await get(''),
		getWallet: async () => await get('/wallet'),
		getDeposits: async () => await get('/wallet/deposit'),
		getPartner: async ({ partner }) => await get(`/partner/${partner}`),
		simulateDeposit: async () => await post('/wallet/deposit', { amount: 5 }),
		invitePartners: async () => await post('/partner/invite', { invites }),
		createWebhookSubscription: async () => await post('/webhook-subscription', subscription),
		createPayable: async () => await create('/payable', payable),
		createFunding: async () => await create('/funding', funding),
		approvePayable: async ({ draft }) => await other.post(`/payable/${draft}/approve`),
		getFundingInvoicePdfUrl: async ({ invoice }) => await other.get(`/funding/${invoice}/pdf-url`),
		linkDeposit: async ({ invoice, deposit_id }) =>
			await other.post(`/funding/${invoice}/link-deposit`, { deposit_id }),
	};
	const ofNobody = ['getCurrentUser', 'getCurrentUserWorkspaces', 'authorize', 'requestToken'];
	const ofBuyers = operations.filter(({ operationId }) => !ofNobody.includes(operationId));
	test.each(ofBuyers.map(({ operationId }) => operationId))('%s', async (operationId) => {
		const call = calls[operationId];
		if (call === undefined) throw new Error(`No test asks ${operationId} as another buyer.`);
		const prepared = await prepare();
		const before = await fixture.control.state();
		expect(errorOf(await call(prepared))).toMatchObject({ status: 404, code: 'not_found' });
		expect(await fixture.control.state()).toEqual(before);
		expect(await fixture.control.outbox()).toEqual([]);
	});

	test('also from their own workspace', async () => {
		const { otherWorkspaceId: workspace_id, control } = fixture.sandbox;
		const { partner } = await prepare();
		const found = await other.get(`/workspace/${workspace_id}/partner/${partner}`);
		expect(errorOf(found).status).toBe(404);
		const { id, amount } = await fixture.approved();
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
