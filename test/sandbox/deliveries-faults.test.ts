import { type DeliveryFault } from '../../sandbox/client';
import { poll } from '../../tools/n8n/poll';
import { chance } from '../../sandbox/shared/random';
import { checkEvent } from './contract-checks';
import { deliveryFixture, HOUR_MS, ids, sequence, sorted, upTo } from './delivery-fixture';
import { eventIn, isSignedWith, type Received } from './receiver';

const { fixture, receiver, control, subscribe, subscribeElsewhere, ...subscriber } =
	deliveryFixture();
const { emit, settled, arrived, deliveryIn } = subscriber;

describe('a fault', () => {
	const injectAndEmit = async (fault: DeliveryFault) => {
		await control().addDeliveryFault(fault);
		await emit(10);
	};

	test('duplicate: the same goes out so many times', async () => {
		await subscribe(receiver.url());
		await injectAndEmit({ kind: 'duplicate', copies: 3, times: 2 });
		await settled();
		expect(sorted(sequence(receiver.received))).toEqual(sorted([...upTo(10), 0, 0, 1, 1]));
		const [first, ...copies] = receiver.received.filter((each) => sequence([each])[0] === 0);
		expect(copies).toEqual([first, first]);
		expect(await control().deliveryFaults()).toEqual([]);
	});

	test('delay: goes out later, on the sandbox’s clock, and once', async () => {
		await subscribe(receiver.url());
		const match = { eventType: 'payable.paid' } as const;
		await injectAndEmit({ kind: 'delay', ms: HOUR_MS, ratio: 1, match });
		await poll('ten to wait', async () => {
			const waiting = await control().deliveries({ state: 'waiting' });
			const soon = Date.parse(await control().now()) + 3_000_000;
			const late = waiting.filter(({ dueAt }) => Date.parse(dueAt ?? '') > soon);
			return late.length === 10 || undefined;
		});
		expect(receiver.received).toEqual([]);
		await control().advanceClock(3600);
		await settled();
		expect(sorted(sequence(receiver.received))).toEqual(upTo(10));
		expect((await control().deliveryAttempts())[0]?.faults).toEqual(['delay']);
	});

	test('reorder: all go out, in another order than without it', async () => {
		await control().setDeliveryOptions({ maxInFlightPerSubscription: 1 });
		await subscribe(receiver.url());
		await emit(10);
		await settled();
		expect(sequence(receiver.received)).toEqual(upTo(10));
		receiver.clear();
		await injectAndEmit({ kind: 'reorder', ms: 300, ratio: 1 });
		await settled();
		expect(sequence(receiver.received)).not.toEqual(upTo(10));
		expect(sorted(sequence(receiver.received))).toEqual(upTo(10));
	});

	test('drop: never goes out, unless by hand', async () => {
		await subscribe(receiver.url());
		await injectAndEmit({ kind: 'drop', times: 3 });
		const deliveries = await settled();
		expect(sorted(sequence(receiver.received))).toEqual([3, 4, 5, 6, 7, 8, 9]);
		const states = deliveries.map(({ state }) => state);
		expect(states.slice(0, 4)).toEqual(['dropped', 'dropped', 'dropped', 'delivered']);
		const attempts = await control().deliveryAttempts(deliveries[0]?.id);
		expect(attempts.map(({ faults }) => faults)).toEqual([['drop']]);
		await control().redeliver({ delivery: deliveries[0]?.id ?? '' });
		await settled();
		expect(sequence(receiver.received)).toContain(0);
	});

	test.each([
		['forged_signature', /^[0-9a-f]{64}$/],
		['missing_signature', /^undefined$/],
		['foreign_signature', /^[0-9a-f]{64}$/],
	] as const)('%s: refused, it comes again with the right one', async (kind, signature) => {
		await control().setDeliveryOptions({ firstRetryMs: HOUR_MS });
		const elsewhere = await subscribeElsewhere(receiver.url('/elsewhere'));
		const { secret } = await subscribe(receiver.url());
		receiver.react = (received) => (isSignedWith(secret, received) ? 200 : 401);
		await control().addDeliveryFault({ kind });
		await emit();
		await deliveryIn('waiting', 1);
		await control().advanceClock(3600);
		await deliveryIn('delivered', 2);
		const [wrong, right] = receiver.received;
		if (wrong === undefined) throw new Error('Nothing came.');
		expect(String(wrong.signature)).toMatch(signature);
		expect(wrong.body).toBe(right?.body);
		expect(isSignedWith(elsewhere.secret, wrong)).toBe(kind === 'foreign_signature');
		expect(await control().deliveryAttempts()).toMatchObject([
			{ status: 401, faults: [kind] },
			{ status: 200, faults: [] },
		]);
	});

	test('stale: an old event comes along with the signature it had', async () => {
		await subscribe(receiver.url());
		await control().addDeliveryFault({ kind: 'stale' });
		await emit(1, 0);
		await settled();
		// There was nothing old yet, so that the fault still waits.
		expect(receiver.received).toHaveLength(1);
		await control().advanceClock(3600);
		await emit(1, 1);
		await arrived(3);
		await settled();
		expect(sorted(sequence(receiver.received))).toEqual([0, 0, 1]);
		const [first, again] = receiver.received.filter((each) => sequence([each])[0] === 0);
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
		const { secret } = await subscribe(receiver.url());
		await control().addDeliveryFault(fault);
		await emit();
		await settled();
		const [received] = await arrived(1);
		if (received === undefined) throw new Error('Nothing came.');
		expect(read(received)).toEqual(expected);
		expect(isSignedWith(secret, received)).toBe(true);
		expect(await control().deliveryAttempts()).toMatchObject([{ bytes: received.body.length }]);
	});

	test('with a ratio strikes the same ones whenever the seed is the same', async () => {
		const survivorsOf = async (seed: number) => {
			await control().reset();
			receiver.clear();
			await control().setDeliveryOptions({ seed });
			await subscribe(receiver.url());
			await control().addDeliveryFault({ kind: 'drop', ratio: 0.5 });
			await emit(200);
			await settled();
			return sorted(sequence(receiver.received));
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
		const { secondWorkspaceId: workspaceId } = fixture.sandbox;
		const others = [{ workspaceId }, { eventType: 'payable.approved' as const }];
		for (const match of [{ subscriptionId: id }, ...others]) {
			await control().addDeliveryFault({ kind: 'drop', ratio: 1, match });
		}
		await emit(3);
		await settled();
		expect([receiver.at('/a').length, receiver.at('/b').length]).toEqual([0, 3]);
		await control().clearDeliveryFaults();
		await emit(3);
		await settled();
		expect([receiver.at('/a').length, receiver.at('/b').length]).toEqual([3, 6]);
	});
});

/** Answers nobody until so many requests are there. */
const barrier = (size: number) => {
	const waiting: ((status: number) => void)[] = [];
	return async () =>
		await new Promise<number>((resolve) => {
			waiting.push(resolve);
			if (waiting.length === size) for (const answer of waiting.splice(0)) answer(200);
		});
};

describe('many deliveries', () => {
	test('all arrive exactly once, fifty at a time and never more', async () => {
		receiver.react = barrier(50);
		await subscribe(receiver.url());
		const events = await emit(2000);
		const deliveries = await settled();
		const kept = deliveries.filter(
			({ state, attempts }) => state !== 'delivered' || attempts !== 1,
		);
		expect(kept).toEqual([]);
		expect(ids(receiver.received.map(eventIn))).toEqual(ids(events));
		expect(receiver.maxConcurrent).toBe(50);
	});

	test('all arrive at least once however much goes wrong', async () => {
		await control().setDeliveryOptions({ firstRetryMs: 20, maxRetryMs: 100, maxAttempts: 50 });
		const { secret } = await subscribe(receiver.url());
		const faults: DeliveryFault[] = [
			{ kind: 'duplicate', copies: 2, ratio: 0.1 },
			{ kind: 'reorder', ms: 200, ratio: 0.2 },
			{ kind: 'forged_signature', ratio: 0.1 },
			{ kind: 'missing_signature', ratio: 0.05 },
			{ kind: 'stale', ratio: 0.05 },
			{ kind: 'malformed', ratio: 0.05 },
		];
		for (const fault of faults) await control().addDeliveryFault(fault);
		const taken = new Set<string>();
		receiver.react = (received) => {
			if (!isSignedWith(secret, received)) return 401;
			if (received.body.length < 150) return 400;
			if (chance(1, receiver.received.length) < 0.1) return 503;
			taken.add(eventIn(received).id);
			return 200;
		};
		const events = await emit(500);
		await settled();
		expect([...taken].sort()).toEqual(ids(events));
		expect(receiver.received.length).toBeGreaterThan(500);
	});

	test('to somebody who does not answer hold up neither the API nor anybody else', async () => {
		await control().setDeliveryOptions({ timeoutMs: 600_000 });
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

	test('are never more at once than allowed altogether', async () => {
		await control().setDeliveryOptions({ maxInFlight: 7, maxInFlightPerSubscription: 5 });
		for (const path of ['/a', '/b', '/c']) await subscribe(receiver.url(path));
		const letGo: ((status: number) => void)[] = [];
		receiver.react = async () => await new Promise<number>((resolve) => letGo.push(resolve));
		await emit(20);
		await arrived(7);
		expect(await control().deliveryCounts()).toMatchObject({ sending: 7, waiting: 53 });
		expect(receiver.at('/a').length).toBeLessThanOrEqual(5);
		receiver.react = () => 200;
		for (const go of letGo) go(200);
		await settled();
		expect(receiver.received).toHaveLength(60);
		expect(receiver.maxConcurrent).toBe(7);
	});
});

test('a reset breaks off what is on its way and forgets everything', async () => {
	await control().setDeliveryOptions({ timeoutMs: 600_000, envelope: 'bare' });
	await control().addDeliveryFault({ kind: 'drop', match: { eventType: 'payable.approved' } });
	await subscribe(receiver.url());
	receiver.react = () => 'silence';
	await emit(3);
	await arrived(3);
	await control().reset();
	receiver.clear();
	expect(await control().deliveries()).toEqual([]);
	expect(await control().deliveryAttempts()).toEqual([]);
	expect(await control().deliveryFaults()).toEqual([]);
	expect(await control().deliveryOptions()).toMatchObject({
		timeoutMs: 10_000,
		envelope: 'default',
	});
	await subscribe(receiver.url());
	await emit(1, 9);
	await settled();
	expect(sequence(receiver.received)).toEqual([9]);
	expect(await control().deliveryAttempts()).toHaveLength(1);
});
