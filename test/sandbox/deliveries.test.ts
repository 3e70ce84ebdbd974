import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxiosInstance } from 'axios';
import type { components } from '../../contract/service';
import {
	startSandbox,
	type DeliveryFault,
	type DeliveryView,
	type Event,
	type Sandbox,
} from '../../sandbox/client';
import { chance } from '../../sandbox/shared/random';
import { retryDelayMs } from '../../sandbox/deliveries/options';
import { poll } from '../../tools/n8n/poll';
import { eventIn, isSignedWith, Receiver, type Received, type Treatment } from './receiver';
import { conformEvent, ok, World } from './support';

type EventType = components['schemas']['EventType'];
type Subscription = components['schemas']['WebhookSubscription'];

const everyType: EventType[] = [
	'payable.approved',
	'payable.paid',
	'payable.status_changed',
	'partner.status_changed',
];

/** So long that nothing comes back by itself before the test is over. */
const HOUR = 3_600_000;

const world = new World();
const receiver = new Receiver();
const control = () => world.sandbox.control;

beforeEach(async () => {
	await control().reset();
	receiver.clear();
});

async function subscribe(
	url: string,
	events: EventType[] = everyType,
	workspaceId = world.sandbox.workspaceId,
	api: AxiosInstance = world.api,
): Promise<Subscription> {
	const path = `/workspace/${workspaceId}/webhook-subscription`;
	const body = { url, events };
	return ok(await api.post<{ webhook_subscription: Subscription }>(path, body))
		.webhook_subscription;
}

/** A subscription of the other buyer. */
async function subscribeElsewhere(url: string): Promise<Subscription> {
	const { otherClientId, otherClientSecret, otherWorkspaceId } = world.sandbox;
	const token = await world.sandbox.token({
		clientId: otherClientId,
		clientSecret: otherClientSecret,
	});
	return await subscribe(url, everyType, otherWorkspaceId, await world.client(token));
}

/** Events of a payable that do not come from anything that happened to it. */
const given = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({
		event_type: 'payable.paid' as const,
		workspaceId: world.sandbox.workspaceId,
		data: { payable: { id: `pbl_${from + index}`, status: 'paid' as const } },
	}));

const emit = async (count = 1, from = 0) => await control().emitEvents(given(count, from));

/** Waits until nothing is due and nothing on its way. */
const settled = async (): Promise<DeliveryView[]> =>
	await poll('the deliveries to come to an end', async () => {
		const { waiting, sending } = await control().deliveryCounts();
		return waiting + sending === 0 ? await control().deliveries() : undefined;
	});

/** Waits until so many POSTs have come in. */
const arrived = async (count: number): Promise<Received[]> =>
	await poll(`${count} POSTs`, () =>
		Promise.resolve(receiver.received.length >= count ? receiver.received : undefined),
	);

/** An address that was listened on, and is not any more. */
const addressOfNobody = async (): Promise<string> => {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('It listened nowhere.');
	await new Promise((resolve) => server.close(resolve));
	return `http://localhost:${address.port}/hook`;
};

/** Lets nobody go until so many are there. */
const gate = (size: number) => {
	const waiting: ((status: number) => void)[] = [];
	return async () =>
		await new Promise<number>((resolve) => {
			waiting.push(resolve);
			if (waiting.length === size) for (const go of waiting.splice(0)) go(200);
		});
};

/** Waits until the one delivery is in a state, after so many attempts. */
const one = async (state: DeliveryView['state'], attempts: number): Promise<DeliveryView> =>
	await poll(`a delivery to be ${state}`, async () => {
		const [delivery] = await control().deliveries();
		return delivery?.state === state && delivery.attempts === attempts ? delivery : undefined;
	});

const ids = (events: Event[]) => events.map(({ id }) => id).sort();
const order = (received: Received[]) =>
	received.map((each) => {
		const { data } = eventIn(each);
		return 'payable' in data ? Number(data.payable.id.slice(4)) : NaN;
	});
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b);

describe('events', () => {
	test('each goes once to every subscription that asked for it, and to no other', async () => {
		const { workspaceId, secondWorkspaceId, pendingVendorEmail } = world.sandbox;
		const all = await subscribe(receiver.url('/all'));
		const paid = await subscribe(receiver.url('/paid'), ['payable.paid']);
		await subscribe(receiver.url('/second'), everyType, secondWorkspaceId);
		await subscribeElsewhere(receiver.url('/other'));

		const payables = [
			await world.approved(),
			await world.approved({ payee_email: pendingVendorEmail }),
		];
		await world.funded(payables);
		await control().verifyVendor(pendingVendorEmail);
		await control().expireTaxForm(pendingVendorEmail);
		await settled();

		const events = await control().events();
		expect(new Set(events.map(({ event_type }) => event_type))).toEqual(new Set(everyType));
		expect(events.every(({ workspace_id }) => workspace_id === workspaceId)).toBe(true);
		expect(ids(receiver.at('/all').map(eventIn))).toEqual(ids(events));
		expect(ids(receiver.at('/paid').map(eventIn))).toEqual(
			ids(events.filter(({ event_type }) => event_type === 'payable.paid')),
		);
		expect([...receiver.at('/second'), ...receiver.at('/other')]).toEqual([]);

		for (const each of receiver.received) {
			const event = eventIn(each);
			conformEvent(event);
			expect(event).toEqual(events.find(({ id }) => id === event.id));
			expect(each.type).toBe('application/json');
			expect(isSignedWith((each.path === '/all' ? all : paid).secret, each)).toBe(true);
			expect(isSignedWith((each.path === '/all' ? paid : all).secret, each)).toBe(false);
		}
	});

	test('of one workspace and address, but two subscriptions, go to both', async () => {
		const first = await subscribe(receiver.url());
		const second = await subscribe(receiver.url());
		await emit();
		await settled();
		expect(receiver.received).toHaveLength(2);
		for (const { secret } of [first, second]) {
			expect(receiver.received.filter((each) => isSignedWith(secret, each))).toHaveLength(1);
		}
	});

	test('of a change that was undone are not sent', async () => {
		await subscribe(receiver.url());
		const [event] = given(1);
		if (event === undefined) throw new Error('No event was given.');
		const undone = [event, { ...event, workspaceId: 'nowhere' }];
		await expect(control().emitEvents(undone)).rejects.toThrow('404');
		await emit(1, 7);
		await settled();
		expect(order(receiver.received)).toEqual([7]);
		expect(await control().events()).toHaveLength(1);
	});

	test('from before the subscription are not sent', async () => {
		await emit(1, 1);
		await subscribe(receiver.url());
		await emit(1, 2);
		await settled();
		expect(order(receiver.received)).toEqual([2]);
	});

	test('of a network that is planted are not sent, those from before it are', async () => {
		await subscribe(receiver.url());
		await control().pauseDeliveries();
		await control().rejectVendor(world.sandbox.pendingVendorEmail);
		await control().seed({
			vendors: [{ email: 'dan@example.com', workspaceIds: [world.sandbox.workspaceId] }],
		});
		await control().resumeDeliveries();
		await settled();
		expect(receiver.received.map((each) => eventIn(each).data)).toMatchObject([
			{ partner: { email: world.sandbox.pendingVendorEmail, status: 'rejected' } },
		]);
	});

	test('that make no sense are not recorded by hand', async () => {
		const { workspaceId, controlUrl } = world.sandbox;
		const wrong = [
			{ event_type: 'payable.lost', workspaceId, data: { payable: {} } },
			{ event_type: 'payable.paid', workspaceId, data: {} },
			{ event_type: 'payable.paid', data: { payable: {} } },
		];
		for (const event of wrong) {
			const answer = await world.api.post(`${controlUrl}/events`, { events: [event] });
			expect(answer.status).toBe(400);
		}
		expect(await control().events()).toEqual([]);
	});
});

describe('a tax form', () => {
	const partnerStatuses = () =>
		receiver.received
			.map(eventIn)
			.sort((a, b) => a.created_at.localeCompare(b.created_at))
			.map(({ data }) => ('partner' in data ? data.partner.status : undefined));

	test('that expires is told in the one status of the partner, and payables wait', async () => {
		const { verifiedVendorEmail: email } = world.sandbox;
		await subscribe(receiver.url(), ['partner.status_changed']);
		expect(await control().expireTaxForm(email)).toMatchObject({ taxForm: 'expired' });
		await arrived(1);
		const payable = await world.approved();
		await world.funded([payable]);
		expect((await world.now(payable)).status).toBe('approved');
		expect(await control().renewTaxForm(email)).toMatchObject({ taxForm: 'valid' });
		await settled();
		expect(partnerStatuses()).toEqual(['tax_form_expired', 'verified']);
		expect((await world.now(payable)).status).toBe('paid');
	});

	test('changes nothing twice', async () => {
		const { verifiedVendorEmail: email } = world.sandbox;
		await control().renewTaxForm(email);
		await control().expireTaxForm(email);
		await control().expireTaxForm(email);
		expect(await control().events()).toHaveLength(1);
	});

	test('of a vendor who is not verified shows once the vendor is', async () => {
		const { pendingVendorEmail: email } = world.sandbox;
		await subscribe(receiver.url(), ['partner.status_changed']);
		await control().expireTaxForm(email);
		expect(await control().events()).toEqual([]);
		await control().verifyVendor(email);
		await settled();
		expect(partnerStatuses()).toEqual(['tax_form_expired']);
	});

	test('of nobody is refused', async () => {
		await expect(control().expireTaxForm('nobody@example.com')).rejects.toThrow('404');
	});
});

describe('an attempt', () => {
	const failures: [string, Treatment, number | null, string | null][] = [
		['a server error', 500, 500, null],
		['a client error', 404, 404, null],
		['a redirect, which is not followed', 302, 302, null],
		['a broken connection', 'cut', null, expect.any(String) as string],
		['silence', 'silence', null, 'No answer in 200 ms.'],
	];
	test.each(failures)('that meets %s is made again', async (_, treatment, status, error) => {
		await control().setDeliveryOptions({ firstRetryMs: HOUR, timeoutMs: 200 });
		const { secret } = await subscribe(receiver.url());
		receiver.treat = () => treatment;
		const [event] = await emit();
		expect(await one('waiting', 1)).toMatchObject({ lastStatus: status, lastError: error });

		receiver.treat = () => 204;
		await control().advanceClock(3600);
		expect(await one('delivered', 2)).toMatchObject({ lastStatus: 204, lastError: null });
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
		await control().setDeliveryOptions({ firstRetryMs: HOUR });
		await subscribe(await addressOfNobody());
		await emit();
		expect(await one('waiting', 1)).toMatchObject({ lastStatus: null, lastError: 'ECONNREFUSED' });
	});

	test('is not made again before its time', async () => {
		await control().setDeliveryOptions({ firstRetryMs: HOUR });
		await subscribe(receiver.url());
		receiver.treat = () => 500;
		await emit(1, 0);
		const { dueAt } = await one('waiting', 1);
		receiver.treat = () => 200;
		const wait = Date.parse(dueAt ?? '') - Date.parse(await control().now());
		await control().advanceClock(Math.floor(wait / 1000) - 5);
		await emit(1, 1);
		await arrived(2);
		expect(order(receiver.received)).toEqual([0, 1]);
		await control().advanceClock(10);
		await settled();
		expect(order(receiver.received)).toEqual([0, 1, 0]);
	});

	test('waits without the clock being moved as well', async () => {
		await control().setDeliveryOptions({ firstRetryMs: 100 });
		await subscribe(receiver.url());
		receiver.treat = () => (receiver.received.length < 3 ? 500 : 200);
		await emit();
		await one('delivered', 3);
	});

	test('waits twice as long every time, half of it by chance, up to a limit', () => {
		const options = { firstRetryMs: 1000, maxRetryMs: 60_000 };
		const waits = (luck: number) =>
			[1, 2, 3, 6, 7, 2000].map((attempts) => retryDelayMs(options, attempts, luck));
		expect(waits(0)).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000]);
		expect(waits(1)).toEqual([1000, 2000, 4000, 32_000, 60_000, 60_000]);
	});

	test('is the last one when enough have failed; the next event is delivered all the same', async () => {
		await control().setDeliveryOptions({ firstRetryMs: HOUR, maxAttempts: 3 });
		await subscribe(receiver.url());
		receiver.treat = () => 503;
		await emit();
		for (const attempts of [1, 2]) {
			await one('waiting', attempts);
			await control().advanceClock(3600);
		}
		expect(await one('failed', 3)).toMatchObject({ lastStatus: 503, dueAt: null });
		receiver.treat = () => 200;
		await control().advanceClock(1_000_000);
		await emit(1, 1);
		await poll('the next event', async () => {
			const { delivered } = await control().deliveryCounts();
			return delivered === 1 ? true : undefined;
		});
		expect(receiver.received).toHaveLength(4);
	});

	test('that is answered with 410 ends the subscription', async () => {
		await control().setDeliveryOptions({ maxInFlightPerSubscription: 1 });
		const { id } = await subscribe(receiver.url());
		const other = await subscribe(receiver.url('/other'));
		receiver.treat = ({ path }) => (path === '/other' ? 200 : 410);
		await emit(3);
		await settled();
		await emit(1, 3);
		const deliveries = await settled();
		expect(receiver.at('/hook')).toHaveLength(1);
		expect(receiver.at('/other')).toHaveLength(4);
		const ofEnded = deliveries.filter(({ subscriptionId }) => subscriptionId === id);
		expect(ofEnded.map(({ state, attempts }) => [state, attempts])).toEqual([
			['failed', 1],
			['failed', 0],
			['failed', 0],
		]);
		const ended = (await control().subscriptions()).map(({ endedAt, ...view }) => [
			view.id,
			endedAt !== null,
		]);
		expect(ended).toEqual([
			[id, true],
			[other.id, false],
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
		receiver.treat = ({ path }) => (path === '/a' ? 500 : 200);
		const [event] = await emit();
		await settled();
		receiver.treat = () => 200;
		await control().redeliver({ event: event?.id ?? '' });
		const deliveries = await poll('both', async () => {
			const all = await settled();
			return receiver.received.length === 4 ? all : undefined;
		});
		expect(deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered']);
	});

	test('of what does not exist is refused', async () => {
		await expect(control().redeliver({ delivery: 'dlv_none' })).rejects.toThrow('404');
		await expect(control().redeliver({ event: 'evt_none' })).rejects.toThrow('404');
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

describe('a fault', () => {
	const order10 = async (fault: DeliveryFault) => {
		await control().addDeliveryFault(fault);
		await emit(10);
	};

	test('duplicate: the same goes out so many times', async () => {
		await subscribe(receiver.url());
		await order10({ kind: 'duplicate', copies: 3, times: 2 });
		await settled();
		expect(sorted(order(receiver.received))).toEqual(sorted([...upTo(10), 0, 0, 1, 1]));
		const [first, ...copies] = receiver.received.filter((each) => order([each])[0] === 0);
		expect(copies).toEqual([first, first]);
		expect(await control().deliveryFaults()).toEqual([]);
	});

	test('delay: goes out later, on the sandbox’s clock, and once', async () => {
		await subscribe(receiver.url());
		await order10({ kind: 'delay', ms: 3_600_000, ratio: 1, match: { eventType: 'payable.paid' } });
		const waiting = await poll('ten to wait', async () => {
			const deliveries = await control().deliveries({ state: 'waiting' });
			const soon = Date.parse(await control().now()) + 3_000_000;
			return deliveries.length === 10 &&
				deliveries.every(({ dueAt }) => Date.parse(dueAt ?? '') > soon)
				? deliveries
				: undefined;
		});
		expect(waiting).toHaveLength(10);
		expect(receiver.received).toEqual([]);
		await control().advanceClock(3600);
		await settled();
		expect(sorted(order(receiver.received))).toEqual(upTo(10));
		expect((await control().deliveryAttempts())[0]?.faults).toEqual(['delay']);
	});

	test('reorder: all go out, in another order', async () => {
		await control().setDeliveryOptions({ maxInFlightPerSubscription: 1 });
		await subscribe(receiver.url());
		await order10({ kind: 'reorder', ms: 300, ratio: 1 });
		await settled();
		expect(order(receiver.received)).not.toEqual(upTo(10));
		expect(sorted(order(receiver.received))).toEqual(upTo(10));
	});

	test('without reorder they go out in order', async () => {
		await control().setDeliveryOptions({ maxInFlightPerSubscription: 1 });
		await subscribe(receiver.url());
		await emit(10);
		await settled();
		expect(order(receiver.received)).toEqual(upTo(10));
	});

	test('drop: never goes out, unless by hand', async () => {
		await subscribe(receiver.url());
		await order10({ kind: 'drop', times: 3 });
		const deliveries = await settled();
		expect(sorted(order(receiver.received))).toEqual([3, 4, 5, 6, 7, 8, 9]);
		expect(deliveries.slice(0, 4).map(({ state }) => state)).toEqual([
			'dropped',
			'dropped',
			'dropped',
			'delivered',
		]);
		expect(
			(await control().deliveryAttempts(deliveries[0]?.id)).map(({ faults }) => faults),
		).toEqual([['drop']]);
		await control().redeliver({ delivery: deliveries[0]?.id ?? '' });
		await settled();
		expect(order(receiver.received)).toContain(0);
	});

	const unsigned = {
		forged_signature: /^[0-9a-f]{64}$/,
		missing_signature: undefined,
		foreign_signature: /^[0-9a-f]{64}$/,
	} as const;
	test.each(['forged_signature', 'missing_signature', 'foreign_signature'] as const)(
		'%s: refused, it comes again with the right one',
		async (kind) => {
			await control().setDeliveryOptions({ firstRetryMs: HOUR });
			const elsewhere = await subscribeElsewhere(receiver.url('/elsewhere'));
			const { secret } = await subscribe(receiver.url());
			receiver.treat = (received) => (isSignedWith(secret, received) ? 200 : 401);
			await control().addDeliveryFault({ kind });
			await emit();
			await one('waiting', 1);
			await control().advanceClock(3600);
			await one('delivered', 2);
			const [wrong, right] = receiver.received;
			const shape = unsigned[kind];
			if (shape === undefined) expect(wrong?.signature).toBeUndefined();
			else expect(wrong?.signature).toMatch(shape);
			expect(wrong?.body).toBe(right?.body);
			expect(wrong !== undefined && isSignedWith(elsewhere.secret, wrong)).toBe(
				kind === 'foreign_signature',
			);
			expect(
				(await control().deliveryAttempts()).map(({ status, faults }) => [status, faults]),
			).toEqual([
				[401, [kind]],
				[200, []],
			]);
		},
	);

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
		expect(sorted(order(receiver.received))).toEqual([0, 0, 1]);
		const [first, again] = receiver.received.filter((each) => order([each])[0] === 0);
		expect(again).toEqual(first);
	});

	test.each<[string, DeliveryFault, (body: string) => unknown]>([
		['cut in half', { kind: 'malformed' }, (body) => body.startsWith('{"id":"evt_')],
		['a text', { kind: 'malformed', body: 'Hello' }, (body) => body === 'Hello'],
	])('malformed: %s, rightly signed', async (_, fault, isSo) => {
		const { secret } = await subscribe(receiver.url());
		await control().addDeliveryFault(fault);
		await emit();
		await settled();
		const [received] = await arrived(1);
		if (received === undefined) throw new Error('Nothing came.');
		expect(() => eventIn(received)).toThrow(SyntaxError);
		expect(isSo(received.body)).toBe(true);
		expect(isSignedWith(secret, received)).toBe(true);
	});

	test('oversized: as many bytes as ordered, still the event, rightly signed', async () => {
		const { secret } = await subscribe(receiver.url());
		await control().addDeliveryFault({ kind: 'oversized', bytes: 3_000_000 });
		await emit();
		await settled();
		const [received] = await arrived(1);
		if (received === undefined) throw new Error('Nothing came.');
		expect(received.body).toHaveLength(3_000_000);
		conformEvent(eventIn(received));
		expect(isSignedWith(secret, received)).toBe(true);
		expect(await control().deliveryAttempts()).toMatchObject([{ bytes: 3_000_000 }]);
	});

	test('with a ratio strikes the same ones whenever the seed is the same', async () => {
		const struck = async (seed: number) => {
			await control().reset();
			receiver.clear();
			await control().setDeliveryOptions({ seed });
			await subscribe(receiver.url());
			await control().addDeliveryFault({ kind: 'drop', ratio: 0.5 });
			await emit(200);
			await settled();
			return sorted(order(receiver.received));
		};
		const first = await struck(7);
		expect(await struck(7)).toEqual(first);
		expect(await struck(8)).not.toEqual(first);
		expect(first.length).toBeGreaterThan(60);
		expect(first.length).toBeLessThan(140);
	});

	test('strikes only what it matches, until it is called off', async () => {
		const { id } = await subscribe(receiver.url('/a'));
		await subscribe(receiver.url('/b'));
		await control().addDeliveryFault({ kind: 'drop', ratio: 1, match: { subscriptionId: id } });
		const elsewhere = { workspaceId: world.sandbox.secondWorkspaceId };
		await control().addDeliveryFault({ kind: 'drop', ratio: 1, match: elsewhere });
		await control().addDeliveryFault({
			kind: 'drop',
			ratio: 1,
			match: { eventType: 'payable.approved' },
		});
		await emit(3);
		await settled();
		expect([receiver.at('/a').length, receiver.at('/b').length]).toEqual([0, 3]);
		await control().clearDeliveryFaults();
		await emit(3);
		await settled();
		expect([receiver.at('/a').length, receiver.at('/b').length]).toEqual([3, 6]);
	});

	test('that makes no sense is refused', async () => {
		const wrong = [
			{},
			{ kind: 'flood' },
			{ kind: 'delay' },
			{ kind: 'drop', ms: 5 },
			{ kind: 'duplicate', copies: 1 },
			{ kind: 'drop', ratio: 2 },
		];
		for (const fault of wrong) {
			const path = `${world.sandbox.controlUrl}/deliveries/faults`;
			expect((await world.api.post(path, fault)).status).toBe(400);
		}
		expect(await control().deliveryFaults()).toEqual([]);
	});
});

describe('an envelope', () => {
	const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as unknown);
	const payable = { id: 'pbl_0', status: 'paid' };

	test('typed: a name and a payload', async () => {
		await control().setDeliveryOptions({ envelope: 'typed' });
		await subscribe(receiver.url());
		await emit();
		await settled();
		await control().rejectVendor(world.sandbox.pendingVendorEmail);
		await settled();
		expect(bodies()).toEqual([
			{ type: 'PayablePaid', payload: payable },
			{
				type: 'PartnerStatusChanged',
				payload: expect.objectContaining({ status: 'rejected' }) as object,
			},
		]);
	});

	test('bare: the payable itself', async () => {
		await control().setDeliveryOptions({ envelope: 'bare' });
		await subscribe(receiver.url());
		await emit();
		await settled();
		expect(bodies()).toEqual([payable]);
	});

	test('list: several events in one POST, as many as fit, of one subscription', async () => {
		const options = { envelope: 'list', batchSize: 4, maxInFlightPerSubscription: 1 } as const;
		await control().setDeliveryOptions(options);
		const a = await subscribe(receiver.url('/a'));
		await subscribe(receiver.url('/b'));
		const events = await emit(10);
		const deliveries = await settled();
		expect(receiver.at('/a').map(({ body }) => JSON.parse(body) as unknown)).toEqual(
			[events.slice(0, 4), events.slice(4, 8), events.slice(8)].map((some) =>
				some.map((event) => ({ ...event, event_type: 'payable_paid' })),
			),
		);
		expect(receiver.at('/b')).toHaveLength(3);
		expect(receiver.at('/a').every((each) => isSignedWith(a.secret, each))).toBe(true);
		expect(deliveries.every(({ state }) => state === 'delivered')).toBe(true);
		expect((await control().deliveryAttempts())[0]?.deliveryIds).toHaveLength(4);
	});

	test('list: what is refused is tried again together', async () => {
		await control().setDeliveryOptions({ envelope: 'list', firstRetryMs: HOUR });
		await subscribe(receiver.url());
		receiver.treat = () => 500;
		await emit(3);
		await arrived(1);
		receiver.treat = () => 200;
		await poll('three to wait', async () => {
			const { waiting } = await control().deliveryCounts();
			return waiting === 3 ? true : undefined;
		});
		await control().advanceClock(3600);
		await settled();
		expect(receiver.received.map(({ body }) => (JSON.parse(body) as unknown[]).length)).toEqual([
			3, 3,
		]);
	});

	test('can write the types of events in another way', async () => {
		await control().setDeliveryOptions({ names: 'pascal' });
		await subscribe(receiver.url());
		await emit();
		await settled();
		expect(bodies()).toMatchObject([{ event_type: 'PayablePaid', data: { payable } }]);
	});
});

describe('many deliveries', () => {
	test('all arrive exactly once, fifty at a time and never more', async () => {
		receiver.treat = gate(50);
		await subscribe(receiver.url());
		const events = await emit(5000);
		const deliveries = await settled();
		expect(deliveries.every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(
			true,
		);
		expect(ids(receiver.received.map(eventIn))).toEqual(ids(events));
		expect(receiver.most).toBe(50);
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
		receiver.treat = (received) => {
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
		receiver.treat = ({ path }) => (path === '/slow' ? 'silence' : 200);
		await emit(300);
		await poll('the slow one to be full', () =>
			Promise.resolve(receiver.at('/slow').length === 50 ? true : undefined),
		);
		await world.approved();
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
		receiver.treat = async () => await new Promise<number>((resolve) => letGo.push(resolve));
		await emit(20);
		await arrived(7);
		expect(await control().deliveryCounts()).toMatchObject({ sending: 7, waiting: 53 });
		expect(receiver.at('/a').length).toBeLessThanOrEqual(5);
		receiver.treat = () => 200;
		for (const go of letGo) go(200);
		await settled();
		expect(receiver.received).toHaveLength(60);
		expect(receiver.most).toBe(7);
	});
});

test('a reset breaks off what is on its way and forgets everything', async () => {
	await control().setDeliveryOptions({ timeoutMs: 600_000, envelope: 'bare' });
	await control().addDeliveryFault({ kind: 'drop', match: { eventType: 'payable.approved' } });
	await subscribe(receiver.url());
	receiver.treat = () => 'silence';
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
	expect(order(receiver.received)).toEqual([9]);
	expect(await control().deliveryAttempts()).toHaveLength(1);
});

test('options that make no sense are refused', async () => {
	const wrong = [{ envelope: 'paper' }, { maxInFlight: 0 }, { colour: 'red' }, { paused: 'yes' }];
	const before = await control().deliveryOptions();
	for (const options of wrong) {
		const path = `${world.sandbox.controlUrl}/deliveries/options`;
		expect((await world.api.post(path, options)).status).toBe(400);
	}
	expect(await control().deliveryOptions()).toEqual(before);
});

describe('a sandbox that ends', () => {
	let folder: string;
	let data: string;
	let sandbox: Sandbox | undefined;
	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
		data = join(folder, 'state.db');
	});
	afterEach(async () => {
		await sandbox?.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	/** Starts it on the same file as before. */
	const start = async () => (sandbox = await startSandbox({ data }));
	const subscribeIn = async ({ api, workspaceId }: Sandbox) =>
		ok(
			await (
				await api()
			).post<{ webhook_subscription: Subscription }>(
				`/workspace/${workspaceId}/webhook-subscription`,
				{ url: receiver.url(), events: everyType },
			),
		).webhook_subscription;
	const states = async ({ control }: Sandbox) =>
		(await control.deliveries()).map(({ state, attempts }) => [state, attempts]);
	const eventually = async (running: Sandbox, wanted: [string, number][]) =>
		await poll(`the states ${JSON.stringify(wanted)}`, async () =>
			JSON.stringify(await states(running)) === JSON.stringify(wanted) ? true : undefined,
		);

	test('goes on where it was: attempts, times and options', async () => {
		const first = await start();
		await first.control.setDeliveryOptions({ firstRetryMs: HOUR, names: 'snake' });
		await subscribeIn(first);
		receiver.treat = () => 500;
		await first.control.emitEvents(given(1));
		await eventually(first, [['waiting', 1]]);
		const before = await first.control.deliveries();
		await first.stop();

		const second = await start();
		expect(await second.control.deliveries()).toEqual(before);
		expect(receiver.received).toHaveLength(1);
		receiver.treat = () => 200;
		await second.control.advanceClock(3600);
		await eventually(second, [['delivered', 2]]);
		const [one, two] = receiver.received;
		expect(receiver.received).toHaveLength(2);
		expect(two).toEqual(one);
	});

	test('sends what was recorded and not sent', async () => {
		const first = await start();
		await subscribeIn(first);
		await first.control.pauseDeliveries();
		await first.control.emitEvents(given(2));
		await first.stop();
		const second = await start();
		expect(await states(second)).toEqual([
			['waiting', 0],
			['waiting', 0],
		]);
		await second.control.resumeDeliveries();
		await eventually(second, [
			['delivered', 1],
			['delivered', 1],
		]);
	});

	test.each([
		['stopped', async (running: Sandbox) => await running.stop()],
		[
			'killed',
			async (running: Sandbox) => {
				process.kill(running.pid, 'SIGKILL');
				await running.stop();
			},
		],
	])('while a subscriber is silent, by being %s, sends it again', async (_, end) => {
		const first = await start();
		await subscribeIn(first);
		receiver.treat = () => 'silence';
		await first.control.emitEvents(given(1));
		await arrived(1);
		await end(first);
		receiver.treat = () => 200;
		const second = await start();
		await eventually(second, [['delivered', 1]]);
		expect(receiver.received).toHaveLength(2);
	});
});

test('a sandbox that is closed leaves nothing behind that keeps its process running', () => {
	const file = (name: string) => JSON.stringify(join(__dirname, '..', '..', 'sandbox', name));
	// Nothing of the receiver keeps the process: what does would be the sandbox's.
	const program = `
		const http = require('node:http');
		const { startServer } = require(${file('server.ts')});
		const { readOptions } = require(${file('options.ts')});
		const { connect } = require(${file('client.ts')});
		const paths = new Set();
		const receiver = http.createServer((request, response) => {
			paths.add(request.url);
			if (request.url !== '/silence') response.writeHead(request.url === '/ok' ? 200 : 500).end();
		});
		receiver.on('connection', (socket) => socket.unref());
		receiver.listen(0, 'localhost', async () => {
			receiver.unref();
			const options = readOptions(['--port', '0', '--auth-port', '0']);
			const { ready, close } = await startServer(options, console.error);
			const { api, control, workspaceId } = connect(ready, close);
			const client = await api();
			await control.setDeliveryOptions({ firstRetryMs: 3_600_000, timeoutMs: 600_000 });
			for (const path of ['/ok', '/failure', '/silence']) {
				const url = 'http://localhost:' + receiver.address().port + path;
				const events = ['payable.paid'];
				await client.post('/workspace/' + workspaceId + '/webhook-subscription', { url, events });
			}
			const data = { payable: { id: 'p' } };
			await control.emitEvents([{ event_type: 'payable.paid', workspaceId, data }]);
			while (paths.size < 3) await new Promise((done) => setTimeout(done, 10));
			await close();
			console.log('closed');
		});
	`;
	const args = ['--import', require.resolve('tsx'), '-e', program];
	const { stdout, stderr, status } = spawnSync(process.execPath, args, {
		encoding: 'utf8',
		timeout: 60_000,
	});
	expect({ stdout, stderr, status }).toEqual({ stdout: 'closed\n', stderr: '', status: 0 });
});
