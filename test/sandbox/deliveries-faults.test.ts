import { type DeliveryFault } from '../../sandbox/client';
import { poll } from '../../tools/n8n/poll';
import { checkEvent } from './contract-checks';
import { deliveryFixture, HOUR_MS, ids, sequence, sorted, upTo } from './delivery-fixture';
import { demo } from './fixture';
import { eventIn, isSignedWith, type Received } from './receiver';

const { fixture, receiver, control, subscribe, subscribeElsewhere, ...subscriber } =
	deliveryFixture();
const { emit, settled, emitAndSettle, strike, arrived, deliveryIn } = subscriber;

/** The numbers of the payables that came in, from the least one on. */
const arrivals = () => sorted(sequence(receiver.received));
/** What came in of the first payable. */
const ofFirst = () => receiver.received.filter((each) => sequence([each])[0] === 0);

describe('a fault', () => {
	test('duplicate: the same goes out so many times', async () => {
		await strike({ kind: 'duplicate', copies: 3, times: 2 }, 10);

		await settled();

		const [first, ...copies] = ofFirst();
		expect(arrivals()).toEqual(sorted([...upTo(10), 0, 0, 1, 1]));
		expect(copies).toEqual([first, first]);
		expect(await control().deliveryFaults()).toEqual([]);
	});

	test('delay: goes out later, on the sandbox’s clock, and once', async () => {
		const match = { eventType: 'payable.paid' } as const;
		await strike({ kind: 'delay', ms: HOUR_MS, ratio: 1, match }, 10);

		await poll('ten to wait', async () => {
			const waiting = await control().deliveries({ state: 'waiting' });
			const soon = Date.parse(await control().now()) + 3_000_000;
			const late = waiting.filter(({ dueAt }) => Date.parse(dueAt ?? '') > soon);

			return late.length === 10 || undefined;
		});

		expect(receiver.received).toEqual([]);

		await control().advanceClock(3600);
		await settled();

		expect(arrivals()).toEqual(upTo(10));
		expect((await control().deliveryAttempts())[0]?.faults).toEqual(['delay']);
	});

	test('reorder: all go out, in another order than without it', async () => {
		await control().setSettings({ maxInFlightPerSubscription: 1 });
		await subscribe();

		await emitAndSettle(10);

		expect(sequence(receiver.received)).toEqual(upTo(10));

		receiver.clear();
		await control().addDeliveryFault({ kind: 'reorder', ms: 300, ratio: 1 });
		await emitAndSettle(10);

		expect(sequence(receiver.received)).not.toEqual(upTo(10));
		expect(arrivals()).toEqual(upTo(10));
	});

	test('drop: never goes out, unless by hand', async () => {
		await strike({ kind: 'drop', times: 3 }, 10);

		const deliveries = await settled();

		const states = deliveries.map(({ state }) => state);
		const delivery = deliveries[0]?.id ?? '';
		expect(arrivals()).toEqual([3, 4, 5, 6, 7, 8, 9]);
		expect(states.slice(0, 4)).toEqual(['dropped', 'dropped', 'dropped', 'delivered']);
		expect(await control().deliveryAttempts(delivery)).toMatchObject([{ faults: ['drop'] }]);

		await control().redeliver({ delivery });
		await settled();

		expect(sequence(receiver.received)).toContain(0);
	});

	test.each([
		['forged_signature', /^[0-9a-f]{64}$/],
		['missing_signature', /^undefined$/],
		['foreign_signature', /^[0-9a-f]{64}$/],
	] as const)('%s: refused, it comes again with the right one', async (kind, signature) => {
		await control().setSettings({ firstRetryMs: HOUR_MS });
		const elsewhere = await subscribeElsewhere(receiver.url('/elsewhere'));
		const { secret } = await subscribe();
		receiver.react = (received) => (isSignedWith(secret, received) ? 200 : 401);
		await control().addDeliveryFault({ kind });
		await emit();
		await deliveryIn('waiting', 1);
		await control().advanceClock(3600);
		await deliveryIn('delivered', 2);

		const [wrong, right] = receiver.received;
		expect(String(wrong?.signature)).toMatch(signature);
		expect(wrong?.body).toBe(right?.body);
		expect(isSignedWith(elsewhere.secret, wrong)).toBe(kind === 'foreign_signature');
		expect(await control().deliveryAttempts()).toMatchObject([
			{ status: 401, faults: [kind] },
			{ status: 200, faults: [] },
		]);
	});

	test('stale: an old event comes along with the signature it had', async () => {
		await strike({ kind: 'stale' });

		await settled();

		// There was nothing old yet, so that the fault still waits.
		expect(receiver.received).toHaveLength(1);

		await control().advanceClock(3600);
		await emit(1, 1);
		await arrived(3);
		await settled();

		const [first, again] = ofFirst();
		expect(arrivals()).toEqual([0, 0, 1]);
		expect(again).toEqual(first);
	});

	const bytes = 3_000_000;
	const isEvent = (received: Received) => {
		checkEvent(eventIn(received));
		return received.body.length === bytes;
	};

	const isNoEvent = (received: Received) => {
		expect(() => eventIn(received)).toThrow(SyntaxError);

		return received.body;
	};

	test.each<[string, DeliveryFault, (received: Received) => unknown, unknown]>([
		['cut in half', { kind: 'malformed' }, isNoEvent, expect.stringMatching(/^{"id":"evt_/)],
		['a text', { kind: 'malformed', body: 'Hello' }, isNoEvent, 'Hello'],
		['as large as asked for, still the event', { kind: 'oversized', bytes }, isEvent, true],
	])('a body that is %s has a valid signature', async (_, fault, read, expected) => {
		const { secret } = await strike(fault);
		await settled();
		const [received] = await arrived(1);
		if (received === undefined) {
			throw new Error('Nothing came.');
		}

		expect(read(received)).toEqual(expected);
		expect(isSignedWith(secret, received)).toBe(true);
		expect(await control().deliveryAttempts()).toMatchObject([{ bytes: received.body.length }]);
	});

	test('with a ratio strikes the same ones whenever the seed is the same', async () => {
		const survivorsOf = async (seed: number) => {
			await control().reset();
			receiver.clear();
			await control().setSettings({ seed });
			await strike({ kind: 'drop', ratio: 0.5 }, 200);
			await settled();

			return arrivals();
		};

		const first = await survivorsOf(7);

		expect(await survivorsOf(7)).toEqual(first);
		expect(await survivorsOf(8)).not.toEqual(first);
		expect(first.length).toBeGreaterThan(60);
		expect(first.length).toBeLessThan(140);
	});

	test('strikes only what it matches, until it is cleared', async () => {
		const { id } = await subscribe(receiver.url('/a'));
		await subscribe(receiver.url('/b'));
		const { secondWorkspaceId: workspaceId } = demo;
		const eventType = 'payable.approved' as const;
		for (const match of [{ subscriptionId: id }, { workspaceId }, { eventType }]) {
			await control().addDeliveryFault({ kind: 'drop', ratio: 1, match });
		}

		await emitAndSettle(3);

		expect([receiver.at('/a').length, receiver.at('/b').length]).toEqual([0, 3]);

		await control().clearDeliveryFaults();
		await emitAndSettle(3);

		expect([receiver.at('/a').length, receiver.at('/b').length]).toEqual([3, 6]);
	});
});

describe('many deliveries', () => {
	test('all arrive exactly once, fifty at a time and never more', async () => {
		const waiting: ((status: number) => void)[] = [];
		// Answers none until fifty are there.
		receiver.react = async () =>
			await new Promise<number>((resolve) => {
				waiting.push(resolve);
				if (waiting.length === 50) {
					for (const answer of waiting.splice(0)) {
						answer(200);
					}
				}
			});

		await subscribe();

		const events = await emit(2000);
		const deliveries = await settled();

		const others = deliveries.filter((one) => one.state !== 'delivered' || one.attempts !== 1);
		expect(others).toEqual([]);
		expect(ids(receiver.received.map(eventIn))).toEqual(ids(events));
		expect(receiver.maxConcurrent).toBe(50);
	});

	test('to a silent subscriber hold up neither the API nor another subscriber', async () => {
		await control().setSettings({ timeoutMs: 600_000 });
		await subscribe(receiver.url('/slow'));
		await subscribe(receiver.url('/quick'), ['payable.approved']);
		receiver.react = ({ path }) => (path === '/slow' ? 'silence' : 200);
		await emit(300);
		await arrived(50, '/slow');

		await fixture.approved();
		await arrived(1, '/quick');

		expect(receiver.at('/quick')).toHaveLength(1);
		expect(receiver.at('/slow')).toHaveLength(50);
		expect(await control().deliveryCounts()).toMatchObject({ sending: 50 });
	});
});

test('a reset breaks off what is being sent, and forgets everything', async () => {
	await control().setSettings({ timeoutMs: 600_000, envelope: 'bare' });
	receiver.react = () => 'silence';
	await strike({ kind: 'drop', match: { eventType: 'payable.approved' } }, 3);
	await arrived(3);
	await control().reset();
	receiver.clear();

	expect(await control().deliveries()).toEqual([]);
	expect(await control().deliveryFaults()).toEqual([]);

	await subscribe();
	await emitAndSettle(1, 9);

	expect(sequence(receiver.received)).toEqual([9]);
	expect(await control().deliveryAttempts()).toHaveLength(1);
});
