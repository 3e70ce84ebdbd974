import type { AttemptResult } from '../../nodes/PartnerPayments/service/http/classify';
import { sendWithRetries } from '../../nodes/PartnerPayments/service/http/sendWithRetries';
import type {
	BeforeSend,
	Semantics,
	ServiceRequest,
	ServiceResponse,
} from '../../nodes/PartnerPayments/service/http/request';
import { WaitTime } from '../../nodes/PartnerPayments/service/http/clock';
import { ServiceError } from '../../nodes/PartnerPayments/service/http/errors';
import { networkFailure } from '../../nodes/PartnerPayments/service/http/networkFailure';
import { RateLimiter, type RateLimit } from '../../nodes/PartnerPayments/service/http/rateLimiter';
import { FakeClock } from './fakeClock';

const MINUTE = 60_000;
const ROOMY: RateLimit = { requests: 1000, windowMs: MINUTE };

const requestWith = (semantics: Semantics): ServiceRequest => ({
	method: 'POST',
	path: '/thing',
	task: 'do it',
	semantics,
	body: { amount: 1 },
});
const answered = (status: number, retryAfterMs?: number): AttemptResult => ({
	status,
	body: { message: 'No' },
	retryAfterMs,
});
const lost = (code: string): AttemptResult => ({ failure: networkFailure({ code }) });

/** Calls of an account whose service answers as a test says. */
class World {
	readonly clock = new FakeClock();
	readonly waitTime = new WaitTime();
	readonly stop = new AbortController();
	readonly rateLimiter: RateLimiter;
	/** When requests were sent. */
	readonly sent: number[] = [];

	constructor(
		private readonly answer: (time: number, position: number) => AttemptResult | Error,
		limit = ROOMY,
	) {
		this.rateLimiter = new RateLimiter(this.clock, limit);
	}

	async call(semantics: Semantics, beforeSend?: BeforeSend): Promise<ServiceResponse> {
		const context = {
			beforeSend,
			clock: this.clock,
			rateLimiter: () => this.rateLimiter,
			waitTime: this.waitTime,
			signal: this.stop.signal,
			host: 'api.example.com',
		};
		return await sendWithRetries(requestWith(semantics), context, async () => {
			this.sent.push(this.clock.now());
			const attempt = this.answer(this.clock.now(), this.sent.length - 1);
			if (attempt instanceof Error) throw attempt;
			return await Promise.resolve(attempt);
		});
	}
}

/** What a call leads to when it is answered like this, the last answer for ever. */
async function outcome(semantics: Semantics, ...attempts: AttemptResult[]) {
	const world = new World((_, position) => attempts[position] ?? attempts.at(-1) ?? answered(200));
	const result = world.call(semantics).catch((error: unknown) => error);
	await world.clock.pass();
	return { world, result: await result, tries: world.sent.length };
}

/** The same for one that must fail. */
async function failure(semantics: Semantics, ...attempts: AttemptResult[]) {
	const { result, ...rest } = await outcome(semantics, ...attempts);
	if (!(result instanceof ServiceError)) throw new Error('It did not fail as it should');
	return { error: result, ...rest };
}

describe('a request is sent', () => {
	const once = { tries: 1, isUnanswered: false };
	const often = { tries: 5, isUnanswered: true };
	const inDoubt = { tries: 1, isUnanswered: true, outcome: 'unknown' };

	test.each<[what: string, attempt: AttemptResult, expected: Record<Semantics, object>]>([
		[
			'an error of the service',
			answered(500),
			{ safe: often, idempotent: often, nonIdempotent: inDoubt },
		],
		[
			'a page of a proxy',
			answered(502),
			{ safe: often, idempotent: often, nonIdempotent: inDoubt },
		],
		['a cut', lost('ECONNRESET'), { safe: often, idempotent: often, nonIdempotent: inDoubt }],
		['no answer', lost('ETIMEDOUT'), { safe: often, idempotent: often, nonIdempotent: inDoubt }],
		['an unknown failure', lost(''), { safe: often, idempotent: often, nonIdempotent: inDoubt }],
		...['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].map(
			(code): [string, AttemptResult, Record<Semantics, object>] => {
				const repeated = { tries: 5, isUnanswered: false, outcome: 'notDone' };
				const all = { safe: repeated, idempotent: repeated, nonIdempotent: repeated };
				return [code, lost(code), all];
			},
		),
		...['ENOTFOUND', 'CERT_HAS_EXPIRED', 'EPROTO'].map(
			(code): [string, AttemptResult, Record<Semantics, object>] => {
				const refused = { ...once, outcome: 'notDone' };
				return [code, lost(code), { safe: refused, idempotent: refused, nonIdempotent: refused }];
			},
		),
		...[302, 400, 401, 403, 404, 409, 422].map(
			(status): [string, AttemptResult, Record<Semantics, object>] => {
				const refused = { ...once, outcome: 'notDone', status };
				const all = { safe: refused, idempotent: refused, nonIdempotent: refused };
				return [`a ${status}`, answered(status), all];
			},
		),
	])('as often as it may be when it gets %s', async (_, attempt, expected) => {
		for (const semantics of ['safe', 'idempotent', 'nonIdempotent'] as const) {
			const { error, tries } = await failure(semantics, attempt);
			const { isUnanswered, status } = error;
			expect({ tries, isUnanswered, outcome: error.outcome, status }).toMatchObject(
				expected[semantics],
			);
		}
	});

	test.each<[semantics: Semantics, before: AttemptResult[]]>([
		['safe', [answered(500), lost('ECONNRESET'), answered(503), lost('ECONNREFUSED')]],
		['idempotent', [answered(500), lost('ECONNRESET'), answered(503), lost('ECONNREFUSED')]],
		['nonIdempotent', [lost('ECONNREFUSED'), lost('EAI_AGAIN'), lost('ECONNREFUSED')]],
		['nonIdempotent', [answered(429), answered(429, 2000), answered(429), lost('ECONNREFUSED')]],
		['safe', [answered(429), answered(500), answered(429), answered(500)]],
	])('until it works, when it %s', async (semantics, before) => {
		const { result, tries } = await outcome(semantics, ...before, answered(200));
		expect(result).toEqual({ status: 200, body: { message: 'No' } });
		expect(tries).toBe(before.length + 1);
	});

	test('after longer and longer pauses that are not the same for all', async () => {
		const pauses = await Promise.all(
			Array.from({ length: 20 }, async () => {
				const { sent } = (await failure('safe', answered(500))).world;
				return sent.slice(1).map((time, position) => time - (sent[position] ?? 0));
			}),
		);
		for (const [first = 0, second = 0, third = 0, fourth = 0] of pauses) {
			for (const [pause, ms] of [
				[first, 500],
				[second, 1000],
				[third, 2000],
				[fourth, 4000],
			] as const) {
				expect(pause).toBeGreaterThanOrEqual(ms / 2);
				expect(pause).toBeLessThanOrEqual(ms * 1.5);
			}
		}
		expect(new Set(pauses.map(([first]) => first)).size).toBeGreaterThan(10);
	});

	test('and acquires a slot of the account each time', async () => {
		const world = new World(() => answered(500), { requests: 2, windowMs: MINUTE });
		const result = world.call('safe').catch((error: unknown) => error);
		await world.clock.pass();
		await result;
		expect(world.sent.map((time) => Math.floor(time / MINUTE))).toEqual([0, 0, 1, 1, 2]);
	});
});

describe('the error', () => {
	test('says how often it was tried', async () => {
		const { error } = await failure('safe', answered(503));
		expect(error.message).toBe(
			'Could not do it: the service answered "No" (status 503), tried 5 times',
		);
		const { error: unreached } = await failure('nonIdempotent', lost('ECONNREFUSED'));
		expect(unreached.message).toBe(
			'Could not do it: api.example.com cannot be reached, nothing answers at that address, tried 5 times',
		);
	});

	test('of a refusal is that of the refusal alone', async () => {
		const { error } = await failure('nonIdempotent', answered(429), answered(404));
		expect(error.message).toBe('Could not do it: the service answered "No" (status 404)');
	});

	test('does not say that nothing was changed after an attempt without an answer', async () => {
		const { error } = await failure('idempotent', lost('ETIMEDOUT'), lost('ECONNREFUSED'));
		expect(error).toMatchObject({ isUnanswered: true, outcome: 'notDone' });
		expect(error.hint).not.toContain('Nothing was changed');
	});

	test('of a doubt does not say that what is in doubt was tried often', async () => {
		const { error } = await failure('nonIdempotent', answered(429), answered(500));
		expect(error.message).toMatch(/^In doubt whether .* \(status 500\)$/);
	});

	test('keeps what is thrown in place of an attempt', async () => {
		const thrown = new ServiceError({ message: 'No access token', hint: 'Check the credential.' });
		const world = new World((_, position) => (position === 0 ? answered(500) : thrown));
		const result = world.call('idempotent').catch((error: unknown) => error);
		await world.clock.pass();
		expect(await result).toMatchObject({ message: 'No access token', isUnanswered: true });
		const bug = new TypeError('A bug');
		expect(await new World(() => bug).call('safe').catch((error: unknown) => error)).toBe(bug);
	});
});

describe('a refusal after an attempt without an answer', () => {
	test.each([400, 404, 409, 422])('with %p means that the state is set', async (status) => {
		for (const before of [answered(500), lost('ECONNRESET')]) {
			const { result, tries } = await outcome('idempotent', before, answered(status));
			expect([result, tries]).toEqual([{ status, body: {} }, 2]);
		}
	});

	test.each([401, 403])('with %p says nothing of the state', async (status) => {
		const { error } = await failure('idempotent', answered(500), answered(status));
		expect(error).toMatchObject({ status, isUnanswered: true, outcome: 'notDone' });
	});

	test('is an error where nothing is set, or the attempt was never sent', async () => {
		for (const [semantics, before] of [
			['safe', answered(500)],
			['idempotent', lost('ECONNREFUSED')],
			['idempotent', answered(429)],
			['nonIdempotent', answered(429)],
		] as const) {
			const { error } = await failure(semantics, before, answered(409));
			expect(error).toMatchObject({ status: 409, isUnanswered: semantics === 'safe' });
		}
	});
});

describe('a storm of 429', () => {
	test.each([
		['that does not say how long it lasts', undefined],
		['that asks for a second', 1000],
		['that asks for half a minute', 30_000],
	])('%s is survived', async (_, retryAfterMs) => {
		const world = new World((time) => answered(time < 5 * MINUTE ? 429 : 200, retryAfterMs), {
			requests: 100,
			windowMs: MINUTE,
		});
		const calls = Array.from({ length: 30 }, async () => await world.call('nonIdempotent'));
		await world.clock.pass();
		await Promise.all(calls);
		expect(world.clock.now()).toBeLessThan(10 * MINUTE);
		expect(world.sent.length).toBeLessThan(150);
		expect(world.waitTime.totalMs).toBeGreaterThanOrEqual(5 * MINUTE);
	});

	test('without end is given up, and nothing is in doubt', async () => {
		const { error, tries, world } = await failure('nonIdempotent', answered(429));
		expect(error).toMatchObject({ status: 429, outcome: 'notDone', isUnanswered: false });
		expect(error.message).toMatch(/\(status 429\), tried \d+ times$/);
		expect(error.message).toContain(`tried ${tries} times`);
		expect(error.hint).toContain('Requests per Minute');
		expect(world.clock.now()).toBeGreaterThan(15 * MINUTE);
		expect(world.clock.now()).toBeLessThan(20 * MINUTE);
	});

	test('that is meant to last an hour is told at once', async () => {
		const { error, tries, world } = await failure('safe', answered(429, 60 * MINUTE));
		expect(error.message).toBe(
			'Could not do it: the service takes no request of this account for another 60 minutes',
		);
		expect(error).toMatchObject({ status: 429, outcome: 'notDone' });
		expect([tries, world.clock.now()]).toEqual([1, 0]);
	});
});

describe('an execution that is stopped', () => {
	const stopAfter = async (ms: number, world: World, semantics: Semantics) => {
		const result = world.call(semantics).catch((error: unknown) => error);
		await world.clock.pass(ms);
		world.stop.abort(new Error('cancelled'));
		return await result;
	};

	test('sends nothing that waits for a slot', async () => {
		const world = new World(() => answered(200), { requests: 1, windowMs: MINUTE });
		await world.call('safe');
		const error = await stopAfter(1000, world, 'nonIdempotent');
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({
			message: 'Could not do it: the execution was stopped, and this request was not sent',
			outcome: 'notDone',
			isUnanswered: false,
		});
		await world.clock.pass();
		expect(world.sent).toHaveLength(1);
	});

	test.each([
		[429, 'nonIdempotent', false],
		[500, 'idempotent', true],
	] as const)('does not go on after a %p', async (status, semantics, isUnanswered) => {
		const world = new World(() => answered(status));
		const error = await stopAfter(100, world, semantics);
		expect(error).toMatchObject({
			message: expect.stringContaining('the execution was stopped'),
			outcome: 'notDone',
			isUnanswered,
		});
		expect(error).toHaveProperty(
			'hint',
			expect.stringContaining(isUnanswered ? 'may have worked' : 'Run it again'),
		);
		await world.clock.pass();
		expect(world.sent).toHaveLength(1);
	});

	test('sends nothing at all when it was stopped before', async () => {
		const world = new World(() => answered(200));
		world.stop.abort();
		const error = await world.call('nonIdempotent').catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ outcome: 'notDone' });
		expect(world.sent).toEqual([]);
	});
});

describe('the hook before sending', () => {
	test('is called in a slot, before each attempt', async () => {
		const passed: number[] = [];
		const world = new World((_, position) => answered(position === 1 ? 200 : 429), {
			requests: 1,
			windowMs: MINUTE,
		});
		const call = world.call('nonIdempotent', async () => {
			passed.push(world.clock.now());
			await world.clock.wait(100);
		});
		await world.clock.pass();
		await call;
		expect(world.sent).toEqual(passed.map((time) => time + 100));
		expect(passed).toHaveLength(2);
	});

	test('that throws lets nothing out, and costs no slot', async () => {
		const world = new World(() => answered(200), { requests: 1, windowMs: MINUTE });
		const closed = new Error('Somebody else does it');
		const reject = async (): Promise<void> => await Promise.reject(closed);
		const thrown = await world.call('nonIdempotent', reject).catch((error: unknown) => error);
		expect([thrown, world.sent]).toEqual([closed, []]);
		await world.call('nonIdempotent');
		expect(world.sent).toEqual([0]);
	});

	test('in which the execution is stopped lets nothing out', async () => {
		const world = new World(() => answered(200));
		const error = await world
			.call('nonIdempotent', async () => {
				world.stop.abort();
				await Promise.resolve();
			})
			.catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ outcome: 'notDone' });
		expect(world.sent).toEqual([]);
	});
});

describe('the time that is waited', () => {
	test('is that for the turn and after a 429, counted once for all that wait', async () => {
		const world = new World(() => answered(200), { requests: 1, windowMs: MINUTE });
		const calls = Array.from({ length: 3 }, async () => await world.call('safe'));
		await world.clock.pass();
		await Promise.all(calls);
		expect(world.waitTime.totalMs).toBeGreaterThanOrEqual(2 * MINUTE);
		expect(world.waitTime.totalMs).toBeLessThan(2 * MINUTE + 100);
	});

	test('is that after a 429 which does not say for how long', async () => {
		const { world } = await outcome('safe', answered(429), answered(200));
		expect(world.waitTime.totalMs).toBeGreaterThanOrEqual(500);
	});

	test('is not that after a failure', async () => {
		const { world } = await failure('safe', answered(500));
		expect(world.clock.now()).toBeGreaterThan(3000);
		expect(world.waitTime.totalMs).toBe(0);
	});
});
