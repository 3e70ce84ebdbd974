import {
	type Browser,
	type BrowserContext,
	type Locator,
	type Page,
	selectors,
} from 'playwright-core';

import { launchBrowser } from '../browser';
import type { N8n } from './n8n';

selectors.setTestIdAttribute('data-test-id');

/** The part of n8n's window that a person sees. */
const VIEWPORT = { width: 1280, height: 800 };

/** Longer than the editor waits for another key before it takes over what was typed. */
const TAKE_OVER_MS = 500;

/** n8n's editor in a browser, as its user sees and uses it. */
export class Editor {
	/** Every address that the browser has asked for, in any of its windows. */
	readonly requestedUrls: string[] = [];

	private constructor(
		private readonly url: string,
		private readonly browser: Browser,
		/** All windows of the browser. */
		readonly context: BrowserContext,
		readonly page: Page,
	) {
		context.on('request', (request) => this.requestedUrls.push(request.url()));
	}

	/** Opens a browser and signs in as the owner of n8n. */
	static async open({ url, owner }: N8n): Promise<Editor> {
		const browser = await launchBrowser();
		const context = await browser.newContext({ viewport: VIEWPORT });
		const editor = new Editor(url, browser, context, await context.newPage());
		try {
			await editor.signIn(owner);
			return editor;
		} catch (error) {
			await editor.close();
			throw error;
		}
	}

	/** Closes the browser. */
	async close(): Promise<void> {
		await this.browser.close();
	}

	/** Opens the form for a new credential of a type that the editor lists. */
	async newCredential(typeName: string): Promise<CredentialForm> {
		await this.page.goto(`${this.url}/home/credentials`);
		await this.page.getByRole('button', { name: 'Create credential' }).first().click();
		await this.page.getByRole('combobox', { name: 'Search for app...' }).fill(typeName);
		await this.page.getByRole('option', { name: typeName, exact: true }).click();
		await this.page.getByRole('button', { name: 'Continue' }).click();
		return new CredentialForm(this.page);
	}

	/** Opens a stored credential. */
	async openCredential(name: string): Promise<CredentialForm> {
		await this.page.goto(`${this.url}/home/credentials`);
		await this.page.getByRole('heading', { name, exact: true }).click();
		return new CredentialForm(this.page);
	}

	/** Opens an empty workflow. */
	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.url}/workflow/new`);
	}

	/** Opens a stored workflow. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Adds a node behind the last one: finds it by its name, and one of its actions if it has any. */
	async addNode(name: string, action?: string): Promise<void> {
		await this.page.getByRole('button', { name: 'Open nodes panel' }).click();
		await this.page.getByPlaceholder('Search nodes...').fill(name);
		await this.page.getByTestId('node-creator-item-name').getByText(name, { exact: true }).click();
		if (action !== undefined) await this.page.getByText(action, { exact: true }).click();
	}

	/** The panel of the node that is open. */
	get node(): NodePanel {
		return new NodePanel(this.page);
	}

	/** Opens the panel of a node. */
	async openNode(name: string): Promise<NodePanel> {
		await this.page.locator(`[data-test-id=canvas-node][data-node-name="${name}"]`).dblclick();
		return this.node;
	}

	/** Runs the workflow and waits for its end. */
	async executeWorkflow(): Promise<void> {
		await execute(this.page, this.page.getByTestId('execute-workflow-button'));
	}

	/** Closes the notices in the corner, and waits until they are gone. */
	async dismissNotices(): Promise<void> {
		const notice = this.page.locator('.el-notification');
		for (const shown of await notice.all()) {
			await shown.locator('.el-notification__closeBtn').click();
		}
		await notice.first().waitFor({ state: 'detached' });
	}

	/** Everything that can be read in any window of the browser, masked fields left out. */
	async visibleText(): Promise<string> {
		const texts = this.context.pages().map(async (page) => {
			const fields = await page.locator('input:not([type=password]), textarea').all();
			const values = await Promise.all(fields.map(async (field) => field.inputValue()));
			return [page.url(), await page.locator('body').innerText(), ...values];
		});
		return (await Promise.all(texts)).flat().join('\n');
	}

	private async signIn({ email, password }: N8n['owner']): Promise<void> {
		await this.page.goto(`${this.url}/signin`);
		await this.page.locator('input[name=emailOrLdapLoginId]').fill(email);
		await this.page.locator('input[name=password]').fill(password);
		await this.page.getByRole('button', { name: 'Sign in' }).click();
		await this.page.waitForURL(({ pathname }) => pathname !== '/signin');
	}
}

/** The dialog with the fields of a credential. */
export class CredentialForm {
	/** The dialog itself. */
	readonly dialog: Locator;

	constructor(private readonly page: Page) {
		this.dialog = page.getByTestId('editCredential-modal');
	}

	/** Types into fields, found by their labels; choices are made from their list. */
	async fill(fields: Record<string, string>): Promise<void> {
		for (const [label, value] of Object.entries(fields)) {
			const field = labelled(this.dialog.getByTestId('credential-connection-parameter'), label);
			const list = field.getByRole('combobox');
			const text = field.getByTestId('parameter-input-field');
			await list.or(text).first().waitFor();
			if (await list.isVisible()) {
				await list.click();
				await this.page.getByRole('option', { name: value }).click();
			} else {
				await type(text, value);
			}
		}
	}

	/** Gives the credential another name. */
	async rename(name: string): Promise<void> {
		await this.dialog.getByTestId('credential-name').click();
		await this.dialog.getByTestId('inline-edit-input').fill(name);
		await this.page.keyboard.press('Enter');
	}

	/** Connects an account, or connects again; returns the window that opens for the user to sign in. */
	async connect(): Promise<Page> {
		const opened = this.page.waitForEvent('popup');
		await this.dialog.getByRole('button', { name: /^(Connect|Switch account)$/ }).click();
		const window = await opened;
		await window.waitForURL(/^https?:/);
		return window;
	}

	/** Waits until the editor says that an account is connected. */
	async connected(): Promise<void> {
		await this.dialog.getByTestId('oauth-connect-success-banner').waitFor();
	}

	/** What the editor says about the connection. */
	async connection(): Promise<string> {
		const banner = this.dialog.getByTestId(/^oauth-(connect-success|not-connected)-banner$/);
		const [sentence = ''] = (await banner.filter({ visible: true }).innerText()).split('\n');
		return sentence.trim();
	}
}

/** The panel of a node: its parameters in the middle, its input and output at the sides. */
export class NodePanel {
	/** The panel itself. */
	readonly panel: Locator;

	constructor(private readonly page: Page) {
		this.panel = page.getByTestId('ndv');
	}

	/** Chooses a credential by its name. */
	async chooseCredential(name: string): Promise<void> {
		await this.panel.getByTestId('node-credentials-select').click();
		await this.page.getByRole('option').getByText(name, { exact: true }).click();
	}

	/** Chooses a value of a field with a list. */
	async choose(label: string, value: string): Promise<void> {
		await this.field(label).getByTestId('parameter-input').getByRole('combobox').click();
		await this.page.getByRole('option', { name: value, exact: true }).click();
	}

	/** Types into a field. */
	async enter(label: string, value: string): Promise<void> {
		await type(this.field(label).getByTestId(/^(parameter-input-field|rlc-input)$/), value);
	}

	/** Chooses how something is to be named: "From list", "By ID" or "By URL". */
	async chooseMode(label: string, mode: string): Promise<void> {
		await this.field(label).getByTestId('rlc-mode-selector').click();
		await this.page.getByRole('option', { name: mode, exact: true }).click();
	}

	/** Opens the list of a field in the mode "From list"; returns what is in it. */
	async openList(label: string): Promise<string[]> {
		await this.field(label).getByTestId('rlc-input').click();
		return await this.listed();
	}

	/** Types into the search of the open list; returns what it then shows. */
	async searchList(text: string): Promise<string[]> {
		const answer = this.page.waitForResponse(/resource-locator-results/);
		await this.page.getByTestId('rlc-search').fill(text);
		await answer;
		return await this.listed();
	}

	/** Chooses from the open list. */
	async pick(entry: string): Promise<void> {
		await this.page.getByTestId('rlc-item').getByText(entry, { exact: true }).click();
	}

	/** What a field names, as the editor shows it. */
	async value(label: string): Promise<string> {
		return await this.field(label)
			.getByTestId(/^(parameter-input-field|rlc-input)$/)
			.inputValue();
	}

	/** What the editor finds wrong with the value of a field. */
	async issues(label: string): Promise<string[]> {
		await this.field(label).getByTestId('parameter-issues').hover();
		const issues = this.page.getByTestId('tooltip-content').getByRole('listitem');
		await issues.first().waitFor();
		return await issues.allInnerTexts();
	}

	/** Runs this node, and the nodes before it that have not run yet. */
	async execute(): Promise<void> {
		await execute(this.page, this.panel.getByTestId('node-execute-button'));
	}

	/** Presses the button of a trigger that waits for one event, and waits until the editor listens. */
	async listen(): Promise<void> {
		await start(this.page, this.triggerButton('Execute step'));
		await this.triggerButton('Stop Listening').waitFor();
	}

	/** Presses "Stop Listening", and waits until the editor does not listen any more. */
	async stopListening(): Promise<void> {
		await this.triggerButton('Stop Listening').click();
		await this.triggerButton('Execute step').waitFor();
	}

	/** Chooses how the output is shown. */
	async viewOutput(view: 'Schema' | 'Table' | 'JSON'): Promise<void> {
		await this.panel.getByTestId('output-panel').getByRole('radio', { name: view }).click();
	}

	/** Drags the parameters until their middle is this far from the left: beside them is the output. */
	async moveParameters(x: number): Promise<void> {
		const handle = this.panel.getByTestId('panel-drag-button');
		await handle.dragTo(this.panel, { targetPosition: { x, y: 20 } });
	}

	/** The rows of the output's table, which has to come up, each as its texts by column. */
	async output(): Promise<Record<string, string>[]> {
		await this.viewOutput('Table');
		const table = this.panel.getByTestId('output-panel').getByRole('row');
		await table.nth(1).waitFor();
		const [header, ...rows] = await table.all();
		const columns = (await header?.getByRole('columnheader').allInnerTexts()) ?? [];
		return await Promise.all(
			rows.map(async (row) => {
				const texts = await row.getByRole('cell').allInnerTexts();
				return Object.fromEntries(
					columns.flatMap((column, index) => (column === '' ? [] : [[column, texts[index] ?? '']])),
				);
			}),
		);
	}

	/** What the output shows instead when the node has failed. */
	async error(): Promise<{ message: string; description: string }> {
		const output = this.panel.getByTestId('output-panel');
		return {
			message: await output.getByTestId('node-error-message').innerText(),
			description: await output.getByTestId('node-error-description').innerText(),
		};
	}

	async close(): Promise<void> {
		await this.panel.getByTestId('ndv-close-button').click();
		await this.panel.waitFor({ state: 'hidden' });
	}

	/** The button of a trigger, beside its parameters, while it says this. */
	private triggerButton(name: string): Locator {
		return this.panel
			.getByTestId('trigger-execute-button')
			.and(this.page.getByRole('button', { name }));
	}

	/** The field with this label, with everything that belongs to it. */
	private field(label: string): Locator {
		return labelled(this.panel.getByTestId('parameter-item'), label);
	}

	/** The entries of the open list, or the sentence that stands there instead. */
	private async listed(): Promise<string[]> {
		const entries = this.page
			.getByTestId(/^rlc-(item|error-container)$/)
			.or(this.page.getByText('No results', { exact: true }));
		await entries.first().waitFor();
		return await entries.allInnerTexts();
	}
}

/** The one of these fields that has the label; a star marks required ones. */
function labelled(fields: Locator, label: string): Locator {
	const text = new RegExp(`^\\s*${label}\\s*\\*?\\s*$`);
	return fields.filter({ has: fields.page().locator('label').getByText(text) });
}

/** Types over what is in a field, and waits until the editor has taken it over. */
async function type(field: Locator, value: string): Promise<void> {
	await field.fill(value);
	// A timer of the page itself: however slow the machine, the editor's shorter one ends before it.
	await field.page().evaluate(async (ms) => {
		await new Promise((done) => setTimeout(done, ms));
	}, TAKE_OVER_MS);
}

/** Presses a button that starts an execution, and waits until the editor shows the end of it. */
async function execute(page: Page, button: Locator): Promise<void> {
	await start(page, button);
	await button.and(page.locator(':enabled')).waitFor();
}

/** Presses a button that starts an execution, and waits until n8n has taken it. */
async function start(page: Page, button: Locator): Promise<void> {
	const started = page.waitForResponse(
		(response) => response.request().method() === 'POST' && /\/run$/.test(response.url()),
	);
	await button.click();
	await started;
}
