import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { demo, ok, SandboxFixture } from './fixture';
import { ANSWERS, arrive, enterEmail, errorAt, fillSignUp, signUp, Visitor } from './pages-visitor';
import { follow, press, rowsOf, textOf } from './pages-visitor';
import { DataFile } from './processes';

const file = new DataFile();
const visitor = new Visitor();
const fixture = new SandboxFixture();
const CAN_PAY = 'Northwind Media US can pay you now';
const { otherWorkspaceId, pendingVendorEmail, unattachedVendorEmail } = demo;

const main = async (page: Page) => await textOf(page.getByRole('main'));
const openVendor = async (id: string) => await visitor.plainPage(fixture.pageUrl(`/vendor/${id}`));

/** Opens the invite link of a workspace and enters an address. */
async function enter(email: string, inviteUrl = fixture.inviteUrl()): Promise<Page> {
	const page = await visitor.plainPage(inviteUrl);
	return await press(page, 'Continue', { 'E-mail address': email });
}

describe('signing up', () => {
	test('takes a new vendor from the mail to the money, without JavaScript #mail-to-money', async () => {
		const payee_email = 'nina@example.com';
		const description = 'Spring film';
		const fields = { payee_email, description, amount: 12_345, send_invite: true };
		const payable = await fixture.fundedPayable(fields);

		const mail = (await fixture.control.outbox()).at(-1);

		expect(mail).toMatchObject({ to: payee_email });

		const page = await visitor.plainPage(mail?.inviteUrl ?? '');
		await arrive(page, 'Northwind Media US wants to pay you');
		await signUp(page, payee_email);
		const partner = { status: 'verified', business_name: ANSWERS.name };

		expect(await fixture.partner(payee_email)).toMatchObject(partner);
		expect(await fixture.statusOf(payable)).toBe('paid');

		await follow(page, 'See your wallet and payments');
		await arrive(page, ANSWERS.name);

		expect(await main(page)).toContain('In your wallet $123.45');
		expect(await rowsOf(page, 'What you have been paid')).toEqual([
			expect.stringMatching(/Northwind Media US Spring film \$123\.45$/),
		]);
	});

	test('is one button for a verified vendor, whose own page leads to it #attached-on-accepting', async () => {
		const payable = { amount: 5, payee_email: unattachedVendorEmail, send_invite: true };
		const harbor = await fixture.otherClient();
		ok(await harbor.post('/payable', { workspace_id: otherWorkspaceId, ...payable }));
		const page = await openVendor(demo.unattachedVendorServiceId);
		await follow(page, 'Accept the invitation of Harbor Talent');
		await arrive(page, 'Let Harbor Talent pay you?');
		const partnerStatus = async () =>
			(await fixture.partner(unattachedVendorEmail, otherWorkspaceId))?.status;

		expect(await partnerStatus()).toBe('invited');

		await press(page, 'Accept the invitation');
		await arrive(page, 'Harbor Talent can pay you now');

		expect(await partnerStatus()).toBe('verified');

		const { businessName } = await fixture.control.vendor(unattachedVendorEmail);

		expect(businessName).toBe('Cleo Park Design');
	});

	test('is declined for a vendor whom the network has rejected, until verified', async () => {
		await fixture.control.rejectVendor(pendingVendorEmail);
		const page = await enter(pendingVendorEmail, fixture.inviteUrl(otherWorkspaceId));
		await arrive(page, 'You cannot be paid through this network');

		expect(await fixture.partner(pendingVendorEmail, otherWorkspaceId)).toBeUndefined();

		await fixture.control.verifyVendor(pendingVendorEmail);
		await page.reload();
		await arrive(page, 'Let Harbor Talent pay you?');
	});

	test('does no harm when it is sent twice, and can be skipped', async () => {
		const email = 'twice@example.com';
		await fixture.fundedPayable({ payee_email: email, amount: 700 });
		const skip = async (page: Page) => await press(page, 'Skip this form');
		const [first, second, third] = [await enter(email), await enter(email), await enter(email)];
		await Promise.all([fillSignUp(first), fillSignUp(second), skip(third)]);
		for (const page of [first, second, third]) {
			await arrive(page, CAN_PAY);
		}

		const partners = await fixture.control.partners();

		expect(partners.filter((one) => one.email === email)).toHaveLength(1);
		expect(await fixture.control.vendor(email)).toMatchObject({ balance: 700 });

		await arrive(await skip(await enter(pendingVendorEmail)), CAN_PAY);

		expect((await fixture.control.vendor(pendingVendorEmail)).status).toBe('verified');
	});

	test('says at each field what is wrong, and keeps the rest, but no account number', async () => {
		const page = await enter('not an address');

		expect(await errorAt(page, 'E-mail address')).toMatch(/^Enter an e-mail address/);
		expect(await page.getByLabel('E-mail address').inputValue()).toBe('not an address');

		const email = 'wrong@example.com';
		await enterEmail(page, email);
		await fillSignUp(page, { ...ANSWERS, routing: '11000000', taxId: '' });
		await page.getByRole('alert').waitFor();

		expect(await errorAt(page, 'Routing number')).toBe('Routing number: enter nine digits.');
		expect(await errorAt(page, 'Tax ID, last four digits')).toBe(
			'Tax ID: enter the last four digits.',
		);
		expect(await page.getByLabel('Legal or business name').inputValue()).toBe(ANSWERS.name);
		expect(await page.content()).not.toContain(ANSWERS.account);
		expect(await fixture.partner(email)).toBeUndefined();
	});

	test('keeps nothing of bank and tax', async () => {
		const { apiUrl, control, workspaceId } = await file.start();
		const invite = new URL(`/join?invitationId=${workspaceId}`, apiUrl).href;
		await signUp(await visitor.plainPage(invite), 'secret@example.com');

		expect(JSON.stringify(await control.requests())).not.toContain(ANSWERS.account);

		await file.stop();
		const written = readdirSync(file.folder)
			.map((name) => readFileSync(join(file.folder, name), 'latin1'))
			.join('');

		expect(written).toContain(ANSWERS.name);
		expect(written).not.toContain(ANSWERS.account.slice(-4));
	});

	test('renews a tax form that has expired', async () => {
		const { verifiedVendorEmail: email } = demo;
		await fixture.control.setTaxForm(email, 'expired');
		const payable = await fixture.fundedPayable();
		const own = await openVendor(demo.verifiedVendorServiceId);

		expect(await main(own)).toContain('Status Tax form expired');
		expect(await rowsOf(own, 'Approved for you')).toEqual([
			expect.stringContaining('Your tax form has expired. Renew it to be paid.'),
		]);

		const page = await enter(email);
		await arrive(page, 'Renew your tax form');
		await press(page, 'Renew and accept', { 'Tax ID, last four digits': '1234' });
		await arrive(page, CAN_PAY);

		expect(await fixture.statusOf(payable)).toBe('paid');
	});

	test('stays unverified for a magic address', async () => {
		const page = await enter('nina+pending@example.com');
		await fillSignUp(page);
		await arrive(page, 'You are not verified yet');
	});
});

test("a vendor's own page says why something waits, until nothing does", async () => {
	const { control } = fixture;
	await control.setSettings({ settlement: 'manual' });
	const to = { payee_email: pendingVendorEmail };
	const first = await fixture.approved({ ...to, amount: 100_001 });
	const second = await fixture.approved({ ...to, amount: 200 });
	await fixture.payable({ ...to, amount: 300, description: 'only a draft' });
	const page = await openVendor(demo.pendingVendorServiceId);
	const waiting = async () => {
		await page.reload();
		return await rowsOf(page, 'Approved for you');
	};

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
	expect(await main(page)).toContain('In your wallet $1,000.01');
});
