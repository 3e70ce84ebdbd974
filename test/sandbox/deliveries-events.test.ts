import type { DeliveryOptions } from '../../sandbox/client';
import { checkEvent } from './contract-checks';
import { deliveryFixture, HOUR_MS, ids, sequence } from './delivery-fixture';
import { everyEventType, http } from './fixture';
import { eventIn, isSignedWith } from './receiver';

const subscriber = deliveryFixture();
const { fixture, receiver, control, subscribe, subscribeElsewhere } = subscriber;
const { makeEvents, emit, settled, arrived, counted, bodies } = subscriber;

describe('events', () => {
	test('each goes once to every subscription that asked for it, and to no other', async () => {
		const { workspaceId, secondWorkspaceId, pendingVendorEmail } = fixture.sandbox;
		const all = await subscribe(receiver.url('/all'));
		const paid = await subscribe(receiver.url('/paid'), ['payable.paid']);
		await subscribe(receiver.url('/second'), everyEventType, secondWorkspaceId);
		await subscribeElsewhere(receiver.url('/other'));

		const payables = [
			await fixture.approved(),
			await fixture.approved({ payee_email: pendingVendorEmail }),
		];
		await fixture.funded(payables);
		await control().verifyVendor(pendingVendorEmail);
		await control().expireTaxForm(pendingVendorEmail);
		await settled();

		const events = await control().events();
		expect(new Set(events.map(({ event_type }) => event_type))).toEqual(new Set(everyEventType));
		expect(events.every(({ workspace_id }) => workspace_id === workspaceId)).toBe(true);
		expect(ids(receiver.at('/all').map(eventIn))).toEqual(ids(events));
		expect(ids(receiver.at('/paid').map(eventIn))).toEqual(
			ids(events.filter(({ event_type }) => event_type === 'payable.paid')),
		);
		expect([...receiver.at('/second'), ...receiver.at('/other')]).toEqual([]);

		for (const each of receiver.received) {
			const event = eventIn(each);
			checkEvent(event);
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
		const [event] = makeEvents(1);
		if (event === undefined) throw new Error('No event was given.');
		const undone = [event, { ...event, workspaceId: 'nowhere' }];
		await expect(control().emitEvents(undone)).rejects.toThrow('404');
		await emit(1, 7);
		await settled();
		expect(sequence(receiver.received)).toEqual([7]);
		expect(await control().events()).toHaveLength(1);
	});

	test('from before the subscription are not sent', async () => {
		await emit(1, 1);
		await subscribe(receiver.url());
		await emit(1, 2);
		await settled();
		expect(sequence(receiver.received)).toEqual([2]);
	});

	test('of a network that is seeded are not sent, those from before it are', async () => {
		await subscribe(receiver.url());
		await control().pauseDeliveries();
		await control().rejectVendor(fixture.sandbox.pendingVendorEmail);
		await control().seed({
			vendors: [{ email: 'dan@example.com', workspaceIds: [fixture.sandbox.workspaceId] }],
		});
		await control().resumeDeliveries();
		await settled();
		expect(receiver.received.map((each) => eventIn(each).data)).toMatchObject([
			{ partner: { email: fixture.sandbox.pendingVendorEmail, status: 'rejected' } },
		]);
	});
});

describe('a tax form', () => {
	const partnerStatuses = () =>
		receiver.received
			.map(eventIn)
			.sort((a, b) => a.created_at.localeCompare(b.created_at))
			.map(({ data }) => ('partner' in data ? data.partner.status : undefined));

	test('that expires is told in the one status of the partner, and payables wait', async () => {
		const { verifiedVendorEmail: email } = fixture.sandbox;
		await subscribe(receiver.url(), ['partner.status_changed']);
		// What is so already changes nothing.
		await control().renewTaxForm(email);
		for (let times = 0; times < 2; times++) {
			expect(await control().expireTaxForm(email)).toMatchObject({ taxForm: 'expired' });
		}
		await arrived(1);
		const payable = await fixture.approved();
		await fixture.funded([payable]);
		expect((await fixture.current(payable)).status).toBe('approved');
		expect(await control().renewTaxForm(email)).toMatchObject({ taxForm: 'valid' });
		await settled();
		expect(partnerStatuses()).toEqual(['tax_form_expired', 'verified']);
		expect((await fixture.current(payable)).status).toBe('paid');
	});

	test('of a vendor who is not verified shows once the vendor is', async () => {
		const { pendingVendorEmail: email } = fixture.sandbox;
		await subscribe(receiver.url(), ['partner.status_changed']);
		await control().expireTaxForm(email);
		expect(await control().events()).toEqual([]);
		await control().verifyVendor(email);
		await settled();
		expect(partnerStatuses()).toEqual(['tax_form_expired']);
	});
});

describe('an envelope', () => {
	const payable = { id: 'pbl_0', status: 'paid' };

	const anyText: unknown = expect.any(String);
	const holding = (fields: object) => expect.objectContaining(fields) as unknown;
	const partner = (id: unknown) => holding({ id, status: 'rejected' });
	test.each<[string, Partial<DeliveryOptions>, (eventId: unknown, partnerId: unknown) => unknown]>([
		[
			'typed: a name and a payload',
			{ envelope: 'typed' },
			(_, partnerId) => [
				{ type: 'PayablePaid', payload: payable },
				{ type: 'PartnerStatusChanged', payload: partner(partnerId) },
			],
		],
		[
			'bare: the payable or the partner itself',
			{ envelope: 'bare' },
			(_, partnerId) => [payable, partner(partnerId)],
		],
		[
			'thin: the ID of the event, its type, and the ID of what it is about',
			{ envelope: 'thin' },
			(id, partnerId) => [
				{ id, event_type: 'payable.paid', data: { id: payable.id } },
				{ id: anyText, event_type: 'partner.status_changed', data: { id: partnerId } },
			],
		],
		[
			'default, with the types of events written in another way',
			{ names: 'pascal' },
			(id, partnerId) => [
				holding({ id, event_type: 'PayablePaid', data: { payable } }),
				holding({ event_type: 'PartnerStatusChanged', data: { partner: partner(partnerId) } }),
			],
		],
	])('%s', async (_, options, expected) => {
		await control().setDeliveryOptions(options);
		const { secret } = await subscribe(receiver.url());
		const [paid] = await emit();
		await settled();
		await control().rejectVendor(fixture.sandbox.pendingVendorEmail);
		await settled();
		const rejected = await fixture.partner(fixture.sandbox.pendingVendorEmail);
		expect(bodies()).toEqual(expected(paid?.id, rejected?.id));
		expect(receiver.received.every((each) => isSignedWith(secret, each))).toBe(true);
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
		await control().setDeliveryOptions({ envelope: 'list', firstRetryMs: HOUR_MS });
		await subscribe(receiver.url());
		receiver.react = () => 500;
		await emit(3);
		await arrived(1);
		receiver.react = () => 200;
		await counted('waiting', 3);
		await control().advanceClock(3600);
		await settled();
		expect(receiver.received.map(({ body }) => (JSON.parse(body) as unknown[]).length)).toEqual([
			3, 3,
		]);
	});
});

describe('what makes no sense is refused', () => {
	const paid = { event_type: 'payable.paid', data: { payable: {} } };
	test.each<[path: string, body: object]>([
		['/events', { events: [{ ...paid, event_type: 'payable.lost', workspaceId: 'x' }] }],
		['/events', { events: [{ ...paid, workspaceId: 'x', data: {} }] }],
		['/events', { events: [paid] }],
		...[{ envelope: 'paper' }, { maxInFlight: 0 }, { colour: 'red' }, { paused: 'yes' }].map(
			(options): [string, object] => ['/deliveries/options', options],
		),
		...[
			{},
			{ kind: 'flood' },
			{ kind: 'delay' },
			{ kind: 'drop', ms: 5 },
			{ kind: 'duplicate', copies: 1 },
			{ kind: 'drop', ratio: 2 },
		].map((fault): [string, object] => ['/deliveries/faults', fault]),
	])('%s %j', async (path, body) => {
		const state = async () => [
			await control().events(),
			await control().deliveryOptions(),
			await control().deliveryFaults(),
		];
		const before = await state();
		expect((await http.post(`${fixture.sandbox.controlUrl}${path}`, body)).status).toBe(400);
		expect(await state()).toEqual(before);
	});

	test('of a delivery, an event or a vendor that does not exist', async () => {
		await expect(control().redeliver({ delivery: 'dlv_none' })).rejects.toThrow('404');
		await expect(control().redeliver({ event: 'evt_none' })).rejects.toThrow('404');
		await expect(control().expireTaxForm('nobody@example.com')).rejects.toThrow('404');
	});
});
