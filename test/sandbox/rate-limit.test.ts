import { errorOf, SandboxFixture } from './fixture';

const fixture = new SandboxFixture({ requestsPerMinute: 100 });

const request = async () => await fixture.api.get(fixture.path());
const advance = async (seconds: number) => {
	await fixture.control.advanceClock(seconds);
};

/** Sends requests at once; returns how many were answered with 200, and how many with 429. */
const send = async (times: number) => {
	const answers = await Promise.all(Array.from({ length: times }, request));
	const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;

	return [count(200), count(429)];
};

const secondsToWait = async () => {
	const response = await request();

	expect(errorOf(response)).toMatchObject({ status: 429, code: 'rate_limited' });

	return Number(response.headers['retry-after']);
};

test('100 requests in a minute, and then 429 with Retry-After, which is enough to wait #hundred-a-minute', async () => {
	expect(await send(105)).toEqual([100, 5]);

	const seconds = await secondsToWait();

	expect(Number.isInteger(seconds)).toBe(true);
	expect(seconds).toBeGreaterThanOrEqual(1);
	expect(seconds).toBeLessThanOrEqual(60);

	await advance(seconds);

	expect((await request()).status).toBe(200);
});

test('the minute slides: each request leaves the window 60 seconds after it came', async () => {
	await send(60);
	await advance(40);
	await send(40);

	expect(await secondsToWait()).toBeLessThanOrEqual(20);

	await advance(21);

	expect(await send(61)).toEqual([60, 1]);

	// What was refused does not push the limit away.
	await advance(60);

	expect(await send(100)).toEqual([100, 0]);
});

test('every account has its own, whichever token it uses, and tokens are not counted', async () => {
	await send(100);
	for (let asked = 0; asked < 5; asked += 1) {
		await fixture.sandbox.token();
	}

	const other = await fixture.otherClient();

	expect((await other.get(`/workspace/${fixture.sandbox.otherWorkspaceId}`)).status).toBe(200);
	expect((await (await fixture.userClient()).get(fixture.path())).status).toBe(200);
	expect((await (await fixture.client()).get(fixture.path())).status).toBe(429);
});

test('the limit can be changed and its window scaled, until a reset', async () => {
	await fixture.control.setSettings({ requestsPerMinute: 10, rateWindowSeconds: 2 });

	expect(await send(12)).toEqual([10, 2]);
	expect(await secondsToWait()).toBeLessThanOrEqual(2);
	expect(errorOf(await request()).message).toContain('More than 10 requests in 2 s.');

	await advance(2);

	expect(await send(10)).toEqual([10, 0]);

	await fixture.control.reset();

	expect(await send(101)).toEqual([100, 1]);
});

test('the largest number in any window and how many were refused are told for each account, until the limit is changed', async () => {
	const { control, sandbox } = fixture;
	const account = `client:${sandbox.clientId}`;
	await send(60);
	await advance(40);
	await send(30);

	expect(await control.rateLimit()).toEqual([{ account, largestWindow: 90, refused: 0 }]);

	await advance(30);
	await send(80);
	const { otherClientId, otherWorkspaceId } = sandbox;
	await (await fixture.otherClient()).get(`/workspace/${otherWorkspaceId}`);

	expect(await control.rateLimit()).toEqual([
		{ account, largestWindow: 110, refused: 10 },
		{ account: `client:${otherClientId}`, largestWindow: 1, refused: 0 },
	]);

	await control.setSettings({ requestsPerMinute: 100 });
	await control.addFault({ kind: 'status', status: 429 });

	expect(await send(1)).toEqual([0, 1]);
	// A 429 that a fault has answered does not count for the limit.
	expect(await control.rateLimit()).toEqual([]);
});
