import { createSubscription, demo, errorOf, http, ok, SandboxFixture } from './fixture';
import { PlainPage } from './plain-page';

const fixture = new SandboxFixture();
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

	test('show payables by state with exact totals', async () => {
		const most = Number.MAX_SAFE_INTEGER;
		await fixture.payable({ amount: most });
		await fixture.payable({ amount: most });
		await fixture.fundedPayable({ amount: 5 });
		const late = await fixture.approved({ amount: 123_456, description: 'Late night cut' });
		const { id } = await fixture.invoice([late]);
		const page = await openWorkspace();
		expect(page.text).toContain(
			'Draft $180,143,985,094,819.82 2 payables Approved $1,234.56 1 payable Will pay $0.00 0 payables Paid $0.05 1 payable',
		);
		expect(page.rows('Waiting for the money')).toEqual([expect.stringContaining('Late night cut')]);
		const pdf = await http.get(page.link(`Invoice (PDF) of ${id}`));
		expect(pdf.headers['content-type']).toBe('application/pdf');
	});

	test('reject a vendor, who can be verified later, is paid, and not be rejected then', async () => {
		const statusOfVendor = async () => (await fixture.control.vendor(pendingVendorEmail)).status;
		const payable = await fixture.fundedPayable({ payee_email: pendingVendorEmail });
		const old = await openWorkspace();
		expect(old.row(pendingVendorEmail)).toContain('Pending');
		const rejected = await old.press('Reject Ben Okafor Films');
		expect(rejected.notice).toBe('Ben Okafor Films is rejected now.');
		expect(await statusOfVendor()).toBe('rejected');
		expect(rejected.buttons).toEqual(['Verify Ben Okafor Films', 'Let it arrive']);
		const verified = await rejected.press('Verify Ben Okafor Films');
		expect(verified.notice).toBe('Ben Okafor Films is verified now.');
		expect(verified.row(pendingVendorEmail)).toContain('Verified');
		expect(verified.buttons).toEqual(['Let it arrive']);
		expect(await fixture.statusOf(payable)).toBe('paid');
		// The address of a message that is not true any more says nothing.
		expect((await PlainPage.open(rejected.url)).notice).toBe('');
		const late = await old.press('Reject Ben Okafor Films');
		expect([late.status, late.heading]).toEqual([409, 'This is not possible now']);
		expect(await statusOfVendor()).toBe('verified');
	});

	test.each([
		['1,234.56', 123_456],
		['$0.1', 10],
		['90071992547', 9_007_199_254_700],
	])('let a deposit of %s arrive, exactly', async (text, amount) => {
		const page = await deposit(text);
		expect(page.notice).toMatch(/^A deposit of .* has arrived\.$/);
		expect(await fixture.control.deposits()).toMatchObject([{ amount, status: 'unlinked' }]);
		expect(await fixture.balance()).toBe(demo.openingBalance + amount);
		expect((await PlainPage.open(page.url)).rows('Bank transfers')).toHaveLength(1);
	});

	test.each(['', '0', '-5', '1.005', '1,23', '1e3', '99999999999999999999', '90071992547409.91'])(
		'refuse a deposit of "%s" at its field',
		async (text) => {
			const page = await deposit(text);
			expect(page.status).toBe(422);
			expect(page.errorAt('Amount in dollars')).toMatch(
				text === '90071992547409.91' ? /cannot hold that much/ : /at most two decimals/,
			);
			expect(page.valueOf('Amount in dollars')).toBe(text);
			expect(await fixture.control.deposits()).toEqual([]);
		},
	);

	test.each(['/workspaces/nobody', '/nowhere'])('that are not there: %s', async (path) => {
		const page = await openConsole(path);
		expect([page.status, page.heading]).toEqual([404, 'This page does not exist']);
	});
});

const workspacePath = `/workspaces/${workspaceId}`;
const everyPage = ['', workspacePath, '/outbox', '/requests', '/faults', '/events'];

test.each([...everyPage, '/requests?operationId=getWallet'])(
	'the page "%s" renews itself from its own address, without reading itself out',
	async (path) => {
		const page = await openConsole(path);
		expect(page.renewedFrom).toBe(page.url);
		expect(page.html).not.toMatch(/aria-live/);
		expect(page.notice).toBe('');
	},
);

describe('faults', () => {
	test('are injected, strike, are seen in the request log, and are called off together', async () => {
		const { control } = fixture;
		const form = await openConsole('/faults');
		expect(form.text).toContain('No faults wait.');
		expect(form.options('What goes wrong')).toHaveLength(5);
		const page = await form.press('Inject the fault', {
			'What goes wrong': 'status',
			Status: '418',
			'Which operation it strikes': 'getWallet',
			'How many requests it strikes': '2',
		});
		expect(page.notice).toBe('The fault waits for its requests.');
		expect(page.rows()).toEqual(['Answer with a status: 418 getWallet 2 times']);
		const api = await fixture.sandbox.api();
		expect((await api.get(fixture.path('/wallet'))).status).toBe(418);
		await control.addFault({ kind: 'cut_before', match: { operationId: 'linkDeposit' } });
		const left = await openConsole('/faults');
		expect(left.rows()).toEqual([
			expect.stringContaining('getWallet 1 time'),
			expect.stringContaining('linkDeposit 1 time'),
		]);
		expect((await left.press('Call all off')).notice).toBe('All faults are called off.');
		expect(await control.faults()).toEqual([]);

		ok(await fixture.api.get(fixture.path()));
		const log = await (await openConsole('/requests')).press('Filter', { Operation: 'getWallet' });
		expect(log.valueOf('Operation')).toBe('getWallet');
		expect(log.rows('Requests of getWallet, newest first')).toEqual([
			expect.stringMatching(/^GET .*\/wallet getWallet 418 .*Answer with a status /),
		]);
	});

	const carriedOut = { Status: '500', 'Carry the request out first': 'yes' };
	test.each([
		['latency', 'Answer late', ': 1,500 ms', { Milliseconds: '1500' }, { ms: 1500 }],
		['cut_before', 'Cut the connection before anything happens', '', {}, {}],
		['cut_after', 'Carry it out, then cut the connection', '', {}, {}],
		[
			'status',
			'Answer with a status',
			': 500, carried out first',
			carriedOut,
			{ status: 500, after: true },
		],
		['body', 'Carry it out, then answer something else', '', { Answer: '<b>' }, { body: '<b>' }],
	])('%s: "%s" of the form becomes a fault', async (kind, name, detail, fields, fault) => {
		const form = await openConsole('/faults');
		expect(form.options('What goes wrong')).toContain(name);
		const page = await form.press('Inject the fault', { 'What goes wrong': kind, ...fields });
		expect(page.rows()).toEqual([`${name}${detail} any request 1 time`]);
		const [active] = await fixture.control.faults();
		expect(active).toEqual({ kind, ...fault, id: active?.id, times: 1, remaining: 1 });
	});

	test.each([
		['What goes wrong', 'nonsense', 'Choose what goes wrong.', {}],
		['Milliseconds', '1.5', 'Enter milliseconds', {}],
		['Status', '99', 'Enter a status', { 'What goes wrong': 'status' }],
		['How many requests it strikes', '0', 'Enter how often', {}],
		['Which operation it strikes', 'payEverybody', 'Choose an operation', {}],
	])('%s "%s" is refused', async (field, value, sentence, others) => {
		const form = await openConsole('/faults');
		const page = await form.press('Inject the fault', { ...others, [field]: value });
		expect(page.status).toBe(422);
		expect(page.errorAt(field)).toContain(sentence);
		expect(await fixture.control.faults()).toEqual([]);
	});
});

test('mails and events are read with the way to where they lead', async () => {
	expect((await openConsole('/outbox')).text).toContain('No mails yet.');
	expect((await openConsole('/events')).text).toContain('No events yet.');
	const invited = { payee_email: 'mail@example.com', send_invite: true };
	const { id } = await fixture.approved(invited);
	const [mail] = await fixture.control.outbox();
	const outbox = await openConsole('/outbox');
	expect(outbox.link('Open the invitation to mail@example.com')).toBe(mail?.inviteUrl);
	const events = await openConsole('/events');
	expect(events.row('payable.approved')).toContain(
		`${id} is approved: $10.00 for mail@example.com Northwind Media US`,
	);
	expect(events.link('Northwind Media US')).toMatch(workspaceId);
});

test('the request log shows the newest hundred first', async () => {
	await Promise.all(Array.from({ length: 105 }, async () => await fixture.sandbox.token()));
	await fixture.balance(demo.secondWorkspaceId);
	const page = await openConsole('/requests');
	expect(page.text).toContain('Shown are 100 of 106');
	expect(page.rows()).toHaveLength(100);
	expect(page.rows()[0]).toContain('getWallet');
});

test('no secret is on any page', async () => {
	const token = await fixture.sandbox.token();
	ok(await (await fixture.client(token)).get(fixture.path()));
	const { secret } = await createSubscription(fixture.api, 'https://hook.example');
	for (const path of everyPage) {
		const { html, status } = await openConsole(path);
		expect(status).toBe(200);
		for (const hidden of [demo.clientSecret, demo.otherClientSecret, token, secret]) {
			expect(html).not.toContain(hidden);
		}
	}
});

test('the address of the control API answers JSON, and leads a browser to the console', async () => {
	const get = async (path: string, accept: string) =>
		await http.get<unknown>(fixture.pageUrl(path), { headers: { accept } });
	const routes: unknown = expect.arrayContaining([expect.stringContaining('/faults')]);
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
	const form = new URLSearchParams({ amount: '5' });
	const answer = await http.post<string>(`${fixture.workspacePage()}/deposit`, form, { headers });
	expect(answer.status).toBe(403);
	expect(answer.data).toContain('This was sent from another site.');
	const control = await http.post(fixture.pageUrl('/_sandbox/reset'), undefined, { headers });
	expect(errorOf(control)).toMatchObject({ status: 403, code: 'cross_site' });
	expect(await fixture.control.deposits()).toEqual([]);
});
