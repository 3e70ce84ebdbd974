import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demo, ok, SandboxFixture } from './fixture';
import { ANSWERS, enter, PlainPage, signUp } from './plain-page';
import { DataFile } from './processes';

const file = new DataFile();
const fixture = new SandboxFixture();
const CAN_PAY = 'Northwind Media US can pay you now';
const { otherWorkspaceId, pendingVendorEmail, unattachedVendorEmail } = demo;

const openVendor = async (vendor: string) =>
	await PlainPage.open(fixture.pageUrl(`/vendor/${vendor}`));

describe('signing up', () => {
	test('takes a new vendor from the mail to the money, without JavaScript #mail-to-money', async () => {
		const payee_email = 'nina@example.com';
		const description = 'Spring film';
		const fields = { payee_email, description, amount: 12_345, send_invite: true };
		const payable = await fixture.fundedPayable(fields);
		const mail = (await fixture.control.outbox()).at(-1);
		expect(mail).toMatchObject({ to: payee_email });

		const invitation = await PlainPage.open(mail?.inviteUrl ?? '');
		expect(invitation.heading).toBe('Northwind Media US wants to pay you');
		const page = await signUp(await enter(invitation.url, payee_email));
		expect(page.heading).toBe(CAN_PAY);
		const partner = { status: 'verified', business_name: ANSWERS.name };
		expect(await fixture.partner(payee_email)).toMatchObject(partner);
		expect(await fixture.statusOf(payable)).toBe('paid');

		const wallet = await page.follow('See your wallet and payments');
		expect(wallet.heading).toBe(ANSWERS.name);
		expect(wallet.text).toContain('In your wallet $123.45');
		expect(wallet.rows('What you have been paid')).toEqual([
			expect.stringMatching(/Northwind Media US Spring film \$123\.45$/),
		]);
	});

	test('is one button for a verified vendor, whose own page leads to it #attached-on-accepting', async () => {
		const payable = { amount: 5, payee_email: unattachedVendorEmail, send_invite: true };
		const harbor = await fixture.otherClient();
		ok(await harbor.post('/payable', { workspace_id: otherWorkspaceId, ...payable }));
		const own = await openVendor(demo.unattachedVendorServiceId);
		const invite = own.link('Accept the invitation of Harbor Talent');
		const page = await PlainPage.open(invite);
		expect(page.heading).toBe('Let Harbor Talent pay you?');
		const partnerStatus = async () =>
			(await fixture.partner(unattachedVendorEmail, otherWorkspaceId))?.status;
		expect(await partnerStatus()).toBe('invited');
		const joined = await page.press('Accept the invitation');
		expect(joined.heading).toBe('Harbor Talent can pay you now');
		expect(await partnerStatus()).toBe('verified');
		const { businessName } = await fixture.control.vendor(unattachedVendorEmail);
		expect(businessName).toBe('Cleo Park Design');
	});

	test('verifies a vendor who was pending', async () => {
		await signUp(await enter(fixture.inviteUrl(), pendingVendorEmail));
		const verified = { status: 'verified', businessName: ANSWERS.name };
		expect(await fixture.control.vendor(pendingVendorEmail)).toMatchObject(verified);
	});

	test('is declined for a vendor whom the network has rejected', async () => {
		await fixture.control.rejectVendor(pendingVendorEmail);
		const page = await enter(fixture.inviteUrl(otherWorkspaceId), pendingVendorEmail);
		expect(page.heading).toBe('You cannot be paid through this network');
		expect(await fixture.partner(pendingVendorEmail, otherWorkspaceId)).toBeUndefined();
		await fixture.control.verifyVendor(pendingVendorEmail);
		expect((await PlainPage.open(page.url)).heading).toBe('Let Harbor Talent pay you?');
	});

	test('does no harm when it is sent twice, and can be skipped', async () => {
		const email = 'twice@example.com';
		await fixture.fundedPayable({ payee_email: email, amount: 700 });
		const form = await enter(fixture.inviteUrl(), email);
		expect(form.heading).toBe('Sign up');
		for (const page of await Promise.all([
			signUp(form),
			signUp(form),
			form.press('Skip this form'),
		])) {
			expect([page.status, page.heading]).toEqual([200, CAN_PAY]);
		}
		const partners = await fixture.control.partners();
		expect(partners.filter((one) => one.email === email)).toHaveLength(1);
		expect(await fixture.control.vendor(email)).toMatchObject({ balance: 700 });
		const skipped = await (
			await enter(fixture.inviteUrl(), 'skip@example.com')
		).press('Skip this form');
		expect(skipped.heading).toBe(CAN_PAY);
	});

	test('says at each field what is wrong, and keeps the rest, but no account number', async () => {
		const wrong = await enter(fixture.inviteUrl(), 'not an address');
		expect(wrong.errorAt('E-mail address')).toMatch(/^Enter an e-mail address/);
		expect(wrong.valueOf('E-mail address')).toBe('not an address');

		const email = 'wrong@example.com';
		const page = await (
			await enter(fixture.inviteUrl(), email)
		).press('Sign and finish', {
			'Legal or business name': 'Kept Name',
			'Account number': ANSWERS.account,
			'Routing number': '11000000',
		});
		expect(page.status).toBe(422);
		expect(page.errorAt('Routing number')).toBe('Routing number: enter nine digits.');
		expect(page.errorAt('Tax ID, last four digits')).toBe('Tax ID: enter the last four digits.');
		expect(page.valueOf('Legal or business name')).toBe('Kept Name');
		expect(page.html).not.toContain(ANSWERS.account);
		expect(await fixture.partner(email)).toBeUndefined();
	});

	test('keeps nothing of bank and tax', async () => {
		const { apiUrl, control, workspaceId } = await file.start();
		const invite = new URL(`/join?invitationId=${workspaceId}`, apiUrl).href;
		await signUp(await enter(invite, 'secret@example.com'));
		expect(JSON.stringify(await control.requests())).not.toContain(ANSWERS.account);
		await file.stop();
		const written = readdirSync(file.folder)
			.map((name) => readFileSync(join(file.folder, name), 'latin1'))
			.join('');
		expect(written).toContain(ANSWERS.name);
		expect(written).not.toContain(ANSWERS.account.slice(-4));
	});

	test('renews a tax form that has expired, which every page says', async () => {
		const { verifiedVendorEmail: email, verifiedVendorServiceId: id } = demo;
		await fixture.control.setTaxForm(email, 'expired');
		const payable = await fixture.fundedPayable({ payee_email: email });
		const own = await openVendor(id);
		expect(own.text).toContain('Status Tax form expired');
		expect(own.rows('Approved for you')).toEqual([
			expect.stringContaining('Your tax form has expired. Renew it to be paid.'),
		]);
		expect((await PlainPage.open(fixture.workspacePage())).row(email)).toContain(
			'Tax form expired',
		);
		const form = await enter(fixture.inviteUrl(), email);
		expect(form.heading).toBe('Renew your tax form');
		const done = await form.press('Renew and accept', { 'Tax ID, last four digits': '1234' });
		expect(done.heading).toBe(CAN_PAY);
		expect(await fixture.statusOf(payable)).toBe('paid');
	});

	test.each(['/join', '/join?invitationId=', '/join?invitationId=nobody'])(
		'%s leads to a page that helps',
		async (path) => {
			const page = await PlainPage.open(fixture.pageUrl(path));
			expect(page.status).toBe(404);
			expect(page.text).toMatch(/Open the whole link from your invitation/);
		},
	);
});

describe("a vendor's own page", () => {
	test('says why something waits, and changes when it does not any more', async () => {
		const { control } = fixture;
		await control.setSettings({ settlement: 'manual' });
		const to = { payee_email: pendingVendorEmail };
		const first = await fixture.approved({ ...to, amount: 100_001 });
		const second = await fixture.approved({ ...to, amount: 200 });
		await fixture.payable({ ...to, amount: 300, description: 'only a draft' });
		const open = async () => await openVendor(demo.pendingVendorServiceId);
		const waiting = async () => (await open()).rows('Approved for you');
		const page = await open();
		// The page renews itself, so that what it answers now is what a vendor sees.
		expect(page.renewedFrom).toBe(page.url);
		const unfunded: unknown = expect.stringMatching(
			/has not provided the money yet\. You are not verified yet/,
		);
		expect(await waiting()).toEqual([unfunded, unfunded]);

		await fixture.funded([first]);
		await fixture.invoice([second]);
		expect(await waiting()).toEqual([
			expect.stringMatching(/transfer of Northwind Media US has not arrived yet\. .*\$2\.00$/),
			expect.stringMatching(/none You are not verified yet\. \$1,000\.01$/),
		]);
		await control.verifyVendor(pendingVendorEmail);
		expect((await waiting())[1]).toMatch(/on its way\. \$1,000\.01$/);
		await control.setSettings({ settlement: 'automatic' });
		expect(await waiting()).toEqual([expect.stringMatching(/\$2\.00$/)]);
		expect((await open()).text).toContain('In your wallet $1,000.01');
	});

	test.each(['nobody', 'ana@example.com'])('is not found by %s', async (id) => {
		const page = await openVendor(id);
		expect([page.status, page.heading]).toEqual([404, 'This page does not exist']);
	});
});
