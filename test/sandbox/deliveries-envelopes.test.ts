import { deliveryFixture, HOUR_MS } from './delivery-fixture';
import { isSignedWith } from './receiver';

const { fixture, receiver, control, subscribe, emit, settled, arrived, counted } =
	deliveryFixture();

describe('an envelope', () => {
	const bodies = () => receiver.received.map(({ body }) => JSON.parse(body) as unknown);
	const payable = { id: 'pbl_0', status: 'paid' };

	test('typed: a name and a payload', async () => {
		await control().setDeliveryOptions({ envelope: 'typed' });
		await subscribe(receiver.url());
		await emit();
		await settled();
		await control().rejectVendor(fixture.sandbox.pendingVendorEmail);
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

	test('thin: the ID of the event, its type, and the ID of what it is about', async () => {
		await control().setDeliveryOptions({ envelope: 'thin' });
		const subscription = await subscribe(receiver.url());
		const [paid] = await emit();
		await settled();
		await control().rejectVendor(fixture.sandbox.pendingVendorEmail);
		await settled();
		const partner = await fixture.partner(fixture.sandbox.pendingVendorEmail);
		expect(bodies()).toEqual([
			{ id: paid?.id, event_type: 'payable.paid', data: { id: payable.id } },
			{
				id: expect.any(String) as string,
				event_type: 'partner.status_changed',
				data: { id: partner?.id },
			},
		]);
		expect(receiver.received.every((each) => isSignedWith(subscription.secret, each))).toBe(true);
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

	test('can write the types of events in another way', async () => {
		await control().setDeliveryOptions({ names: 'pascal' });
		await subscribe(receiver.url());
		await emit();
		await settled();
		expect(bodies()).toMatchObject([{ event_type: 'PayablePaid', data: { payable } }]);
	});
});

test('options that make no sense are refused', async () => {
	const wrong = [{ envelope: 'paper' }, { maxInFlight: 0 }, { colour: 'red' }, { paused: 'yes' }];
	const before = await control().deliveryOptions();
	for (const options of wrong) {
		const path = `${fixture.sandbox.controlUrl}/deliveries/options`;
		expect((await fixture.api.post(path, options)).status).toBe(400);
	}
	expect(await control().deliveryOptions()).toEqual(before);
});
