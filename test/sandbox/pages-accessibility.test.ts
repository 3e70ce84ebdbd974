import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { SandboxFixture } from './fixture';
import { authorizationUrl } from './visitor';
import {
	arrive,
	enterEmail,
	fillBank,
	fillIdentity,
	fillTax,
	overflow,
	Visitor,
} from './pages-visitor';

const visitor = new Visitor();
const fixture = new SandboxFixture();
const go = async (page: Page, path: string): Promise<void> => {
	await page.goto(fixture.pageUrl(path));
};

const press = async (page: Page, name: string): Promise<void> => {
	await page.getByRole('button', { name }).click();
};

const join = async (page: Page, email: string): Promise<void> => {
	await go(page, `/join?invitationId=${fixture.sandbox.workspaceId}`);
	await enterEmail(page, email);
};

const signInAs = async (page: Page, email: string): Promise<void> => {
	await page.goto(authorizationUrl(fixture.sandbox));
	await page.getByLabel('E-mail address').fill(email);
	await page.getByLabel('Password').fill(fixture.sandbox.userPassword);
	await press(page, 'Sign in');
};

const alert = async (page: Page): Promise<void> => {
	await page.getByRole('alert').waitFor();
};

const workspace = (): string => `/_sandbox/console/workspaces/${fixture.sandbox.workspaceId}`;

/** A network in which every table has rows, and something is in every state. */
async function fill(): Promise<void> {
	const { control, workspaceId, pendingVendorEmail, verifiedVendorEmail } = fixture.sandbox;
	const harbor = fixture.sandbox.otherWorkspaceId;
	await fixture.funded([await fixture.approved({ payee_email: pendingVendorEmail, amount: 777 })]);
	await fixture.funded([await fixture.approved({ description: 'Photos of the harbour' })]);
	await fixture.funded([await fixture.approved({ amount: 99_900 })], { method: 'invoice' });
	await control.setSettlement('manual');
	await fixture.funded([await fixture.approved({ amount: 31, due_date: '2027-01-31T00:00:00Z' })]);
	await fixture.payable({ payee_email: 'new@example.com', send_invite: true });
	await control.deposit(workspaceId, 5);
	await control.addFault({ kind: 'latency', ms: 1, match: { operationId: 'getPartner' } });
	await control.seed({ vendors: [{ email: 'declined@example.com', status: 'rejected' }] });
	const token = await fixture.sandbox.token({
		clientId: fixture.sandbox.otherClientId,
		clientSecret: fixture.sandbox.otherClientSecret,
	});
	const invitation = { workspace_id: harbor, amount: 5, payee_email: verifiedVendorEmail };
	await (await fixture.client(token)).post('/payable', { ...invitation, send_invite: true });
	await (await fixture.client('no token')).get(`/workspace/${workspaceId}`);
}

/** Every page in every state, and how a person gets there. */
const states: Record<string, (page: Page) => Promise<void>> = {
	'an invitation': async (page) => {
		await go(page, `/join?invitationId=${fixture.sandbox.workspaceId}`);
	},
	'an invitation, wrong': async (page) => {
		await join(page, '');
		await alert(page);
	},
	'no invitation': async (page) => {
		await go(page, '/join');
	},
	'no sign-up': async (page) => {
		await go(page, '/join/made-up');
	},
	identity: async (page) => {
		await join(page, 'axe@example.com');
		await arrive(page, 'Who you are');
	},
	'identity, wrong': async (page) => {
		await join(page, 'axe@example.com');
		await arrive(page, 'Who you are');
		await press(page, 'Continue');
		await alert(page);
	},
	bank: async (page) => {
		await join(page, 'axe@example.com');
		await fillIdentity(page);
		await arrive(page, 'Your bank account');
	},
	'bank, wrong': async (page) => {
		await join(page, 'axe@example.com');
		await fillIdentity(page);
		await arrive(page, 'Your bank account');
		await press(page, 'Continue');
		await alert(page);
	},
	tax: async (page) => {
		await join(page, 'axe@example.com');
		await fillIdentity(page);
		await fillBank(page);
		await arrive(page, 'Your taxes');
	},
	'tax, wrong': async (page) => {
		await join(page, 'axe@example.com');
		await fillIdentity(page);
		await fillBank(page);
		await arrive(page, 'Your taxes');
		await page.getByLabel('Form W-8BEN').check();
		await press(page, 'Sign and finish');
		await alert(page);
	},
	joined: async (page) => {
		await join(page, 'axe-joined@example.com');
		await fillIdentity(page);
		await fillBank(page);
		await fillTax(page);
		await arrive(page, /can pay you now$/);
	},
	'an acceptance': async (page) => {
		await join(page, fixture.sandbox.unattachedVendorEmail);
		await arrive(page, /^Let /);
	},
	declined: async (page) => {
		await join(page, 'declined@example.com');
		await arrive(page, 'You cannot be paid through this network');
	},
	'a vendor': async (page) => {
		await go(page, `/vendor/${fixture.sandbox.verifiedVendorServiceId}`);
		await page.getByRole('table').nth(1).waitFor();
	},
	'a vendor without anything': async (page) => {
		await go(page, `/vendor/${fixture.sandbox.unattachedVendorServiceId}`);
		await page.getByText('Nothing is waiting.').waitFor();
	},
	'no vendor': async (page) => {
		await go(page, '/vendor/nobody');
	},
	workspaces: async (page) => {
		await go(page, '/_sandbox');
	},
	'a workspace': async (page) => {
		await go(page, `${workspace()}?notice=verified&id=ven_ana`);
		await page.getByRole('status').waitFor();
	},
	'a workspace without anything': async (page) => {
		await go(page, `/_sandbox/console/workspaces/${fixture.sandbox.secondWorkspaceId}`);
		await page.getByText('No payables yet.').waitFor();
	},
	'a deposit, wrong': async (page) => {
		await go(page, workspace());
		await press(page, 'Let it arrive');
		await alert(page);
	},
	outbox: async (page) => {
		await go(page, '/_sandbox/console/outbox');
	},
	requests: async (page) => {
		await go(page, '/_sandbox/console/requests');
	},
	'requests, none': async (page) => {
		await go(page, '/_sandbox/console/requests?operationId=linkDeposit');
		await page.getByText('No requests of this operation yet.').waitFor();
	},
	faults: async (page) => {
		await go(page, '/_sandbox/console/faults?notice=fault');
		await page.getByRole('status').waitFor();
	},
	'faults, wrong': async (page) => {
		await go(page, '/_sandbox/console/faults');
		await page.getByLabel('What goes wrong').selectOption('status');
		await page.getByLabel('Status').fill('9');
		await press(page, 'Inject the fault');
		await alert(page);
	},
	events: async (page) => {
		await go(page, '/_sandbox/console/events');
	},
	'a sign-in': async (page) => {
		await page.goto(authorizationUrl(fixture.sandbox));
		await arrive(page, 'Sign in');
	},
	'a sign-in, wrong': async (page) => {
		await signInAs(page, 'nobody@example.com');
		await alert(page);
	},
	'a consent': async (page) => {
		await signInAs(page, fixture.sandbox.userEmail);
		await arrive(page, 'Allow Bright Workflows?');
	},
	'a sign-in that has ended': async (page) => {
		await page.goto(`${fixture.sandbox.authUrl}/sign-in/ended`);
		await alert(page);
	},
	'an application that is not registered': async (page) => {
		await page.goto(authorizationUrl(fixture.sandbox, { redirect_uri: 'https://evil.example' }));
		await alert(page);
	},
	'a sign-in at the wrong address': async (page) => {
		await page.goto(`${fixture.sandbox.authUrl}/authorize`);
		await alert(page);
	},
	'no page of the console': async (page) => {
		await go(page, '/_sandbox/console/nowhere');
	},
};

beforeAll(async () => {
	await fill();
});

/** Colours are all that the scheme changes; the rest is looked at once at each width. */
const looks = [
	{ colorScheme: 'light', width: 390 },
	{ colorScheme: 'light', width: 1280 },
	{ colorScheme: 'dark', width: 390, rules: ['color-contrast'] },
	{ colorScheme: 'dark', width: 1280, rules: ['color-contrast'] },
] as const;

test.each(Object.keys(states))('%s can be used by everybody, everywhere', async (state) => {
	const page = await visitor.page();
	await states[state]?.(page);
	for (const { colorScheme, width, ...look } of looks) {
		await page.emulateMedia({ colorScheme });
		await page.setViewportSize({ width, height: 800 });
		const axe = new AxeBuilder({ page }).setLegacyMode();
		const { violations } = await ('rules' in look ? axe.withRules([...look.rules]) : axe).analyze();
		const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
		const tooWide = await overflow(page);
		expect({ colorScheme, width, found, tooWide }).toEqual({
			colorScheme,
			width,
			found: [],
			tooWide: 0,
		});
	}
});
