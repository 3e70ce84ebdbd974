import axios from 'axios';
import type { Page } from 'playwright-core';
import { SandboxFixture } from './fixture';
import {
	ANSWERS,
	arrive,
	enterEmail,
	fillBank,
	fillIdentity,
	fillTax,
	signUp,
	Visitor,
	waitForFocus,
} from './pages-visitor';

const visitor = new Visitor();
const fixture = new SandboxFixture();

/** What a control is described by, in the order in which it is read. */
async function descriptionOf(page: Page, control: ReturnType<Page['locator']>): Promise<string> {
	const ids = (await control.getAttribute('aria-describedby'))?.split(' ') ?? [];
	const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).innerText()));
	return texts.join('\n');
}

/** The field says what is wrong with it, and so does the summary, which leads to the field. */
async function expectFieldError(
	page: Page,
	label: string,
	sentence: string | RegExp,
): Promise<void> {
	const link = page.getByRole('alert').getByRole('link', { name: sentence });
	await link.waitFor();
	const field = page.getByLabel(label);
	expect(await descriptionOf(page, field)).toMatch(sentence);
	expect(await field.getAttribute('aria-invalid')).toBe('true');
	expect(await page.title()).toMatch(/^Error: /);
	await link.click();
	await waitForFocus(field);
}

beforeEach(async () => {
	await fixture.sandbox.control.reset();
});

describe('signing up', () => {
	test('takes a new vendor from the mail to the money', async () => {
		const email = 'nina@example.com';
		const payable = await fixture.approved({
			payee_email: email,
			amount: 12_345,
			description: 'Spring film',
			send_invite: true,
		});
		await fixture.funded([payable]);
		const mail = (await fixture.sandbox.control.outbox()).at(-1);
		expect(mail).toMatchObject({ to: email });

		const page = await visitor.page();
		await page.goto(mail?.inviteUrl ?? '');
		await arrive(page, 'Northwind Media US wants to pay you');
		await enterEmail(page, email);
		await page.getByText('Step 1 of 3').waitFor();
		await fillIdentity(page);
		await page.getByText('Step 2 of 3').waitFor();
		await fillBank(page);
		await page.getByText('Step 3 of 3').waitFor();
		await fillTax(page);
		await arrive(page, 'Northwind Media US can pay you now');

		expect(await fixture.partner(email)).toMatchObject({
			status: 'verified',
			business_name: ANSWERS.name,
		});
		expect((await fixture.current(payable)).status).toBe('paid');

		await page.getByRole('link', { name: 'See your wallet and payments' }).click();
		await arrive(page, ANSWERS.name);
		expect(await page.locator('dl').innerText()).toContain('$123.45');
		const row = page
			.getByRole('table', { name: /been paid/ })
			.getByRole('row')
			.nth(1);
		expect(await row.innerText()).toMatch(/Northwind Media US\s+Spring film\s+\$123\.45/);
	});

	test('is one button for a vendor who is verified already', async () => {
		const { control, otherWorkspaceId, unattachedVendorEmail } = fixture.sandbox;
		const page = await visitor.page();
		await page.goto(fixture.inviteUrl(otherWorkspaceId));
		await enterEmail(page, unattachedVendorEmail.toUpperCase());
		await arrive(page, 'Let Harbor Talent pay you?');
		expect(await fixture.partner(unattachedVendorEmail, otherWorkspaceId)).toBeUndefined();
		await page.getByRole('button', { name: 'Accept the invitation' }).click();
		await arrive(page, 'Harbor Talent can pay you now');
		expect(await fixture.partner(unattachedVendorEmail, otherWorkspaceId)).toMatchObject({
			status: 'verified',
		});
		expect((await control.vendor(unattachedVendorEmail)).businessName).toBe('Cleo Park Design');
	});

	test('verifies a vendor who was pending', async () => {
		const { control, pendingVendorEmail } = fixture.sandbox;
		const page = await visitor.page();
		await page.goto(fixture.inviteUrl());
		await signUp(page, pendingVendorEmail);
		expect(await control.vendor(pendingVendorEmail)).toMatchObject({
			status: 'verified',
			businessName: ANSWERS.name,
		});
		expect(await fixture.partner(pendingVendorEmail)).toMatchObject({ status: 'verified' });
	});

	test('is declined for a vendor whom the network has rejected', async () => {
		const { control, pendingVendorEmail, otherWorkspaceId } = fixture.sandbox;
		await control.rejectVendor(pendingVendorEmail);
		const page = await visitor.page();
		await page.goto(fixture.inviteUrl(otherWorkspaceId));
		await enterEmail(page, pendingVendorEmail);
		await arrive(page, 'You cannot be paid through this network');
		expect(await fixture.partner(pendingVendorEmail, otherWorkspaceId)).toBeUndefined();

		await control.verifyVendor(pendingVendorEmail);
		await page.reload();
		await arrive(page, 'Let Harbor Talent pay you?');
	});

	test('does no harm when it is sent twice, gone back in, or skipped ahead', async () => {
		const email = 'twice@example.com';
		const payable = await fixture.approved({ payee_email: email, amount: 700 });
		await fixture.funded([payable]);
		const page = await visitor.page();
		await page.goto(fixture.inviteUrl());
		await enterEmail(page, email);
		await arrive(page, 'Who you are');
		const address = page.url().replace('/identity', '');

		await page.goto(`${address}/tax`);
		await arrive(page, 'Who you are');
		await page.goto(`${address}/done`);
		await fillIdentity(page);
		await arrive(page, 'Your bank account');
		await page.getByRole('link', { name: 'Back' }).click();
		await arrive(page, 'Who you are');
		expect(await page.getByLabel('Legal or business name').inputValue()).toBe(ANSWERS.name);
		await fillIdentity(page, { ...ANSWERS, name: 'Second Thought' });
		await fillBank(page);

		const form = new URLSearchParams({ tax_form: 'W-9', tax_id: '4321', certify: 'yes' });
		const sent = await Promise.all([1, 2].map(() => axios.post(`${address}/tax`, form)));
		expect(sent.map(({ status }) => status)).toEqual([200, 200]);
		await page.reload();
		await arrive(page, 'Northwind Media US can pay you now');
		await page.goBack();
		await arrive(page, 'Northwind Media US can pay you now');
		await axios.post(`${address}/accept`);

		const { control } = fixture.sandbox;
		expect((await control.partners()).filter((one) => one.email === email)).toHaveLength(1);
		expect(await control.vendor(email)).toMatchObject({
			businessName: 'Second Thought',
			balance: 700,
		});
	});

	test('says at each field what is wrong, and keeps the rest', async () => {
		const page = await visitor.page();
		await page.goto(fixture.inviteUrl());
		await enterEmail(page, 'not an address');
		await expectFieldError(page, 'E-mail address', /Enter an e-mail address/);
		expect(await page.getByLabel('E-mail address').inputValue()).toBe('not an address');

		await enterEmail(page, 'wrong@example.com');
		await arrive(page, 'Who you are');
		await page.getByLabel('Legal or business name').fill('Kept Name');
		await page.getByRole('button', { name: 'Continue' }).click();
		await expectFieldError(page, 'Country', 'Choose a country.');
		expect(await page.getByLabel('Legal or business name').inputValue()).toBe('Kept Name');
		await fillIdentity(page);

		await arrive(page, 'Your bank account');
		await page.getByLabel('Account holder').fill('Kept Holder');
		await page.getByLabel('Account number').fill(ANSWERS.account);
		await page.getByLabel('Routing number').fill('110000001');
		await page.getByRole('button', { name: 'Continue' }).click();
		await expectFieldError(page, 'Routing number', /nine digits/);
		expect(await page.getByLabel('Account holder').inputValue()).toBe('Kept Holder');
		expect(await page.getByLabel('Account number').inputValue()).toBe('');
		expect(await page.content()).not.toContain(ANSWERS.account);
		await fillBank(page);

		await arrive(page, 'Your taxes');
		await page.getByLabel('Form W-8BEN').check();
		await page.getByLabel('Tax ID, last four digits').fill('12');
		await page.getByRole('button', { name: 'Sign and finish' }).click();
		await expectFieldError(page, 'Tax ID, last four digits', /Enter the last four digits/);
		await expectFieldError(page, 'I certify', /Certify that/);
		const group = page.getByRole('group', { name: 'Tax form' });
		expect(await descriptionOf(page, group)).toContain('In the United States the form is W-9.');
		expect(await page.getByLabel('Form W-8BEN').isChecked()).toBe(true);
		expect(await fixture.partner('wrong@example.com')).toBeUndefined();
	});
});
