import { checkResponse, operations, checkedOperations } from './contract-checks';
import { demo, http, ok, SandboxFixture } from './fixture';
import { runNode, sandboxFile } from './processes';
import { authorizationUrl } from './visitor';

const fixture = new SandboxFixture();
const { workspaceId, secondWorkspaceId } = demo;

/** One success of every operation. The checked client compares each answer with the contract. */
const successes: Record<string, () => Promise<unknown>> = {
	requestToken: async () => {
		const { authUrl, audience } = fixture.sandbox;
		const client = { client_id: demo.clientId, client_secret: demo.clientSecret };
		const grant = { grant_type: 'client_credentials', ...client, audience };
		const response = await http.post<unknown>(`${authUrl}/oauth/token`, grant);
		checkResponse('post', '/oauth/token', response.status, response.data);
	},
	authorize: async () => {
		const api = await fixture.client(null);
		const { pathname: url, search, origin: baseURL } = new URL(authorizationUrl(fixture.sandbox));
		const response = await api.get(url + search, { baseURL, maxRedirects: 0 });
		expect(response.status).toBe(302);
		expect(response.headers['location']).toMatch(`${fixture.sandbox.authUrl}/`);
	},
	getCurrentUser: async () => {
		const api = await fixture.userClient();
		const user = { id: demo.userId, first_name: 'Nora' };
		expect(ok(await api.get('/user/current'))).toMatchObject(user);
	},
	getCurrentUserWorkspaces: async () => {
		const api = await fixture.userClient();
		expect(ok(await api.get('/user/current/workspaces'))).toMatchObject({
			data: [
				{ id: secondWorkspaceId, role: { display_name: 'Approver' } },
				{ id: workspaceId, role: { display_name: 'Admin' } },
			],
		});
	},
	getWorkspace: async () => {
		const response = await fixture.api.get<{ vendor_invite_url: string }>(fixture.path());
		const { searchParams } = new URL(ok(response).vendor_invite_url);
		expect(searchParams.get('invitationId')).toBe(workspaceId);
		expect(searchParams.get('bsp_tag')).toBe('northwind');
	},
	getPartner: async () => {
		const [partner] = await fixture.control.partners();
		const path = fixture.path(`/partner/${partner?.id ?? ''}`);
		expect(ok(await fixture.api.get(path))).toEqual(partner);
	},
	invitePartners: async () => {
		const dora = { payee_email: 'Dora@example.com', payee_business_name: 'Dora Films' };
		const ana = { payee_email: 'ana@example.com' };
		const body = { invites: [dora, ana] };
		const answer = ok(await fixture.api.post(fixture.path('/partner/invite'), body));
		expect(answer).toMatchObject({
			invites: [
				{ ...dora, status: 'invited' },
				{ ...ana, status: 'verified' },
			],
		});
		const mails = await fixture.control.outbox();
		expect(mails.map(({ to }) => to)).toEqual(['dora@example.com', 'ana@example.com']);
	},
	getWallet: async () => {
		expect(ok(await fixture.api.get(fixture.path('/wallet')))).toMatchObject({
			balance: demo.openingBalance,
			account_number: '900100200301',
			routing_number: '990000005',
		});
	},
	getDeposits: async () => {
		const deposits = [await fixture.deposit(42)];
		expect(ok(await fixture.api.get(fixture.path('/wallet/deposit')))).toEqual({ deposits });
	},
	simulateDeposit: async () => {
		const before = await fixture.balance();
		expect(await fixture.deposit(77)).toMatchObject({ amount: 77, status: 'unlinked' });
		expect(await fixture.balance()).toBe(before + 77);
	},
	createWebhookSubscription: async () => {
		const wanted = { url: 'https://example.com/hook', events: ['payable.paid'] };
		const answer = ok(await fixture.api.post(fixture.path('/webhook-subscription'), wanted));
		expect(answer).toMatchObject({ webhook_subscription: wanted });
		expect(await fixture.control.subscriptions()).toMatchObject([{ ...wanted, workspaceId }]);
	},
	createPayable: async () => {
		const fields = {
			amount: 1999,
			amount_denomination: 'us_cents' as const,
			description: 'Three reels',
			due_date: '2030-01-31T00:00:00Z',
			line_items: [
				{ amount: 1000, description: 'Reels' },
				{ amount: 999, description: 'Licence' },
			],
		};
		expect(await fixture.payable(fields)).toMatchObject({
			...fields,
			status: 'draft',
			funding_id: null,
			payee_service_id: demo.verifiedVendorServiceId,
		});
	},
	approvePayable: async () => {
		expect((await fixture.approved()).status).toBe('approved');
	},
	createFunding: async () => {
		const payable = await fixture.approved();
		expect(await fixture.funded([payable], { description: 'May' })).toMatchObject({
			status: 'funded',
			description: 'May',
			payable_ids: [payable.id],
		});
	},
	getFundingInvoicePdfUrl: async () => {
		const { id } = await fixture.invoice();
		const response = await fixture.api.get<{ pdf_url: string }>(`/funding/${id}/pdf-url`);
		const { pathname } = new URL(ok(response).pdf_url);
		expect(pathname).toMatch(/^\/documents\/invoice\/[\w-]{32}\.pdf$/);
	},
	linkDeposit: async () => {
		const funding = await fixture.invoice();
		const deposit = await fixture.deposit(funding.amount);
		expect(ok<unknown>(await fixture.link(funding, deposit))).toMatchObject({
			funding: { status: 'funded', deposit_id: deposit.id },
		});
	},
};

test.each(operations)('$operationId #each-operation-succeeds', async ({ operationId }) => {
	const succeed = successes[operationId];
	if (succeed === undefined) throw new Error(`No test drives ${operationId}.`);
	await succeed();
	expect(checkedOperations.has(operationId)).toBe(true);
});

test('the sandbox checks its own answers and sees what breaks the contract', () => {
	const wrong: [answer: unknown, field: string][] = [
		[{ payable: {} }, 'payable.id'],
		[{ payable: { id: 'x', status: 'lost' } }, 'payable.status'],
		[{ id: 'x' }, 'payable'],
	];
	// In a process of its own: what reads the contract there cannot be loaded by jest.
	const program = `
		const { HostContract } = require(${JSON.stringify(sandboxFile('contract/contract.ts'))});
		HostContract.load('api').then((contract) => {
			const match = contract.match('POST', '/api/payable');
			const answers = ${JSON.stringify(wrong.map(([answer]) => answer))};
			const errors = answers.map((answer) => contract.responseErrors(match, 200, answer));
			console.log(JSON.stringify(errors.map((list) => list.map(({ field }) => field))));
		});
	`;
	const { stdout } = runNode('-e', program);
	expect(JSON.parse(stdout)).toEqual(wrong.map(([, field]) => [field]));
});
