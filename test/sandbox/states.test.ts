import { ok, refusal, World } from './support';

const world = new World();
beforeEach(async () => await world.sandbox.control.reset());

/** The states that events have told of a payable, in order. */
async function story(payable: { id: string }): Promise<string[]> {
	const events = await world.sandbox.control.events();
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

const unverified = () => ({ payee_email: world.sandbox.pendingVendorEmail });
const verify = async () =>
	await world.sandbox.control.verifyVendor(world.sandbox.pendingVendorEmail);
const received = async (email: string) => (await world.sandbox.control.vendor(email)).balance;

describe('creation', () => {
	test('makes a draft', async () => {
		const payable = await world.payable();
		expect(payable).toMatchObject({ status: 'draft', funding_id: null });
		expect(payable.id).not.toBe('');
	});

	test('invites a vendor who is no partner, when asked to', async () => {
		const payable = await world.payable({ payee_email: 'new@example.com', send_invite: true });
		expect(payable.partner_id).not.toBeNull();
		const mails = await world.sandbox.control.outbox();
		expect(mails).toMatchObject([
			{ to: 'new@example.com', workspaceId: world.sandbox.workspaceId },
		]);
		expect(mails[0]?.inviteUrl).toContain(`invitationId=${world.sandbox.workspaceId}`);
	});

	test.each([
		['a partner already', () => ({ send_invite: true })],
		['not asked to', () => ({ payee_email: 'new@example.com', send_invite: false })],
		['not asked to at all', () => ({ payee_email: 'new@example.com' })],
	])('invites nobody: %s', async (_, fields) => {
		await world.payable(fields());
		expect(await world.sandbox.control.outbox()).toEqual([]);
	});

	test('knows the vendor by the network identifier as well', async () => {
		const payee_service_id = world.sandbox.unattachedVendorServiceId;
		expect(await world.payable({ payee_service_id })).toMatchObject({
			payee_email: world.sandbox.unattachedVendorEmail,
			payee_service_id,
			partner_id: null,
		});
	});
});

describe('approval', () => {
	test('moves a draft to approved and tells subscribers', async () => {
		const payable = await world.approved();
		expect(payable.status).toBe('approved');
		expect(await story(payable)).toEqual(approved);
	});

	test('is refused a second time', async () => {
		const { id } = await world.approved();
		expect(refusal(await world.api.post(`/payable/${id}/approve`))).toMatchObject({
			status: 409,
			code: 'wrong_state',
			message: expect.stringContaining(id) as string,
		});
	});

	test('is refused once paid', async () => {
		const payable = await world.approved();
		await world.funded([payable]);
		expect(refusal(await world.api.post(`/payable/${payable.id}/approve`)).status).toBe(409);
	});
});

describe('funding from the balance', () => {
	test('settles a verified vendor at once, through will_pay', async () => {
		const payable = await world.approved();
		await world.funded([payable]);
		expect((await world.now(payable)).status).toBe('paid');
		expect(await story(payable)).toEqual(settled);
		expect(await received(world.sandbox.verifiedVendorEmail)).toBe(1000);
		expect(await world.balance()).toBe(world.sandbox.openingBalance - 1000);
	});

	test('waits in approved for an unverified vendor, the money held', async () => {
		const payable = await world.approved(unverified());
		const funding = await world.funded([payable]);
		expect(await world.now(payable)).toMatchObject({
			status: 'approved',
			funding_id: funding.id,
		});
		expect(await world.balance()).toBe(world.sandbox.openingBalance - 1000);
		expect(await received(world.sandbox.pendingVendorEmail)).toBe(0);
		await verify();
		expect((await world.now(payable)).status).toBe('paid');
		expect(await story(payable)).toEqual(settled);
		expect(await received(world.sandbox.pendingVendorEmail)).toBe(1000);
	});

	test('settles what is ready and lets the rest of the same funding wait', async () => {
		const ready = await world.approved();
		const waiting = await world.approved(unverified());
		await world.funded([ready, waiting]);
		expect([(await world.now(ready)).status, (await world.now(waiting)).status]).toEqual([
			'paid',
			'approved',
		]);
	});

	test('waits over a rejection and settles when the vendor is verified after all', async () => {
		const payable = await world.approved(unverified());
		await world.funded([payable]);
		await world.sandbox.control.rejectVendor(world.sandbox.pendingVendorEmail);
		expect((await world.now(payable)).status).toBe('approved');
		await verify();
		expect((await world.now(payable)).status).toBe('paid');
	});

	test('waits for a vendor nobody has heard of', async () => {
		const { control, workspaceId } = world.sandbox;
		const payable = await world.approved({ payee_email: 'new@example.com' });
		await world.funded([payable]);
		await control.acceptInvitation(workspaceId, 'new@example.com');
		expect((await world.now(payable)).status).toBe('approved');
		await control.verifyVendor('new@example.com');
		expect((await world.now(payable)).status).toBe('paid');
	});

	test('waits for a vendor verified elsewhere until the invitation is accepted', async () => {
		const payable = await world.approved({ payee_email: world.sandbox.unattachedVendorEmail });
		await world.funded([payable]);
		expect((await world.now(payable)).status).toBe('approved');
		const { control, workspaceId, unattachedVendorEmail } = world.sandbox;
		await control.acceptInvitation(workspaceId, unattachedVendorEmail);
		expect((await world.now(payable)).status).toBe('paid');
	});

	test('is refused when the wallet does not hold enough, and changes nothing', async () => {
		const payable = await world.approved({ amount: world.sandbox.openingBalance + 1 });
		expect(refusal(await world.fund([payable]))).toEqual({
			status: 422,
			code: 'insufficient_funds',
			message:
				'The wallet holds 500000 us_cents ($5,000.00), which is not enough for 500001 us_cents ($5,000.01).',
		});
		expect(await world.now(payable)).toMatchObject({ status: 'approved', funding_id: null });
		expect(await world.sandbox.control.fundings()).toEqual([]);
	});

	test('takes exactly everything', async () => {
		await world.funded([await world.approved({ amount: world.sandbox.openingBalance })]);
		expect(await world.balance()).toBe(0);
	});
});

describe('funding by invoice', () => {
	const invoice = { method: 'invoice', po_number: 'PO-7' } as const;

	test('settles a verified vendor when the deposit is linked', async () => {
		const payable = await world.approved();
		const funding = await world.funded([payable], invoice);
		expect(funding.status).toBe('awaiting_deposit');
		expect(await world.balance()).toBe(world.sandbox.openingBalance);
		const deposit = await world.deposit(1000);
		expect((await world.now(payable)).status).toBe('approved');
		ok(await world.link(funding, deposit));
		expect((await world.now(payable)).status).toBe('paid');
		expect(await story(payable)).toEqual(settled);
		expect(await world.balance()).toBe(world.sandbox.openingBalance);
		expect(await received(world.sandbox.verifiedVendorEmail)).toBe(1000);
	});

	test('settles on linking when the vendor was verified before', async () => {
		const payable = await world.approved(unverified());
		const funding = await world.funded([payable], invoice);
		await verify();
		expect((await world.now(payable)).status).toBe('approved');
		ok(await world.link(funding, await world.deposit(1000)));
		expect((await world.now(payable)).status).toBe('paid');
	});

	test('settles on verification when the deposit was linked before', async () => {
		const payable = await world.approved(unverified());
		const funding = await world.funded([payable], invoice);
		ok(await world.link(funding, await world.deposit(1000)));
		expect((await world.now(payable)).status).toBe('approved');
		await verify();
		expect((await world.now(payable)).status).toBe('paid');
	});

	test('takes the deposit off the list of unlinked ones', async () => {
		const funding = await world.funded([await world.approved()], invoice);
		const [other, deposit] = [await world.deposit(5), await world.deposit(1000)];
		ok(await world.link(funding, deposit));
		const path = `/workspace/${world.sandbox.workspaceId}/wallet/deposit`;
		expect(ok<unknown>(await world.api.get(path))).toEqual({ deposits: [other] });
	});
});

test('settlement can be held in will_pay', async () => {
	await world.sandbox.control.setSettlement('manual');
	const payable = await world.approved();
	await world.funded([payable]);
	expect((await world.now(payable)).status).toBe('will_pay');
	expect(await received(world.sandbox.verifiedVendorEmail)).toBe(0);
	await world.sandbox.control.setSettlement('automatic');
	expect((await world.now(payable)).status).toBe('paid');
	expect(await story(payable)).toEqual(settled);
});

describe('partners', () => {
	const invite = async (email: string, workspaceId = world.sandbox.workspaceId) =>
		ok(
			await world.api.post<{ invites: { partner_id: string; status: string }[] }>(
				`/workspace/${workspaceId}/partner/invite`,
				{ invites: [{ payee_email: email }] },
			),
		).invites[0];
	const status = async (partnerId = '', workspaceId = world.sandbox.workspaceId) =>
		ok(await world.api.get<{ status: string }>(`/workspace/${workspaceId}/partner/${partnerId}`))
			.status;

	test('invited, pending, rejected, verified, each told to subscribers', async () => {
		const { control, workspaceId } = world.sandbox;
		const partner = await invite('new@example.com');
		expect(partner?.status).toBe('invited');
		await control.acceptInvitation(workspaceId, 'new@example.com');
		expect(await status(partner?.partner_id)).toBe('pending');
		await control.rejectVendor('new@example.com');
		expect(await status(partner?.partner_id)).toBe('rejected');
		await control.verifyVendor('new@example.com');
		expect(await status(partner?.partner_id)).toBe('verified');
		const events = await control.events();
		expect(events.map(({ data }) => ('partner' in data ? data.partner.status : undefined))).toEqual(
			['pending', 'rejected', 'verified'],
		);
	});

	test('a vendor of the network is verified in another workspace on accepting', async () => {
		const { control, secondWorkspaceId, verifiedVendorEmail } = world.sandbox;
		const partner = await invite(verifiedVendorEmail, secondWorkspaceId);
		expect(await status(partner?.partner_id, secondWorkspaceId)).toBe('invited');
		await control.acceptInvitation(secondWorkspaceId, verifiedVendorEmail);
		expect(await status(partner?.partner_id, secondWorkspaceId)).toBe('verified');
	});

	test('one verdict reaches every workspace, also those of other buyers', async () => {
		const { control, secondWorkspaceId, otherWorkspaceId, pendingVendorEmail } = world.sandbox;
		await control.acceptInvitation(secondWorkspaceId, pendingVendorEmail);
		await control.acceptInvitation(otherWorkspaceId, pendingVendorEmail);
		await verify();
		const partners = await control.partners();
		expect(
			partners.filter(({ email }) => email === pendingVendorEmail).map((partner) => partner.status),
		).toEqual(['verified', 'verified', 'verified']);
	});

	test('inviting again keeps the one record and mails again', async () => {
		const first = await invite('new@example.com');
		const second = await invite('New@Example.com');
		expect(second).toMatchObject({ partner_id: first?.partner_id });
		expect(await world.sandbox.control.outbox()).toHaveLength(2);
	});

	test('the invite link leads to the same identity', async () => {
		const { control, workspaceId } = world.sandbox;
		const link = (await control.workspaces())[0]?.inviteUrl ?? '';
		expect((await world.api.get(link)).data).toContain('Northwind Media US');
		await control.acceptInvitation(workspaceId, 'Link@example.com', 'L');
		await control.acceptInvitation(workspaceId, 'link@example.com');
		const partners = (await control.partners()).filter(({ email }) => email === 'link@example.com');
		expect(partners).toMatchObject([{ status: 'pending', business_name: 'L' }]);
	});

	test('a verified vendor is never rejected', async () => {
		const { control, verifiedVendorEmail } = world.sandbox;
		await expect(control.rejectVendor(verifiedVendorEmail)).rejects.toMatchObject({
			response: { status: 409 },
		});
	});
});
