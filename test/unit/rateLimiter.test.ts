import fc from 'fast-check';

import {
	AccountBlockedError,
	RateLimiter,
	rateLimiterFor,
	rateLimitOf,
	UNLIMITED,
	type RateLimit,
	type SentRequest,
} from '../../nodes/PartnerPayments/service/http/rateLimiter';
import { FakeClock } from './fakeClock';
import { rejectionOf } from './support';

const MINUTE = 60_000;
const STANDARD: RateLimit = { requests: 100, windowMs: MINUTE };

/** An account with a service that counts, far away or near. */
class World {
	readonly clock = new FakeClock();
	readonly limiter: RateLimiter;
	/** When requests left, in the order in which they got a slot. */
	readonly sent: number[] = [];
	/** When the service got them. */
	readonly arrived: number[] = [];

	constructor(limit: Partial<RateLimit> = {}) {
		this.limiter = new RateLimiter(this.clock, { ...STANDARD, ...limit });
	}

	/** Sends a request that takes so long there and back; a lost one has no answer. */
	async send({ there = 0, back = 0, sent = { status: 200 }, signal }: Journey = {}) {
		const slot = await this.limiter.acquire(signal);
		this.sent.push(this.clock.now());
		await this.clock.wait(there);
		this.arrived.push(this.clock.now());
		await this.clock.wait(back);
		this.limiter.release(slot, sent);
	}

	/** Sends many at once, and lets time pass until all are done. */
	async sendAll(count: number, journey?: Journey): Promise<void> {
		const all = Array.from({ length: count }, async () => {
			await this.send(journey);
		});
		await this.clock.pass();
		await Promise.all(all);
	}

	/** The most requests that the service got in any window. */
	mostIn(windowMs: number): number {
		const times = [...this.arrived].sort((one, other) => one - other);
		let first = 0;
		let most = 0;
		for (const [position, time] of times.entries()) {
			while (time - (times[first] ?? time) >= windowMs) first += 1;
			most = Math.max(most, position - first + 1);
		}
		return most;
	}
}

interface Journey {
	there?: number;
	back?: number;
	sent?: SentRequest;
	signal?: AbortSignal;
}

const TOO_MANY: SentRequest = { status: 429 };

describe('the limit', () => {
	test('holds in every window of the service, whatever the network delays', async () => {
		const delay = fc.integer({ min: 0, max: 3000 });
		const request = fc.record({
			begin: fc.integer({ min: 0, max: 5000 }),
			there: delay,
			back: delay,
			stopAfter: fc.option(delay),
			answer: fc.constantFrom<SentRequest>(
				{ status: 200 },
				{ status: 500 },
				{},
				{ status: 429 },
				{ status: 429, retryAfterMs: 700 },
			),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 8 }),
				fc.array(request, { maxLength: 40 }),
				async (requests, journeys) => {
					const world = new World({ requests, windowMs: 1000 });
					let stopped = 0;
					for (const { begin, stopAfter, answer, ...way } of journeys) {
						const stop = new AbortController();
						const sent = answer;
						void world.clock.wait(begin).then(async () => {
							await world.send({ ...way, sent, signal: stop.signal }).catch(() => {
								stopped += 1;
							});
						});
						if (stopAfter === null) continue;
						void world.clock.wait(begin + stopAfter).then(() => {
							stop.abort();
						});
					}
					await world.clock.pass();
					expect(world.sent.length + stopped).toBe(journeys.length);
					expect(world.mostIn(1000)).toBeLessThanOrEqual(requests);
				},
			),
			{ numRuns: 100 },
		);
	});

	test('lets as many go at once as the limit allows', async () => {
		const world = new World();
		await world.sendAll(100);
		expect(new Set(world.sent)).toEqual(new Set([0]));
	});

	test('is used to 97 percent at least', async () => {
		const world = new World();
		await world.sendAll(2000);
		expect(world.sent.at(-1)).toBeLessThan((19 * MINUTE) / 0.97);
	});

	test('counts from the answer, since a request may have been on its way until then', async () => {
		const world = new World({ requests: 1 });
		await world.sendAll(2, { there: 5000, back: 1000 });
		expect(world.sent[1]).toBeGreaterThanOrEqual(MINUTE + 6000);
	});

	test('can be changed while requests wait', async () => {
		const world = new World({ requests: 1 });
		const all = Array.from({ length: 3 }, async () => {
			await world.send();
		});
		await world.clock.pass(1000);
		expect(world.sent).toEqual([0]);
		world.limiter.adjust({ ...STANDARD, requests: 3 });
		await world.clock.pass();
		await Promise.all(all);
		expect(world.sent).toEqual([0, 1000, 1000]);
	});

	test('that is none lets everything go', async () => {
		const world = new World(UNLIMITED);
		await world.sendAll(500, { back: 10 });
		expect(new Set(world.sent)).toEqual(new Set([0]));
	});

	test.each([
		[{}, STANDARD],
		[{ requestsPerMinute: 30 }, { requests: 30, windowMs: MINUTE }],
		[{ requestsPerMinute: '30.9' }, { requests: 30, windowMs: MINUTE }],
		[{ requestsPerMinute: 0 }, STANDARD],
		[{ requestsPerMinute: -5 }, STANDARD],
		[{ requestsPerMinute: 'many' }, STANDARD],
		[{ requestsPerMinute: Infinity }, STANDARD],
		[
			{ requestsPerMinute: 100, rateWindowSeconds: 6 },
			{ requests: 100, windowMs: 6000 },
		],
		[{ rateWindowSeconds: 0 }, STANDARD],
		[{ rateWindowSeconds: 'long' }, STANDARD],
	])('is read from the credential %j', (credentials, limit) => {
		expect(rateLimitOf(credentials)).toEqual(limit);
	});
});

describe('a request that waits', () => {
	test('is served in order', async () => {
		const { clock, limiter } = new World({ requests: 2 });
		const order: number[] = [];
		for (let number = 0; number < 9; number += 1) {
			void limiter.acquire().then((slot) => {
				order.push(number);
				limiter.release(slot, { status: 200 });
			});
		}
		await clock.pass();
		expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
	});

	test('can be cancelled at once, and the next one gets its slot', async () => {
		const { clock, limiter } = new World({ requests: 1 });
		limiter.release(await limiter.acquire(), { status: 200 });
		const stop = new AbortController();
		const stopped = rejectionOf(limiter.acquire(stop.signal));
		const next = limiter.acquire();
		const reason = new Error('The execution was cancelled');
		stop.abort(reason);
		expect(await stopped).toHaveProperty('cause', reason);
		expect(clock.now()).toBe(0);
		await clock.pass();
		expect((await next).sentAt).toBeGreaterThanOrEqual(MINUTE);
		expect((await next).sentAt).toBeLessThan(MINUTE + 100);
	});

	test('is not let in when it was cancelled before', async () => {
		const { limiter } = new World();
		const reason = new Error('The execution was cancelled');
		expect(await rejectionOf(limiter.acquire(AbortSignal.abort(reason)))).toBe(reason);
		expect(limiter.isIdle).toBe(true);
	});

	test('leaves no timer behind when all are cancelled', async () => {
		const { clock, limiter } = new World({ requests: 1 });
		limiter.release(await limiter.acquire(), { status: 200 });
		const stop = new AbortController();
		const stopped = rejectionOf(limiter.acquire(stop.signal));
		stop.abort();
		await stopped;
		await clock.pass();
		expect(clock.now()).toBe(0);
	});

	test('costs no timer of its own', async () => {
		const { clock, limiter } = new World();
		const stop = new AbortController();
		const all = Array.from({ length: 20_000 }, async () => {
			await limiter.acquire(stop.signal).then((slot) => {
				limiter.release(slot, { status: 200 });
			});
		});
		const settled = Promise.allSettled(all);
		await clock.pass(10 * MINUTE + 1000);
		stop.abort();
		const outcomes = await settled;
		expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1100);
		expect(clock.waits).toBeLessThan(100);
	});
});

describe('a 429', () => {
	/** The gaps between requests, in milliseconds. */
	const gaps = (times: number[]): number[] =>
		times.slice(1).map((time, position) => time - (times[position] ?? 0));

	test('puts a distance between requests, which gets smaller until there is none', async () => {
		const world = new World();
		await world.sendAll(1, { sent: TOO_MANY });
		await world.sendAll(90, { back: 1 });
		const [first = 0, ...others] = gaps(world.sent);
		expect(first).toBeCloseTo(1200);
		expect(others.every((gap, position) => gap <= (others[position - 1] ?? first))).toBe(true);
		expect(others.at(-1)).toBe(0);
	});

	test('slows down once for all requests of a burst', async () => {
		const world = new World();
		await world.sendAll(30, { sent: TOO_MANY, back: 5 });
		await world.sendAll(2);
		expect(gaps(world.sent).at(-1)).toBeGreaterThan(1100);
		expect(gaps(world.sent).at(-1)).toBeLessThanOrEqual(1200);
	});

	test('is not made up for by requests that were sent before it', async () => {
		const world = new World();
		const burst = Array.from({ length: 60 }, async (_, back) => {
			await world.send({ back, sent: back === 0 ? TOO_MANY : { status: 200 } });
		});
		await world.clock.pass();
		await Promise.all(burst);
		await world.sendAll(2, { back: 5000 });
		expect(gaps(world.sent).at(-1)).toBeCloseTo(1200);
	});

	test('after a 429 slows down more, but not without end', async () => {
		const world = new World();
		for (let time = 0; time < 6; time += 1) await world.sendAll(1, { sent: TOO_MANY });
		expect(gaps(world.sent)).toEqual([1200, 2400, 4800, 4800, 4800]);
	});

	test('says when to come back, and nobody comes before', async () => {
		const world = new World();
		const wait: SentRequest = { ...TOO_MANY, retryAfterMs: 40_000 };
		await world.sendAll(1, { sent: wait });
		const all = Array.from({ length: 3 }, async () => {
			await world.send();
		});
		await world.clock.pass();
		await Promise.all(all);
		expect(world.sent[1]).toBe(40_000);
	});

	test('that asks for a very long time rejects everybody, until it is over', async () => {
		const { clock, limiter } = new World();
		const slot = await limiter.acquire();
		const waiting = rejectionOf(
			Promise.all(Array.from({ length: 100 }, async () => await limiter.acquire())),
		);
		limiter.release(slot, { ...TOO_MANY, retryAfterMs: 60 * MINUTE });
		expect(await waiting).toBeInstanceOf(AccountBlockedError);
		expect(await rejectionOf(limiter.acquire())).toHaveProperty('forMs', 60 * MINUTE);
		await clock.pass(50 * MINUTE);
		const next = limiter.acquire();
		await clock.pass();
		expect((await next).sentAt).toBe(60 * MINUTE);
	});

	test('lets several processes share an account', async () => {
		const clock = new FakeClock();
		const accepted: number[] = [];
		const inMinute = () => accepted.filter((time) => time > clock.now() - MINUTE);
		const answer = (): SentRequest => {
			const recent = inMinute();
			const [oldest = 0] = recent;
			if (recent.length >= 100) {
				return { ...TOO_MANY, retryAfterMs: oldest + MINUTE - clock.now() };
			}
			accepted.push(clock.now());
			return { status: 200 };
		};
		const done = [0, 0, 0];
		let refused = 0;
		const work = async (process: number, limiter: RateLimiter): Promise<void> => {
			while (clock.now() < 20 * MINUTE) {
				const slot = await limiter.acquire();
				await clock.wait(25);
				const sent = answer();
				await clock.wait(25);
				limiter.release(slot, sent);
				if (sent.status === 429) refused += 1;
				else done[process] = (done[process] ?? 0) + 1;
			}
		};
		for (const process of done.keys()) {
			const limiter = new RateLimiter(clock, STANDARD);
			for (let lane = 0; lane < 10; lane += 1) void work(process, limiter);
		}
		await clock.pass(20 * MINUTE);
		expect(accepted.length).toBeGreaterThan(20 * 100 * 0.85);
		expect(refused).toBeLessThan(accepted.length * 0.4);
		for (const count of done) expect(count).toBeGreaterThan((accepted.length / 3) * 0.7);
	});
});

describe('the executions of a process', () => {
	let clock: FakeClock;
	let limiters: Map<string, RateLimiter>;
	const of = (account: string) => rateLimiterFor(account, STANDARD, clock, limiters);

	beforeEach(() => {
		clock = new FakeClock();
		limiters = new Map();
	});

	test('share the rate limiter of an account, and of no other', async () => {
		const limiter = of('one');
		const slot = await limiter.acquire();
		expect(of('one')).toBe(limiter);
		expect(of('other')).not.toBe(limiter);
		limiter.release(slot, { status: 200 });
		expect(of('one')).toBe(limiter);
	});

	test('forget accounts that nobody uses', async () => {
		for (let number = 0; number < 1000; number += 1) {
			const limiter = of(`account-${number}`);
			limiter.release(await limiter.acquire(), { status: 200 });
			await clock.pass(clock.now() + 1000);
		}
		expect(limiters.size).toBeLessThan(70);
	});

	test('do not forget until when the service wants no requests', async () => {
		const limiter = of('closed');
		limiter.release(await limiter.acquire(), { ...TOO_MANY, retryAfterMs: 5 * MINUTE });
		await clock.pass(2 * MINUTE);
		expect(of('closed')).toBe(limiter);
		await clock.pass(6 * MINUTE);
		expect(of('closed')).not.toBe(limiter);
	});
});
