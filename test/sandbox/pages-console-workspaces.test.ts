import axios from 'axios';
import { SandboxFixture } from './fixture';
import { arrive, rowWith, Visitor, waitForFocus } from './pages-visitor';

const visitor = new Visitor();
const fixture = new SandboxFixture();

beforeEach(async () => {
	await fixture.sandbox.control.reset();
});

describe('workspaces', () => {
	test('are listed with their money, and each leads to its own page', async () => {
		const page = await visitor.page();
		await page.goto(fixture.pageUrl('/_sandbox'));
		await arrive(page, 'Workspaces');
		const northwind = rowWith(page, 'Northwind Media US');
		expect(await northwind.innerText()).toContain(fixture.sandbox.workspaceId);
		expect(await northwind.innerText()).toMatch(/\$5,000\.00\s+900100200301\s+990000005/);
		const invite = northwind.getByRole('link', { name: 'Invite link of Northwind Media US' });
		expect(await invite.getAttribute('href')).toBe(
			(await fixture.sandbox.control.workspaces())[0]?.inviteUrl,
		);
		await northwind.getByRole('link', { name: 'Northwind Media US', exact: true }).click();
		await arrive(page, 'Northwind Media US');
		await page.getByText('No payables yet. Create one with the node.').waitFor();
		const id = page.getByRole('term').filter({ hasText: 'Workspace ID' }).locator('+ dd');
		expect(await id.innerText()).toBe(fixture.sandbox.workspaceId);
		const here = page.getByRole('navigation').getByRole('link', { name: 'Workspaces' });
		expect(await here.getAttribute('aria-current')).toBe('true');
	});

	test('show payables by state with exact totals', async () => {
		const most = Number.MAX_SAFE_INTEGER;
		await fixture.payable({ amount: most });
		await fixture.payable({ amount: most });
		const paid = await fixture.approved({ amount: 5 });
		await fixture.funded([paid]);
		const late = await fixture.approved({ amount: 123_456, description: 'Late night cut' });
		const funding = await fixture.funded([late], { method: 'invoice' });
		const page = await visitor.page();
		await page.goto(fixture.workspacePage());
		const facts = page.locator('#payables + dl');
		expect((await facts.innerText()).replace(/\s+/g, ' ')).toBe(
			'Draft $180,143,985,094,819.82 2 payables Approved $1,234.56 1 payable Will pay $0.00 0 payables Paid $0.05 1 payable',
		);
		const approved = page.getByRole('region', { name: 'Approved' });
		await approved.getByText('Late night cut').waitFor();
		expect(await approved.getByRole('row').count()).toBe(2);
		const invoice = page.getByRole('link', { name: `Invoice (PDF) of ${funding.id}` });
		const pdf = await axios.get<string>((await invoice.getAttribute('href')) ?? '');
		expect(pdf.headers['content-type']).toBe('application/pdf');
	});

	test('verify a vendor, whose payable is paid then', async () => {
		const { pendingVendorEmail: email } = fixture.sandbox;
		const payable = await fixture.approved({ payee_email: email });
		await fixture.funded([payable]);
		const page = await visitor.page();
		await page.goto(fixture.workspacePage());
		const partners = page.getByRole('table', { name: /^Vendors/ });
		const ben = partners.getByRole('row').filter({ hasText: email });
		await ben.getByText('Pending').waitFor();
		await ben.getByRole('button', { name: 'Verify Ben Okafor Films' }).click();
		const notice = page.getByRole('status');
		await notice.getByText('Ben Okafor Films is verified now.').waitFor();
		await waitForFocus(notice);
		await ben.getByText('Verified').waitFor();
		expect(await ben.getByRole('button').count()).toBe(0);
		expect((await fixture.current(payable)).status).toBe('paid');
	});

	test('reject a vendor, who can be verified later', async () => {
		const { control, pendingVendorEmail: email } = fixture.sandbox;
		const page = await visitor.page();
		await page.goto(fixture.workspacePage());
		await page.getByRole('button', { name: 'Reject Ben Okafor Films' }).click();
		await page.getByRole('status').getByText('is rejected now').waitFor();
		expect((await control.vendor(email)).status).toBe('rejected');
		expect(await page.getByRole('button', { name: /^Reject/ }).count()).toBe(0);
		await page.getByRole('button', { name: 'Verify Ben Okafor Films' }).click();
		await page.getByRole('status').getByText('is verified now').waitFor();
		expect((await control.vendor(email)).status).toBe('verified');
		// The address of a message that is not true any more says nothing.
		await page.goto(`${fixture.workspacePage()}?notice=rejected&id=ven_ben`);
		await arrive(page, 'Northwind Media US');
		expect(await page.getByRole('status').count()).toBe(0);
	});

	test('a decision that comes too late is explained', async () => {
		const page = await visitor.page();
		await page.goto(fixture.workspacePage());
		const reject = page.getByRole('button', { name: 'Reject Ben Okafor Films' });
		await page.route('**/console/workspaces/*', async (route) => {
			await (route.request().resourceType() === 'fetch' ? route.abort() : route.continue());
		});
		await reject.evaluate((button) => button.closest('[hx-get]')?.removeAttribute('hx-get'));
		await fixture.sandbox.control.verifyVendor('ben@example.com');
		await reject.click();
		await arrive(page, 'This is not possible now');
		await page.getByText('A verified vendor cannot become rejected.').waitFor();
	});

	test.each([
		['1,234.56', 123_456],
		['$0.1', 10],
		['90071992547', 9_007_199_254_700],
	])('let a deposit of %s arrive, exactly', async (text, cents) => {
		const page = await visitor.page();
		await page.goto(fixture.workspacePage());
		await page.getByLabel('Amount in dollars').fill(text);
		await page.getByRole('button', { name: 'Let it arrive' }).click();
		await page.getByRole('status').getByText('has arrived').waitFor();
		const { control, workspaceId, openingBalance } = fixture.sandbox;
		expect(await control.deposits()).toMatchObject([{ amount: cents, status: 'unlinked' }]);
		expect(await fixture.balance(workspaceId)).toBe(openingBalance + cents);
		const deposits = page.getByRole('table', { name: /^Bank transfers/ });
		expect(await deposits.getByRole('row').count()).toBe(2);
		await page.reload();
		await arrive(page, 'Northwind Media US');
		expect(await control.deposits()).toHaveLength(1);
	});

	test.each(['', '0', '-5', '1.005', '1,23', '1e3', '99999999999999999999'])(
		'refuse a deposit of "%s" at its field',
		async (text) => {
			const page = await visitor.page();
			await page.goto(fixture.workspacePage());
			await page.getByLabel('Amount in dollars').fill(text);
			await page.getByRole('button', { name: 'Let it arrive' }).click();
			await page
				.getByRole('alert')
				.getByRole('link', { name: /at most two decimals/ })
				.click();
			const field = page.getByLabel('Amount in dollars');
			await waitForFocus(field);
			expect(await field.inputValue()).toBe(text);
			expect(await fixture.sandbox.control.deposits()).toEqual([]);
		},
	);

	test('refuse a deposit that the network cannot hold', async () => {
		const page = await visitor.page();
		await page.goto(fixture.workspacePage());
		await page.getByLabel('Amount in dollars').fill('90071992547409.91');
		await page.getByRole('button', { name: 'Let it arrive' }).click();
		await page.getByRole('alert').getByText('cannot hold that much money').waitFor();
	});

	test('that are not there have a page that says so', async () => {
		const page = await visitor.page();
		expect((await page.goto(fixture.consoleUrl('/workspaces/nobody')))?.status()).toBe(404);
		await page.getByText('This sandbox has no such workspace').waitFor();
		expect((await page.goto(fixture.consoleUrl('/nowhere')))?.status()).toBe(404);
		await page.getByText('The console has no such page.').waitFor();
	});
});

describe('the console is live', () => {
	test('a payable appears without a reload, and what a person is doing stays', async () => {
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
		await fixture.sandbox.control.acceptInvitation(
			fixture.sandbox.workspaceId,
			'newcomer@example.com',
		);
		await fixture.payable({ description: 'Second of all' });
		await page.getByText('Second of all').waitFor();
		await rowWith(page, 'newcomer@example.com').waitFor();
		expect(await verify.evaluate((node) => node.matches(':focus'))).toBe(true);
		expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
		// Renewing the page must not read it out each time.
		expect(
			await page.locator('#live[aria-live], #live [aria-live], #live [role=status]').count(),
		).toBe(0);
	});

	test('without JavaScript its forms work', async () => {
		const page = await visitor.page({ javaScriptEnabled: false });
		await page.goto(fixture.workspacePage());
		await page.getByLabel('Amount in dollars').fill('5');
		await page.getByRole('button', { name: 'Let it arrive' }).click();
		await page.getByRole('status').getByText('A deposit of $5.00 has arrived.').waitFor();
	});
});
