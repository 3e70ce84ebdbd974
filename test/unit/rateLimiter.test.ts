import fc from 'fast-check';

import { paceOf } from '../../nodes/PartnerPayments/service/http/accounts';
import { limitOf, UNLIMITED, type Limit } from '../../nodes/PartnerPayments/service/http/limit';
import { ClosedError, Pace, type Sent } from '../../nodes/PartnerPayments/service/http/rateLimiter';
import { FakeClock } from './fakeClock';
import { rejectionOf } from './support';

const MINUTE = 60_000;
const STANDARD: Limit = { requests: 100, windowMs: MINUTE };

/** An account with a service that counts, far away or near. */
class World {
	readonly clock = new FakeClock();
	readonly pace: Pace;
	/** When requests left, in the order in which they were given a place. */
	readonly sent: number[] = [];
	/** When the service got them. */
	readonly arrived: number[] = [];

	constructor(limit: Partial<Limit> = {}) {
		this.pace = new Pace(this.clock, { ...STANDARD, ...limit });
	}

	/** Sends a request that takes so long there and back; a lost one has no answer. */
	async send({ there = 0, back = 0, sent = { status: 200, times: 1 }, signal }: Journey = {}) {
		const place = await this.pace.take(signal);
		this.sent.push(this.clock.now());
		await this.clock.wait(there);
		for (let time = 0; time < sent.times; time += 1) this.arrived.push(this.clock.now());
		await this.clock.wait(back);
		this.pace.leave(place, sent);
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
	sent?: Sent;
	signal?: AbortSignal;
}

const TOO_MANY: Sent = { status: 429, times: 1 };

describe('the limit', () => {
	test('holds in every window of the service, whatever the network delays', async () => {
		const delay = fc.integer({ min: 0, max: 3000 });
		const request = fc.record({
			begin: fc.integer({ min: 0, max: 5000 }),
			there: delay,
			back: delay,
			stopAfter: fc.option(delay),
			answer: fc.constantFrom<Omit<Sent, 'times'>>(
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
						const sent = { ...answer, times: 1 };
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

	test('lets as many as there are places go at once', async () => {
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

	test('counts a request twice that n8n sent twice', async () => {
		const world = new World({ requests: 4 });
		await world.sendAll(4, { sent: { status: 200, times: 2 } });
		await world.sendAll(1);
		expect(world.sent.filter((time) => time < MINUTE)).toHaveLength(4);
		expect(world.sent[4]).toBeGreaterThanOrEqual(MINUTE);
		await world.sendAll(2, { sent: { status: 200, times: 2 } });
		expect(world.sent.at(-1)).toBeGreaterThanOrEqual(MINUTE);
	});

	test('can be changed while requests wait', async () => {
		const world = new World({ requests: 1 });
		const all = Array.from({ length: 3 }, async () => {
			await world.send();
		});
		await world.clock.pass(1000);
		expect(world.sent).toEqual([0]);
		world.pace.adjust({ ...STANDARD, requests: 3 });
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
		expect(limitOf(credentials)).toEqual(limit);
	});
});

describe('whoever waits', () => {
	test('comes in turn', async () => {
		const { clock, pace } = new World({ requests: 2 });
		const order: number[] = [];
		for (let number = 0; number < 9; number += 1) {
			void pace.take().then((place) => {
				order.push(number);
				pace.leave(place, { status: 200, times: 1 });
			});
		}
		await clock.pass();
		expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
	});

	test('can stop, at once, and leaves the turn to the next', async () => {
		const { clock, pace } = new World({ requests: 1 });
		pace.leave(await pace.take(), { status: 200, times: 1 });
		const stop = new AbortController();
		const stopped = rejectionOf(pace.take(stop.signal));
		const next = pace.take();
		const reason = new Error('The execution was cancelled');
		stop.abort(reason);
		expect(await stopped).toHaveProperty('cause', reason);
		expect(clock.now()).toBe(0);
		await clock.pass();
		expect((await next).sentAt).toBeGreaterThanOrEqual(MINUTE);
		expect((await next).sentAt).toBeLessThan(MINUTE + 100);
	});

	test('is not let in when it has stopped before', async () => {
		const { pace } = new World();
		const reason = new Error('The execution was cancelled');
		expect(await rejectionOf(pace.take(AbortSignal.abort(reason)))).toBe(reason);
		expect(pace.isIdle).toBe(true);
	});

	test('leaves no timer behind when all have stopped', async () => {
		const { clock, pace } = new World({ requests: 1 });
		pace.leave(await pace.take(), { status: 200, times: 1 });
		const stop = new AbortController();
		const stopped = rejectionOf(pace.take(stop.signal));
		stop.abort();
		await stopped;
		await clock.pass();
		expect(clock.now()).toBe(0);
	});

	test('costs no timer of their own', async () => {
		const { clock, pace } = new World();
		const stop = new AbortController();
		const all = Array.from({ length: 20_000 }, async () => {
			await pace.take(stop.signal).then((place) => {
				pace.leave(place, { status: 200, times: 1 });
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
			await world.send({ back, sent: back === 0 ? TOO_MANY : { status: 200, times: 1 } });
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
		const wait: Sent = { ...TOO_MANY, retryAfterMs: 40_000 };
		await world.sendAll(1, { sent: wait });
		const all = Array.from({ length: 3 }, async () => {
			await world.send();
		});
		await world.clock.pass();
		await Promise.all(all);
		expect(world.sent[1]).toBe(40_000);
	});

	test('that wants a very long time turns everybody away, and is over some time', async () => {
		const { clock, pace } = new World();
		const place = await pace.take();
		const waiting = rejectionOf(
			Promise.all(Array.from({ length: 100 }, async () => await pace.take())),
		);
		pace.leave(place, { ...TOO_MANY, retryAfterMs: 60 * MINUTE });
		expect(await waiting).toBeInstanceOf(ClosedError);
		expect(await rejectionOf(pace.take())).toHaveProperty('forMs', 60 * MINUTE);
		await clock.pass(50 * MINUTE);
		const next = pace.take();
		await clock.pass();
		expect((await next).sentAt).toBe(60 * MINUTE);
	});

	test('lets several processes share an account', async () => {
		const clock = new FakeClock();
		const accepted: number[] = [];
		const inMinute = () => accepted.filter((time) => time > clock.now() - MINUTE);
		const answer = (): Sent => {
			const recent = inMinute();
			const [oldest = 0] = recent;
			if (recent.length >= 100) {
				return { ...TOO_MANY, retryAfterMs: oldest + MINUTE - clock.now() };
			}
			accepted.push(clock.now());
			return { status: 200, times: 1 };
		};
		const done = [0, 0, 0];
		let refused = 0;
		const work = async (process: number, pace: Pace): Promise<void> => {
			while (clock.now() < 20 * MINUTE) {
				const place = await pace.take();
				await clock.wait(25);
				const sent = answer();
				await clock.wait(25);
				pace.leave(place, sent);
				if (sent.status === 429) refused += 1;
				else done[process] = (done[process] ?? 0) + 1;
			}
		};
		for (const process of done.keys()) {
			const pace = new Pace(clock, STANDARD);
			for (let lane = 0; lane < 10; lane += 1) void work(process, pace);
		}
		await clock.pass(20 * MINUTE);
		expect(accepted.length).toBeGreaterThan(20 * 100 * 0.85);
		expect(refused).toBeLessThan(accepted.length * 0.4);
		for (const count of done) expect(count).toBeGreaterThan((accepted.length / 3) * 0.7);
	});
});

describe('the executions of a process', () => {
	let clock: FakeClock;
	let paces: Map<string, Pace>;
	const of = (account: string) => paceOf(account, STANDARD, clock, paces);

	beforeEach(() => {
		clock = new FakeClock();
		paces = new Map();
	});

	test('share the pace of an account, and of no other', async () => {
		const pace = of('one');
		const place = await pace.take();
		expect(of('one')).toBe(pace);
		expect(of('other')).not.toBe(pace);
		pace.leave(place, { status: 200, times: 1 });
		expect(of('one')).toBe(pace);
	});

	test('forget accounts that nobody uses', async () => {
		for (let number = 0; number < 1000; number += 1) {
			const pace = of(`account-${number}`);
			pace.leave(await pace.take(), { status: 200, times: 1 });
			await clock.pass(clock.now() + 1000);
		}
		expect(paces.size).toBeLessThan(70);
	});

	test('do not forget when the service wants to be left alone', async () => {
		const pace = of('closed');
		pace.leave(await pace.take(), { ...TOO_MANY, retryAfterMs: 5 * MINUTE });
		await clock.pass(2 * MINUTE);
		expect(of('closed')).toBe(pace);
		await clock.pass(6 * MINUTE);
		expect(of('closed')).not.toBe(pace);
	});
});
