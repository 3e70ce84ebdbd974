import { errorOf, SandboxFixture } from './fixture';

const fixture = new SandboxFixture({ requestsPerMinute: 100 });

beforeEach(async () => await fixture.sandbox.control.reset());

const request = async () => await fixture.api.get(`/workspace/${fixture.sandbox.workspaceId}`);
const statuses = async (times: number) => {
	const answers = await Promise.all(Array.from({ length: times }, request));
	return answers.map(({ status }) => status);
};

const count = (list: number[], status: number) => list.filter((entry) => entry === status).length;

test('100 requests in a minute, and then 429 with Retry-After', async () => {
	const list = await statuses(105);
	expect([count(list, 200), count(list, 429)]).toEqual([100, 5]);
	const response = await request();
	expect(errorOf(response)).toMatchObject({ status: 429, code: 'rate_limited' });
	const seconds = Number(response.headers['retry-after']);
	expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
});

test('waiting as long as Retry-After says is enough', async () => {
	await statuses(100);
	const response = await request();
	await fixture.sandbox.control.advanceClock(Number(response.headers['retry-after']));
	expect((await request()).status).toBe(200);
});

test('the minute slides: each request leaves the window 60 seconds after it came', async () => {
	await statuses(60);
	await fixture.sandbox.control.advanceClock(40);
	await statuses(40);
	const response = await request();
	expect(response.status).toBe(429);
	expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(20);
	await fixture.sandbox.control.advanceClock(21);
	const list = await statuses(61);
	expect([count(list, 200), count(list, 429)]).toEqual([60, 1]);
});

test('refused requests do not push the limit away', async () => {
	await statuses(150);
	await fixture.sandbox.control.advanceClock(60);
	expect(count(await statuses(100), 200)).toBe(100);
});

test('every account has its own', async () => {
	await statuses(100);
	const { otherClientId, otherClientSecret, otherWorkspaceId, workspaceId } = fixture.sandbox;
	const client = { clientId: otherClientId, clientSecret: otherClientSecret };
	const other = await fixture.client(await fixture.sandbox.token(client));
	expect((await other.get(`/workspace/${otherWorkspaceId}`)).status).toBe(200);
	const user = await fixture.client(await fixture.sandbox.control.userToken());
	expect((await user.get(`/workspace/${workspaceId}`)).status).toBe(200);
	expect((await request()).status).toBe(429);
});

test('a new token does not give new requests, and tokens themselves are not counted', async () => {
	await statuses(100);
	for (let i = 0; i < 5; i++) await fixture.sandbox.token();
	const renewed = await fixture.client();
	expect((await renewed.get(`/workspace/${fixture.sandbox.workspaceId}`)).status).toBe(429);
});

test('the limit can be changed', async () => {
	await fixture.sandbox.control.setRequestsPerMinute(3);
	expect(await statuses(4)).toEqual(expect.arrayContaining([200, 200, 200, 429]));
	await fixture.sandbox.control.reset();
	expect(count(await statuses(100), 200)).toBe(100);
});

test('the window can be scaled', async () => {
	await fixture.sandbox.control.setRequestsPerMinute(10, 2);
	const list = await statuses(12);
	expect([count(list, 200), count(list, 429)]).toEqual([10, 2]);
	const { headers, data } = await request();
	expect(Number(headers['retry-after'])).toBeLessThanOrEqual(2);
	expect(data).toMatchObject({
		error: { message: expect.stringContaining('More than 10 requests in 2 s.') },
	});
	await fixture.sandbox.control.advanceClock(2);
	expect(count(await statuses(10), 200)).toBe(10);
	await fixture.sandbox.control.setRequestsPerMinute(10);
	expect(await fixture.sandbox.control.rateLimit()).toMatchObject({ windowSeconds: 60 });
});

describe('what the limit has seen', () => {
	const seen = async () => (await fixture.sandbox.control.rateLimit()).accounts;
	const account = () => `client:${fixture.sandbox.clientId}`;

	test('is the largest number in any window, and how many were refused', async () => {
		await statuses(60);
		await fixture.sandbox.control.advanceClock(40);
		await statuses(30);
		expect(await seen()).toEqual([{ account: account(), largestWindow: 90, refused: 0 }]);
		await fixture.sandbox.control.advanceClock(30);
		await statuses(80);
		expect(await seen()).toEqual([{ account: account(), largestWindow: 110, refused: 10 }]);
		await fixture.sandbox.control.advanceClock(70);
		await statuses(5);
		expect(await seen()).toEqual([{ account: account(), largestWindow: 110, refused: 10 }]);
	});

	test('is told for each account', async () => {
		await statuses(2);
		const { otherClientId, otherClientSecret, otherWorkspaceId } = fixture.sandbox;
		const client = { clientId: otherClientId, clientSecret: otherClientSecret };
		const other = await fixture.client(await fixture.sandbox.token(client));
		await other.get(`/workspace/${otherWorkspaceId}`);
		expect(await seen()).toEqual([
			{ account: account(), largestWindow: 2, refused: 0 },
			{ account: `client:${otherClientId}`, largestWindow: 1, refused: 0 },
		]);
	});

	test('has nothing to do with a 429 that a fault has answered', async () => {
		await fixture.sandbox.control.addFault({ kind: 'status', status: 429 });
		expect(await statuses(1)).toEqual([429]);
		expect(await seen()).toEqual([]);
	});

	test('starts over when the limit is changed', async () => {
		await statuses(3);
		await fixture.sandbox.control.setRequestsPerMinute(100);
		expect(await seen()).toEqual([]);
	});
});
