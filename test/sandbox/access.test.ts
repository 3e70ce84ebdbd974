import type { AxiosInstance } from 'axios';
import { demo, errorOf, SandboxFixture } from './fixture';
import { buyerOperations, successfulRequests } from './requests';

const fixture = new SandboxFixture();
const requests = successfulRequests(fixture);
const { workspaceId, secondWorkspaceId, otherWorkspaceId, openingBalance } = demo;

let other: AxiosInstance;
let user: AxiosInstance;

beforeAll(async () => {
	other = await fixture.otherClient();
	user = await fixture.userClient();
});

describe('what belongs to another buyer does not exist #other-buyers-hidden', () => {
	test.each(buyerOperations)('$operationId', async ({ operationId, method }) => {
		const [url, data] = await requests[operationId]();
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

/** A UUID, since the ID of a workspace has to be one. */
const UNKNOWN_ID = '99999999-9999-4999-8999-999999999999';

/** The IDs that an operation is asked by: those in its path, else the workspace in its body. */
function idsOf(template: string): string[] {
	const inPath = Array.from(template.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
	return inPath.length === 0 ? ['workspace_id'] : inPath;
}

const idsOfOperations = buyerOperations.flatMap(({ operationId, method, template }) =>
	idsOf(template).map((id) => ({ operationId, method, template, id })),
);

test.each(idsOfOperations)(
	'$operationId finds nothing under an unknown $id',
	async ({ operationId, method, template, id }) => {
		const [path, body] = await requests[operationId]();
		const position = template.split('/').indexOf(`{${id}}`);
		const parts = path.split('/').map((part, at) => (at === position ? UNKNOWN_ID : part));
		const data = position === -1 ? { ...body, [id]: UNKNOWN_ID } : (body ?? null);
		const before = await fixture.control.state();

		const answer = await fixture.api.request({ method, url: parts.join('/'), data });

		expect(errorOf(answer)).toMatchObject({ status: 404, code: 'not_found' });
		expect(await fixture.control.state()).toEqual(before);
		expect(await fixture.control.outbox()).toEqual([]);
	},
);

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
