import { SandboxFixture } from './fixture';
import { rowWith, Visitor } from './pages-visitor';

/** What only a real browser shows, in short; `test/browser` has the rest. */
const visitor = new Visitor();
const fixture = new SandboxFixture();

test('a payable appears without a reload, and what a person is doing stays', async () => {
	const { control, workspaceId } = fixture.sandbox;
	const page = await visitor.page();
	await page.goto(fixture.workspacePage());
	await page.evaluate('globalThis.sameDocument = true');
	const field = page.getByLabel('Amount in dollars');
	await field.pressSequentially('12.3');
	await fixture.payable({ description: 'First of all' });
	await page.getByText('First of all').waitFor();
	expect(await field.evaluate((node) => node.matches(':focus'))).toBe(true);
	await page.keyboard.type('4');
	expect(await field.inputValue()).toBe('12.34');

	const verify = page.getByRole('button', { name: 'Verify Ben Okafor Films' });
	await verify.focus();
	await control.acceptInvitation(workspaceId, 'newcomer@example.com');
	await rowWith(page, 'newcomer@example.com').waitFor();
	expect(await verify.evaluate((node) => node.matches(':focus'))).toBe(true);
	expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
});
