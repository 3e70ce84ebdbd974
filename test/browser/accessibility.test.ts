import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { createSubscription, SandboxFixture } from '../sandbox/fixture';
import { Receiver } from '../sandbox/receiver';
import { authorizationUrl } from '../sandbox/visitor';
import { arrive, enterEmail, fillSignUp, overflow, Visitor } from '../sandbox/pages-visitor';

const visitor = new Visitor();
const fixture = new SandboxFixture({}, { keepsState: true });
const receiver = new Receiver();

/** Opens a page, and waits for a text where the page alone does not tell its state. */
const open = (path: () => string, text?: string) => async (page: Page) => {
	await page.goto(fixture.pageUrl(path()));
	if (text !== undefined) {
		await page.getByText(text).waitFor();
	}
};

/** Opens a page that says in a box what has been done or refused. */
const openBox = (role: 'alert' | 'status', address: () => string) => async (page: Page) => {
	await page.goto(address());
	await page.getByRole(role).waitFor();
};

const press = (name: string) => async (page: Page) => {
	await page.getByRole('button', { name }).click();
	await page.getByRole('alert').waitFor();
};

const invite = (): string => `/join?invitationId=${fixture.sandbox.workspaceId}`;
const join = (email: string) => async (page: Page) => {
	await page.goto(fixture.inviteUrl());
	await enterEmail(page, email);
};

/** Does something and waits for the page that has this heading. */
const arriveBy =
	(act: (page: Page) => Promise<void>, heading: string | RegExp) => async (page: Page) => {
		await act(page);
		await arrive(page, heading);
	};

const signInAs = (email: () => string) => async (page: Page) => {
	await page.goto(authorizationUrl(fixture.sandbox));
	await page.getByLabel('E-mail address').fill(email());
	await page.getByLabel('Password').fill(fixture.sandbox.userPassword);
	await page.getByRole('button', { name: 'Sign in' }).click();
};

const workspace = (): string => `/_sandbox/console/workspaces/${fixture.sandbox.workspaceId}`;

/** A network in which every table has rows, and something is in every state. */
async function fill(): Promise<void> {
	const { control, workspaceId, pendingVendorEmail, verifiedVendorEmail } = fixture.sandbox;
	const harbor = fixture.sandbox.otherWorkspaceId;
	await createSubscription(fixture.api, receiver.url());
	await fixture.funded([await fixture.approved({ payee_email: pendingVendorEmail, amount: 777 })]);
	await fixture.funded([await fixture.approved({ description: 'Photos of the harbour' })]);
	await fixture.funded([await fixture.approved({ amount: 99_900 })], { method: 'invoice' });
	await control.setSettings({ settlement: 'manual' });
	await fixture.funded([await fixture.approved({ amount: 31, due_date: '2027-01-31T00:00:00Z' })]);
	await fixture.payable({ payee_email: 'new@example.com', send_invite: true });
	await fixture.approved({ amount: 77_000_000 });
	await control.deposit(workspaceId, 5);
	await control.addFault({ kind: 'latency', ms: 1, match: { operationId: 'getPartner' } });
	await control.seed({
		vendors: [
			{ email: 'declined@example.com', status: 'rejected' },
			{ email: 'expired@example.com', status: 'verified' },
		],
	});

	await control.setTaxForm('expired@example.com', 'expired');
	const invitation = { workspace_id: harbor, amount: 5, payee_email: verifiedVendorEmail };
	await (await fixture.otherClient()).post('/payable', { ...invitation, send_invite: true });
	await (await fixture.client('no token')).get(`/workspace/${workspaceId}`);
}

type States = Record<string, (page: Page) => Promise<void>>;

/** Every page in every state, and how a person gets there, often from the state before. */
const walks: Record<string, States> = {
	'a sign-up': {
		'an invitation': open(invite),
		'an invitation, wrong': press('Continue'),
		form: arriveBy(async (page) => {
			await enterEmail(page, 'axe@example.com');
		}, 'Sign up'),
		'form, wrong': press('Sign and finish'),
		joined: async (page) => {
			await fillSignUp(page);
			await arrive(page, /can pay you now$/);
		},
	},
	'another end of a sign-up': {
		'no invitation': open(() => '/join'),
		'a tax form that has expired': arriveBy(join('expired@example.com'), 'Renew your tax form'),
		'an acceptance': arriveBy(join('cleo@example.com'), /^Let /),
		declined: arriveBy(join('declined@example.com'), 'You cannot be paid through this network'),
	},
	'the page of a vendor': {
		'a vendor': open(
			() => `/vendor/${fixture.sandbox.verifiedVendorServiceId}`,
			'What you have been paid, newest first',
		),
		'a withdrawal, wrong': async (page) => {
			await page.getByLabel('Amount in dollars').fill('1e9');
			await page.getByRole('button', { name: 'Withdraw' }).click();
			await page.getByRole('alert').waitFor();
		},
		'a vendor without anything': open(
			() => `/vendor/${fixture.sandbox.unattachedVendorServiceId}`,
			'Nothing is waiting.',
		),
		'no vendor': open(() => '/vendor/nobody'),
	},
	'a workspace on the console': {
		overview: open(() => '/_sandbox', 'Subscribe to events'),
		'the values of another client': async (page) => {
			await page.getByRole('link', { name: 'Harbor Talent' }).click();
			await page.getByText('harbor-demo-secret').first().waitFor();
			await page.getByText('As an n8n credential').click();
			await page.getByText('With curl').click();
		},
		workspaces: open(() => '/_sandbox/console/workspaces'),
		'a workspace': openBox('status', () => fixture.pageUrl(`${workspace()}?done=verifyVendor`)),
		'a deposit, wrong': press('Let it arrive'),
		'a payable of a buyer, wrong': async (page) => {
			await page.goto(fixture.workspacePage());
			await press('Create a payable')(page);
		},
		'a funding of nothing, wrong': async (page) => {
			await page.goto(fixture.workspacePage());
			await press('Fund payables')(page);
		},
		'a subscription, wrong': async (page) => {
			await page.goto(fixture.workspacePage());
			await press('Subscribe to events')(page);
		},
		'a subscription': async (page) => {
			await page.getByLabel('Address of the subscriber').fill(receiver.url());
			await page.getByRole('button', { name: 'Subscribe to events' }).click();
			await page.getByRole('status').waitFor();
		},
		'a funding that the API refuses': async (page) => {
			await page.goto(fixture.workspacePage());
			await page
				.getByRole('button', { name: /^Fund pbl_/ })
				.first()
				.click();
			await page.getByRole('alert').waitFor();
		},
		'a workspace without anything': open(
			() => `/_sandbox/console/workspaces/${fixture.sandbox.secondWorkspaceId}`,
			'No payables yet.',
		),
		'no page of the console': open(() => '/_sandbox/console/nowhere'),
	},
	'another page of the console': {
		outbox: open(() => '/_sandbox/console/outbox'),
		requests: open(() => '/_sandbox/console/requests'),
		'requests, none': open(
			() => '/_sandbox/console/requests?operation=linkDeposit',
			'Nothing matches.',
		),
		faults: openBox('status', () => fixture.pageUrl('/_sandbox/console/faults?done=addFault')),
		'a fault': open(() => '/_sandbox/console/do/addFault?kind=status'),
		'faults, wrong': async (page) => {
			await page.goto(fixture.consoleUrl('/do/addFault?kind=status'));
			await page.getByLabel('Status').fill('9');
			await press('Do it')(page);
		},
		'a payable': async (page) => {
			await page.goto(fixture.consoleUrl('/payables'));
			await page.locator('tbody th a').first().click();
			await page.getByText('What has happened').waitFor();
		},
		'a request': async (page) => {
			await page.goto(fixture.consoleUrl('/requests'));
			await page.locator('tbody th a').first().click();
			await page.getByRole('heading', { name: 'Answer' }).waitFor();
		},
		vendors: open(() => '/_sandbox/console/vendors'),
		deliveries: open(() => '/_sandbox/console/deliveries'),
		'a delivery': async (page) => {
			await page.locator('tbody th a').first().click();
			await page.getByRole('heading', { name: 'Payload' }).waitFor();
		},
		subscriptions: open(() => '/_sandbox/console/subscriptions'),
		'a question before a reset': open(() => '/_sandbox/console/reset'),
		'magic values': open(() => '/_sandbox/console/magic'),
		settings: open(() => '/_sandbox/console/settings', 'changed from automatic'),
		'all controls': open(() => '/_sandbox/console/control'),
		events: open(() => '/_sandbox/console/events'),
	},
	'a sign-in': {
		'a sign-in': arriveBy(async (page) => {
			await page.goto(authorizationUrl(fixture.sandbox));
		}, 'Sign in'),
		'a sign-in, wrong': async (page) => {
			await signInAs(() => 'nobody@example.com')(page);
			await page.getByRole('alert').waitFor();
		},
		'a consent': arriveBy(
			signInAs(() => fixture.sandbox.userEmail),
			'Allow Bright Workflows?',
		),
		'a sign-in that has ended': openBox('alert', () => `${fixture.sandbox.authUrl}/sign-in/ended`),
		'an application that is not registered': openBox('alert', () =>
			authorizationUrl(fixture.sandbox, { redirect_uri: 'https://evil.example' }),
		),
		'a sign-in at the wrong address': openBox(
			'alert',
			() => `${fixture.sandbox.authUrl}/authorize`,
		),
	},
};

beforeAll(fill);

/** Colors are all that the scheme changes; the rest is looked at once at each width. */
const looks = [
	{ colorScheme: 'light', width: 390 },
	{ colorScheme: 'light', width: 1280 },
	{ colorScheme: 'dark', width: 390, rules: ['color-contrast'] },
	{ colorScheme: 'dark', width: 1280, rules: ['color-contrast'] },
] as const;

test.each(Object.entries(walks))('%s can be used by everybody, everywhere', async (_, states) => {
	const page = await visitor.page();
	for (const [state, reach] of Object.entries(states)) {
		await reach(page);
		for (const { colorScheme, width, ...look } of looks) {
			await page.emulateMedia({ colorScheme });
			await page.setViewportSize({ width, height: 800 });
			const axe = new AxeBuilder({ page }).setLegacyMode();
			if ('rules' in look) {
				axe.withRules([...look.rules]);
			}

			const { violations } = await axe.analyze();
			const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
			const tooWide = await overflow(page);
			const seen = { state, colorScheme, width };

			expect({ ...seen, found, tooWide }).toEqual({ ...seen, found: [], tooWide: 0 });
		}
	}
});
