import type { Page } from 'playwright-core';
import { SandboxFixture } from '../sandbox/fixture';
import { ANSWERS, arrive, overflow, signUp, Visitor, waitForFocus } from '../sandbox/pages-visitor';

const visitor = new Visitor();
const fixture = new SandboxFixture();

/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, name: string): Promise<void> {
	for (let presses = 0; presses < 30; presses += 1) {
		await page.keyboard.press('Tab');
		const focused = await page.evaluate<string>(
			'(document.activeElement?.labels?.[0] ?? document.activeElement)?.textContent ?? ""',
		);
		if (focused.trim() === name) {
			return;
		}
	}

	throw new Error(`Tab does not lead to "${name}".`);
}

test('a sign-up needs nothing but a keyboard', async () => {
	const page = await visitor.page();
	const { keyboard } = page;
	await page.goto(fixture.inviteUrl());
	await tabTo(page, 'E-mail address');
	await keyboard.type('keys@example.com');
	await keyboard.press('Enter');
	await arrive(page, 'Sign up');
	// An error takes the focus to its summary, and its link to the field.
	await tabTo(page, 'Sign and finish');
	await keyboard.press('Enter');
	await waitForFocus(page.getByRole('alert'));
	await keyboard.press('Tab');
	await keyboard.press('Enter');
	await keyboard.type('Keyboard Films');

	expect(await page.getByLabel('Legal or business name').inputValue()).toBe('Keyboard Films');

	for (const { label, text } of [
		{ label: 'Account number', text: ANSWERS.account },
		{ label: 'Routing number', text: ANSWERS.routing },
		{ label: 'Tax ID, last four digits', text: ANSWERS.taxId },
	]) {
		await tabTo(page, label);
		await keyboard.type(text);
	}

	await tabTo(page, 'Sign and finish');
	await keyboard.press('Enter');
	await arrive(page, 'Northwind Media US can pay you now');
	await tabTo(page, 'See your wallet and payments');
	await keyboard.press('Enter');
	await arrive(page, 'Keyboard Films');
});

test('the console gives the focus to what an action has done', async () => {
	const { control, pendingVendorEmail } = fixture.sandbox;
	const page = await visitor.page();
	await page.goto(fixture.workspacePage());
	await page.getByRole('button', { name: 'Verify Ben Okafor Films' }).click();
	await waitForFocus(page.getByRole('status'));

	expect((await control.vendor(pendingVendorEmail)).status).toBe('verified');
});

test('a hostile name is shown as text', async () => {
	const hostile = `"><img src=x onerror=alert(1)>\u202e</script>${'W'.repeat(80)}`;
	const workspaceId = '77777777-7777-4777-8777-777777777777';
	const { control } = fixture.sandbox;
	await control.seed({
		buyers: [{ name: hostile, workspaces: [{ id: workspaceId, displayName: hostile }] }],
		vendors: [{ email: 'h@example.com', businessName: hostile, workspaceIds: [workspaceId] }],
	});

	const page = await visitor.page({ viewport: { width: 390, height: 800 } });
	await page.goto(fixture.inviteUrl(workspaceId));
	await arrive(page, `${hostile} wants to pay you`);
	await signUp(page, 'new@example.com', { ...ANSWERS, name: hostile });
	const { serviceId } = await control.vendor('new@example.com');
	const paths = [`/vendor/${serviceId}`, `/_sandbox/console/workspaces/${workspaceId}`];
	for (const path of [...paths, '/_sandbox/console/workspaces', '/_sandbox/console/events']) {
		await page.goto(fixture.pageUrl(path));
		await page.getByText(hostile).first().waitFor();

		expect(await page.locator('img').count()).toBe(0);
		expect(await overflow(page)).toBe(0);
	}
});
