import type { Page } from 'playwright-core';
import { poll } from '../../tools/n8n/poll';
import { createSubscription, demo, http, SandboxFixture } from './fixture';
import { isSignedWith, Receiver } from './receiver';
import {
	ANSWERS,
	arrive,
	errorAt,
	follow,
	press,
	rowsOf,
	signUp,
	textOf,
	Visitor,
} from './pages-visitor';

const visitor = new Visitor();
const fixture = new SandboxFixture();
const receiver = new Receiver();
const openWorkspace = async () => await visitor.plainPage(fixture.workspacePage());
const main = async (page: Page) => await textOf(page.getByRole('main'));
const payableBoxes = (page: Page) => page.getByRole('group', { name: 'Which payables' });
const status = async (page: Page) => await textOf(page.getByRole('status'));

/** A button of the row about something, which people who do not see it hear as well. */
const pressRow = async (page: Page, name: RegExp) => {
	const button = page.getByRole('button', { name }).first();
	await Promise.all([page.waitForEvent('load'), button.click()]);
};

test('a person plays both sides in the console alone, from an invitation to a withdrawal', async () => {
	const email = 'nina@example.com';
	const page = await openWorkspace();
	await press(page, 'Invite a vendor', { 'Whom to invite': email, 'Business name': 'Nina' });

	expect(await status(page)).toBe('Done: Invite a vendor.');

	await press(page, 'Create a payable', {
		'Whom to pay': email,
		'How much, in dollars': '1,250.00',
		For: 'Two films',
		'Due date': '2027-01-31',
	});

	await pressRow(page, /^Approve /);
	await pressRow(page, /^Fund by invoice/);
	await pressRow(page, /^Let the deposit arrive/);
	await pressRow(page, /^Link the deposit/);
	await follow(page, 'Outbox');
	await follow(page, `Open the invitation to ${email}`);
	await signUp(page, email, { ...ANSWERS, name: 'Nina Novak' });
	await follow(page, 'See your wallet and payments');
	await arrive(page, 'Nina Novak');

	expect(await main(page)).toContain('In your wallet $1,250.00');

	await press(page, 'Withdraw', { 'Amount in dollars': '1,000' });

	expect(await status(page)).toBe('Your withdrawal is on its way to your bank.');
	expect(await main(page)).toContain('In your wallet $250.00');
	expect(await rowsOf(page, 'What you have withdrawn')).toEqual([
		expect.stringContaining('$1,000.00'),
	]);
	expect((await fixture.control.ledger()).sum).toBe(0);
	// All that the buyer did went through the API.
	expect(
		(await fixture.control.requests())
			.filter(({ userAgent }) => userAgent === 'payouts-sandbox-console')
			.map(({ operationId, status: answered, account }) => [operationId, answered, account]),
	).toEqual(
		['invitePartners', 'createPayable', 'approvePayable', 'createFunding', 'linkDeposit'].map(
			(operation) => [operation, 200, demo.clientId],
		),
	);
});

describe('a buyer in the console', () => {
	test('reads at the field what is missing, and sends nothing', async () => {
		await fixture.control.clearRequests();
		const page = await press(await openWorkspace(), 'Create a payable', { 'Whom to pay': 'nina' });

		expect(await errorAt(page, 'Whom to pay')).toContain('Enter an e-mail address');
		expect(await errorAt(page, 'How much, in dollars')).toContain('at most two decimals');
		expect(await fixture.control.requests()).toEqual([]);

		await follow(page, 'Back without doing it');
		await arrive(page, 'Northwind Media US');
	});

	test('funds several payables by one funding, and is not offered them again', async () => {
		const first = await fixture.approved({ amount: 1_999, description: 'Two films' });
		const second = await fixture.approved({ amount: 50, description: 'Photos' });
		await fixture.approved({ amount: 7, description: 'Not now' });
		const page = await openWorkspace();
		await page.getByLabel('Two films').check();
		await page.getByLabel('Photos').check();

		await press(page, 'Fund payables', { 'Paid by': 'invoice' });

		expect(await status(page)).toBe('Done: Fund payables.');
		expect(await fixture.control.fundings()).toMatchObject([
			{ method: 'invoice', amount: 2_049, payable_ids: [first.id, second.id] },
		]);
		expect(await textOf(payableBoxes(page))).toContain('Not now');
		expect(await textOf(payableBoxes(page))).not.toContain('Two films');
	});

	test('keeps a choice with its payable while the page renews itself', async () => {
		await fixture.approved({ amount: 5, description: 'Chosen' });
		const page = await visitor.page();
		await page.goto(fixture.workspacePage());
		await page.getByLabel('Chosen').check();

		await fixture.approved({ amount: 500, description: 'Comes above' });
		await page.getByLabel('Comes above').waitFor();

		expect(await page.getByLabel('Chosen').isChecked()).toBe(true);
		expect(await page.getByLabel('Comes above').isChecked()).toBe(false);
	});

	test('reads at the boxes that none is chosen, and keeps what was chosen when the API refuses', async () => {
		await fixture.approved({ amount: 999_900, description: 'Too much' });

		const page = await press(await openWorkspace(), 'Fund payables');

		expect(await textOf(payableBoxes(page))).toContain('Error: Choose at least one payable.');
		expect(await fixture.control.fundings()).toEqual([]);

		await page.getByLabel('Too much').check();
		await press(page, 'Fund payables');

		expect(await textOf(page.getByRole('alert'))).toContain('insufficient_funds');
		expect(await page.getByLabel('Too much').isChecked()).toBe(true);
	});

	test('subscribes to some events, and reads the secret that signs them', async () => {
		const page = await openWorkspace();
		await page.getByLabel('payable.status_changed').uncheck();
		await page.getByLabel('partner.status_changed').uncheck();

		await press(page, 'Subscribe to events', { 'Address of the subscriber': receiver.url() });

		expect(await status(page)).toBe('Done: Subscribe to events.');

		const { webhook_subscription: made } = JSON.parse(await page.locator('pre').innerText()) as {
			webhook_subscription: { secret: string };
		};
		await fixture.approved();
		const delivery = await poll('a delivery', () => receiver.received[0]);

		expect(isSignedWith(made.secret, delivery)).toBe(true);

		await follow(page, 'Back to the workspace');

		const [row] = await rowsOf(page, 'Webhook subscriptions');
		expect(row).toContain('payable.approved, payable.paid');
		expect(row).not.toContain('status_changed');
	});

	test('reads what the API refuses, and that it may have been done when there is no answer', async () => {
		const { id } = await fixture.approved({ amount: 999_900 });
		const page = await openWorkspace();
		await pressRow(page, /^Fund pbl_/);

		expect(await textOf(page.getByRole('alert'))).toMatch(
			/The API answered 422 .*insufficient_funds/,
		);

		await fixture.control.deposit(demo.workspaceId, 999_900);
		await fixture.control.addFault({ kind: 'cut_after' });
		await page.goto(fixture.workspacePage());
		const answer = await http.post<string>(
			fixture.consoleUrl('/buy/createFunding'),
			new URLSearchParams({ workspace: demo.workspaceId, payables: id, method: 'balance' }),
			{ headers: { origin: new URL(fixture.sandbox.apiUrl).origin } },
		);

		expect(answer.status).toBe(502);
		expect(answer.data).toContain('The API gave no answer (socket hang up)');
		expect(await fixture.statusOf({ id })).toBe('paid');
	});

	test.each([
		['an unknown call', 'nothing', demo.workspaceId, 404],
		['an unknown workspace', 'createPayable', 'nobody', 404],
		['a form of another site', 'createPayable', demo.workspaceId, 403],
	])('is not served with %s', async (_, call, workspace, expected) => {
		const { origin } = new URL(fixture.sandbox.apiUrl);
		const from = expected === 403 ? 'https://other.example' : origin;
		const form = new URLSearchParams({ workspace, payee: 'a@example.com', cents: '5' });

		const answer = await http.post(fixture.consoleUrl(`/buy/${call}`), form, {
			headers: { origin: from },
		});

		expect(answer.status).toBe(expected);
		expect(await fixture.control.payables()).toEqual([]);
	});
});

describe('a withdrawal', () => {
	const vendorUrl = () => fixture.pageUrl(`/vendor/${demo.verifiedVendorServiceId}`);

	test.each([
		['more than the wallet holds', '10.01', 'does not hold that much'],
		['no amount', '', 'at most two decimals'],
		['a negative amount', '-5', 'at most two decimals'],
	])('of %s is refused at the field', async (_, amount, problem) => {
		await fixture.fundedPayable({ amount: 1_000 });
		const page = await visitor.plainPage(vendorUrl());
		await press(page, 'Withdraw', { 'Amount in dollars': amount });

		expect(await errorAt(page, 'Amount in dollars')).toContain(problem);
		expect((await fixture.control.vendor(demo.verifiedVendorEmail)).balance).toBe(1_000);
	});

	test('is seen by no buyer: not in the API, not in events, not on pages of the console', async () => {
		await createSubscription(fixture.api, 'https://hook.example');
		await fixture.fundedPayable({ amount: 1_000 });
		const seen = async () => ({
			wallet: (await fixture.api.get(fixture.path('/wallet'))).data as unknown,
			payables: await fixture.control.payables(),
			events: (await fixture.control.events()).length,
			money: /aria-label="(Deposited[^"]*)"/.exec(
				(await http.get<string>(fixture.consoleUrl(''))).data,
			)?.[1],
			ledger: await http
				.get<string>(fixture.consoleUrl(`/wallet?account=vendor:${demo.verifiedVendorServiceId}`))
				.then(({ data }) => data.includes('$10.00')),
		});

		const before = await seen();
		await fixture.control.withdraw(demo.verifiedVendorEmail, 1_000);

		expect(await seen()).toEqual(before);
		expect(before.ledger).toBe(false);
		expect((await fixture.control.vendor(demo.verifiedVendorEmail)).balance).toBe(0);
	});
});

describe('in production', () => {
	const production = new SandboxFixture({ production: true });

	test('only who has the key of the page withdraws', async () => {
		await production.fundedPayable({ amount: 1_000 });
		const { verifiedVendorServiceId: id } = demo;
		const withdraw = async (query: string) =>
			await http.post(
				production.pageUrl(`/vendor/${id}${query}`),
				new URLSearchParams({ amount: '10' }),
				{ headers: { origin: new URL(production.sandbox.apiUrl).origin } },
			);
		const page = await http.get<string>(production.consoleUrl('/vendors'));
		const key = /\/vendor\/ven_ana\?key=([\w-]+)/.exec(page.data)?.[1] ?? '';

		expect((await withdraw('')).status).toBe(404);
		expect((await withdraw('?key=guessed')).status).toBe(404);
		expect((await withdraw(`?key=${key}`)).status).toBe(303);
		expect((await production.control.vendor(demo.verifiedVendorEmail)).balance).toBe(0);
	});
});
