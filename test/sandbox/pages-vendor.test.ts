import { SandboxFixture } from './fixture';
import { ANSWERS, arrive, enterEmail, overflow, signUp, Visitor } from './pages-visitor';

const visitor = new Visitor();
const fixture = new SandboxFixture();

beforeEach(async () => {
	await fixture.sandbox.control.reset();
});

describe("a vendor's own page", () => {
	test('says why something waits, and changes when it does not any more', async () => {
		const { control, workspaceId, pendingVendorEmail, pendingVendorServiceId } = fixture.sandbox;
		await control.setSettlement('manual');
		const to = { payee_email: pendingVendorEmail };
		const [first, second] = [
			await fixture.approved({ ...to, amount: 100_001 }),
			await fixture.approved({ ...to, amount: 200 }),
		];
		await fixture.payable({ ...to, amount: 300, description: 'only a draft' });
		const page = await visitor.page();
		await page.goto(fixture.pageUrl(`/vendor/${pendingVendorServiceId}`));
		const waiting = page.getByRole('table', { name: 'Approved for you and not paid yet' });
		const row = waiting.getByRole('row').filter({ hasText: '$1,000.01' });
		await row.getByText('has not provided the money yet').waitFor();
		await row.getByText('You are not verified yet').waitFor();
		expect(await waiting.innerText()).not.toContain('only a draft');

		await fixture.funded([first]);
		await fixture.funded([second], { method: 'invoice' });
		await row.getByText('has not provided the money yet').waitFor({ state: 'detached' });
		await waiting.getByText('The bank transfer of Northwind Media US has not arrived').waitFor();
		await control.verifyVendor(pendingVendorEmail);
		await row.getByText('on its way').waitFor();
		await control.setSettlement('automatic');
		await page.locator('dl').getByText('$1,000.01').waitFor();
		await row.waitFor({ state: 'detached' });
		expect(await fixture.balance(workspaceId)).toBe(fixture.sandbox.openingBalance - 100_001);
	});

	test('leads to invitations that are open', async () => {
		const { otherWorkspaceId, verifiedVendorEmail, verifiedVendorServiceId } = fixture.sandbox;
		const token = await fixture.sandbox.token({
			clientId: fixture.sandbox.otherClientId,
			clientSecret: fixture.sandbox.otherClientSecret,
		});
		const harbor = await fixture.client(token);
		await harbor.post('/payable', {
			workspace_id: otherWorkspaceId,
			amount: 5,
			payee_email: verifiedVendorEmail,
			send_invite: true,
		});
		const page = await visitor.page();
		await page.goto(fixture.pageUrl(`/vendor/${verifiedVendorServiceId}`));
		await page.getByRole('link', { name: 'Accept the invitation of Harbor Talent' }).click();
		await enterEmail(page, verifiedVendorEmail);
		await page.getByRole('button', { name: 'Accept the invitation' }).click();
		await arrive(page, 'Harbor Talent can pay you now');
	});

	test.each(['nobody', 'ana@example.com'])('is not found by %s', async (id) => {
		const page = await visitor.page();
		expect((await page.goto(fixture.pageUrl(`/vendor/${id}`)))?.status()).toBe(404);
		await arrive(page, 'This page does not exist');
	});
});

test('names that attack are only names', async () => {
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
	for (const path of [...paths, '/_sandbox', '/_sandbox/console/events']) {
		await page.goto(fixture.pageUrl(path));
		await page.getByText(hostile).first().waitFor();
		expect(await page.locator('img').count()).toBe(0);
		expect(await overflow(page)).toBe(0);
	}
});
