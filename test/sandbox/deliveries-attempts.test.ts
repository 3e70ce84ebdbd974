import { retryDelayMs } from '../../sandbox/deliveries/options';
import type { Sandbox } from '../../sandbox/client';
import { poll } from '../../tools/n8n/poll';
import { startSandbox } from '../support/sandbox';
import { deliveryFixture, HOUR_MS, sequence } from './delivery-fixture';
import { createSubscription } from './fixture';
import { listenOnFreePort, TemporaryFolder } from './processes';
import { eventIn, isSignedWith, type Reaction } from './receiver';

const { receiver, control, subscribe, makeEvents, emit, settled, arrived, counted, deliveryIn } =
	deliveryFixture();

describe('an attempt', () => {
	const failures: [string, Reaction, number | null, string | null][] = [
		['a server error', 500, 500, null],
		['a client error', 404, 404, null],
		['a redirect, which is not followed', 302, 302, null],
		['a broken connection', 'cut', null, expect.any(String) as string],
		['silence', 'silence', null, 'No answer in 200 ms.'],
	];
	test.each(failures)('that meets %s is made again', async (_, reaction, status, error) => {
		// Only what is not answered at all may run into the timeout.
		const timeoutMs = reaction === 'silence' ? 200 : 10_000;
		await control().setDeliveryOptions({ firstRetryMs: HOUR_MS, timeoutMs });
		const { secret } = await subscribe(receiver.url());
		receiver.react = () => reaction;
		const [event] = await emit();
		expect(await deliveryIn('waiting', 1)).toMatchObject({ lastStatus: status, lastError: error });

		receiver.react = () => 204;
		await control().setDeliveryOptions({ timeoutMs: 10_000 });
		await control().advanceClock(3600);
		expect(await deliveryIn('delivered', 2)).toMatchObject({ lastStatus: 204, lastError: null });
		const [first, second] = receiver.received;
		expect(receiver.received).toHaveLength(2);
		expect(second).toEqual(first);
		expect(second !== undefined && isSignedWith(secret, second)).toBe(true);
		expect(await control().deliveryAttempts()).toMatchObject([
			{ eventIds: [event?.id], attempt: 1, status, error, url: receiver.url() },
			{ eventIds: [event?.id], attempt: 2, status: 204, bytes: second?.body.length, faults: [] },
		]);
	});

	test('at an address where nobody listens is made again', async () => {
		await control().setDeliveryOptions({ firstRetryMs: HOUR_MS });
		const { port, close } = await listenOnFreePort();
		await close();
		await subscribe(`http://localhost:${port}/hook`);
		await emit();
		const refused = { lastStatus: null, lastError: 'ECONNREFUSED' };
		expect(await deliveryIn('waiting', 1)).toMatchObject(refused);
	});

	test('is not made again before its time', async () => {
		await control().setDeliveryOptions({ firstRetryMs: HOUR_MS });
		await subscribe(receiver.url());
		receiver.react = () => 500;
		await emit(1, 0);
		const { dueAt } = await deliveryIn('waiting', 1);
		receiver.react = () => 200;
		const wait = Date.parse(dueAt ?? '') - Date.parse(await control().now());
		await control().advanceClock(Math.floor(wait / 1000) - 5);
		await emit(1, 1);
		await arrived(2);
		expect(sequence(receiver.received)).toEqual([0, 1]);
		await control().advanceClock(10);
		await settled();
		expect(sequence(receiver.received)).toEqual([0, 1, 0]);
	});

	test('waits without the clock being moved as well', async () => {
		await control().setDeliveryOptions({ firstRetryMs: 100 });
		await subscribe(receiver.url());
		receiver.react = () => (receiver.received.length < 3 ? 500 : 200);
		await emit();
		await deliveryIn('delivered', 3);
		expect(sequence(receiver.received)).toEqual([0, 0, 0]);
	});

	test('waits twice as long every time, half of it by chance, up to a limit', () => {
		const options = { firstRetryMs: 1000, maxRetryMs: 60_000 };
		const waits = (luck: number) =>
			[1, 2, 3, 6, 7, 2000].map((attempts) => retryDelayMs(options, attempts, luck));
		expect(waits(0)).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000]);
		expect(waits(1)).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000]);
	});

	test('is the last one when enough have failed; the next event is delivered all the same', async () => {
		await control().setDeliveryOptions({ firstRetryMs: HOUR_MS, maxAttempts: 3 });
		await subscribe(receiver.url());
		receiver.react = () => 503;
		await emit();
		for (const attempts of [1, 2]) {
			await deliveryIn('waiting', attempts);
			await control().advanceClock(3600);
		}
		expect(await deliveryIn('failed', 3)).toMatchObject({ lastStatus: 503, dueAt: null });
		receiver.react = () => 200;
		await control().advanceClock(1_000_000);
		await emit(1, 1);
		await counted('delivered', 1);
		expect(receiver.received).toHaveLength(4);
	});

	test('that is answered with 410 ends the subscription', async () => {
		await control().setDeliveryOptions({ maxInFlightPerSubscription: 1 });
		const { id } = await subscribe(receiver.url());
		const other = await subscribe(receiver.url('/other'));
		receiver.react = ({ path }) => (path === '/other' ? 200 : 410);
		await emit(3);
		await settled();
		await emit(1, 3);
		const deliveries = await settled();
		expect(receiver.at('/hook')).toHaveLength(1);
		expect(receiver.at('/other')).toHaveLength(4);
		const ofEnded = deliveries.filter(({ subscriptionId }) => subscriptionId === id);
		expect(ofEnded).toMatchObject([
			{ state: 'failed', attempts: 1 },
			{ state: 'failed', attempts: 0 },
			{ state: 'failed', attempts: 0 },
		]);
		expect(await control().subscriptions()).toMatchObject([
			{ id, endedAt: expect.any(String) as string },
			{ id: other.id, endedAt: null },
		]);
	});
});

describe('redelivery', () => {
	test('of one delivery sends the same once more', async () => {
		await subscribe(receiver.url('/a'));
		await subscribe(receiver.url('/b'));
		await emit(2);
		const [delivery] = await settled();
		expect(await control().redeliver({ delivery: delivery?.id ?? '' })).toMatchObject([
			{ id: delivery?.id, attempts: 0, lastStatus: null, deliveredAt: null },
		]);
		await arrived(5);
		expect((await settled())[0]).toMatchObject({ id: delivery?.id, attempts: 1 });
		const repeated = receiver.at('/a').filter((each) => eventIn(each).id === delivery?.eventId);
		expect(repeated).toHaveLength(2);
		expect(repeated[1]).toEqual(repeated[0]);
	});

	test('of an event reaches all its subscriptions, also after they were given up', async () => {
		await control().setDeliveryOptions({ maxAttempts: 1 });
		await subscribe(receiver.url('/a'));
		await subscribe(receiver.url('/b'));
		receiver.react = ({ path }) => (path === '/a' ? 500 : 200);
		const [event] = await emit();
		await settled();
		receiver.react = () => 200;
		await control().redeliver({ event: event?.id ?? '' });
		const deliveries = await poll('both', async () => {
			const all = await settled();
			return receiver.received.length === 4 ? all : undefined;
		});
		expect(deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered']);
	});
});

test('deliveries can be paused, and are chosen by event, subscription and state', async () => {
	const { id } = await subscribe(receiver.url('/a'));
	await subscribe(receiver.url('/b'));
	await control().pauseDeliveries();
	const [event] = await emit(3);
	await control().advanceClock(3600);
	expect(await control().deliveryCounts()).toMatchObject({ waiting: 6, sending: 0 });
	expect(receiver.received).toEqual([]);
	await control().resumeDeliveries();
	await settled();
	expect(receiver.received).toHaveLength(6);
	expect(await control().deliveries({ subscription: id })).toHaveLength(3);
	expect(await control().deliveries({ event: event?.id })).toHaveLength(2);
	expect(await control().deliveries({ event: event?.id, subscription: id })).toHaveLength(1);
	expect(await control().deliveries({ state: 'failed' })).toEqual([]);
});

describe('a sandbox that ends', () => {
	const folder = new TemporaryFolder();
	let sandbox: Sandbox | undefined;
	afterEach(async () => {
		await sandbox?.stop();
	});

	/** Starts it on the same file as before. */
	const start = async () => (sandbox = await startSandbox({ data: folder.file('state.db') }));
	const subscribeIn = async ({ api, workspaceId }: Sandbox) =>
		await createSubscription(await api(), workspaceId, receiver.url());
	const eventually = async ({ control }: Sandbox, state: string, attempts: number) =>
		await poll(`all deliveries to be ${state}`, async () => {
			const all = await control.deliveries();
			return all.every((one) => one.state === state && one.attempts === attempts) || undefined;
		});

	test('goes on where it was: attempts, times and options', async () => {
		const first = await start();
		await first.control.setDeliveryOptions({ firstRetryMs: HOUR_MS, names: 'snake' });
		await subscribeIn(first);
		receiver.react = () => 500;
		await first.control.emitEvents(makeEvents(1));
		await eventually(first, 'waiting', 1);
		const before = await first.control.deliveries();
		await first.stop();

		const second = await start();
		expect(await second.control.deliveries()).toEqual(before);
		expect(receiver.received).toHaveLength(1);
		receiver.react = () => 200;
		await second.control.advanceClock(3600);
		await eventually(second, 'delivered', 2);
		const [one, two] = receiver.received;
		expect(receiver.received).toHaveLength(2);
		expect(two).toEqual(one);
	});

	test('sends what was recorded and not sent', async () => {
		const first = await start();
		await subscribeIn(first);
		await first.control.pauseDeliveries();
		await first.control.emitEvents(makeEvents(2));
		await first.stop();
		const second = await start();
		const unsent = { state: 'waiting', attempts: 0 };
		expect(await second.control.deliveries()).toMatchObject([unsent, unsent]);
		await second.control.resumeDeliveries();
		await eventually(second, 'delivered', 1);
	});

	test('while a subscriber is silent, sends it again', async () => {
		const first = await start();
		await subscribeIn(first);
		receiver.react = () => 'silence';
		await first.control.emitEvents(makeEvents(1));
		await arrived(1);
		await first.stop();
		receiver.react = () => 200;
		await eventually(await start(), 'delivered', 1);
		expect(receiver.received).toHaveLength(2);
	});
});
