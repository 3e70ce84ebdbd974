import axios, { type AxiosResponse } from 'axios';
import { ok, errorOf, SandboxFixture } from './fixture';
import { arrive, rowWith, Visitor } from './pages-visitor';

const visitor = new Visitor();
const fixture = new SandboxFixture();

beforeEach(async () => {
	await fixture.sandbox.control.reset();
});

describe('faults', () => {
	test('are injected, strike and are seen in the request log', async () => {
		const page = await visitor.page();
		await page.goto(fixture.consoleUrl('/faults'));
		await page.getByText('No faults wait.').waitFor();
		await page.getByLabel('What goes wrong').selectOption('Answer with a status');
		expect(await page.getByLabel('Milliseconds').isVisible()).toBe(false);
		await page.getByLabel('Status').fill('418');
		await page.getByLabel('Which operation it strikes').selectOption('getWallet');
		await page.getByLabel('How many requests it strikes').fill('2');
		await page.getByRole('button', { name: 'Inject the fault' }).click();
		await page.getByRole('status').getByText('The fault waits for its requests.').waitFor();
		expect(await rowWith(page, 'getWallet').innerText()).toMatch(
			/Answer with a status: 418\s+getWallet\s+2 times/,
		);

		const wallet = `/workspace/${fixture.sandbox.workspaceId}/wallet`;
		expect((await fixture.sandbox.api().then((api) => api.get(wallet))).status).toBe(418);
		await rowWith(page, 'getWallet').getByText('1 time').waitFor();

		await page.goto(fixture.consoleUrl('/requests'));
		await page.getByLabel('Operation').selectOption('getWallet');
		await page.getByRole('button', { name: 'Filter' }).click();
		const logged = page.getByRole('table', { name: 'Requests of getWallet, newest first' });
		expect(await logged.getByRole('row').count()).toBe(2);
		const text = await logged.getByRole('row').nth(1).innerText();
		expect(text).toMatch(/GET .*\/wallet\s+getWallet\s+418\s+Answer with a status\s/);
		ok(await fixture.api.get(`/workspace/${fixture.sandbox.workspaceId}`));
		expect(await logged.innerText()).not.toContain('getWorkspace');
	});

	test('wait under the names that the form has for them', async () => {
		const { control } = fixture.sandbox;
		await control.addFault({ kind: 'latency', ms: 1500 });
		await control.addFault({ kind: 'cut_before' });
		await control.addFault({ kind: 'cut_after' });
		await control.addFault({ kind: 'status', status: 500, after: true });
		await control.addFault({ kind: 'body', body: '' });
		const page = await visitor.page();
		await page.goto(fixture.consoleUrl('/faults'));
		expect(await page.getByRole('rowheader').allInnerTexts()).toEqual([
			'Answer late: 1,500 ms',
			'Cut the connection before anything happens',
			'Carry it out, then cut the connection',
			'Answer with a status: 500, carried out first',
			'Carry it out, then answer something else',
		]);
		const names = await page.getByLabel('What goes wrong').getByRole('option').allInnerTexts();
		const waiting = await page.getByRole('rowheader').allInnerTexts();
		expect(waiting.map((text) => text.replace(/:.*/, ''))).toEqual(names);
	});

	test('are cleared together', async () => {
		const { control, workspaceId } = fixture.sandbox;
		await control.addFault({ kind: 'cut_before', times: 3 });
		await control.addFault({ kind: 'latency', ms: 5, match: { operationId: 'getWallet' } });
		const page = await visitor.page();
		await page.goto(fixture.consoleUrl('/faults'));
		expect(await page.getByRole('row').count()).toBe(3);
		await page.getByRole('button', { name: 'Call all off' }).click();
		await page.getByRole('status').getByText('All faults are called off.').waitFor();
		expect(await control.faults()).toEqual([]);
		expect(await fixture.balance(workspaceId)).toBe(fixture.sandbox.openingBalance);
	});

	test.each([
		['latency', { ms: '1500' }, { kind: 'latency', ms: 1500 }],
		['cut_before', {}, { kind: 'cut_before' }],
		['cut_after', {}, { kind: 'cut_after' }],
		['status', { status: '500', after: 'yes' }, { kind: 'status', status: 500, after: true }],
		['body', { body: '<b>hello</b>' }, { kind: 'body', body: '<b>hello</b>' }],
	])('%s is what the form makes of it', async (kind, fields, fault) => {
		const form = new URLSearchParams({ kind, times: '1', operationId: '', ...fields });
		await axios.post(fixture.consoleUrl('/faults'), form);
		const [active] = await fixture.sandbox.control.faults();
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
		const answer = await axios.post<string>(fixture.consoleUrl('/faults'), form, {
			validateStatus: null,
		});
		expect(answer.status).toBe(422);
		expect(answer.data).toContain(sentence);
		expect(await fixture.sandbox.control.faults()).toEqual([]);
	});
});

test('mails and events are read with the way to where they lead', async () => {
	const page = await visitor.page();
	await page.goto(fixture.consoleUrl('/outbox'));
	await page.getByText('No mails yet.').waitFor();
	const payable = await fixture.payable({ payee_email: 'mail@example.com', send_invite: true });
	await page.getByRole('link', { name: 'Open the invitation to mail@example.com' }).waitFor();
	await page.goto(fixture.consoleUrl('/events'));
	await page.getByText('No events yet.').waitFor();
	await fixture.approve(payable.id);
	const event = rowWith(page, 'payable.approved');
	await event.getByText(`${payable.id} is approved: $10.00 for mail@example.com`).waitFor();
	await event.getByRole('link', { name: 'Northwind Media US' }).click();
	await arrive(page, 'Northwind Media US');
});

test('the request log shows the newest hundred first', async () => {
	for (let count = 0; count < 105; count++) {
		ok(await fixture.api.get(`/workspace/${fixture.sandbox.workspaceId}`));
	}
	ok(await fixture.api.get('/workspace/11111111-1111-4111-8111-111111111111/wallet'));
	const page = await visitor.page();
	await page.goto(fixture.consoleUrl('/requests'));
	await page.getByText('Shown are 100 of 106').waitFor();
	expect(await page.getByRole('row').count()).toBe(101);
	expect(await page.getByRole('row').nth(1).innerText()).toContain('getWallet');
});

test('no secret is on any page', async () => {
	const { clientSecret, otherClientSecret } = fixture.sandbox;
	const token = await fixture.sandbox.token();
	ok(await (await fixture.client(token)).get(`/workspace/${fixture.sandbox.workspaceId}`));
	const { webhook_subscription: subscription } = ok(
		await fixture.api.post<{ webhook_subscription: { secret: string } }>(
			`/workspace/${fixture.sandbox.workspaceId}/webhook-subscription`,
			{ url: 'https://hook.example', events: ['payable.paid'] },
		),
	);
	const paths = [
		'',
		`/workspaces/${fixture.sandbox.workspaceId}`,
		'/outbox',
		'/requests',
		'/faults',
	];
	for (const path of [...paths, '/events']) {
		const { data } = await axios.get<string>(fixture.consoleUrl(path));
		const secrets = [clientSecret, otherClientSecret, token, subscription.secret];
		for (const secret of secrets) expect(data).not.toContain(secret);
	}
});

describe('the address of the control API', () => {
	const get = async (accept: string): Promise<AxiosResponse<unknown>> =>
		await axios.get(fixture.pageUrl('/_sandbox'), {
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
		const { data } = await axios.get<unknown>(fixture.pageUrl('/_sandbox/requests'), {
			headers: { accept: 'text/html' },
		});
		expect(data).toEqual({ requests: [] });
	});
});

describe('another site', () => {
	const deposit = async (headers: Record<string, string>): Promise<AxiosResponse<string>> =>
		await axios.post(`${fixture.workspacePage()}/deposit`, new URLSearchParams({ amount: '5' }), {
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
		const url = fixture.pageUrl('/_sandbox/reset');
		const control = await axios.post<unknown>(url, undefined, { headers, validateStatus: null });
		expect(errorOf(control)).toMatchObject({ status: 403, code: 'cross_site' });
		expect(await fixture.sandbox.control.deposits()).toEqual([]);
	});

	test('with a name that leads to this machine can send no form either', async () => {
		const { port } = new URL(fixture.sandbox.apiUrl);
		const host = `evil.example:${port}`;
		expect((await deposit({ host, origin: `http://${host}` })).status).toBe(403);
		const { origin } = new URL(fixture.sandbox.apiUrl);
		expect((await deposit({ origin, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
		expect(await fixture.sandbox.control.deposits()).toHaveLength(1);
	});

	test("is refused in a person's browser with a sentence", async () => {
		const page = await visitor.page();
		await page.goto('about:blank');
		await page.setContent(
			`<form method="post" action="${fixture.workspacePage()}/deposit"><input name="amount" value="5"><button>Win</button></form>`,
		);
		await page.getByRole('button', { name: 'Win' }).click();
		await arrive(page, 'This was refused');
		await page.getByText('This was sent from another site.').waitFor();
		expect(await fixture.sandbox.control.deposits()).toEqual([]);
	});
});
