import { ok, errorOf, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

/** The states that events have told of a payable, in order. */
async function story(payable: { id: string }): Promise<string[]> {
	const events = await fixture.sandbox.control.events();
	return events.flatMap(({ event_type, data }) =>
		'payable' in data && data.payable.id === payable.id
			? [`${event_type} ${data.payable.status ?? ''}`]
			: [],
	);
}
const approved = ['payable.status_changed approved', 'payable.approved approved'];
const settled = [
	...approved,
	'payable.status_changed will_pay',
	'payable.status_changed paid',
	'payable.paid paid',
];

const unverified = () => ({ payee_email: fixture.sandbox.pendingVendorEmail });
const verify = async () =>
	await fixture.sandbox.control.verifyVendor(fixture.sandbox.pendingVendorEmail);

const received = async (email: string) => (await fixture.sandbox.control.vendor(email)).balance;

beforeEach(async () => await fixture.sandbox.control.reset());

describe('creation', () => {
	test('makes a draft', async () => {
		const payable = await fixture.payable();
		expect(payable).toMatchObject({ status: 'draft', funding_id: null });
		expect(payable.id).not.toBe('');
	});

	test('invites a vendor who is no partner, when asked to', async () => {
		const payable = await fixture.payable({ payee_email: 'new@example.com', send_invite: true });
		expect(payable.partner_id).not.toBeNull();
		const mails = await fixture.sandbox.control.outbox();
		expect(mails).toMatchObject([
			{ to: 'new@example.com', workspaceId: fixture.sandbox.workspaceId },
		]);
		expect(mails[0]?.inviteUrl).toContain(`invitationId=${fixture.sandbox.workspaceId}`);
	});

	test.each([
		['a partner already', () => ({ send_invite: true })],
		['not asked to', () => ({ payee_email: 'new@example.com', send_invite: false })],
		['not asked to at all', () => ({ payee_email: 'new@example.com' })],
	])('invites nobody: %s', async (_, fields) => {
		await fixture.payable(fields());
		expect(await fixture.sandbox.control.outbox()).toEqual([]);
	});

	test('knows the vendor by the network identifier as well', async () => {
		const payee_service_id = fixture.sandbox.unattachedVendorServiceId;
		expect(await fixture.payable({ payee_service_id })).toMatchObject({
			payee_email: fixture.sandbox.unattachedVendorEmail,
			payee_service_id,
			partner_id: null,
		});
	});
});

describe('approval', () => {
	test('moves a draft to approved and tells subscribers', async () => {
		const payable = await fixture.approved();
		expect(payable.status).toBe('approved');
		expect(await story(payable)).toEqual(approved);
	});

	test('is refused a second time', async () => {
		const { id } = await fixture.approved();
		expect(errorOf(await fixture.api.post(`/payable/${id}/approve`))).toMatchObject({
			status: 409,
			code: 'wrong_state',
			message: expect.stringContaining(id) as string,
		});
	});

	test('is refused once paid', async () => {
		const payable = await fixture.approved();
		await fixture.funded([payable]);
		expect(errorOf(await fixture.api.post(`/payable/${payable.id}/approve`)).status).toBe(409);
	});
});

describe('funding from the balance', () => {
	test('settles a verified vendor at once, through will_pay', async () => {
		const payable = await fixture.approved();
		await fixture.funded([payable]);
		expect((await fixture.current(payable)).status).toBe('paid');
		expect(await story(payable)).toEqual(settled);
		expect(await received(fixture.sandbox.verifiedVendorEmail)).toBe(1000);
		expect(await fixture.balance()).toBe(fixture.sandbox.openingBalance - 1000);
	});

	test('waits in approved for an unverified vendor, the money held', async () => {
		const payable = await fixture.approved(unverified());
		const funding = await fixture.funded([payable]);
		expect(await fixture.current(payable)).toMatchObject({
			status: 'approved',
			funding_id: funding.id,
		});
		expect(await fixture.balance()).toBe(fixture.sandbox.openingBalance - 1000);
		expect(await received(fixture.sandbox.pendingVendorEmail)).toBe(0);
		await verify();
		expect((await fixture.current(payable)).status).toBe('paid');
		expect(await story(payable)).toEqual(settled);
		expect(await received(fixture.sandbox.pendingVendorEmail)).toBe(1000);
	});

	test('settles what is ready and lets the rest of the same funding wait', async () => {
		const ready = await fixture.approved();
		const waiting = await fixture.approved(unverified());
		await fixture.funded([ready, waiting]);
		expect([
			(await fixture.current(ready)).status,
			(await fixture.current(waiting)).status,
		]).toEqual(['paid', 'approved']);
	});

	test('waits over a rejection and settles when the vendor is verified after all', async () => {
		const payable = await fixture.approved(unverified());
		await fixture.funded([payable]);
		await fixture.sandbox.control.rejectVendor(fixture.sandbox.pendingVendorEmail);
		expect((await fixture.current(payable)).status).toBe('approved');
		await verify();
		expect((await fixture.current(payable)).status).toBe('paid');
	});

	test('waits for a vendor nobody has heard of', async () => {
		const { control, workspaceId } = fixture.sandbox;
		const payable = await fixture.approved({ payee_email: 'new@example.com' });
		await fixture.funded([payable]);
		await control.acceptInvitation(workspaceId, 'new@example.com');
		expect((await fixture.current(payable)).status).toBe('approved');
		await control.verifyVendor('new@example.com');
		expect((await fixture.current(payable)).status).toBe('paid');
	});

	test('waits for a vendor verified elsewhere until the invitation is accepted', async () => {
		const payable = await fixture.approved({ payee_email: fixture.sandbox.unattachedVendorEmail });
		await fixture.funded([payable]);
		expect((await fixture.current(payable)).status).toBe('approved');
		const { control, workspaceId, unattachedVendorEmail } = fixture.sandbox;
		await control.acceptInvitation(workspaceId, unattachedVendorEmail);
		expect((await fixture.current(payable)).status).toBe('paid');
	});

	test('is refused when the wallet does not hold enough, and changes nothing', async () => {
		const payable = await fixture.approved({ amount: fixture.sandbox.openingBalance + 1 });
		expect(errorOf(await fixture.fund([payable]))).toEqual({
			status: 422,
			code: 'insufficient_funds',
			message:
				'The wallet holds 500000 us_cents ($5,000.00), which is not enough for 500001 us_cents ($5,000.01).',
		});
		expect(await fixture.current(payable)).toMatchObject({ status: 'approved', funding_id: null });
		expect(await fixture.sandbox.control.fundings()).toEqual([]);
	});

	test('takes exactly everything', async () => {
		await fixture.funded([await fixture.approved({ amount: fixture.sandbox.openingBalance })]);
		expect(await fixture.balance()).toBe(0);
	});
});

describe('funding by invoice', () => {
	const invoice = { method: 'invoice', po_number: 'PO-7' } as const;

	test('settles a verified vendor when the deposit is linked', async () => {
		const payable = await fixture.approved();
		const funding = await fixture.funded([payable], invoice);
		expect(funding.status).toBe('awaiting_deposit');
		expect(await fixture.balance()).toBe(fixture.sandbox.openingBalance);
		const deposit = await fixture.deposit(1000);
		expect((await fixture.current(payable)).status).toBe('approved');
		ok(await fixture.link(funding, deposit));
		expect((await fixture.current(payable)).status).toBe('paid');
		expect(await story(payable)).toEqual(settled);
		expect(await fixture.balance()).toBe(fixture.sandbox.openingBalance);
		expect(await received(fixture.sandbox.verifiedVendorEmail)).toBe(1000);
	});

	test('settles on linking when the vendor was verified before', async () => {
		const payable = await fixture.approved(unverified());
		const funding = await fixture.funded([payable], invoice);
		await verify();
		expect((await fixture.current(payable)).status).toBe('approved');
		ok(await fixture.link(funding, await fixture.deposit(1000)));
		expect((await fixture.current(payable)).status).toBe('paid');
	});

	test('settles on verification when the deposit was linked before', async () => {
		const payable = await fixture.approved(unverified());
		const funding = await fixture.funded([payable], invoice);
		ok(await fixture.link(funding, await fixture.deposit(1000)));
		expect((await fixture.current(payable)).status).toBe('approved');
		await verify();
		expect((await fixture.current(payable)).status).toBe('paid');
	});

	test('takes the deposit off the list of unlinked ones', async () => {
		const funding = await fixture.funded([await fixture.approved()], invoice);
		const [other, deposit] = [await fixture.deposit(5), await fixture.deposit(1000)];
		ok(await fixture.link(funding, deposit));
		const path = `/workspace/${fixture.sandbox.workspaceId}/wallet/deposit`;
		expect(ok<unknown>(await fixture.api.get(path))).toEqual({ deposits: [other] });
	});
});

test('settlement can be held in will_pay', async () => {
	await fixture.sandbox.control.setSettlement('manual');
	const payable = await fixture.approved();
	await fixture.funded([payable]);
	expect((await fixture.current(payable)).status).toBe('will_pay');
	expect(await received(fixture.sandbox.verifiedVendorEmail)).toBe(0);
	await fixture.sandbox.control.setSettlement('automatic');
	expect((await fixture.current(payable)).status).toBe('paid');
	expect(await story(payable)).toEqual(settled);
});
