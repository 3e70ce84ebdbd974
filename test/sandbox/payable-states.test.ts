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
const accept = async (email: string, workspaceId = fixture.sandbox.workspaceId) =>
	await fixture.control.acceptInvitation(workspaceId, email);
const received = async (email: string) => (await fixture.control.vendor(email)).balance;

beforeEach(async () => await fixture.control.reset());

describe('creation', () => {
	test('makes a draft', async () => {
		const payable = await fixture.payable();
		expect(payable).toMatchObject({ status: 'draft', funding_id: null });
		expect(payable.id).not.toBe('');
	});

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
	const refused = { status: 409, code: 'wrong_state' };
	const approveAgain = async () =>
		errorOf(await fixture.api.post(`/payable/${payable.id}/approve`));
	expect(payable.status).toBe('approved');
	expect(await approveAgain()).toMatchObject(refused);
	expect((await approveAgain()).message).toContain(payable.id);
	expect(await story(payable)).toEqual(approved);
	await fixture.funded([payable]);
	expect(await approveAgain()).toMatchObject(refused);
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
		[
			'over a rejection',
			'ben@example.com',
			[async () => await fixture.control.rejectVendor('ben@example.com'), verify],
		],
		['for a vendor nobody has heard of', 'new@example.com', [accept, verify]],
		[
			'for a vendor verified elsewhere until the invitation is accepted',
			'cleo@example.com',
			[accept],
		],
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

	test('takes exactly everything', async () => {
		await fixture.funded([await fixture.approved({ amount: fixture.sandbox.openingBalance })]);
		expect(await fixture.balance()).toBe(0);
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

test('settlement can be held in will_pay', async () => {
	await fixture.control.setSettlement('manual');
	const payable = await fixture.approved();
	await fixture.funded([payable]);
	expect(await statusOf(payable)).toBe('will_pay');
	expect(await received(fixture.sandbox.verifiedVendorEmail)).toBe(0);
	await fixture.control.setSettlement('automatic');
	expect(await statusOf(payable)).toBe('paid');
	expect(await story(payable)).toEqual(settled);
});

describe('partners', () => {
	const invite = async (payee_email: string, workspaceId = fixture.sandbox.workspaceId) => {
		const path = `/workspace/${workspaceId}/partner/invite`;
		const answer = await fixture.api.post<{ invites: { partner_id: string; status: string }[] }>(
			path,
			{ invites: [{ payee_email }] },
		);
		return ok(answer).invites[0];
	};
	const partnerStatus = async (email: string, workspaceId?: string) =>
		(await fixture.partner(email, workspaceId))?.status;

	test('invited, pending, rejected, verified, each told to subscribers', async () => {
		const { control } = fixture;
		const email = 'new@example.com';
		expect(await invite(email)).toMatchObject({ status: 'invited' });
		await accept(email);
		expect(await partnerStatus(email)).toBe('pending');
		await control.rejectVendor(email);
		expect(await partnerStatus(email)).toBe('rejected');
		await verify(email);
		expect(await partnerStatus(email)).toBe('verified');
		await expect(control.rejectVendor(email)).rejects.toMatchObject({ response: { status: 409 } });
		const told = (await control.events()).map(
			({ data }) => 'partner' in data && data.partner.status,
		);
		expect(told).toEqual(['pending', 'rejected', 'verified']);
	});

	test('a vendor of the network is verified in another workspace on accepting', async () => {
		const { secondWorkspaceId, verifiedVendorEmail } = fixture.sandbox;
		expect(await invite(verifiedVendorEmail, secondWorkspaceId)).toMatchObject({
			status: 'invited',
		});
		await accept(verifiedVendorEmail, secondWorkspaceId);
		expect(await partnerStatus(verifiedVendorEmail, secondWorkspaceId)).toBe('verified');
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

	test('the invite link leads to the same identity', async () => {
		const { control, workspaceId } = fixture.sandbox;
		const link = (await control.workspaces())[0]?.inviteUrl ?? '';
		expect((await fixture.api.get(link)).data).toContain('Northwind Media US');
		await control.acceptInvitation(workspaceId, 'Link@example.com', 'L');
		await accept('link@example.com');
		const partners = (await control.partners()).filter(({ email }) => email === 'link@example.com');
		expect(partners).toMatchObject([{ status: 'pending', business_name: 'L' }]);
	});
});
