import { type DeliveryFault } from '../../sandbox/client';
import { chance } from '../../sandbox/shared/random';
import { poll } from '../../tools/n8n/poll';
import { deliveryFixture, ids, sequence } from './delivery-fixture';
import { eventIn, isSignedWith } from './receiver';

const { fixture, receiver, control, subscribe, emit, settled, arrived } = deliveryFixture();

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
		const events = await emit(5000);
		const deliveries = await settled();
		expect(deliveries.every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(
			true,
		);
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
		await poll('the slow one to be full', () =>
			Promise.resolve(receiver.at('/slow').length === 50 ? true : undefined),
		);
		await fixture.approved();
		await poll('the quick one', () =>
			Promise.resolve(receiver.at('/quick').length === 1 ? true : undefined),
		);
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
