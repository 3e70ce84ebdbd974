import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import axios from 'axios';
import { conform, ok, operations, seen, World } from './support';

const world = new World();
const workspacePath = (rest = '') => `/workspace/${world.sandbox.workspaceId}${rest}`;

/** One success of every operation. The checked client compares each answer with the contract. */
const successes: Record<string, () => Promise<unknown>> = {
	requestToken: async () => {
		const { authUrl, clientId, clientSecret, audience } = world.sandbox;
		const response = await axios.post(`${authUrl}/oauth/token`, {
			grant_type: 'client_credentials',
			client_id: clientId,
			client_secret: clientSecret,
			audience,
		});
		conform('post', '/oauth/token', response.status, response.data);
		expect(response.data).toMatchObject({ token_type: 'Bearer', expires_in: 86400 });
	},
	authorize: async () => {
		const api = await world.client(null);
		const origin = world.sandbox.apiUrl.replace(/\/api$/, '');
		const params = {
			client_id: world.sandbox.applicationId,
			redirect_uri: 'http://localhost:5678/rest/oauth2-credential/callback',
			response_type: 'code',
			state: 's',
		};
		const response = await api.get('/api/oauth/authorize', {
			baseURL: origin,
			params,
			maxRedirects: 0,
		});
		expect(response.status).toBe(302);
		expect(response.headers['location']).toMatch(`${world.sandbox.authUrl}/`);
	},
	getCurrentUser: async () => {
		const api = await world.client(await world.sandbox.control.userToken());
		expect(ok(await api.get('/user/current'))).toMatchObject({
			id: world.sandbox.userId,
			first_name: 'Nora',
		});
	},
	getCurrentUserWorkspaces: async () => {
		const api = await world.client(await world.sandbox.control.userToken());
		const { data } = ok(
			await api.get<{ data: { id: string; role: { display_name: string } }[] }>(
				'/user/current/workspaces',
			),
		);
		expect(data.map(({ id, role }) => [id, role.display_name])).toEqual([
			[world.sandbox.secondWorkspaceId, 'Approver'],
			[world.sandbox.workspaceId, 'Admin'],
		]);
	},
	getWorkspace: async () => {
		const { vendor_invite_url } = ok(
			await world.api.get<{ vendor_invite_url: string }>(workspacePath()),
		);
		const { searchParams } = new URL(vendor_invite_url);
		expect(searchParams.get('invitationId')).toBe(world.sandbox.workspaceId);
		expect(searchParams.get('bsp_tag')).toBe('northwind');
	},
	getPartner: async () => {
		const [partner] = await world.sandbox.control.partners();
		expect(ok(await world.api.get(workspacePath(`/partner/${partner?.id ?? ''}`)))).toEqual(
			partner,
		);
	},
	invitePartners: async () => {
		const invites = [
			{ payee_email: 'Dora@example.com', payee_business_name: 'Dora Films' },
			{ payee_email: 'ana@example.com' },
		];
		const answer = ok(await world.api.post(workspacePath('/partner/invite'), { invites }));
		expect(answer).toMatchObject({
			invites: [
				{ ...invites[0], status: 'invited' },
				{ ...invites[1], status: 'verified' },
			],
		});
		const mails = await world.sandbox.control.outbox();
		expect(mails.map(({ to }) => to)).toEqual(['dora@example.com', 'ana@example.com']);
	},
	getWallet: async () => {
		expect(ok(await world.api.get(workspacePath('/wallet')))).toMatchObject({
			balance: world.sandbox.openingBalance,
			account_number: '900100200301',
			routing_number: '990000005',
		});
	},
	getDeposits: async () => {
		const deposit = await world.deposit(42);
		expect(ok(await world.api.get(workspacePath('/wallet/deposit')))).toEqual({
			deposits: [deposit],
		});
	},
	simulateDeposit: async () => {
		const before = await world.balance();
		expect(await world.deposit(77)).toMatchObject({ amount: 77, status: 'unlinked' });
		expect(await world.balance()).toBe(before + 77);
	},
	createWebhookSubscription: async () => {
		const wanted = { url: 'https://example.com/hook', events: ['payable.paid'] };
		const answer = ok(await world.api.post(workspacePath('/webhook-subscription'), wanted));
		expect(answer).toMatchObject({ webhook_subscription: wanted });
		expect(await world.sandbox.control.subscriptions()).toMatchObject([
			{ ...wanted, workspaceId: world.sandbox.workspaceId },
		]);
	},
	createPayable: async () => {
		const fields = {
			amount: 1999,
			amount_denomination: 'us_cents',
			description: 'Three reels',
			due_date: '2030-01-31T00:00:00Z',
			line_items: [
				{ amount: 1000, description: 'Reels' },
				{ amount: 999, description: 'Licence' },
			],
		} as const;
		expect(await world.payable({ ...fields, line_items: [...fields.line_items] })).toMatchObject({
			...fields,
			status: 'draft',
			payee_service_id: world.sandbox.verifiedVendorServiceId,
		});
	},
	approvePayable: async () => {
		expect((await world.approved()).status).toBe('approved');
	},
	createFunding: async () => {
		const payable = await world.approved();
		expect(await world.funded([payable], { description: 'May' })).toMatchObject({
			status: 'funded',
			description: 'May',
			payable_ids: [payable.id],
		});
	},
	getFundingInvoicePdfUrl: async () => {
		const funding = await world.funded([await world.approved()], { method: 'invoice' });
		const { pdf_url } = ok(
			await world.api.get<{ pdf_url: string }>(`/funding/${funding.id}/pdf-url`),
		);
		expect(new URL(pdf_url).pathname).toMatch(/^\/documents\/invoice\/[\w-]{32}\.pdf$/);
	},
	linkDeposit: async () => {
		const funding = await world.funded([await world.approved()], { method: 'invoice' });
		const deposit = await world.deposit(funding.amount);
		expect(ok<unknown>(await world.link(funding, deposit))).toMatchObject({
			funding: { status: 'funded', deposit_id: deposit.id },
		});
	},
};

test.each(operations.map(({ operationId }) => operationId))('%s', async (operationId) => {
	await world.sandbox.control.reset();
	const succeed = successes[operationId];
	if (succeed === undefined) throw new Error(`No test drives ${operationId}.`);
	await succeed();
	expect(seen.has(operationId)).toBe(true);
});

describe('the sandbox checks its own answers', () => {
	const wrong: [what: string, answer: unknown, field: string][] = [
		['a missing id', { payable: {} }, 'payable.id'],
		['a state that does not exist', { payable: { id: 'x', status: 'lost' } }, 'payable.status'],
		['no wrapper', { id: 'x' }, 'payable'],
	];
	// In a process of its own: what reads the contract there cannot be loaded by jest.
	const program = `
		const { Boundary } = require(${JSON.stringify(join(__dirname, '..', '..', 'sandbox', 'contract.ts'))});
		Boundary.load('api').then((boundary) => {
			const match = boundary.match('POST', '/api/payable');
			const answers = ${JSON.stringify(wrong.map(([, answer]) => answer))};
			const faults = answers.map((answer) => boundary.faultsOfAnswer(match, 200, answer));
			console.log(JSON.stringify(faults.map((list) => list.map(({ field }) => field))));
		});
	`;
	test('and sees what breaks the contract', () => {
		const args = ['--import', require.resolve('tsx'), '-e', program];
		const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
		expect(JSON.parse(stdout)).toEqual(wrong.map(([, , field]) => [field]));
	});
});
