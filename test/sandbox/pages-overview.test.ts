import type { Page, Route } from 'playwright-core';
import { poll } from '../../tools/n8n/poll';
import { createSubscription, demo, SandboxFixture } from './fixture';
import { follow, textOf, Visitor } from './pages-visitor';
import { Receiver } from './receiver';
import { runInShell } from './shell';

const visitor = new Visitor();
const fixture = new SandboxFixture();
const receiver = new Receiver();
const openOverview = async () => await visitor.plainPage(fixture.consoleUrl(''));

/** What a picture says to people who do not see it. */
const picture = async (page: Page, name: RegExp): Promise<string> =>
	(await page.getByRole('img', { name }).getAttribute('aria-label')) ?? '';

const stepsDone = async (page: Page): Promise<string[]> => {
	const items = await page.getByRole('listitem').filter({ hasText: /done$/ }).all();
	return await Promise.all(items.map(async (item) => await textOf(item.getByRole('link'))));
};

test('the first steps tick themselves off, whoever takes them', async () => {
	expect(await stepsDone(await openOverview())).toEqual([]);

	await fixture.sandbox.token();

	expect(await stepsDone(await openOverview())).toEqual(['Get a token']);

	await fixture.payable();

	expect(await stepsDone(await openOverview())).toEqual(['Get a token', 'Create a payable']);

	await createSubscription(fixture.api, receiver.url());
	await fixture.fundedPayable();
	await fixture.control.addFault({ kind: 'status', status: 500 });
	await fixture.api.get(fixture.path());
	await poll(
		'the deliveries',
		async () => (await fixture.control.deliveryCounts()).delivered === 5 || undefined,
	);

	expect(await stepsDone(await openOverview())).toEqual([
		'Get a token',
		'Create a payable',
		'Approve it',
		'Fund it',
		'See it paid',
		'Subscribe to events',
		'Receive an event',
		'See a fault',
	]);
});

test('money, payables, requests and deliveries are pictures that tell their figures', async () => {
	await fixture.control.clearRequests();
	await createSubscription(fixture.api, receiver.url());
	await fixture.fundedPayable({ amount: 125_000 });
	await fixture.fundedPayable({ payee_email: demo.pendingVendorEmail, amount: 30_000 });
	await fixture.payable({ amount: 5 });
	await fixture.api.get('/workspace/nobody');
	await fixture.control.addFault({ kind: 'cut_after' });
	await expect(fixture.api.get(fixture.path())).rejects.toMatchObject({ code: 'ECONNRESET' });
	await poll(
		'the deliveries',
		async () => (await fixture.control.deliveryCounts()).delivered === 7 || undefined,
	);

	const page = await openOverview();

	expect(await picture(page, /^Deposited/)).toBe(
		'Deposited $5,000.00: Paid to vendors $1,250.00, Waiting $300.00, Left in wallets $3,450.00',
	);
	expect(await picture(page, /^Paid:/)).toBe('Paid: 1 payable');
	expect(await picture(page, /^Approved:/)).toBe('Approved: 1 payable');
	expect(await picture(page, /^Requests/)).toBe(
		'Requests of the last 30 minutes: Answered 8, Refused (4xx) 1, Failed (5xx, or no answer) 1',
	);
	expect(await picture(page, /^Deliveries/)).toContain('Delivered 7, Waiting 0, Failed 0');

	await follow(page, 'Requests, errors first');

	expect(new URL(page.url()).search).toBe('?sort=errors');
});

test('a payable as large as a number can be, and no money at all, have their picture', async () => {
	await fixture.control.reset({ buyers: [{ name: 'Empty' }] });

	expect(await textOf((await openOverview()).getByRole('main'))).toContain('No clients.');
	expect(await textOf((await openOverview()).getByRole('main'))).toContain('No money yet.');

	await fixture.control.reset();
	await fixture.control.deposit(demo.workspaceId, Number.MAX_SAFE_INTEGER - demo.openingBalance);

	expect(await picture(await openOverview(), /^Deposited/)).toContain('$90,071,992,547,409.91');
});

test('the values connect a client: one by one, as a credential, and as commands', async () => {
	const page = await openOverview();
	const value = async (name: string) => await textOf(page.locator(`id=value-${name}`));
	const { apiUrl, authUrl, audience } = fixture.sandbox;

	expect(await value('apiBaseUrl')).toBe(apiUrl);
	expect(await value('clientSecret')).toBe(demo.clientSecret);

	const credential = await page.locator('id=value-credential').textContent();

	expect(JSON.parse(credential ?? '')).toMatchObject([
		{
			type: 'partnerPaymentsApi',
			data: {
				environment: 'sandbox',
				apiBaseUrl: apiUrl,
				authBaseUrl: authUrl,
				clientId: demo.clientId,
				clientSecret: demo.clientSecret,
				audience,
				defaultWorkspaceId: demo.workspaceId,
			},
		},
	]);

	const commands = await page.locator('id=value-curl').textContent();
	const printed = await runInShell(commands ?? '');

	expect(JSON.parse(printed)).toMatchObject({ payable: { amount: 125_000, status: 'draft' } });

	await follow(page, 'Harbor Talent');

	expect(await value('clientId')).toBe(demo.otherClientId);

	await fixture.control.setClientSecret(demo.otherClientId, 'another-secret');
	await page.reload();

	expect(await value('clientSecret')).toBe('the secret that you gave this client');
});

test('a value is copied with one click, and the page renews itself with what has happened', async () => {
	const page = await visitor.page({ permissions: ['clipboard-read', 'clipboard-write'] });
	await page.goto(fixture.consoleUrl(''));
	const button = page.getByRole('button', { name: 'Copy Client ID' });
	await button.click();
	await page.getByRole('button', { name: 'Copied Client ID' }).waitFor();

	expect(await page.evaluate('navigator.clipboard.readText()')).toBe(demo.clientId);

	await page.getByText('With curl').click();
	await fixture.payable();
	await page.getByRole('img', { name: 'Draft: 1 payable' }).waitFor();

	expect(await page.locator('id=value-curl').isVisible()).toBe(true);
});

test('a page rests the longer, the longer an answer took', async () => {
	const page = await visitor.page();
	const now = async (): Promise<number> => await page.evaluate<number>('performance.now()');
	await page.clock.install();
	await page.goto(fixture.consoleUrl(''));
	const asked: Route[] = [];
	await page.route(fixture.consoleUrl(''), (route) => {
		asked.push(route);
	});

	await page.clock.runFor(3_000);
	const first = await poll('a renewal', () => asked[0]);
	await page.clock.runFor(500);
	await first.continue();
	const answeredAt = await now();
	await poll('another renewal', async () => {
		await page.clock.runFor(1_000);
		return asked[1];
	});

	expect((await now()) - answeredAt).toBeGreaterThan(20_000);
});
