import type { AxiosInstance } from 'axios';
import { operations } from './contract-checks';
import { demo, errorOf, SandboxFixture } from './fixture';
import { successfulRequests } from './requests';

const fixture = new SandboxFixture();
const { workspaceId, secondWorkspaceId, otherWorkspaceId, openingBalance } = demo;

let other: AxiosInstance;
let user: AxiosInstance;

beforeAll(async () => {
	other = await fixture.otherClient();
	user = await fixture.userClient();
});

describe('what belongs to another buyer does not exist #other-buyers-hidden', () => {
	const ofNobody = ['getCurrentUser', 'getCurrentUserWorkspaces', 'authorize', 'requestToken'];
	const ofBuyers = operations.filter(({ operationId }) => !ofNobody.includes(operationId));
	const requests = successfulRequests(fixture);

	test.each(ofBuyers)('$operationId', async ({ operationId, method }) => {
		const prepare = requests[operationId];
		if (prepare === undefined) {
			throw new Error(`No test asks ${operationId} as another buyer.`);
		}

		const [url, data] = await prepare();
		const before = await fixture.control.state();

		const answer = await other.request({ method, url, data: data ?? null });

		expect(errorOf(answer)).toMatchObject({ status: 404, code: 'not_found' });
		expect(await fixture.control.state()).toEqual(before);
		expect(await fixture.control.outbox()).toEqual([]);
	});

	test('also as a partner of their own workspace', async () => {
		const partner = await fixture.partner(demo.verifiedVendorEmail);
		const path = `/workspace/${otherWorkspaceId}/partner/${partner?.id ?? ''}`;

		const answer = await other.get(path);

		expect(errorOf(answer).status).toBe(404);
	});

	test('also as a payable of their own funding', async () => {
		const { id, amount } = await fixture.approved();
		await fixture.control.deposit(otherWorkspaceId, amount);
		const wanted = { workspace_id: otherWorkspaceId, method: 'balance', amount, payable_ids: [id] };

		const answer = await other.post('/funding', wanted);

		expect(errorOf(answer)).toMatchObject({ status: 422, code: 'unknown_payable' });
	});
});

test('one buyer has several workspaces, each with its own wallet and partners #workspaces-apart', async () => {
	const there = { workspace_id: secondWorkspaceId };

	await fixture.deposit(300, secondWorkspaceId);

	expect(await fixture.balance(secondWorkspaceId)).toBe(300);
	expect(await fixture.balance()).toBe(openingBalance);

	const funding = await fixture.funded([await fixture.approved({ ...there, amount: 300 })], there);

	expect(funding).toMatchObject(there);
	expect(await fixture.balance(secondWorkspaceId)).toBe(0);
});

test.each(['/user/current', '/user/current/workspaces'])(
	'client credentials are refused at the user endpoints: %s #user-endpoints-need-user',
	async (path) => {
		const refused = { status: 403, code: 'user_token_required' };

		expect(errorOf(await fixture.api.get(path))).toMatchObject(refused);
	},
);

test.each([
	[workspaceId, 200],
	[otherWorkspaceId, 404],
])('users act in the workspaces they have a role in, and in no others: %s', async (id, status) => {
	expect((await user.get(`/workspace/${id}/wallet`)).status).toBe(status);
});

describe('a call without a good token answers 401 #needs-a-token', () => {
	test.each<[what: string, authorization: (token: string) => string | null]>([
		['no header', () => null],
		['another scheme', () => 'Basic YTpi'],
		['a token that was never issued', () => 'Bearer abc.def.ghi'],
		['a tampered token', (token) => `Bearer ${token.slice(0, -6)}AAAAAA`],
	])('%s', async (_, write) => {
		const api = await fixture.client(null);
		const authorization = write(await fixture.sandbox.token());

		const response = await api.get(fixture.path(), { headers: { authorization } });

		expect(errorOf(response)).toMatchObject({ status: 401, code: 'unauthorized' });
		expect(response.headers['www-authenticate']).toContain('Bearer');
	});

	test('comes before anything is said about the request', async () => {
		const api = await fixture.client(null);

		expect((await api.post('/payable', 'not even JSON')).status).toBe(401);
	});
});
