import { retryDelayMs } from '../../sandbox/deliveries/attempt';
import type { Control, Settings } from '../../sandbox/client';
import { poll } from '../../tools/n8n/poll';
import { deliveryFixture, HOUR_MS, makeEvents, sequence } from './delivery-fixture';
import { createSubscription } from './fixture';
import { DataFile } from './processes';
import { isSignedWith, type Reaction } from './receiver';

const { receiver, control, subscribe, emit, settled, ...subscriber } = deliveryFixture();
const { emitAndSettle, arrived, deliveryIn } = subscriber;
const file = new DataFile();

describe('an attempt', () => {
	/** Emits an event to a subscriber that reacts like this. */
	const emitTo = async (reaction: Reaction, options: Partial<Settings> = {}) => {
		await control().setSettings({ firstRetryMs: HOUR_MS, ...options });
		receiver.react = () => reaction;
		const { secret } = await subscribe();
		const [event] = await emit();

		return { secret, eventIds: [event?.id] };
	};

	test.each<[string, Reaction, number | null, string | null]>([
		['a server error', 500, 500, null],
		['a client error', 404, 404, null],
		['a redirect, which is not followed', 302, 302, null],
		['a broken connection', 'cut', null, expect.any(String) as string],
		['silence', 'silence', null, 'No answer in 200 ms.'],
	])('that meets %s is made again', async (_, reaction, status, error) => {
		// Only what is not answered at all may run into the timeout.
		const timeoutMs = reaction === 'silence' ? 200 : 10_000;
		const { secret, eventIds } = await emitTo(reaction, { timeoutMs });

		expect(await deliveryIn('waiting', 1)).toMatchObject({ lastStatus: status, lastError: error });

		receiver.react = () => 204;
		await control().setSettings({ timeoutMs: 10_000 });
		await control().advanceClock(3600);
		const delivered = await deliveryIn('delivered', 2);

		const [first] = receiver.received;
		expect(delivered).toMatchObject({ lastStatus: 204, lastError: null });
		expect(receiver.received).toEqual([first, first]);
		expect(isSignedWith(secret, first)).toBe(true);
		expect(await control().deliveryAttempts()).toMatchObject([
			{ eventIds, attempt: 1, status, error, url: receiver.url() },
			{ eventIds, attempt: 2, status: 204, bytes: first?.body.length, faults: [] },
		]);
	});

	test('says which delivery it is of, which attempt, and when', async () => {
		await emitTo(500);
		const { id } = await deliveryIn('waiting', 1);
		receiver.react = () => 204;
		const second = await control().advanceClock(3600);
		await deliveryIn('delivered', 2);

		const told = receiver.headers.map((headers) => [
			headers['x-delivery-id'],
			headers['x-delivery-attempt'],
		]);
		const times = receiver.headers.map((headers) => Date.parse(String(headers['x-delivery-time'])));
		const [first = 0, later = 0] = times;
		expect(told).toEqual([
			[id, '1'],
			[id, '2'],
		]);
		expect(later).toBeGreaterThanOrEqual(Date.parse(second));
		expect(later - first).toBeGreaterThanOrEqual(3_600_000);
	});

	test('of several events names each delivery, also when it is asked for again', async () => {
		await control().setSettings({ envelope: 'list', paused: true });
		await subscribe();
		await emit(3);
		await control().setSettings({ paused: false });
		const deliveries = await settled();
		const [first] = deliveries;
		await control().redeliver({ delivery: first?.id ?? '' });
		await settled();

		const told = receiver.headers.map((headers) => [
			headers['x-delivery-id'],
			headers['x-delivery-attempt'],
		]);
		expect(told).toEqual([
			[deliveries.map(({ id }) => id).join(', '), '1'],
			[first?.id, '1'],
		]);
	});

	test('is not made again before its time', async () => {
		await emitTo(500);
		await deliveryIn('waiting', 1);
		receiver.react = () => 200;
		// Half of the hour is left to chance.
		await control().advanceClock(1700);
		await emit(1, 1);

		await arrived(2);

		expect(sequence(receiver.received)).toEqual([0, 1]);
	});

	test('waits without the clock being moved as well', async () => {
		await control().setSettings({ firstRetryMs: 100 });
		await subscribe();
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
		await emitTo(503, { maxAttempts: 3 });
		for (const attempts of [1, 2]) {
			await deliveryIn('waiting', attempts);
			await control().advanceClock(3600);
		}

		expect(await deliveryIn('failed', 3)).toMatchObject({ lastStatus: 503, dueAt: null });

		receiver.react = () => 200;
		await control().advanceClock(1_000_000);
		await emit(1, 1);
		await arrived(4);
		await settled();

		expect(receiver.received).toHaveLength(4);
	});

	test('that is answered with 410 ends the subscription', async () => {
		await control().setSettings({ maxInFlightPerSubscription: 1 });
		const { id } = await subscribe();
		const other = await subscribe(receiver.url('/other'));
		receiver.react = ({ path }) => (path === '/other' ? 200 : 410);

		await emitAndSettle(3);
		await emitAndSettle(1, 3);

		const never = { state: 'failed', attempts: 0 };
		const ofEnded = await control().deliveries({ subscription: id });
		expect(receiver.at('/hook')).toHaveLength(1);
		expect(receiver.at('/other')).toHaveLength(4);
		expect(ofEnded).toMatchObject([{ state: 'failed', attempts: 1 }, never, never]);
		expect(await control().subscriptions()).toMatchObject([
			{ id, endedAt: expect.any(String) as string },
			{ id: other.id, endedAt: null },
		]);
	});
});

test('redelivery of an event reaches all its subscriptions, also after they were given up', async () => {
	await control().setSettings({ maxAttempts: 1 });
	await subscribe(receiver.url('/a'));
	await subscribe(receiver.url('/b'));
	receiver.react = ({ path }) => (path === '/a' ? 500 : 200);
	const [given] = await emitAndSettle();
	receiver.react = () => 200;

	await control().redeliver({ event: given?.eventId ?? '' });
	await arrived(4);
	const deliveries = await settled();

	const [first] = receiver.received;
	expect(deliveries).toMatchObject([
		{ state: 'delivered', attempts: 1 },
		{ state: 'delivered', attempts: 1 },
	]);
	expect(receiver.received.map(({ body }) => body)).toEqual(Array(4).fill(first?.body));
});

test('deliveries can be paused, and are chosen by event, subscription and state', async () => {
	const { id } = await subscribe(receiver.url('/a'));
	await subscribe(receiver.url('/b'));
	await control().setSettings({ paused: true });
	const [event] = await emit(3);
	await control().advanceClock(3600);

	expect(await control().deliveryCounts()).toMatchObject({ waiting: 6, sending: 0 });
	expect(receiver.received).toEqual([]);

	await control().setSettings({ paused: false });
	await settled();

	expect(receiver.received).toHaveLength(6);
	expect(await control().deliveries({ subscription: id })).toHaveLength(3);
	expect(await control().deliveries({ event: event?.id })).toHaveLength(2);
	expect(await control().deliveries({ event: event?.id, subscription: id })).toHaveLength(1);
});

test('a sandbox that ends resumes where it was: attempts, times, and settings', async () => {
	const { api, control: first } = await file.start();
	await createSubscription(await api(), receiver.url());
	const eventually = async (running: Control, state: string, attempts: number) =>
		await poll(`the delivery to be ${state}`, async () => {
			const [one] = await running.deliveries();
			return (one?.state === state && one.attempts === attempts) || undefined;
		});

	await first.setSettings({ firstRetryMs: HOUR_MS, names: 'snake' });
	receiver.react = () => 500;
	await first.emitEvents(makeEvents(1));
	await eventually(first, 'waiting', 1);
	const before = await first.deliveries();

	const { control: second } = await file.start();

	expect(await second.deliveries()).toEqual(before);
	expect(receiver.received).toHaveLength(1);

	receiver.react = () => 200;
	await second.advanceClock(3600);
	await eventually(second, 'delivered', 2);

	expect(receiver.received).toEqual([receiver.received[0], receiver.received[0]]);
});
