import { ServiceError } from '../../../nodes/PartnerPayments/service/http/errors';
import type { Semantics } from '../../../nodes/PartnerPayments/service/http/request';
import { rejectionOf } from '../support';
import { networkFailure } from '../../../nodes/PartnerPayments/service/http/networkFailure';
import { answered, MINUTE, RequestHarness, send, sendFailing } from './requestHarness';

describe('an execution that is stopped', () => {
	const stopAfter = async (ms: number, harness: RequestHarness, semantics: Semantics) => {
		const result = harness.send(semantics).catch((error: unknown) => error);
		await harness.clock.advance(ms);
		harness.controller.abort(new Error('cancelled'));
		return await result;
	};

	test('sends nothing that waits for a slot', async () => {
		const harness = new RequestHarness(() => answered(200), { requests: 1, windowMs: MINUTE });
		await harness.send('safe');
		const error = await stopAfter(1000, harness, 'nonIdempotent');
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({
			message: 'Could not do it: the execution was stopped, and this request was not sent',
			outcome: 'notDone',
			isUnanswered: false,
		});
		await harness.clock.advance();
		expect(harness.sentAt).toHaveLength(1);
	});

	test.each([
		[429, 'nonIdempotent', false, 'this request was not sent', 'Run it again'],
		[500, 'idempotent', true, 'this request was not sent again', 'may have worked'],
	] as const)('does not go on after a %p', async (status, semantics, isUnanswered, end, hint) => {
		const harness = new RequestHarness(() => answered(status));
		const error = await stopAfter(100, harness, semantics);
		expect(error).toMatchObject({
			message: `Could not do it: the execution was stopped, and ${end}`,
			outcome: 'notDone',
			isUnanswered,
			hint: expect.stringContaining(hint),
		});
		await harness.clock.advance();
		expect(harness.sentAt).toHaveLength(1);
	});

	test('sends nothing at all when it was stopped before', async () => {
		const harness = new RequestHarness(() => answered(200));
		harness.controller.abort();
		const error = await harness.send('nonIdempotent').catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ outcome: 'notDone' });
		expect(harness.sentAt).toEqual([]);
	});

	test('does not hide what the hook before sending throws', async () => {
		const thrown = new Error('A bug', { cause: 'another' });
		const harness = new RequestHarness(() => answered(200));
		const beforeSend = async (): Promise<void> => {
			harness.controller.abort();
			await Promise.reject(thrown);
		};
		expect(await rejectionOf(harness.send('safe', { beforeSend }))).toBe(thrown);
		expect(harness.sentAt).toEqual([]);
	});

	test('does not hide what an attempt throws that has begun', async () => {
		const thrown = new Error('A bug');
		const harness: RequestHarness = new RequestHarness(() => {
			harness.controller.abort();
			return thrown;
		});
		expect(await rejectionOf(harness.send('safe'))).toBe(thrown);
	});

	test('while a request is in flight does not say that it was not sent', async () => {
		const reason = new Error('cancelled');
		const harness = new RequestHarness(() => {
			harness.controller.abort(reason);
			return reason;
		});
		expect(await rejectionOf(harness.send('nonIdempotent'))).toMatchObject({ outcome: 'unknown' });
	});
});

test('an execution that cannot be stopped sends its requests, and keeps what an attempt throws', async () => {
	const thrown = new Error('A bug');
	const harness = new RequestHarness((_, attempt) => (attempt === 0 ? answered(200) : thrown));
	expect(await harness.send('safe', { signal: null })).toMatchObject({ status: 200 });
	expect(await rejectionOf(harness.send('safe', { signal: null }))).toBe(thrown);
});

const bug = new TypeError('A bug');

test('a request that must not be repeated is in doubt, whatever goes wrong once it is on its way', async () => {
	const harness = new RequestHarness(() => bug);
	const error = await rejectionOf(harness.send('nonIdempotent'));
	expect(error).toMatchObject({
		message:
			'In doubt whether the request to do it went through, so do not repeat it: its answer could not be read',
		outcome: 'unknown',
	});
	expect(error).not.toHaveProperty('message', expect.stringContaining('A bug'));
	expect(harness.sentAt).toHaveLength(1);
});

test('what goes wrong after attempts that the service has not let in puts them in doubt as well', async () => {
	const harness = new RequestHarness((_, attempt) => (attempt === 0 ? answered(429) : bug));
	expect(await harness.settle('nonIdempotent')).toMatchObject({ outcome: 'unknown' });
});

test('nothing is in doubt where nothing is on its way', async () => {
	const failed = { failure: networkFailure({ code: 'ECONNREFUSED' }) };
	const harness = new RequestHarness(() => failed);
	const beforeSend = async (): Promise<void> => {
		if (harness.sentAt.length > 0) throw bug;
		await Promise.resolve();
	};
	expect(await harness.settle('nonIdempotent', { beforeSend })).toBe(bug);
});

test.each(['safe', 'idempotent'] as const)(
	'a %s request keeps what went wrong',
	async (semantics) => {
		const harness = new RequestHarness(() => bug);
		expect(await rejectionOf(harness.send(semantics))).toBe(bug);
	},
);

describe('the hook before sending', () => {
	test('is called in a slot, before each attempt', async () => {
		const calledAt: number[] = [];
		const harness = new RequestHarness((_, attempt) => answered(attempt === 1 ? 200 : 429), {
			requests: 1,
			windowMs: MINUTE,
		});
		const response = harness.send('nonIdempotent', {
			beforeSend: async () => {
				calledAt.push(harness.clock.now());
				await harness.clock.wait(100);
			},
		});
		await harness.clock.advance();
		await response;
		expect(harness.sentAt).toEqual(calledAt.map((time) => time + 100));
		expect(calledAt).toHaveLength(2);
	});

	test('that throws prevents the request, and its slot stays free', async () => {
		const harness = new RequestHarness(() => answered(200), { requests: 1, windowMs: MINUTE });
		const reason = new Error('Somebody else does it');
		const beforeSend = async (): Promise<void> => await Promise.reject(reason);
		expect(await rejectionOf(harness.send('nonIdempotent', { beforeSend }))).toBe(reason);
		expect(harness.sentAt).toEqual([]);
		await harness.send('nonIdempotent');
		expect(harness.sentAt).toEqual([0]);
	});

	test('during which the execution is stopped prevents the request', async () => {
		const harness = new RequestHarness(() => answered(200));
		const beforeSend = async (): Promise<void> => {
			harness.controller.abort();
			await Promise.resolve();
		};
		const error = await rejectionOf(harness.send('nonIdempotent', { beforeSend }));
		expect(error).toMatchObject({ outcome: 'notDone' });
		expect(harness.sentAt).toEqual([]);
	});
});

describe('a service that answers many requests with 429', () => {
	test.each([
		['without a time to wait', undefined],
		['with a second to wait', 1000],
		['with half a minute to wait', 30_000],
	])('%s, lets every request through in the end', async (_, retryAfterMs) => {
		const harness = new RequestHarness(
			(time) => answered(time < 5 * MINUTE ? 429 : 200, retryAfterMs),
			{ requests: 100, windowMs: MINUTE },
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
