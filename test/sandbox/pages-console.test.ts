import { poll } from '../../tools/n8n/poll';
import { createSubscription, demo, errorOf, http, ok, SandboxFixture } from './fixture';
import { PlainPage } from './plain-page';
import { isSignedWith, Receiver } from './receiver';

const fixture = new SandboxFixture();
const receiver = new Receiver();
const { workspaceId, pendingVendorEmail } = demo;
const openConsole = async (path: string) => await PlainPage.open(fixture.consoleUrl(path));
const openWorkspace = async () => await PlainPage.open(fixture.workspacePage());
const deposit = async (text: string) =>
	await (await openWorkspace()).press('Let it arrive', { 'Amount in dollars': text });

describe('workspaces', () => {
	test('are listed with their money, and each leads to its own page', async () => {
		const list = await openConsole('');
		expect(list.heading).toBe('Workspaces');
		const row = list.row('Northwind Media US');
		expect(row).toContain(workspaceId);
		expect(row).toMatch(/\$5,000\.00 900100200301 990000005/);
		const [first] = await fixture.control.workspaces();
		expect(list.link('Invite link of Northwind Media US')).toBe(first?.inviteUrl);
		const page = await list.follow('Northwind Media US');
		expect(page.heading).toBe('Northwind Media US');
		expect(page.text).toContain('No payables yet.');
		expect(page.text).toContain(`Workspace ID ${workspaceId}`);
		expect(page.textOf('a', 'aria-current="true"')).toBe('Workspaces');
	});

	test('show payables by state with exact totals, and the history of the wallet', async () => {
		const most = Number.MAX_SAFE_INTEGER;
		await fixture.payable({ amount: most });
		await fixture.payable({ amount: most });
		await fixture.fundedPayable({ amount: 5 });
		const late = await fixture.approved({ amount: 123_456, description: 'Late night cut' });
		await fixture.invoice([late]);
		const page = await openWorkspace();
		expect(page.text).toContain(
			'Draft $180,143,985,094,819.82 2 payables Approved $1,234.56 1 payable Will pay $0.00 0 payables Paid $0.05 1 payable',
		);
		const approved = await page.follow('$1,234.56 1 payable');
		expect(approved.rows()).toEqual([expect.stringContaining('Late night cut')]);
		expect((await page.follow('$4,999.95 history')).rows()).toEqual([
			expect.stringMatching(/^funding fnd_.*-\$0\.05$/),
			expect.stringMatching(/^opening .*\$5,000\.00$/),
		]);
	});

	test('accept for a vendor, reject one who can be verified later, and expire a tax form', async () => {
		const payable = await fixture.fundedPayable({ payee_email: pendingVendorEmail });
		const rejected = await (await openWorkspace()).press('Reject Ben Okafor Films');
		expect(rejected.notice).toBe('Done: Reject a vendor.');
		expect(rejected.row(pendingVendorEmail)).toContain('Rejected');
		const verified = await rejected.press('Verify Ben Okafor Films');
		expect(verified.notice).toBe('Done: Verify a vendor.');
		expect(await fixture.statusOf(payable)).toBe('paid');
		const expired = await verified.press('Expire tax form Ben Okafor Films');
		expect(expired.row(pendingVendorEmail)).toContain('Tax form expired');
		const late = await (
			await openConsole('/do/rejectVendor')
		).press('Do it', {
			Vendor: pendingVendorEmail,
		});
		expect(late.status).toBe(409);
		expect(late.text).toContain('A verified vendor cannot become rejected.');
		await fixture.payable({ payee_email: 'invited@example.com', send_invite: true });
		const accepted = await (
			await openWorkspace()
		).press('Accept for this vendor invited@example.com');
		expect(accepted.row('invited@example.com')).toContain('Pending');
	});

	test.each([
		['1,234.56', 123_456],
		['$0.1', 10],
		['90071992547', 9_007_199_254_700],
	])('let a deposit of %s arrive, exactly', async (text, amount) => {
		const page = await deposit(text);
		expect(page.notice).toBe('Done: Let a bank transfer arrive.');
		expect(await fixture.control.deposits()).toMatchObject([{ amount, status: 'unlinked' }]);
		expect(page.rows('Bank transfers')).toHaveLength(1);
	});

	test.each(['', '0', '-5', '1.005', '1,23', '1e3', '99999999999999999999'])(
		'refuse a deposit of "%s" at its field',
		async (text) => {
			const page = await deposit(text);
			expect(page.status).toBe(422);
			expect(page.errorAt('Amount in dollars')).toMatch(/at most two decimals/);
			expect(page.valueOf('Amount in dollars')).toBe(text);
			expect(await fixture.control.deposits()).toEqual([]);
		},
	);

	test.each(['/workspaces/nobody', '/nowhere', '/do/payables', '/records/pbl_0', '/requests/0'])(
		'that are not there: %s',
		async (path) => {
			const page = await openConsole(path);
			expect([page.status, page.heading]).toEqual([404, 'This page does not exist']);
		},
	);
});

const workspacePath = `/workspaces/${workspaceId}`;
const livePages = [
	...['', workspacePath, '/vendors', '/payables', '/outbox', '/requests', '/faults', '/events'],
	'/deliveries',
];

test.each([...livePages, '/requests?operation=getWallet'])(
	'the page "%s" renews itself from its own address when something has changed, without reading itself out',
	async (path) => {
		const page = await openConsole(path);
		expect(page.renewedFrom).toBe(page.url);
		expect(page.html).not.toMatch(/aria-live/);
		expect(page.notice).toBe('');
		const { headers } = await http.get(page.url);
		const again = async () =>
			(await http.get(page.url, { headers: { 'if-none-match': String(headers['etag']) } })).status;
		expect(await again()).toBe(304);
		await fixture.payable();
		expect(await again()).toBe(200);
	},
);

describe('lists', () => {
	test('are searched, sorted and read page by page, each row once', async () => {
		await Promise.all(
			Array.from({ length: 60 }, async (_, index) => await fixture.payable({ amount: 60 - index })),
		);
		await fixture.payable({ amount: 7, description: 'Needle in the hay' });
		const found = await (await openConsole('/payables')).press('Filter', { Search: 'needle' });
		expect(found.rows()).toEqual([expect.stringContaining('Needle in the hay')]);
		const sorted = await (await openConsole('/payables')).press('Filter', { Sort: 'amount' });
		expect(sorted.text).toContain('50 of 61 are shown.');
		const amounts = [...sorted.rows(), ...(await sorted.follow('Next page')).rows()].map((row) =>
			Number(/\$0\.(\d\d)$/.exec(row)?.[1]),
		);
		expect(amounts).toEqual(
			[...Array.from({ length: 60 }, (_, at) => 60 - at), 7].sort((a, b) => b - a),
		);
	});
});

describe('faults', () => {
	test('are injected, strike, are seen in the request log with their place, and are cleared together', async () => {
		const api = await fixture.sandbox.api();
		const { control } = fixture;
		const form = await (await openConsole('/faults')).follow('Answer with a status');
		const page = await form.press('Do it', { Status: '418' });
		expect(page.heading).toBe('Faults');
		expect(page.notice).toBe('Done: Inject a fault of requests.');
		await control.addFault({ kind: 'cut_after', match: { operationId: 'simulateDeposit' } });
		const left = await openConsole('/faults');
		expect(left.rows('Faults that wait for requests')).toEqual([
			expect.stringMatching(/^Answer with a status status 418, after false all 1 time$/),
			expect.stringMatching(/^Carry it out, then cut the connection simulateDeposit 1 time$/),
		]);
		expect((await api.get(fixture.path('/wallet'))).status).toBe(418);
		await expect(api.post(fixture.path('/wallet/deposit'), { amount: 5 })).rejects.toThrow();
		const log = await openConsole('/requests');
		expect(log.row('/wallet ')).toContain('status before the effect');
		expect(log.row('/wallet/deposit')).toContain('cut_after after the effect');
		await control.addFault({ kind: 'reset' });
		expect((await (await openConsole('/faults')).press('Clear faults of requests')).notice).toBe(
			'Done: Clear all faults of requests.',
		);
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
		const form = await (await openConsole('/faults')).follow(name);
		expect(form.heading).toBe(name);
		await form.press('Do it', fields);
		const { control } = fixture;
		const [active] = [...(await control.faults()), ...(await control.deliveryFaults())];
		expect(active).toEqual({ ...fault, id: 1, times: 1, remaining: 1 });
	});

	test.each([
		['latency', 'Milliseconds', '1.5', 'Enter milliseconds'],
		['status', 'Status', '99', 'Enter a status'],
	])('of kind %s with %s "%s" are refused', async (kind, field, value, sentence) => {
		const form = await openConsole(`/do/addFault?kind=${kind}`);
		const page = await form.press('Do it', { [field]: value });
		expect(page.status).toBe(422);
		expect(page.errorAt(field)).toContain(sentence);
		expect(await fixture.control.faults()).toEqual([]);
	});
});

test('a delivery that was held back is sent again, and its page has payload, command and attempts', async () => {
	const { secret } = await createSubscription(fixture.api, receiver.url());
	await fixture.control.addDeliveryFault({
		kind: 'drop',
		match: { eventType: 'payable.approved' },
	});
	const { id } = await fixture.approved();
	const list = await poll('the delivery to be dropped', async () => {
		const page = await openConsole('/deliveries?status=dropped');
		return page.rows().length === 1 ? page : undefined;
	});
	const delivery = await list.follow(/dlv_\w{8}/.exec(list.rows()[0] ?? '')?.[0] ?? '');
	expect(delivery.text).toContain(id);
	const signature = /X-Signature: ([0-9a-f]{64})/.exec(delivery.text)?.[1] ?? '';
	const sent = await delivery.press('Send again');
	expect(sent.notice).toBe('Done: Deliver again.');
	const received = await poll('the delivery with the signature that the page shows', () =>
		receiver.received.find((each) => each.signature === signature),
	);
	expect(isSignedWith(secret, received)).toBe(true);
	const after = await poll('the attempt', async () => {
		const page = await PlainPage.open(sent.url);
		return page.rows('Attempts').length === 2 ? page : undefined;
	});
	expect(after.rows('Attempts')[1]).toMatch(/^1 200/);
});

test('a payable has a timeline from call to event to delivery to ledger, and a request its bodies', async () => {
	await createSubscription(fixture.api, receiver.url());
	const { id } = await fixture.fundedPayable({ description: 'Told in full' });
	await poll(
		'the deliveries',
		async () => (await fixture.control.deliveryCounts()).delivered === 5 || undefined,
	);
	const page = await (await openWorkspace()).follow(id);
	const rows = page.rows('What has happened').join('\n');
	for (const expected of [
		/Request POST \/api\/payable 200/,
		/Event payable\.approved Approved/,
		/Delivery payable\.paid to http.* Delivered/,
		/Ledger payment: vendor:ven_ana \$10\.00/,
	]) {
		expect(rows).toMatch(expected);
	}
	const request = await page.follow('POST /api/payable');
	expect(request.text).toMatch(/Body \{ "workspace_id".*"Told in full".*Answer \{ "payable"/);
});

test('settings are a form, characters set many, and the bar moves the clock', async () => {
	const { control } = fixture;
	const saved = await (
		await openConsole('/settings')
	).press('Save settings', {
		'Wallet answer': 'wrapped',
		'Max attempts': '3',
	});
	expect(saved.notice).toBe('Done: Change settings.');
	expect(await control.settings()).toMatchObject({ walletAnswer: 'wrapped', maxAttempts: 3 });
	await saved.press('Be hostile');
	expect(await control.settings()).toMatchObject({ errorBody: 'text', walletAnswer: 'amount' });
	const before = Date.parse(await control.now());
	expect((await openConsole('/magic')).text).toContain('ana+fund-cut@example.com');
	await (await openConsole('')).press('Clock +1 day');
	expect(Date.parse(await control.now()) - before).toBeGreaterThan(86_000_000);
	await (await openConsole('')).press('Reset the sandbox');
	expect((await control.settings()).errorBody).toBe('object');
	const controls = await openConsole('/control');
	expect(controls.rows().length).toBeGreaterThan(20);
});

test('mails and events lead to where they are about', async () => {
	expect((await openConsole('/outbox')).text).toContain('No mails yet.');
	expect((await openConsole('/events')).text).toContain('No events yet.');
	const { id } = await fixture.approved({ payee_email: 'mail@example.com', send_invite: true });
	const [mail] = await fixture.control.outbox();
	const outbox = await openConsole('/outbox');
	expect(outbox.link('Open the invitation to mail@example.com')).toBe(mail?.inviteUrl);
	const events = await openConsole('/events');
	expect(events.row('payable.approved')).toContain(
		`${id} is approved: $10.00 for mail@example.com Northwind Media US`,
	);
	expect(events.link('Northwind Media US')).toMatch(workspaceId);
});

test('no secret is on any page', async () => {
	const token = await fixture.sandbox.token();
	ok(await (await fixture.client(token)).get(fixture.path()));
	const { secret } = await createSubscription(fixture.api, 'https://hook.example');
	const numbers = (await fixture.control.requests()).map(({ number }) => `/requests/${number}`);
	for (const path of [...livePages, '/settings', '/control', ...numbers]) {
		const { html, status } = await openConsole(path);
		expect([path, status]).toEqual([path, 200]);
		for (const hidden of [demo.clientSecret, demo.otherClientSecret, token, secret]) {
			expect(html).not.toContain(hidden);
		}
	}
});

test('the address of the control API answers JSON, and leads a browser to the console', async () => {
	const get = async (path: string, accept: string) =>
		await http.get<unknown>(fixture.pageUrl(path), { headers: { accept } });
	const routes: unknown = expect.arrayContaining([
		expect.objectContaining({ name: 'addFault', method: 'POST', path: '/faults' }),
	]);
	for (const accept of ['application/json', '*/*', 'application/json, text/plain, */*']) {
		const { data, headers } = await get('/_sandbox', accept);
		expect(data).toEqual({ routes });
		expect(headers['vary']).toBe('accept');
	}
	const { status, headers } = await get('/_sandbox', 'text/html,application/xhtml+xml,*/*;q=0.8');
	expect({ status, to: headers['location'] }).toEqual({ status: 303, to: '/_sandbox/console' });
	expect((await get('/_sandbox/requests', 'text/html')).data).toEqual({ requests: [] });
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
	expect(answer.status).toBe(403);
	expect(answer.data).toContain('This was sent from another site.');
	const control = await http.post(fixture.pageUrl('/_sandbox/reset'), undefined, { headers });
	expect(errorOf(control)).toMatchObject({ status: 403, code: 'cross_site' });
	expect(await fixture.control.deposits()).toEqual([]);
});
