import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { startSandbox } from '../support/sandbox';
import { SandboxFixture } from './fixture';
import { TemporaryFolder } from './processes';
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

const folder = new TemporaryFolder();
const visitor = new Visitor();
const fixture = new SandboxFixture();

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

beforeEach(async () => {
	await fixture.sandbox.control.reset();
});

describe('signing up', () => {
	test('keeps of an account number the last four digits, and lets them stay', async () => {
		const sandbox = await startSandbox({ data: folder.file('state.db') });
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
		const files = readdirSync(folder.path).map((file) => readFileSync(folder.file(file), 'latin1'));
		expect(files.join('')).toContain('Somebody Else');
		expect(files.join('')).not.toContain(ANSWERS.account);
	});

	test.each(['/join', '/join?invitationId=', '/join?invitationId=nobody'])(
		'%s leads to a page that helps',
		async (path) => {
			const page = await visitor.page();
			const response = await page.goto(fixture.pageUrl(path));
			expect(response?.status()).toBe(404);
			await arrive(page, 'This invitation does not work');
			await page.getByText('ask whoever wants to pay you for a new one').waitFor();
		},
	);

	test('that was never begun leads to a page that helps', async () => {
		const page = await visitor.page();
		expect((await page.goto(fixture.pageUrl('/join/made-up/bank')))?.status()).toBe(404);
		await page.getByText('Open the link from your invitation again').waitFor();
	});

	test('needs nothing but a keyboard', async () => {
		const page = await visitor.page();
		const { keyboard } = page;
		await page.goto(fixture.inviteUrl());
		await tabTo(page, 'E-mail address');
		await keyboard.type('keys@example.com');
		await keyboard.press('Enter');
		await arrive(page, 'Who you are');
		// An error takes the focus to where it is told, and its link to the field.
		await tabTo(page, 'Continue');
		await keyboard.press('Enter');
		await waitForFocus(page.getByRole('alert'));
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
		await page.goto(fixture.inviteUrl());
		await signUp(page, 'plain@example.com');
		expect(await fixture.partner('plain@example.com')).toMatchObject({ status: 'verified' });
	});
});
