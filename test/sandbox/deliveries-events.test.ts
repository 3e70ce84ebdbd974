import { checkEvent } from './contract-checks';
import { deliveryFixture, ids, sequence } from './delivery-fixture';
import { everyEventType } from './fixture';
import { eventIn, isSignedWith } from './receiver';

const {
	fixture,
	receiver,
	control,
	subscribe,
	subscribeElsewhere,
	makeEvents,
	emit,
	settled,
	arrived,
} = deliveryFixture();

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

	test('that make no sense are not recorded by hand', async () => {
		const { workspaceId, controlUrl } = fixture.sandbox;
		const wrong = [
			{ event_type: 'payable.lost', workspaceId, data: { payable: {} } },
			{ event_type: 'payable.paid', workspaceId, data: {} },
			{ event_type: 'payable.paid', data: { payable: {} } },
		];
		for (const event of wrong) {
			const answer = await fixture.api.post(`${controlUrl}/events`, { events: [event] });
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
		const { verifiedVendorEmail: email } = fixture.sandbox;
		await subscribe(receiver.url(), ['partner.status_changed']);
		expect(await control().expireTaxForm(email)).toMatchObject({ taxForm: 'expired' });
		await arrived(1);
		const payable = await fixture.approved();
		await fixture.funded([payable]);
		expect((await fixture.current(payable)).status).toBe('approved');
		expect(await control().renewTaxForm(email)).toMatchObject({ taxForm: 'valid' });
		await settled();
		expect(partnerStatuses()).toEqual(['tax_form_expired', 'verified']);
		expect((await fixture.current(payable)).status).toBe('paid');
	});

	test('changes nothing twice', async () => {
		const { verifiedVendorEmail: email } = fixture.sandbox;
		await control().renewTaxForm(email);
		await control().expireTaxForm(email);
		await control().expireTaxForm(email);
		expect(await control().events()).toHaveLength(1);
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

	test('of nobody is refused', async () => {
		await expect(control().expireTaxForm('nobody@example.com')).rejects.toThrow('404');
	});
});
