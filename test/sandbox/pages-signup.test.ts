import { readdirSync, readFileSync } from 'node:fs';
import { startSandbox } from '../support/sandbox';
import { ok, SandboxFixture } from './fixture';
import { ANSWERS, enter, fillUpTo, PlainPage } from './plain-page';
import { TemporaryFolder } from './processes';

const folder = new TemporaryFolder();
const fixture = new SandboxFixture();
const CAN_PAY = 'Northwind Media US can pay you now';

const openVendor = async (vendor: string) =>
	await PlainPage.open(fixture.pageUrl(`/vendor/${vendor}`));

describe('signing up', () => {
	test('takes a new vendor from the mail to the money, without JavaScript', async () => {
		const payee_email = 'nina@example.com';
		const description = 'Spring film';
		const fields = { payee_email, description, amount: 12_345, send_invite: true };
		const payable = await fixture.approved(fields);
		await fixture.funded([payable]);
		const mail = (await fixture.control.outbox()).at(-1);
		expect(mail).toMatchObject({ to: payee_email });

		const invitation = await PlainPage.open(mail?.inviteUrl ?? '');
		expect(invitation.heading).toBe('Northwind Media US wants to pay you');
		let page = await enter(invitation.url, payee_email);
		for (const [step, next] of ['Your bank account', 'Your taxes', CAN_PAY].entries()) {
			expect(page.text).toContain(`Step ${step + 1} of 3`);
			page = await fillUpTo(next, page);
		}
		expect(await fixture.partner(payee_email)).toMatchObject({
			status: 'verified',
			business_name: ANSWERS.name,
		});
		expect((await fixture.current(payable)).status).toBe('paid');

		const wallet = await page.follow('See your wallet and payments');
		expect(wallet.heading).toBe(ANSWERS.name);
		expect(wallet.text).toContain('In your wallet $123.45');
		expect(wallet.rows('What you have been paid')).toEqual([
			expect.stringMatching(/Northwind Media US Spring film \$123\.45$/),
		]);
	});

	test('is one button for a verified vendor, whose own page leads to it', async () => {
		const { control, otherWorkspaceId, unattachedVendorEmail } = fixture.sandbox;
		const payable = { amount: 5, payee_email: unattachedVendorEmail, send_invite: true };
		const harbor = await fixture.otherClient();
		ok(await harbor.post('/payable', { workspace_id: otherWorkspaceId, ...payable }));
		const own = await openVendor(fixture.sandbox.unattachedVendorServiceId);
		const invite = own.link('Accept the invitation of Harbor Talent');
		const page = await enter(invite, unattachedVendorEmail.toUpperCase());
		expect(page.heading).toBe('Let Harbor Talent pay you?');
		const partnerStatus = async () =>
			(await fixture.partner(unattachedVendorEmail, otherWorkspaceId))?.status;
		expect(await partnerStatus()).toBe('invited');
		const joined = await page.press('Accept the invitation');
		expect(joined.heading).toBe('Harbor Talent can pay you now');
		expect(await partnerStatus()).toBe('verified');
		expect((await control.vendor(unattachedVendorEmail)).businessName).toBe('Cleo Park Design');
	});

	test('verifies a vendor who was pending', async () => {
		const { control, pendingVendorEmail: email } = fixture.sandbox;
		await fillUpTo(CAN_PAY, await enter(fixture.inviteUrl(), email));
		const verified = { status: 'verified', businessName: ANSWERS.name };
		expect(await control.vendor(email)).toMatchObject(verified);
	});

	test('is declined for a vendor whom the network has rejected', async () => {
		const { control, pendingVendorEmail, otherWorkspaceId } = fixture.sandbox;
		await control.rejectVendor(pendingVendorEmail);
		const page = await enter(fixture.inviteUrl(otherWorkspaceId), pendingVendorEmail);
		expect(page.heading).toBe('You cannot be paid through this network');
		expect(await fixture.partner(pendingVendorEmail, otherWorkspaceId)).toBeUndefined();
		await control.verifyVendor(pendingVendorEmail);
		expect((await PlainPage.open(page.url)).heading).toBe('Let Harbor Talent pay you?');
	});

	test('does no harm when it is sent twice, gone back in, or skipped ahead', async () => {
		const email = 'twice@example.com';
		const payable = await fixture.approved({ payee_email: email, amount: 700 });
		await fixture.funded([payable]);
		const start = await enter(fixture.inviteUrl(), email);
		const address = start.url.replace('/identity', '');
		for (const ahead of ['bank', 'tax', 'accept', 'done', 'declined']) {
			expect((await PlainPage.open(`${address}/${ahead}`)).heading).toBe('Who you are');
		}
		const bank = await fillUpTo('Your bank account', start);
		const again = await bank.follow('Back');
		expect(again.valueOf('Legal or business name')).toBe(ANSWERS.name);
		expect(again.valueOf('Country')).toBe(ANSWERS.country);
		const changed = { 'Legal or business name': 'Second Thought' };
		const tax = await fillUpTo('Your taxes', await again.press('Continue', changed));

		const sent = await Promise.all([fillUpTo(CAN_PAY, tax), fillUpTo(CAN_PAY, tax)]);
		for (const page of [...sent, await PlainPage.open(`${address}/tax`)]) {
			expect([page.status, page.heading]).toEqual([200, CAN_PAY]);
		}
		await PlainPage.open(`${address}/accept`, { method: 'POST' });
		const { control } = fixture.sandbox;
		expect((await control.partners()).filter((one) => one.email === email)).toHaveLength(1);
		const joined = { businessName: 'Second Thought', balance: 700 };
		expect(await control.vendor(email)).toMatchObject(joined);
	});

	test('says at each field what is wrong, and keeps the rest', async () => {
		const wrong = await enter(fixture.inviteUrl(), 'not an address');
		expect(wrong.errorAt('E-mail address')).toMatch(/^Enter an e-mail address/);
		expect(wrong.valueOf('E-mail address')).toBe('not an address');

		const email = 'wrong@example.com';
		const identity = await enter(fixture.inviteUrl(), email);
		const unplaced = await identity.press('Continue', { 'Legal or business name': 'Kept Name' });
		expect(unplaced.errorAt('Country')).toBe('Choose a country.');
		expect(unplaced.valueOf('Legal or business name')).toBe('Kept Name');

		const bank = await fillUpTo('Your bank account', unplaced);
		const misrouted = await bank.press('Continue', {
			'Account holder': 'Kept Holder',
			'Account number': ANSWERS.account,
			'Routing number': '110000001',
		});
		expect(misrouted.errorAt('Routing number')).toMatch(/nine digits/);
		expect(misrouted.valueOf('Account holder')).toBe('Kept Holder');
		expect(misrouted.valueOf('Account number')).toBe('');
		expect(misrouted.html).not.toContain(ANSWERS.account);

		const tax = await fillUpTo('Your taxes', misrouted);
		const mistaxed = await tax.press('Sign and finish', {
			'Form W-9': 'W-8BEN',
			'Tax ID, last four digits': '12',
		});
		expect(mistaxed.errorAt('Tax ID, last four digits')).toMatch(/^Enter the last four digits/);
		expect(mistaxed.errorAt('I certify that what I have told is true.')).toMatch(/^Certify that/);
		expect(mistaxed.textOf('p', 'id="field-tax_form-error"')).toMatch(/the form is W-9\./);
		expect(mistaxed.textOf('a', 'href="#field-tax_form"')).toMatch(/the form is W-9\./);
		expect(mistaxed.html).toMatch(
			/<fieldset class="field" aria-describedby="field-tax_form-error"/,
		);
		expect(mistaxed.valueOf('Form W-8BEN')).toBe('W-8BEN');
		expect(await fixture.partner(email)).toBeUndefined();
	});

	test('keeps of an account number the last four digits, and lets them stay', async () => {
		const sandbox = await startSandbox({ data: folder.file('state.db') });
		try {
			const invite = new URL(`/join?invitationId=${sandbox.workspaceId}`, sandbox.apiUrl).href;
			const tax = await fillUpTo('Your taxes', await enter(invite, 'secret@example.com'));
			const bank = await tax.follow('Back');
			expect(bank.text).toContain('ending in 4567');
			expect(bank.html).not.toContain(ANSWERS.account);
			await fillUpTo(CAN_PAY, await bank.press('Continue', { 'Account holder': 'Other Holder' }));
			expect(JSON.stringify(await sandbox.control.requests())).not.toContain(ANSWERS.account);
		} finally {
			await sandbox.stop();
		}
		const files = readdirSync(folder.path).map((file) => readFileSync(folder.file(file), 'latin1'));
		expect(files.join('')).toContain('Other Holder');
		expect(files.join('')).not.toContain(ANSWERS.account);
	});

	test.each(['/join', '/join?invitationId=', '/join?invitationId=nobody', '/join/made-up/bank'])(
		'%s leads to a page that helps',
		async (path) => {
			const page = await PlainPage.open(fixture.pageUrl(path));
			expect(page.status).toBe(404);
			expect(page.text).toMatch(/Open the (whole )?link from your invitation/);
		},
	);
});

describe("a vendor's own page", () => {
	test('says why something waits, and changes when it does not any more', async () => {
		const { control, pendingVendorEmail, pendingVendorServiceId } = fixture.sandbox;
		await control.setSettlement('manual');
		const to = { payee_email: pendingVendorEmail };
		const first = await fixture.approved({ ...to, amount: 100_001 });
		const second = await fixture.approved({ ...to, amount: 200 });
		await fixture.payable({ ...to, amount: 300, description: 'only a draft' });
		const page = await openVendor(pendingVendorServiceId);
		// The page renews itself, so that what it answers now is what a vendor sees.
		expect(page.renewedFrom).toBe(page.url);
		const waiting = async () => (await openVendor(pendingVendorServiceId)).rows('Approved for you');
		expect(await waiting()).toHaveLength(2);
		for (const row of await waiting()) {
			expect(row).toMatch(/has not provided the money yet\. You are not verified yet/);
		}

		await fixture.funded([first]);
		await fixture.funded([second], { method: 'invoice' });
		expect(await waiting()).toEqual([
			expect.stringMatching(/no date You are not verified yet\. \$1,000\.01$/),
			expect.stringMatching(/transfer of Northwind Media US has not arrived yet\. .*\$2\.00$/),
		]);
		await control.verifyVendor(pendingVendorEmail);
		expect((await waiting())[0]).toMatch(/on its way\. \$1,000\.01$/);
		await control.setSettlement('automatic');
		expect(await waiting()).toEqual([expect.stringMatching(/\$2\.00$/)]);
		expect((await openVendor(pendingVendorServiceId)).text).toContain('In your wallet $1,000.01');
	});

	test.each(['nobody', 'ana@example.com'])('is not found by %s', async (id) => {
		const page = await openVendor(id);
		expect([page.status, page.heading]).toEqual([404, 'This page does not exist']);
	});
});
