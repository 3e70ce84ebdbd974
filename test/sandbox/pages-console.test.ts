import type { Page } from 'playwright-core';
import { settingGroups } from '../../sandbox/shared/settings';
import { poll } from '../../tools/n8n/poll';
import { createSubscription, demo, errorOf, http, SandboxFixture } from './fixture';
import { arrive, errorAt, follow, press, rowsOf, rowWith, textOf, Visitor } from './pages-visitor';
import { isSignedWith, Receiver } from './receiver';

const visitor = new Visitor();
const fixture = new SandboxFixture();
const receiver = new Receiver();
const { workspaceId, pendingVendorEmail } = demo;
const openConsole = async (path: string) => await visitor.plainPage(fixture.consoleUrl(path));
const openWorkspace = async () => await openConsole(`/workspaces/${workspaceId}`);
const main = async (page: Page) => await textOf(page.getByRole('main'));
const rowText = async (page: Page, text: string) => await textOf(rowWith(page, text).first());
/** What the page says has been done. */
const notice = async (page: Page) => await textOf(page.getByRole('status'));

describe('workspaces', () => {
	test('are listed with their money, and show payables with exact totals, and the wallet', async () => {
		const most = Number.MAX_SAFE_INTEGER;
		await fixture.payable({ amount: most });
		await fixture.payable({ amount: most });
		await fixture.fundedPayable({ amount: 5 });
		const late = await fixture.approved({ amount: 123_456, description: 'Late night cut' });
		await fixture.invoice([late]);
		const page = await openConsole('/workspaces');

		expect(await rowText(page, workspaceId)).toMatch(/\$4,999\.95 900100200301 990000005/);

		await follow(page, /^Northwind Media US$/);
		await arrive(page, 'Northwind Media US');

		expect(await main(page)).toContain(
			'Draft $180,143,985,094,819.82 2 payables Approved $1,234.56 1 payable Will pay $0.00 0 payables Paid $0.05 1 payable',
		);

		await follow(page, '$4,999.95');

		expect(await rowsOf(page, 'What has come')).toEqual([
			expect.stringMatching(/^funding fnd_.*-\$0\.05$/),
			expect.stringMatching(/^opening .*\$5,000\.00$/),
		]);
	});

	test('accept for a vendor, reject one who can be verified later, and expire a tax form', async () => {
		const payable = await fixture.fundedPayable({ payee_email: pendingVendorEmail });
		await fixture.payable({ payee_email: 'invited@example.com', send_invite: true });
		const page = await press(await openWorkspace(), 'Reject Ben Okafor Films');

		expect(await rowText(page, pendingVendorEmail)).toContain('Rejected');

		await press(page, 'Verify Ben Okafor Films');

		expect(await notice(page)).toBe('Done: Verify a vendor.');
		expect(await fixture.statusOf(payable)).toBe('paid');

		await press(page, 'Expire tax form Ben Okafor Films');

		expect(await rowText(page, pendingVendorEmail)).toContain('Tax form expired');

		await press(page, 'Accept for this vendor invited@example.com');

		expect(await rowText(page, 'invited@example.com')).toContain('Pending');

		const form = await openConsole('/do/rejectVendor');
		await press(form, 'Do it', { Vendor: pendingVendorEmail });

		expect(await main(form)).toContain('A verified vendor cannot become rejected.');
	});

	test('let deposits arrive exactly, and refuse others at the field', async () => {
		const page = await openConsole(`/do/deposit?workspaceId=${workspaceId}`);
		const deposits = async () => (await fixture.control.deposits()).map(({ amount }) => amount);

		for (const text of ['', '0', '-5', '1.005', '1,23', '1e3', '99999999999999999999']) {
			await press(page, 'Do it', { 'Amount in dollars': text });

			expect(await errorAt(page, 'Amount in dollars')).toMatch(/at most two decimals/);
			expect(await page.getByLabel('Amount in dollars').inputValue()).toBe(text);
		}

		expect(await deposits()).toEqual([]);

		await page.goto(fixture.workspacePage());
		for (const text of ['1,234.56', '$0.1', '90071992547']) {
			await press(page, 'Let it arrive', { 'Amount in dollars': text });

			expect(await notice(page)).toBe('Done: Let a bank transfer arrive.');
		}

		expect(await deposits()).toEqual([123_456, 10, 9_007_199_254_700]);
	});
});

const consolePages = (...paths: string[]) => paths.map((path) => `/_sandbox/console${path}`);
const livePages = [
	...consolePages('', '/workspaces', `/workspaces/${workspaceId}`, '/vendors', '/payables'),
	...consolePages('/outbox', '/faults', '/subscriptions'),
	...consolePages('/requests', '/requests?operation=getWallet', '/events', '/deliveries'),
	`/vendor/${demo.pendingVendorServiceId}`,
];

test.each(livePages)('%s renews itself once something has changed, and silently', async (path) => {
	const url = fixture.pageUrl(path);
	let etag = '';
	const again = async () =>
		(await http.get<string>(url, { headers: { 'if-none-match': etag } })).status;

	// The overview changes once a minute, too, which may be just now.
	await poll('a page that stays as it is', async () => {
		const { data, headers } = await http.get<string>(url);
		etag = String(headers['etag']);

		expect(data).toContain(`data-live="${path}"`);
		expect(data).not.toContain('aria-live');

		return (await again()) === 304 || undefined;
	});

	await fixture.payable();

	expect(await again()).toBe(200);
});

test('a payable appears without a reload, and what a person is doing stays', async () => {
	const { control } = fixture.sandbox;
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

test('lists are searched, sorted, and read page by page, each row once', async () => {
	const made = [7, ...Array.from({ length: 60 }, (_, index) => index + 1)];
	for (const amount of made) {
		await fixture.payable({ amount, description: `No. ${amount}!` });
	}

	const newest = [...made].reverse();
	const largest = [...made].sort((a, b) => b - a);
	for (const { sort, expected } of [
		{ sort: 'newest', expected: newest },
		{ sort: 'amount', expected: largest },
	]) {
		const page = await press(await openConsole('/payables'), 'Filter', { Sort: sort });

		expect(await main(page)).toContain('50 of 61 are shown.');

		const rows = await rowsOf(page, 'Payables');
		rows.push(...(await rowsOf(await follow(page, 'Next page'), 'Payables')));

		expect(rows.map((row) => Number(/\$0\.(\d\d) /.exec(row)?.[1]))).toEqual(expected);
	}

	const found = await press(await openConsole('/payables'), 'Filter', { Search: 'no. 60!' });

	expect(await rowsOf(found, 'Payables')).toEqual([expect.stringContaining('No. 60!')]);
});

test('faults are injected, strike, are seen in the request log with their place, and are cleared together', async () => {
	const api = await fixture.sandbox.api();
	const { control } = fixture;
	const page = await follow(await openConsole('/faults'), 'Answer with a status');
	await press(page, 'Do it', { Status: '99' });

	expect(await errorAt(page, 'Status')).toContain('Enter a status');
	expect(await control.faults()).toEqual([]);

	await press(page, 'Do it', { Status: '418' });

	expect(await notice(page)).toBe('Done: Inject a fault of requests.');

	await control.addFault({ kind: 'cut_after', match: { operationId: 'simulateDeposit' } });
	await page.reload();

	expect(await rowsOf(page, 'Faults that wait for requests')).toEqual([
		expect.stringMatching(/^Answer with a status status 418, after false all 1 time$/),
		expect.stringMatching(/^Carry it out, then cut the connection simulateDeposit 1 time$/),
	]);
	expect((await api.get(fixture.path('/wallet'))).status).toBe(418);
	await expect(api.post(fixture.path('/wallet/deposit'), { amount: 5 })).rejects.toMatchObject({
		code: 'ECONNRESET',
	});

	const log = await openConsole('/requests');

	expect(await rowText(log, '/wallet/deposit')).toContain('cut_after after the effect');
	expect(await rowText(log, '418')).toContain('status before the effect');

	await control.addFault({ kind: 'reset' });
	await press(await openConsole('/faults'), 'Clear faults of requests');

	expect(await control.faults()).toEqual([]);
});

test.each([
	['Answer late', { Milliseconds: '1500' }, { kind: 'latency', ms: 1500 }],
	[
		'Carry it out, then answer something else',
		{ Body: '<b>', Headers: 'x-one: 1', Operation: 'getWallet' },
		{ kind: 'body', body: '<b>', headers: { 'x-one': '1' }, match: { operationId: 'getWallet' } },
	],
	['Deliver several times at once', { Copies: '3' }, { kind: 'duplicate', copies: 3 }],
])('%s with %j becomes a fault', async (name, fields, fault) => {
	const { control } = fixture;
	await press(await follow(await openConsole('/faults'), name), 'Do it', fields);

	const faults = [...(await control.faults()), ...(await control.deliveryFaults())];

	expect(faults).toEqual([{ ...fault, id: 1, times: 1, remaining: 1 }]);
});

test('a delivery that was held back is sent again, and its page has payload, command and attempts', async () => {
	const { secret } = await createSubscription(fixture.api, receiver.url());
	const match = { eventType: 'payable.approved' } as const;
	await fixture.control.addDeliveryFault({ kind: 'drop', match });
	const { id } = await fixture.approved();
	const dropped = await poll('the delivery to be dropped', async () => {
		const deliveries = await fixture.control.deliveries({ state: 'dropped' });
		return deliveries[0];
	});

	const page = await openConsole('/deliveries?status=dropped');
	await follow(page, dropped.id.slice(0, 12));

	expect(await main(page)).toContain(id);

	const signature = /X-Signature: ([0-9a-f]{64})/.exec(await main(page))?.[1] ?? '';
	await press(page, 'Send again');

	const received = await poll('the delivery with the signature that the page shows', () =>
		receiver.received.find((each) => each.signature === signature),
	);

	expect(isSignedWith(secret, received)).toBe(true);

	const attempts = await poll('the attempt', async () => {
		await page.reload();
		const rows = await rowsOf(page, 'Attempts');

		return rows.length === 2 ? rows : undefined;
	});

	expect(attempts[1]).toMatch(/^1 200/);

	const life = await textOf(page.getByRole('list', { name: 'The life of this delivery' }));

	expect(life).toMatch(
		/^Recorded .* payable\.approved Attempt 1 no answer .* fault: drop Attempt 1 200 after .* took .* Delivered /,
	);
});

test('a payable has a timeline from call to event to delivery to ledger, and a request its bodies', async () => {
	await createSubscription(fixture.api, receiver.url());
	const { id } = await fixture.fundedPayable({ description: 'Told in full' });
	await poll(
		'the deliveries',
		async () => (await fixture.control.deliveryCounts()).delivered === 5 || undefined,
	);

	const page = await follow(await openWorkspace(), id);

	const rows = (await rowsOf(page, 'What has happened')).join('\n');
	for (const expected of [
		/0 ms Request POST \/api\/payable 200 [\d.,]+ m?s /,
		/ State createFunding by client northwind-demo-client Paid /,
		/Event payable\.approved Approved/,
		/Delivery payable\.paid to http.* Delivered [\d.,]+ m?s /,
		/Ledger payment: vendor:ven_ana \$10\.00/,
	]) {
		expect(rows).toMatch(expected);
	}

	await follow(page, /^POST \/api\/payable$/);

	expect(await main(page)).toMatch(/Body \{ "workspace_id".*"Told in full".*Answer \{ "payable"/);
});

test('what a person has changed in the settings is marked, and goes back at once', async () => {
	const { control } = fixture;
	const every = Object.keys(await control.settings());
	await control.setSettings({ settlement: 'manual', magicValues: false });
	const page = await openConsole('/settings');

	expect(settingGroups.flatMap(({ names }) => names).sort()).toEqual(every.sort());
	expect(await main(page)).toMatch(/Changed: .*Settlement, .*Magic values/);
	expect(await main(page)).toContain('Settlement changed from automatic');
	expect(await main(page)).toContain('Magic values changed from yes');

	await press(page, 'Back to the defaults');

	expect(await control.settings()).toMatchObject({ settlement: 'automatic', magicValues: true });
	expect(await main(page)).not.toContain('changed from automatic');
});

test('settings are a form, characters set many, and the bar moves the clock', async () => {
	const { control } = fixture;
	const page = await openConsole('/settings');
	await press(page, 'Save settings', { 'Wallet answer': 'wrapped', 'Max attempts': '3' });

	expect(await control.settings()).toMatchObject({ walletAnswer: 'wrapped', maxAttempts: 3 });

	await press(page, 'Be hostile');

	expect(await control.settings()).toMatchObject({ errorBody: 'text', walletAnswer: 'amount' });

	const before = Date.parse(await control.now());
	const bar = page.getByText('Time, tokens, reset');
	await bar.click();
	await press(page, 'Clock +1 day');

	expect(Date.parse(await control.now()) - before).toBeGreaterThan(86_000_000);

	await bar.click();
	await follow(page, 'Reset the sandbox');

	expect((await control.settings()).errorBody).toBe('text');

	await press(page, 'Reset the sandbox');

	expect((await control.settings()).errorBody).toBe('object');
	expect(await main(await openConsole('/magic'))).toContain('ana+fund-cut@example.com');

	const controls = await rowsOf(await openConsole('/control'), 'Controls and their calls');

	expect(controls.length).toBeGreaterThan(20);
});

test('mails and events lead to where they are about', async () => {
	const { id } = await fixture.approved({ payee_email: 'mail@example.com', send_invite: true });
	const [mail] = await fixture.control.outbox();
	const outbox = await openConsole('/outbox');
	const invitation = outbox.getByRole('link', { name: 'Open the invitation to mail@example.com' });

	expect(await invitation.getAttribute('href')).toBe(mail?.inviteUrl);
	expect(await rowText(await openConsole('/events'), 'payable.approved')).toContain(
		`${id} is approved: $10.00 for mail@example.com Northwind Media US`,
	);
});

test.each([
	...consolePages(
		'/workspaces/nobody',
		'/nowhere',
		'/do/payables',
		'/records/pbl_0',
		'/requests/0',
	),
	'/vendor/nobody',
	'/vendor/ana@example.com',
	'/join',
	'/join?invitationId=nobody',
])('%s leads to a page that helps', async (path) => {
	const { status, data } = await http.get<string>(fixture.pageUrl(path));
	const help = path.startsWith('/join')
		? 'Open the whole link from your invitation'
		: 'This page does not exist';

	expect([status, data]).toEqual([404, expect.stringContaining(help)]);
});

test('no secret is on any page', async () => {
	const token = await fixture.sandbox.token();
	await (await fixture.client(token)).get(fixture.path());
	const { secret } = await createSubscription(fixture.api, 'https://hook.example');
	const numbers = (await fixture.control.requests()).map(({ number }) => `/requests/${number}`);
	const others = consolePages('/settings', '/control', ...numbers);
	for (const path of [...livePages, ...others]) {
		const { data, status } = await http.get<string>(fixture.pageUrl(path));

		expect([path, status]).toEqual([path, 200]);
		// The first page has the secret that is made to be copied, and no other.
		const shown: string[] = path === '/_sandbox/console' ? [demo.clientSecret] : [];
		const secrets = [demo.clientSecret, demo.otherClientSecret, token, secret];
		for (const hidden of secrets.filter((each) => !shown.includes(each))) {
			expect(data).not.toContain(hidden);
		}
	}
});

test('the address of the control API answers JSON, and leads a browser to the console', async () => {
	const get = async (accept: string) =>
		await http.get<unknown>(fixture.pageUrl('/_sandbox'), { headers: { accept } });
	const addFault = { name: 'addFault', method: 'POST', path: '/faults' };

	for (const accept of ['*/*', 'application/json, text/plain, */*']) {
		const { data, headers } = await get(accept);

		expect(data).toMatchObject({
			routes: expect.arrayContaining([expect.objectContaining(addFault)]) as object,
		});
		expect(headers['vary']).toBe('accept');
	}

	const page = await get('text/html,application/xhtml+xml,*/*;q=0.8');

	expect([page.status, page.headers['location']]).toEqual([303, '/_sandbox/console']);
});

test.each<Record<string, string>[]>([
	[{ origin: 'https://evil.example' }],
	[{ origin: 'null' }],
	[{ origin: 'http://localhost:1' }],
	[{ 'sec-fetch-site': 'cross-site' }],
	[{ 'sec-fetch-site': 'same-site' }],
])('another site with %j can send no form and control nothing', async (headers) => {
	const form = new URLSearchParams({ workspaceId, amount: '5' });

	const answer = await http.post<string>(fixture.consoleUrl('/do/deposit'), form, { headers });

	const control = await http.post(fixture.pageUrl('/_sandbox/reset'), undefined, { headers });

	expect(answer.status).toBe(403);
	expect(answer.data).toContain('This was sent from another site.');
	expect(errorOf(control)).toMatchObject({ status: 403, code: 'cross_site' });
	expect(await fixture.control.deposits()).toEqual([]);
});
