import axios, { type AxiosResponse } from 'axios';
import type { Locator, Page } from 'playwright-core';
import { ok, refusal, World } from './support';
import { arrive, Visitor } from './pages-visitor';

const visitor = new Visitor();
const world = new World();
const pageOf = (path: string): string => new URL(path, world.sandbox.apiUrl).href;
const consoleOf = (path: string): string => pageOf(`/_sandbox/console${path}`);
const workspacePage = (): string => consoleOf(`/workspaces/${world.sandbox.workspaceId}`);
const row = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

beforeEach(async () => {
	await world.sandbox.control.reset();
});

describe('workspaces', () => {
	test('are listed with their money, and each leads to its own page', async () => {
		const page = await visitor.page();
		await page.goto(pageOf('/_sandbox'));
		await arrive(page, 'Workspaces');
		const northwind = row(page, 'Northwind Media US');
		expect(await northwind.innerText()).toMatch(/\$5,000\.00\s+900100200301\s+990000005/);
		const invite = northwind.getByRole('link', { name: 'Invite link of Northwind Media US' });
		expect(await invite.getAttribute('href')).toBe(
			(await world.sandbox.control.workspaces())[0]?.inviteUrl,
		);
		await northwind.getByRole('link', { name: 'Northwind Media US', exact: true }).click();
		await arrive(page, 'Northwind Media US');
		await page.getByText('No payables yet. Create one with the node.').waitFor();
		const here = page.getByRole('navigation').getByRole('link', { name: 'Workspaces' });
		expect(await here.getAttribute('aria-current')).toBe('true');
	});

	test('show payables by state with exact totals', async () => {
		const most = Number.MAX_SAFE_INTEGER;
		await world.payable({ amount: most });
		await world.payable({ amount: most });
		const paid = await world.approved({ amount: 5 });
		await world.funded([paid]);
		const late = await world.approved({ amount: 123_456, description: 'Late night cut' });
		const funding = await world.funded([late], { method: 'invoice' });
		const page = await visitor.page();
		await page.goto(workspacePage());
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
		const { pendingVendorEmail: email } = world.sandbox;
		const payable = await world.approved({ payee_email: email });
		await world.funded([payable]);
		const page = await visitor.page();
		await page.goto(workspacePage());
		const partners = page.getByRole('table', { name: /^Vendors/ });
		const ben = partners.getByRole('row').filter({ hasText: email });
		await ben.getByText('Pending').waitFor();
		await ben.getByRole('button', { name: 'Verify Ben Okafor Films' }).click();
		const notice = page.getByRole('status');
		await notice.getByText('Ben Okafor Films is verified now.').waitFor();
		expect(await notice.evaluate((node) => node.matches(':focus'))).toBe(true);
		await ben.getByText('Verified').waitFor();
		expect(await ben.getByRole('button').count()).toBe(0);
		expect((await world.now(payable)).status).toBe('paid');
	});

	test('reject a vendor, who can be verified later', async () => {
		const { control, pendingVendorEmail: email } = world.sandbox;
		const page = await visitor.page();
		await page.goto(workspacePage());
		await page.getByRole('button', { name: 'Reject Ben Okafor Films' }).click();
		await page.getByRole('status').getByText('is rejected now').waitFor();
		expect((await control.vendor(email)).status).toBe('rejected');
		expect(await page.getByRole('button', { name: /^Reject/ }).count()).toBe(0);
		await page.getByRole('button', { name: 'Verify Ben Okafor Films' }).click();
		await page.getByRole('status').getByText('is verified now').waitFor();
		expect((await control.vendor(email)).status).toBe('verified');
		// The address of a message that is not true any more says nothing.
		await page.goto(`${workspacePage()}?done=rejected&id=ven_ben`);
		await arrive(page, 'Northwind Media US');
		expect(await page.getByRole('status').count()).toBe(0);
	});

	test('a verdict that comes too late is explained', async () => {
		const page = await visitor.page();
		await page.goto(workspacePage());
		const reject = page.getByRole('button', { name: 'Reject Ben Okafor Films' });
		await page.route('**/console/workspaces/*', async (route) => {
			await (route.request().resourceType() === 'fetch' ? route.abort() : route.continue());
		});
		await reject.evaluate((button) => button.closest('[hx-get]')?.removeAttribute('hx-get'));
		await world.sandbox.control.verifyVendor('ben@example.com');
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
		await page.goto(workspacePage());
		await page.getByLabel('Amount in dollars').fill(text);
		await page.getByRole('button', { name: 'Let it arrive' }).click();
		await page.getByRole('status').getByText('has arrived').waitFor();
		const { control, workspaceId, openingBalance } = world.sandbox;
		expect(await control.deposits()).toMatchObject([{ amount: cents, status: 'unlinked' }]);
		expect(await world.balance(workspaceId)).toBe(openingBalance + cents);
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
			await page.goto(workspacePage());
			await page.getByLabel('Amount in dollars').fill(text);
			await page.getByRole('button', { name: 'Let it arrive' }).click();
			await page
				.getByRole('alert')
				.getByRole('link', { name: /at most two decimals/ })
				.click();
			const field = page.getByLabel('Amount in dollars');
			expect(await field.evaluate((node) => node.matches(':focus'))).toBe(true);
			expect(await field.inputValue()).toBe(text);
			expect(await world.sandbox.control.deposits()).toEqual([]);
		},
	);

	test('refuse a deposit that the network cannot hold', async () => {
		const page = await visitor.page();
		await page.goto(workspacePage());
		await page.getByLabel('Amount in dollars').fill('90071992547409.91');
		await page.getByRole('button', { name: 'Let it arrive' }).click();
		await page.getByRole('alert').getByText('cannot hold that much money').waitFor();
	});

	test('that are not there have a page that says so', async () => {
		const page = await visitor.page();
		expect((await page.goto(consoleOf('/workspaces/nobody')))?.status()).toBe(404);
		await page.getByText('This sandbox has no such workspace').waitFor();
		expect((await page.goto(consoleOf('/nowhere')))?.status()).toBe(404);
		await page.getByText('The console has no such page.').waitFor();
	});
});

describe('the console is live', () => {
	test('a payable appears without a reload, and what a person is doing stays', async () => {
		const page = await visitor.page();
		await page.goto(workspacePage());
		await page.evaluate('globalThis.sameDocument = true');
		const field = page.getByLabel('Amount in dollars');
		await field.pressSequentially('12.3');
		await world.payable({ description: 'First of all' });
		await page.getByText('First of all').waitFor();
		expect(await field.evaluate((node) => node.matches(':focus'))).toBe(true);
		await page.keyboard.type('4');
		expect(await field.inputValue()).toBe('12.34');

		const verify = page.getByRole('button', { name: 'Verify Ben Okafor Films' });
		await verify.focus();
		await world.sandbox.control.acceptInvitation(world.sandbox.workspaceId, 'newcomer@example.com');
		await world.payable({ description: 'Second of all' });
		await page.getByText('Second of all').waitFor();
		await row(page, 'newcomer@example.com').waitFor();
		expect(await verify.evaluate((node) => node.matches(':focus'))).toBe(true);
		expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
		// Renewing the page must not read it out each time.
		expect(
			await page.locator('#live[aria-live], #live [aria-live], #live [role=status]').count(),
		).toBe(0);
	});

	test('without JavaScript its forms work', async () => {
		const page = await visitor.page({ javaScriptEnabled: false });
		await page.goto(workspacePage());
		await page.getByLabel('Amount in dollars').fill('5');
		await page.getByRole('button', { name: 'Let it arrive' }).click();
		await page.getByRole('status').getByText('A deposit of $5.00 has arrived.').waitFor();
	});
});

describe('faults', () => {
	test('are ordered, strike and are seen in the request log', async () => {
		const page = await visitor.page();
		await page.goto(consoleOf('/faults'));
		await page.getByText('No faults wait.').waitFor();
		await page.getByLabel('What goes wrong').selectOption('Answer with a status');
		expect(await page.getByLabel('Milliseconds').isVisible()).toBe(false);
		await page.getByLabel('Status').fill('418');
		await page.getByLabel('Which operation it strikes').selectOption('getWallet');
		await page.getByLabel('How many requests it strikes').fill('2');
		await page.getByRole('button', { name: 'Inject the fault' }).click();
		await page.getByRole('status').getByText('The fault waits for its requests.').waitFor();
		expect(await row(page, 'getWallet').innerText()).toMatch(/status 418\s+getWallet\s+2 times/);

		const wallet = `/workspace/${world.sandbox.workspaceId}/wallet`;
		expect((await world.sandbox.api().then((api) => api.get(wallet))).status).toBe(418);
		await row(page, 'getWallet').getByText('1 time').waitFor();

		await page.goto(consoleOf('/requests'));
		await page.getByLabel('Operation').selectOption('getWallet');
		await page.getByRole('button', { name: 'Filter' }).click();
		const logged = page.getByRole('table', { name: 'Requests of getWallet, newest first' });
		expect(await logged.getByRole('row').count()).toBe(2);
		const text = await logged.getByRole('row').nth(1).innerText();
		expect(text).toMatch(/GET .*\/wallet\s+getWallet\s+418\s+status\s/);
		ok(await world.api.get(`/workspace/${world.sandbox.workspaceId}`));
		expect(await logged.innerText()).not.toContain('getWorkspace');
	});

	test('are called off together', async () => {
		const { control, workspaceId } = world.sandbox;
		await control.addFault({ kind: 'cut_before', times: 3 });
		await control.addFault({ kind: 'latency', ms: 5, match: { operationId: 'getWallet' } });
		const page = await visitor.page();
		await page.goto(consoleOf('/faults'));
		expect(await page.getByRole('row').count()).toBe(3);
		await page.getByRole('button', { name: 'Call all off' }).click();
		await page.getByRole('status').getByText('All faults are called off.').waitFor();
		expect(await control.faults()).toEqual([]);
		expect(await world.balance(workspaceId)).toBe(world.sandbox.openingBalance);
	});

	test.each([
		['latency', { ms: '1500' }, { kind: 'latency', ms: 1500 }],
		['cut_before', {}, { kind: 'cut_before' }],
		['cut_after', {}, { kind: 'cut_after' }],
		['status', { status: '500', after: 'yes' }, { kind: 'status', status: 500, after: true }],
		['body', { body: '<b>hello</b>' }, { kind: 'body', body: '<b>hello</b>' }],
	])('%s is what the form makes of it', async (kind, fields, fault) => {
		const form = new URLSearchParams({ kind, times: '1', operationId: '', ...fields });
		await axios.post(consoleOf('/faults'), form);
		const [active] = await world.sandbox.control.faults();
		expect(active).toEqual({ ...fault, id: active?.id, times: 1, remaining: 1 });
	});

	test.each([
		[{ kind: 'nonsense' }, 'Choose what goes wrong.'],
		[{ kind: 'latency', ms: '1.5' }, 'Enter milliseconds'],
		[{ kind: 'status', status: '99' }, 'Enter a status'],
		[{ kind: 'cut_after', times: '0' }, 'Enter how often'],
		[{ kind: 'cut_after', operationId: 'payEverybody' }, 'Choose an operation'],
	])('%j is refused', async (fields, sentence) => {
		const form = new URLSearchParams({ times: '1', ...fields });
		const answer = await axios.post<string>(consoleOf('/faults'), form, { validateStatus: null });
		expect(answer.status).toBe(422);
		expect(answer.data).toContain(sentence);
		expect(await world.sandbox.control.faults()).toEqual([]);
	});
});

test('mails and events are read with the way to where they lead', async () => {
	const page = await visitor.page();
	await page.goto(consoleOf('/outbox'));
	await page.getByText('No mails yet.').waitFor();
	const payable = await world.payable({ payee_email: 'mail@example.com', send_invite: true });
	await page.getByRole('link', { name: 'Open the invitation to mail@example.com' }).waitFor();
	await page.goto(consoleOf('/events'));
	await page.getByText('No events yet.').waitFor();
	await world.approve(payable.id);
	const event = row(page, 'payable.approved');
	await event.getByText(`${payable.id} is approved: $10.00 for mail@example.com`).waitFor();
	await event.getByRole('link', { name: 'Northwind Media US' }).click();
	await arrive(page, 'Northwind Media US');
});

test('the request log shows the newest hundred first', async () => {
	for (let count = 0; count < 105; count++) {
		ok(await world.api.get(`/workspace/${world.sandbox.workspaceId}`));
	}
	ok(await world.api.get('/workspace/11111111-1111-4111-8111-111111111111/wallet'));
	const page = await visitor.page();
	await page.goto(consoleOf('/requests'));
	await page.getByText('Shown are 100 of 106').waitFor();
	expect(await page.getByRole('row').count()).toBe(101);
	expect(await page.getByRole('row').nth(1).innerText()).toContain('getWallet');
});

test('no secret is on any page', async () => {
	const { clientSecret, otherClientSecret } = world.sandbox;
	const token = await world.sandbox.token();
	ok(await (await world.client(token)).get(`/workspace/${world.sandbox.workspaceId}`));
	const { webhook_subscription: subscription } = ok(
		await world.api.post<{ webhook_subscription: { secret: string } }>(
			`/workspace/${world.sandbox.workspaceId}/webhook-subscription`,
			{ url: 'https://hook.example', events: ['payable.paid'] },
		),
	);
	const paths = ['', `/workspaces/${world.sandbox.workspaceId}`, '/outbox', '/requests', '/faults'];
	for (const path of [...paths, '/events']) {
		const { data } = await axios.get<string>(consoleOf(path));
		const secrets = [clientSecret, otherClientSecret, token, subscription.secret];
		for (const secret of secrets) expect(data).not.toContain(secret);
	}
});

describe('the address of the control API', () => {
	const get = async (accept: string): Promise<AxiosResponse<unknown>> =>
		await axios.get(pageOf('/_sandbox'), {
			headers: { accept },
			maxRedirects: 0,
			validateStatus: null,
		});

	test.each(['application/json', '*/*', 'application/json, text/plain, */*'])(
		'answers JSON to %s',
		async (accept) => {
			const { data, headers } = await get(accept);
			expect(data).toEqual({
				routes: expect.arrayContaining([expect.stringContaining('/faults')]),
			});
			expect(headers['vary']).toBe('accept');
		},
	);

	test('leads a browser to the console, while its routes stay JSON', async () => {
		const { status, headers } = await get('text/html,application/xhtml+xml,*/*;q=0.8');
		expect({ status, to: headers['location'] }).toEqual({ status: 303, to: '/_sandbox/console' });
		const { data } = await axios.get<unknown>(pageOf('/_sandbox/requests'), {
			headers: { accept: 'text/html' },
		});
		expect(data).toEqual({ requests: [] });
	});
});

describe('another site', () => {
	const deposit = async (headers: Record<string, string>): Promise<AxiosResponse<string>> =>
		await axios.post(`${workspacePage()}/deposit`, new URLSearchParams({ amount: '5' }), {
			headers,
			validateStatus: null,
		});

	test.each([
		{ origin: 'https://evil.example' },
		{ origin: 'null' },
		{ origin: 'http://localhost:1' },
		{ 'sec-fetch-site': 'cross-site' },
		{ 'sec-fetch-site': 'same-site' },
	])('with %j can send no form and control nothing', async (headers: Record<string, string>) => {
		const answer = await deposit(headers);
		expect(answer.status).toBe(403);
		expect(answer.data).toContain('This was sent from another site.');
		const url = pageOf('/_sandbox/reset');
		const control = await axios.post<unknown>(url, undefined, { headers, validateStatus: null });
		expect(refusal(control)).toMatchObject({ status: 403, code: 'cross_site' });
		expect(await world.sandbox.control.deposits()).toEqual([]);
	});

	test('with a name that leads to this machine can send no form either', async () => {
		const { port } = new URL(world.sandbox.apiUrl);
		const host = `evil.example:${port}`;
		expect((await deposit({ host, origin: `http://${host}` })).status).toBe(403);
		const { origin } = new URL(world.sandbox.apiUrl);
		expect((await deposit({ origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
		expect(await world.sandbox.control.deposits()).toHaveLength(1);
	});

	test("is refused in a person's browser with a sentence", async () => {
		const page = await visitor.page();
		await page.goto('about:blank');
		await page.setContent(
			`<form method="post" action="${workspacePage()}/deposit"><input name="amount" value="5"><button>Win</button></form>`,
		);
		await page.getByRole('button', { name: 'Win' }).click();
		await arrive(page, 'This was refused');
		await page.getByText('This was sent from another site.').waitFor();
		expect(await world.sandbox.control.deposits()).toEqual([]);
	});
});
