import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import type { Page } from 'playwright-core';
import { startSandbox } from '../../sandbox/client';
import { World } from './support';
import {
	ANSWERS,
	arrive,
	enterEmail,
	fillBank,
	fillIdentity,
	fillTax,
	overflow,
	signUp,
	Visitor,
} from './pages-visitor';

const visitor = new Visitor();
const world = new World();
const pageOf = (path: string): string => new URL(path, world.sandbox.apiUrl).href;
const joinPage = (workspaceId = world.sandbox.workspaceId): string =>
	pageOf(`/join?invitationId=${workspaceId}`);
const partner = async (email: string, workspaceId = world.sandbox.workspaceId) =>
	(await world.sandbox.control.partners()).find(
		(one) => one.email === email && one.workspace_id === workspaceId,
	);

beforeEach(async () => {
	await world.sandbox.control.reset();
});

describe('signing up', () => {
	test('takes a new vendor from the mail to the money', async () => {
		const email = 'nina@example.com';
		const payable = await world.approved({
			payee_email: email,
			amount: 12_345,
			description: 'Spring film',
			send_invite: true,
		});
		await world.funded([payable]);
		const mail = (await world.sandbox.control.outbox()).at(-1);
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

		expect(await partner(email)).toMatchObject({
			status: 'verified',
			business_name: ANSWERS.name,
		});
		expect((await world.now(payable)).status).toBe('paid');

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
		const { control, otherWorkspaceId, unattachedVendorEmail } = world.sandbox;
		const page = await visitor.page();
		await page.goto(joinPage(otherWorkspaceId));
		await enterEmail(page, unattachedVendorEmail.toUpperCase());
		await arrive(page, 'Let Harbor Talent pay you?');
		expect(await partner(unattachedVendorEmail, otherWorkspaceId)).toBeUndefined();
		await page.getByRole('button', { name: 'Accept the invitation' }).click();
		await arrive(page, 'Harbor Talent can pay you now');
		expect(await partner(unattachedVendorEmail, otherWorkspaceId)).toMatchObject({
			status: 'verified',
		});
		expect((await control.vendor(unattachedVendorEmail)).businessName).toBe('Cleo Park Design');
	});

	test('verifies a vendor who was pending', async () => {
		const { control, pendingVendorEmail } = world.sandbox;
		const page = await visitor.page();
		await page.goto(joinPage());
		await signUp(page, pendingVendorEmail);
		expect(await control.vendor(pendingVendorEmail)).toMatchObject({
			status: 'verified',
			businessName: ANSWERS.name,
		});
		expect(await partner(pendingVendorEmail)).toMatchObject({ status: 'verified' });
	});

	test('is declined for a vendor whom the network has rejected', async () => {
		const { control, pendingVendorEmail, otherWorkspaceId } = world.sandbox;
		await control.rejectVendor(pendingVendorEmail);
		const page = await visitor.page();
		await page.goto(joinPage(otherWorkspaceId));
		await enterEmail(page, pendingVendorEmail);
		await arrive(page, 'You cannot be paid through this network');
		expect(await partner(pendingVendorEmail, otherWorkspaceId)).toBeUndefined();

		await control.verifyVendor(pendingVendorEmail);
		await page.reload();
		await arrive(page, 'Let Harbor Talent pay you?');
	});

	test('does no harm when it is sent twice, gone back in, or skipped ahead', async () => {
		const email = 'twice@example.com';
		const payable = await world.approved({ payee_email: email, amount: 700 });
		await world.funded([payable]);
		const page = await visitor.page();
		await page.goto(joinPage());
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

		const { control } = world.sandbox;
		expect((await control.partners()).filter((one) => one.email === email)).toHaveLength(1);
		expect(await control.vendor(email)).toMatchObject({
			businessName: 'Second Thought',
			balance: 700,
		});
	});

	test('says at each field what is wrong, and keeps the rest', async () => {
		const page = await visitor.page();
		await page.goto(joinPage());
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
		expect(await partner('wrong@example.com')).toBeUndefined();
	});

	test('keeps of an account number the last four digits, and lets them stay', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'sandbox-pages-'));
		const sandbox = await startSandbox({ data: join(folder, 'state.db') });
		try {
			const page = await visitor.page();
			const { origin } = new URL(sandbox.apiUrl);
			await page.goto(`${origin}/join?invitationId=${sandbox.workspaceId}`);
			await enterEmail(page, 'secret@example.com');
			await fillIdentity(page);
			await fillBank(page);
			await arrive(page, 'Your taxes');
			await page.getByRole('link', { name: 'Back' }).click();
			await page.getByText('ending in 4567').waitFor();
			expect(await page.content()).not.toContain(ANSWERS.account);
			await page.getByLabel('Account holder').fill('Somebody Else');
			await page.getByRole('button', { name: 'Continue' }).click();
			await fillTax(page);
			await arrive(page, /can pay you now$/);
			expect(JSON.stringify(await sandbox.control.requests())).not.toContain(ANSWERS.account);
			await page.close();
		} finally {
			await sandbox.stop();
		}
		const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'));
		expect(files.join('')).toContain('Somebody Else');
		expect(files.join('')).not.toContain(ANSWERS.account);
		rmSync(folder, { recursive: true });
	});

	test.each(['/join', '/join?invitationId=', '/join?invitationId=nobody'])(
		'%s leads to a page that helps',
		async (path) => {
			const page = await visitor.page();
			const response = await page.goto(pageOf(path));
			expect(response?.status()).toBe(404);
			await arrive(page, 'This invitation does not work');
			await page.getByText('ask whoever wants to pay you for a new one').waitFor();
		},
	);

	test('that was never begun leads to a page that helps', async () => {
		const page = await visitor.page();
		expect((await page.goto(pageOf('/join/made-up/bank')))?.status()).toBe(404);
		await page.getByText('Open the link from your invitation again').waitFor();
	});

	test('needs nothing but a keyboard', async () => {
		const page = await visitor.page();
		const { keyboard } = page;
		await page.goto(joinPage());
		await tabTo(page, 'E-mail address');
		await keyboard.type('keys@example.com');
		await keyboard.press('Enter');
		await arrive(page, 'Who you are');
		// An error takes the focus to where it is told, and its link to the field.
		await tabTo(page, 'Continue');
		await keyboard.press('Enter');
		await page.getByRole('alert').waitFor();
		expect(await page.locator(':focus').getAttribute('role')).toBe('alert');
		await keyboard.press('Tab');
		await keyboard.press('Enter');
		await keyboard.type('Keyboard Films');
		expect(await page.getByLabel('Legal or business name').inputValue()).toBe('Keyboard Films');
		await tabTo(page, 'Country');
		await keyboard.type('United States');
		await tabTo(page, 'Continue');
		await keyboard.press('Enter');
		await arrive(page, 'Your bank account');
		for (const [label, text] of [
			['Account holder', ANSWERS.holder],
			['Account number', ANSWERS.account],
			['Routing number', ANSWERS.routing],
		] as const) {
			await tabTo(page, label);
			await keyboard.type(text);
		}
		await keyboard.press('Enter');
		await arrive(page, 'Your taxes');
		await tabTo(page, 'Tax ID, last four digits');
		await keyboard.type(ANSWERS.taxId);
		await tabTo(page, 'I certify that what I have told is true.');
		await keyboard.press('Space');
		await tabTo(page, 'Sign and finish');
		await keyboard.press('Enter');
		await arrive(page, 'Northwind Media US can pay you now');
		await tabTo(page, 'See your wallet and payments');
		await keyboard.press('Enter');
		await arrive(page, 'Keyboard Films');
	});

	test('works without JavaScript', async () => {
		const page = await visitor.page({ javaScriptEnabled: false });
		await page.goto(joinPage());
		await signUp(page, 'plain@example.com');
		expect(await partner('plain@example.com')).toMatchObject({ status: 'verified' });
	});
});

describe("a vendor's own page", () => {
	test('says why something waits, and changes when it does not any more', async () => {
		const { control, workspaceId, pendingVendorEmail, pendingVendorServiceId } = world.sandbox;
		await control.setSettlement('manual');
		const to = { payee_email: pendingVendorEmail };
		const [first, second] = [
			await world.approved({ ...to, amount: 100_001 }),
			await world.approved({ ...to, amount: 200 }),
		];
		await world.payable({ ...to, amount: 300, description: 'only a draft' });
		const page = await visitor.page();
		await page.goto(pageOf(`/vendor/${pendingVendorServiceId}`));
		const waiting = page.getByRole('table', { name: 'Approved for you and not paid yet' });
		const row = waiting.getByRole('row').filter({ hasText: '$1,000.01' });
		await row.getByText('has not provided the money yet').waitFor();
		await row.getByText('You are not verified yet').waitFor();
		expect(await waiting.innerText()).not.toContain('only a draft');

		await world.funded([first]);
		await world.funded([second], { method: 'invoice' });
		await row.getByText('has not provided the money yet').waitFor({ state: 'detached' });
		await waiting.getByText('The bank transfer of Northwind Media US has not arrived').waitFor();
		await control.verifyVendor(pendingVendorEmail);
		await row.getByText('on its way').waitFor();
		await control.setSettlement('automatic');
		await page.locator('dl').getByText('$1,000.01').waitFor();
		await row.waitFor({ state: 'detached' });
		expect(await world.balance(workspaceId)).toBe(world.sandbox.openingBalance - 100_001);
	});

	test('leads to invitations that are open', async () => {
		const { otherWorkspaceId, verifiedVendorEmail, verifiedVendorServiceId } = world.sandbox;
		const token = await world.sandbox.token({
			clientId: world.sandbox.otherClientId,
			clientSecret: world.sandbox.otherClientSecret,
		});
		const harbor = await world.client(token);
		await harbor.post('/payable', {
			workspace_id: otherWorkspaceId,
			amount: 5,
			payee_email: verifiedVendorEmail,
			send_invite: true,
		});
		const page = await visitor.page();
		await page.goto(pageOf(`/vendor/${verifiedVendorServiceId}`));
		await page.getByRole('link', { name: 'Accept the invitation of Harbor Talent' }).click();
		await enterEmail(page, verifiedVendorEmail);
		await page.getByRole('button', { name: 'Accept the invitation' }).click();
		await arrive(page, 'Harbor Talent can pay you now');
	});

	test.each(['nobody', 'ana@example.com'])('is not found by %s', async (id) => {
		const page = await visitor.page();
		expect((await page.goto(pageOf(`/vendor/${id}`)))?.status()).toBe(404);
		await arrive(page, 'This page does not exist');
	});
});

test('names that attack are only names', async () => {
	const hostile = `"><img src=x onerror=alert(1)>\u202e</script>${'W'.repeat(80)}`;
	const workspaceId = '77777777-7777-4777-8777-777777777777';
	const { control } = world.sandbox;
	await control.seed({
		buyers: [{ name: hostile, workspaces: [{ id: workspaceId, displayName: hostile }] }],
		vendors: [{ email: 'h@example.com', businessName: hostile, workspaceIds: [workspaceId] }],
	});
	const page = await visitor.page({ viewport: { width: 390, height: 800 } });
	await page.goto(joinPage(workspaceId));
	await arrive(page, `${hostile} wants to pay you`);
	await signUp(page, 'new@example.com', { ...ANSWERS, name: hostile });
	const { serviceId } = await control.vendor('new@example.com');
	const paths = [`/vendor/${serviceId}`, `/_sandbox/console/workspaces/${workspaceId}`];
	for (const path of [...paths, '/_sandbox', '/_sandbox/console/events']) {
		await page.goto(pageOf(path));
		await page.getByText(hostile).first().waitFor();
		expect(await page.locator('img').count()).toBe(0);
		expect(await overflow(page)).toBe(0);
	}
});

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
	expect(await field.evaluate((node) => node.matches(':focus'))).toBe(true);
}

/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, name: string): Promise<void> {
	for (let presses = 0; presses < 30; presses++) {
		await page.keyboard.press('Tab');
		const focused = await page.evaluate<string>(
			'(document.activeElement?.labels?.[0] ?? document.activeElement)?.textContent ?? ""',
		);
		if (focused.trim() === name) return;
	}
	throw new Error(`Tab does not lead to "${name}".`);
}
