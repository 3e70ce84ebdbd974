import type { AxiosResponse } from 'axios';
import type { OperationId } from '../../sandbox/contract/contract';
import { operations, checkedOperations } from './contract-checks';
import { demo, SandboxFixture } from './fixture';
import { runNode, sandboxFile } from './processes';
import { isOfBuyer, payableFields, successfulRequests, type BuyerOperationId } from './requests';
import { authorizationUrl } from './visitor';

const fixture = new SandboxFixture();
const requests = successfulRequests(fixture);
const { workspaceId, secondWorkspaceId, verifiedVendorServiceId } = demo;
const text = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** An operation that answers with JSON; the other one leads to the identity provider. */
type AnsweringId = Exclude<OperationId, 'authorize'>;

/** The operations that no client of a buyer asks for. */
const others: Record<
	Exclude<AnsweringId, BuyerOperationId>,
	() => Promise<AxiosResponse<unknown>>
> = {
	requestToken: async () => {
		const { authUrl, audience } = fixture.sandbox;
		const client = { client_id: demo.clientId, client_secret: demo.clientSecret };
		const grant = { grant_type: 'client_credentials', ...client, audience };

		return await (await fixture.client(null)).post('/oauth/token', grant, { baseURL: authUrl });
	},
	getCurrentUser: async () => await (await fixture.userClient()).get('/user/current'),
	getCurrentUserWorkspaces: async () =>
		await (await fixture.userClient()).get('/user/current/workspaces'),
};

/** What each answer says, beyond what its schema demands. */
const answers: Record<AnsweringId, object> = {
	requestToken: { token_type: 'Bearer' },
	getCurrentUser: { id: demo.userId, first_name: 'Nora' },
	getCurrentUserWorkspaces: {
		data: [
			{ id: secondWorkspaceId, role: { display_name: 'Approver' } },
			{ id: workspaceId, role: { display_name: 'Admin' } },
		],
	},
	getWorkspace: {
		vendor_invite_url: text(new RegExp(`[?&]invitationId=${workspaceId}&bsp_tag=northwind$`)),
	},
	getPartner: { email: demo.verifiedVendorEmail, status: 'verified' },
	invitePartners: {
		invites: [{ payee_email: text(/@/), payee_business_name: 'Dora Films', status: 'invited' }],
	},
	getWallet: {
		balance: demo.openingBalance,
		account_number: '900100200301',
		routing_number: '990000005',
	},
	getDeposits: { deposits: [{ amount: 42, status: 'unlinked' }] },
	simulateDeposit: { deposit: { amount: 700, status: 'unlinked' } },
	createWebhookSubscription: {
		webhook_subscription: { url: 'http://localhost:9/events', events: ['payable.paid'] },
	},
	createPayable: {
		payable: {
			...payableFields,
			status: 'draft',
			funding_id: null,
			payee_service_id: verifiedVendorServiceId,
		},
	},
	approvePayable: { payable: { status: 'approved' } },
	createFunding: { funding: { status: 'funded', payable_ids: [text(/^pbl_/)] } },
	getFundingInvoicePdfUrl: { pdf_url: text(/\/documents\/invoice\/[\w-]{32}\.pdf$/) },
	linkDeposit: { funding: { status: 'funded', deposit_id: text(/^dep_/) } },
};

const answering = operations.flatMap(({ operationId, method }) =>
	operationId === 'authorize' ? [] : [{ operationId, method }],
);

async function ask(operationId: AnsweringId, method: string): Promise<AxiosResponse<unknown>> {
	if (!isOfBuyer(operationId)) {
		return await others[operationId]();
	}

	const [url, data] = await requests[operationId]();
	return await fixture.api.request<unknown>({ method, url, data });
}

describe('each operation of the contract succeeds #each-operation-succeeds', () => {
	test.each(answering)('$operationId', async ({ operationId, method }) => {
		const { status, data } = await ask(operationId, method);

		expect({ status, data }).toMatchObject({ status: 200, data: answers[operationId] });
		expect(checkedOperations.has(operationId)).toBe(true);
	});

	test('authorize, which leads to the identity provider', async () => {
		const api = await fixture.client(null);
		const { pathname, search, origin } = new URL(authorizationUrl(fixture.sandbox));

		const answer = await api.get(pathname + search, { baseURL: origin, maxRedirects: 0 });

		expect(answer.status).toBe(302);
		expect(answer.headers['location']).toMatch(/^http:\/\/localhost:\d+\/authorize\?/);
		expect(checkedOperations.has('authorize')).toBe(true);
	});
});

test('the sandbox checks its own answers and sees what breaks the contract', () => {
	const wrong = [
		{ answer: { payable: {} }, field: 'payable.id' },
		{ answer: { payable: { id: 'x', status: 'lost' } }, field: 'payable.status' },
		{ answer: { id: 'x' }, field: 'payable' },
	];

	// In a process of its own: what reads the contract there cannot be loaded by jest.
	const program = `
		const { HostContract } = require(${JSON.stringify(sandboxFile('contract/contract.ts'))});
		HostContract.load('api').then((contract) => {
			const match = contract.match('POST', '/api/payable');
			const answers = ${JSON.stringify(wrong.map(({ answer }) => answer))};
			const errors = answers.map((answer) => contract.responseErrors(match, 200, answer));
			console.log(JSON.stringify(errors.map((list) => list.map(({ field }) => field))));
		});
	`;

	const { stdout } = runNode('-e', program);

	expect(JSON.parse(stdout)).toEqual(wrong.map(({ field }) => [field]));
});
