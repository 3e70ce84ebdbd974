import type { Funding } from '../../sandbox/client';
import { demo, errorOf, ok, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();
const { workspaceId, openingBalance, verifiedVendorEmail, pendingVendorEmail } = demo;

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

type Step = (email: string, funding: Funding) => Promise<unknown>;
const verify = async (email: string) => await fixture.control.verifyVendor(email);
const reject = async (email: string) => await fixture.control.rejectVendor(email);
const accept = async (email: string) => await fixture.control.acceptInvitation(workspaceId, email);
const link: Step = async (_, funding): Promise<unknown> =>
	ok(await fixture.link(funding, await fixture.deposit(1000)));
const received = async (email: string) => (await fixture.control.vendor(email)).balance;

describe('creation', () => {
	type Fields = Parameters<typeof fixture.payable>[0] & object;
	const payee_email = 'new@example.com';
	const inviteUrl: unknown = expect.stringContaining(`invitationId=${workspaceId}`);
	const mail = { to: payee_email, workspaceId, inviteUrl };

	test.each<[string, Fields, object[]]>([
		['asked to', { payee_email, send_invite: true }, [mail]],
		['not asked to', { payee_email, send_invite: false }, []],
		['not asked to at all', { payee_email }, []],
		['asked to, of a partner', { send_invite: true }, []],
	])(
		'invites a vendor who is no partner, when asked to: %s #invited-on-the-fly',
		async (_, fields, mails) => {
			const { partner_id } = await fixture.payable(fields);

			expect(partner_id !== null).toBe(fields.send_invite === true);
			expect(await fixture.control.outbox()).toMatchObject(mails);
		},
	);

	test('knows the vendor by the network identifier as well #payee-by-network-id', async () => {
		const payee_service_id = demo.unattachedVendorServiceId;

		expect(await fixture.payable({ payee_service_id })).toMatchObject({
			payee_service_id,
			partner_id: null,
		});
		expect(await fixture.control.payables()).toMatchObject([
			{ payee_email: demo.unattachedVendorEmail },
		]);
	});
});

describe('approval #draft-to-approved', () => {
	test('moves a draft to approved, tells subscribers, and is refused after that', async () => {
		const payable = await fixture.approved();

		const again = await fixture.api.post(`/payable/${payable.id}/approve`);

		const message: unknown = expect.stringContaining(payable.id);
		expect(payable.status).toBe('approved');
		expect(errorOf(again)).toEqual({ status: 409, code: 'wrong_state', message });
		expect(await story(payable)).toEqual(approved);
	});

	test('of a paid payable is refused', async () => {
		const payable = await fixture.fundedPayable();

		const answer = await fixture.api.post(`/payable/${payable.id}/approve`);

		expect(errorOf(answer)).toMatchObject({ status: 409, code: 'wrong_state' });
		expect(await story(payable)).toEqual(settled);
	});
});

describe('funding from the balance', () => {
	test('waits in approved for an unverified vendor, the money held, and settles the rest #unverified-waits-in-approved', async () => {
		const payable = await fixture.approved({ payee_email: pendingVendorEmail });
		const ready = await fixture.approved();
		const { id: funding_id } = await fixture.funded([payable, ready]);

		expect(await fixture.statusOf(ready)).toBe('paid');
		expect(await story(ready)).toEqual(settled);
		expect(await received(verifiedVendorEmail)).toBe(1000);
		expect(await fixture.current(payable)).toMatchObject({ status: 'approved', funding_id });
		expect(await fixture.balance()).toBe(openingBalance - 2000);
		expect(await received(pendingVendorEmail)).toBe(0);

		await fixture.control.verifyVendor(pendingVendorEmail);

		expect(await fixture.statusOf(payable)).toBe('paid');
		expect(await story(payable)).toEqual(settled);
		expect(await received(pendingVendorEmail)).toBe(1000);
	});

	test('is refused when the wallet does not hold enough, and changes nothing #wallet-must-hold-enough', async () => {
		const payable = await fixture.approved({ amount: openingBalance + 1 });

		const answer = await fixture.fund([payable]);

		expect(errorOf(answer)).toMatchObject({ status: 422, code: 'insufficient_funds' });
		expect(errorOf(answer).message).toContain('500000 us_cents ($5,000.00)');
		expect(errorOf(answer).message).toContain('500001 us_cents ($5,000.01)');
		expect(await fixture.current(payable)).toMatchObject({ status: 'approved', funding_id: null });
		expect(await fixture.control.fundings()).toEqual([]);
	});
});

test('an invoice settles a verified vendor when the deposit is linked, which is not listed any more #invoice-settles-on-linking', async () => {
	const payable = await fixture.approved();

	const funding = await fixture.funded([payable], { method: 'invoice', po_number: 'PO-7' });

	expect(funding.status).toBe('awaiting_deposit');
	expect(await fixture.balance()).toBe(openingBalance);

	const [other, deposit] = [await fixture.deposit(5), await fixture.deposit(1000)];

	expect(await fixture.statusOf(payable)).toBe('approved');

	ok(await fixture.link(funding, deposit));

	expect(await fixture.statusOf(payable)).toBe('paid');
	expect(await story(payable)).toEqual(settled);
	expect(await fixture.balance()).toBe(openingBalance + 5);
	expect(await received(verifiedVendorEmail)).toBe(1000);

	const unlinked = ok<unknown>(await fixture.api.get(fixture.path('/wallet/deposit')));

	expect(unlinked).toEqual({ deposits: [other] });
});

const balance = { method: 'balance' } as const;
const invoice = { method: 'invoice', po_number: 'PO-7' } as const;

test.each<[what: string, typeof balance | typeof invoice, payee_email: string, Step[]]>([
	['over a rejection', balance, 'ben@example.com', [reject, verify]],
	['for a vendor who is new', balance, 'new@example.com', [accept, verify]],
	['for a deposit after the vendor was verified', invoice, 'ben@example.com', [verify, link]],
	['for a verification after the deposit was linked', invoice, 'ben@example.com', [link, verify]],
])('a funded payable waits %s #funded-payable-waits', async (_, fields, payee_email, steps) => {
	const payable = await fixture.approved({ payee_email });
	const funding = await fixture.funded([payable], fields);
	for (const step of steps) {
		expect(await fixture.statusOf(payable)).toBe('approved');

		await step(payee_email, funding);
	}

	expect(await fixture.statusOf(payable)).toBe('paid');
});

test('a funded payable can wait for a vendor verified elsewhere to accept', async () => {
	await fixture.control.setSettings({ acceptance: 'required' });
	const payee_email = demo.unattachedVendorEmail;
	const payable = await fixture.fundedPayable({ payee_email });

	expect(await fixture.statusOf(payable)).toBe('approved');

	await accept(payee_email);

	expect(await fixture.statusOf(payable)).toBe('paid');
});

describe('partners', () => {
	const invite = async (...emails: string[]) => {
		const path = fixture.path('/partner/invite');
		type Answer = { invites: { partner_id: string; status: string }[] };
		const invites = emails.map((payee_email) => ({ payee_email }));

		return ok(await fixture.api.post<Answer>(path, { invites })).invites;
	};

	test('invited, pending, rejected, verified, each told to subscribers #partner-statuses', async () => {
		const email = 'new@example.com';

		expect(await invite(email)).toMatchObject([{ status: 'invited' }]);

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

	test('one decision reaches every workspace, also those of other buyers #one-decision-for-all', async () => {
		for (const id of [demo.secondWorkspaceId, demo.otherWorkspaceId]) {
			await fixture.control.acceptInvitation(id, pendingVendorEmail);
		}

		await verify(pendingVendorEmail);
		const partners = await fixture.control.partners();
		const found = partners.filter(({ email }) => email === pendingVendorEmail);

		expect(found.map(({ status }) => status)).toEqual(['verified', 'verified', 'verified']);
	});

	test('one call invites many, and inviting again keeps the one record and mails again', async () => {
		const emails = ['new@example.com', verifiedVendorEmail];

		const [first, verified] = await invite(...emails);

		expect(verified?.status).toBe('verified');

		const [again] = await invite('New@Example.com');

		expect(again?.partner_id).toBe(first?.partner_id);

		const mails = await fixture.control.outbox();

		expect(mails.map(({ to }) => to)).toEqual([...emails, 'new@example.com']);
	});
});
