import { randomUUID } from 'node:crypto';
import type { AxiosInstance } from 'axios';
import { SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

beforeEach(async () => await fixture.sandbox.control.reset());

/** Statuses after which nobody can know from the answer alone whether the request took effect. */
const statuses = [299, 300, 302, 303, 304, 307, 308, 408, 409, 425, 499, 500, 502, 503, 504, 599];

const createFunding = async () => ({
	path: '/funding',
	body: {
		workspace_id: fixture.sandbox.workspaceId,
		method: 'balance',
		amount: 1000,
		payable_ids: [(await fixture.approved()).id],
	},
});

/** Every operation that changes something: each prepares a request that will take effect. */
const operations: Record<string, () => Promise<{ path: string; body: object }>> = {
	createPayable: async () =>
		await Promise.resolve({
			path: '/payable',
			body: {
				workspace_id: fixture.sandbox.workspaceId,
				payee_email: fixture.sandbox.verifiedVendorEmail,
				amount: 1000,
			},
		}),
	approvePayable: async () => ({
		path: `/payable/${(await fixture.payable()).id}/approve`,
		body: {},
	}),
	createFunding,
	linkDeposit: async () => {
		const funding = await fixture.funded([await fixture.approved()], { method: 'invoice' });
		const deposit = await fixture.deposit(1000);
		return { path: `/funding/${funding.id}/link-deposit`, body: { deposit_id: deposit.id } };
	},
	invitePartners: async () =>
		await Promise.resolve({
			path: `/workspace/${fixture.sandbox.workspaceId}/partner/invite`,
			body: { invites: [{ payee_email: `${randomUUID()}@example.com` }] },
		}),
	simulateDeposit: async () =>
		await Promise.resolve({
			path: `/workspace/${fixture.sandbox.workspaceId}/wallet/deposit`,
			body: { amount: 700 },
		}),
	createWebhookSubscription: async () =>
		await Promise.resolve({
			path: `/workspace/${fixture.sandbox.workspaceId}/webhook-subscription`,
			body: { url: 'http://localhost:9/events', events: ['payable.paid'] },
		}),
};

/** A client of the API that shows redirects, and checks no answer against the contract. */
const client = async (): Promise<AxiosInstance> => {
	const api = await fixture.sandbox.api();
	api.defaults.maxRedirects = 0;
	return api;
};

describe('a status after the commit', () => {
	test.each(Object.entries(operations))('of %s', async (operationId, prepare) => {
		const { control } = fixture.sandbox;
		const api = await client();
		for (const status of statuses) {
			const { path, body } = await prepare();
			const before = await control.state();
			await control.clearRequests();
			await control.addFault({ kind: 'status', status, after: true, match: { operationId } });
			expect((await api.post(path, body)).status).toBe(status);
			expect(await control.requests()).toMatchObject([
				{ operationId, status, serviceStatus: 200, faults: ['status'] },
			]);
			expect(await control.state()).not.toEqual(before);
		}
	});

	test('comes with the Location that it was given', async () => {
		const { control } = fixture.sandbox;
		const { path, body } = await createFunding();
		const location = '/somewhere/else?answer=1';
		await control.addFault({
			...{ kind: 'status', status: 303, after: true, headers: { location } },
			match: { operationId: 'createFunding' },
		});
		const response = await (await client()).post<unknown>(path, body);
		expect(response).toMatchObject({ status: 303, headers: { location } });
		expect(await control.allocations()).toMatchObject([{ amount: 1000, status: 'paid' }]);
	});

	test('can be a redirect that the client follows, away from the answer', async () => {
		const { control, workspaceId } = fixture.sandbox;
		const { path, body } = await createFunding();
		const location = `${fixture.sandbox.apiUrl}/workspace/${workspaceId}/wallet`;
		await control.addFault({
			...{ kind: 'status', status: 303, after: true, headers: { location } },
			match: { operationId: 'createFunding' },
		});
		const response = await (await fixture.sandbox.api()).post<unknown>(path, body);
		expect(response).toMatchObject({
			status: 200,
			data: { balance: fixture.sandbox.openingBalance - 1000 },
		});
		expect(await control.requests()).toMatchObject([
			...Array.from({ length: 3 }, () => ({ status: 200 })),
			{ operationId: 'createFunding', status: 303, serviceStatus: 200 },
			{ operationId: 'getWallet', status: 200 },
		]);
	});
});

test.each([199, 600])('the status %d is refused: it cannot be a final answer', async (status) => {
	await expect(fixture.sandbox.control.addFault({ kind: 'status', status })).rejects.toMatchObject({
		response: { status: 400 },
	});
});
