import { errorOf, ok, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

/** The states that events have told of a payable, in order. */
async function story(payable: { id: string }): Promise<string[]> {
	const events = await fixture.control.events();
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

const statusOf = async (payable: { id: string }) => (await fixture.current(payable)).status;
const verify = async (email = fixture.sandbox.pendingVendorEmail) =>
	await fixture.control.verifyVendor(email);
const reject = async (email: string) => await fixture.control.rejectVendor(email);
const accept = async (email: string, workspaceId = fixture.sandbox.workspaceId) =>
	await fixture.control.acceptInvitation(workspaceId, email);
const received = async (email: string) => (await fixture.control.vendor(email)).balance;

describe('creation', () => {
	test('invites a vendor who is no partner, when asked to', async () => {
		const { workspaceId } = fixture.sandbox;
		const payable = await fixture.payable({ payee_email: 'new@example.com', send_invite: true });
		expect(payable.partner_id).not.toBeNull();
		const inviteUrl: unknown = expect.stringContaining(`invitationId=${workspaceId}`);
		const mail = { to: 'new@example.com', workspaceId, inviteUrl };
		expect(await fixture.control.outbox()).toMatchObject([mail]);
	});

	test.each([
		['a partner already', { send_invite: true }],
		['not asked to', { payee_email: 'new@example.com', send_invite: false }],
		['not asked to at all', { payee_email: 'new@example.com' }],
	])('invites nobody: %s', async (_, fields) => {
		await fixture.payable(fields);
		expect(await fixture.control.outbox()).toEqual([]);
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

test('approval moves a draft to approved, tells subscribers, and is refused after that', async () => {
	const payable = await fixture.approved();
	expect(payable.status).toBe('approved');
	for (const status of ['approved', 'paid']) {
		const { message, ...refused } = errorOf(
			await fixture.api.post(`/payable/${payable.id}/approve`),
		);
		expect(refused).toEqual({ status: 409, code: 'wrong_state' });
		expect(message).toContain(payable.id);
		expect(await story(payable)).toEqual(status === 'paid' ? settled : approved);
		if (status === 'approved') await fixture.funded([payable]);
	}
});

describe('funding from the balance', () => {
	test('settles a verified vendor at once, through will_pay', async () => {
		const payable = await fixture.approved();
		await fixture.funded([payable]);
		expect(await statusOf(payable)).toBe('paid');
		expect(await story(payable)).toEqual(settled);
		expect(await received(fixture.sandbox.verifiedVendorEmail)).toBe(1000);
		expect(await fixture.balance()).toBe(fixture.sandbox.openingBalance - 1000);
	});

	test('waits in approved for an unverified vendor, the money held, and settles the rest', async () => {
		const { pendingVendorEmail: payee_email, openingBalance } = fixture.sandbox;
		const [payable, ready] = [await fixture.approved({ payee_email }), await fixture.approved()];
		const { id: funding_id } = await fixture.funded([payable, ready]);
		expect(await statusOf(ready)).toBe('paid');
		expect(await fixture.current(payable)).toMatchObject({ status: 'approved', funding_id });
		expect(await fixture.balance()).toBe(openingBalance - 2000);
		expect(await received(payee_email)).toBe(0);
		await verify();
		expect(await statusOf(payable)).toBe('paid');
		expect(await story(payable)).toEqual(settled);
		expect(await received(payee_email)).toBe(1000);
	});

	test.each([
		['over a rejection', 'ben@example.com', [reject, verify]],
		['for a vendor nobody has heard of', 'new@example.com', [accept, verify]],
		['until a vendor verified elsewhere accepts the invitation', 'cleo@example.com', [accept]],
	])('waits %s', async (_, payee_email, steps) => {
		const payable = await fixture.approved({ payee_email });
		await fixture.funded([payable]);
		for (const step of steps) {
			expect(await statusOf(payable)).toBe('approved');
			await step(payee_email);
		}
		expect(await statusOf(payable)).toBe('paid');
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
		expect(await fixture.control.fundings()).toEqual([]);
	});
});

describe('funding by invoice', () => {
	const invoice = { method: 'invoice', po_number: 'PO-7' } as const;

	test('settles a verified vendor when the deposit is linked, which is not listed any more', async () => {
		const payable = await fixture.approved();
		const funding = await fixture.funded([payable], invoice);
		expect(funding.status).toBe('awaiting_deposit');
		expect(await fixture.balance()).toBe(fixture.sandbox.openingBalance);
		const [other, deposit] = [await fixture.deposit(5), await fixture.deposit(1000)];
		expect(await statusOf(payable)).toBe('approved');
		ok(await fixture.link(funding, deposit));
		expect(await statusOf(payable)).toBe('paid');
		expect(await story(payable)).toEqual(settled);
		expect(await fixture.balance()).toBe(fixture.sandbox.openingBalance + 5);
		expect(await received(fixture.sandbox.verifiedVendorEmail)).toBe(1000);
		const unlinked = ok<unknown>(await fixture.api.get(fixture.path('/wallet/deposit')));
		expect(unlinked).toEqual({ deposits: [other] });
	});

	test.each([
		['linking when the vendor was verified before', ['verify', 'link']],
		['verification when the deposit was linked before', ['link', 'verify']],
	])('settles on %s', async (_, steps) => {
		const { pendingVendorEmail: payee_email } = fixture.sandbox;
		const payable = await fixture.approved({ payee_email });
		const funding = await fixture.funded([payable], invoice);
		for (const step of steps) {
			expect(await statusOf(payable)).toBe('approved');
			if (step === 'verify') await verify();
			else ok(await fixture.link(funding, await fixture.deposit(1000)));
		}
		expect(await statusOf(payable)).toBe('paid');
	});
});

describe('partners', () => {
	const invite = async (payee_email: string) => {
		const path = fixture.path('/partner/invite');
		type Answer = { invites: { partner_id: string; status: string }[] };
		return ok(await fixture.api.post<Answer>(path, { invites: [{ payee_email }] })).invites[0];
	};

	test('invited, pending, rejected, verified, each told to subscribers', async () => {
		const email = 'new@example.com';
		expect(await invite(email)).toMatchObject({ status: 'invited' });
		const steps = { pending: accept, rejected: reject, verified: verify };
		for (const [status, step] of Object.entries(steps)) {
			await step(email);
			expect((await fixture.partner(email))?.status).toBe(status);
		}
		await expect(reject(email)).rejects.toMatchObject({ response: { status: 409 } });
		const events = await fixture.control.events();
		const told = events.map(({ data }) => 'partner' in data && data.partner.status);
		expect(told).toEqual(['pending', 'rejected', 'verified']);
	});

	test('one decision reaches every workspace, also those of other buyers', async () => {
		const { secondWorkspaceId, otherWorkspaceId, pendingVendorEmail } = fixture.sandbox;
		for (const id of [secondWorkspaceId, otherWorkspaceId]) await accept(pendingVendorEmail, id);
		await verify();
		const partners = await fixture.control.partners();
		const found = partners.filter(({ email }) => email === pendingVendorEmail);
		expect(found.map(({ status }) => status)).toEqual(['verified', 'verified', 'verified']);
	});

	test('inviting again keeps the one record and mails again', async () => {
		const first = await invite('new@example.com');
		expect(await invite('New@Example.com')).toMatchObject({ partner_id: first?.partner_id });
		expect(await fixture.control.outbox()).toHaveLength(2);
	});
});
