import type { Settings } from '../../sandbox/client';
import { checkEvent } from './contract-checks';
import { deliveryFixture, HOUR_MS, ids, makeEvents, sequence } from './delivery-fixture';
import { demo, everyEventType } from './fixture';
import { eventIn, isSignedWith, type Received } from './receiver';

const { fixture, receiver, control, subscribe, subscribeElsewhere, ...subscriber } =
	deliveryFixture();
const { emit, settled, emitAndSettle, arrived, deliveryIn } = subscriber;
const { workspaceId, pendingVendorEmail, verifiedVendorEmail } = demo;

describe('events', () => {
	test('each goes once to every subscription that asked for it, and to no other #events-of-a-workspace', async () => {
		const all = await subscribe(receiver.url('/all'));
		const paid = await subscribe(receiver.url('/paid'), ['payable.paid']);
		await subscribe(receiver.url('/second'), everyEventType, demo.secondWorkspaceId);
		await subscribeElsewhere(receiver.url('/other'));

		const pending = await fixture.approved({ payee_email: pendingVendorEmail });
		await fixture.funded([await fixture.approved(), pending]);
		await control().verifyVendor(pendingVendorEmail);
		await control().setTaxForm(pendingVendorEmail, 'expired');
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
		const subscriptions = [await subscribe(), await subscribe()];

		await emitAndSettle();

		expect(receiver.received).toHaveLength(2);
		for (const { secret } of subscriptions) {
			expect(receiver.received.filter((each) => isSignedWith(secret, each))).toHaveLength(1);
		}
	});

	test('from before the subscription, or of a change that was undone, are not sent', async () => {
		await emit(1, 1);
		await subscribe();
		const refused = makeEvents(1).map((event) => ({ ...event, workspaceId: 'nowhere' }));
		const undone = [...makeEvents(1), ...refused];

		await expect(control().emitEvents(undone)).rejects.toThrow('404');
		await emitAndSettle(1, 7);

		expect(sequence(receiver.received)).toEqual([7]);
		expect(await control().events()).toHaveLength(2);
	});

	test('of a network that is seeded are not sent, those from before it are', async () => {
		await subscribe();
		await control().setSettings({ paused: true });
		// Changes no status, since the vendor is not verified.
		await control().setTaxForm(pendingVendorEmail, 'expired');
		await control().rejectVendor(pendingVendorEmail);
		await control().seed({ vendors: [{ email: 'dan@example.com', workspaceIds: [workspaceId] }] });
		await control().setSettings({ paused: false });
		await settled();
		const rejected = { partner: { email: pendingVendorEmail, status: 'rejected' } };

		expect(receiver.received.map(eventIn)).toMatchObject([{ data: rejected }]);
	});
});

test('a tax form that expires is told in the one status of the partner, and payables wait #tax-form-in-status', async () => {
	await subscribe(receiver.url(), ['partner.status_changed']);
	// What is so already changes nothing.
	for (const status of ['valid', 'expired', 'expired'] as const) {
		const vendor = await control().setTaxForm(verifiedVendorEmail, status);

		expect(vendor).toMatchObject({ taxForm: status });
	}

	await arrived(1);
	const payable = await fixture.fundedPayable();

	expect(await fixture.statusOf(payable)).toBe('approved');

	await control().setTaxForm(verifiedVendorEmail, 'valid');
	await settled();

	const told = receiver.received.map(eventIn);
	told.sort((a, b) => a.created_at.localeCompare(b.created_at));
	expect(told.map(({ data }) => 'partner' in data && data.partner.status)).toEqual([
		'tax_form_expired',
		'verified',
	]);
	expect(await fixture.statusOf(payable)).toBe('paid');
});

describe('an envelope', () => {
	const bodies = (received: Received[]) => received.map(({ body }) => JSON.parse(body) as unknown);
	const payable = { id: 'pbl_0', status: 'paid' };
	const anyText: unknown = expect.any(String);
	const holding = (fields: object) => expect.objectContaining(fields) as unknown;
	const partner = (id: unknown) => holding({ id, status: 'rejected' });

	test.each<[string, Partial<Settings>, (eventId: unknown, partnerId: unknown) => unknown]>([
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
		await control().setSettings(options);
		const { secret } = await subscribe();
		const [paid] = await emitAndSettle();
		await control().rejectVendor(pendingVendorEmail);
		await settled();

		const rejected = await fixture.partner(pendingVendorEmail);
		expect(bodies(receiver.received)).toEqual(expected(paid?.eventId, rejected?.id));
		expect(receiver.received.every((each) => isSignedWith(secret, each))).toBe(true);
	});

	test('list: several events in one POST, as many as fit, of one subscription', async () => {
		const options = { envelope: 'list', batchSize: 4, maxInFlightPerSubscription: 1 } as const;
		await control().setSettings(options);
		const { secret } = await subscribe(receiver.url('/a'));
		await subscribe(receiver.url('/b'));
		const events = (await emit(10)).map((event) => ({ ...event, event_type: 'payable_paid' }));
		const deliveries = await settled();
		const lists = [events.slice(0, 4), events.slice(4, 8), events.slice(8)];

		expect(bodies(receiver.at('/a'))).toEqual(lists);
		expect(receiver.at('/b')).toHaveLength(3);
		expect(receiver.at('/a').every((each) => isSignedWith(secret, each))).toBe(true);
		expect(deliveries.every(({ state }) => state === 'delivered')).toBe(true);
		expect((await control().deliveryAttempts())[0]?.deliveryIds).toHaveLength(4);
	});

	test('list: what is refused is tried again as one', async () => {
		await control().setSettings({ envelope: 'list', firstRetryMs: HOUR_MS });
		await subscribe();
		receiver.react = () => 500;
		const events = (await emit(3)).map((event) => ({ ...event, event_type: 'payable_paid' }));
		await deliveryIn('waiting', 1);
		receiver.react = () => 200;
		await control().advanceClock(3600);

		await settled();

		expect(bodies(receiver.received)).toEqual([events, events]);
	});
});
