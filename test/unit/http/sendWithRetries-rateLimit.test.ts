import { answered, MINUTE, RequestHarness, send, sendFailing } from './requestHarness';

describe('a service that answers many requests with 429', () => {
	test.each([
		['without a time to wait', undefined],
		['with a second to wait', 1000],
		['with half a minute to wait', 30_000],
	])('%s, lets every request through in the end', async (_, retryAfterMs) => {
		const harness = new RequestHarness(
			(time) => answered(time < 5 * MINUTE ? 429 : 200, retryAfterMs),
			{
				requests: 100,
				windowMs: MINUTE,
			},
		);
		const calls = Array.from({ length: 30 }, async () => await harness.send('nonIdempotent'));
		await harness.clock.advance();
		await Promise.all(calls);
		expect(harness.clock.now()).toBeLessThan(10 * MINUTE);
		expect(harness.sentAt.length).toBeLessThan(150);
		expect(harness.waitTimer.elapsedMs).toBeGreaterThanOrEqual(5 * MINUTE);
	});

	test('and never stops is given up, and nothing is in doubt', async () => {
		const { error, attempts, harness } = await sendFailing('nonIdempotent', answered(429));
		expect(error).toMatchObject({ status: 429, outcome: 'notDone', isUnanswered: false });
		expect(error.message).toMatch(/\(status 429\), tried \d+ times$/);
		expect(error.message).toContain(`tried ${attempts} times`);
		expect(error.hint).toContain('Requests per Minute');
		expect(harness.clock.now()).toBeGreaterThan(15 * MINUTE);
		expect(harness.clock.now()).toBeLessThan(20 * MINUTE);
	});

	test('for an hour is reported at once', async () => {
		const { error, attempts, harness } = await sendFailing('safe', answered(429, 60 * MINUTE));
		expect(error.message).toBe(
			'Could not do it: the service takes no request of this account for another 60 minutes',
		);
		expect(error).toMatchObject({ status: 429, outcome: 'notDone' });
		expect([attempts, harness.clock.now()]).toEqual([1, 0]);
	});
});

describe('the wait time', () => {
	test('counts waiting for a slot, once for all requests that wait together', async () => {
		const harness = new RequestHarness(() => answered(200), { requests: 1, windowMs: MINUTE });
		const calls = Array.from({ length: 3 }, async () => await harness.send('safe'));
		await harness.clock.advance();
		await Promise.all(calls);
		expect(harness.waitTimer.elapsedMs).toBeGreaterThanOrEqual(2 * MINUTE);
		expect(harness.waitTimer.elapsedMs).toBeLessThan(2 * MINUTE + 100);
	});

	test('counts the backoff after a 429 that does not say how long to wait', async () => {
		const { harness } = await send('safe', answered(429), answered(200));
		expect(harness.waitTimer.elapsedMs).toBeGreaterThanOrEqual(500);
	});

	test('does not count the backoff after a failure', async () => {
		const { harness } = await sendFailing('safe', answered(500));
		expect(harness.clock.now()).toBeGreaterThan(3000);
		expect(harness.waitTimer.elapsedMs).toBe(0);
	});
});
