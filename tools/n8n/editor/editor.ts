import { type Browser, type BrowserContext, type Page, selectors } from 'playwright-core';

import { launchBrowser } from '../../browser';
import { BROWSER_ID, type N8nClient } from '../client';
import type { N8n } from '../n8n';
import { executeWith } from './controls';
import { CredentialForm } from './credentialForm';
import { NodePanel } from './nodePanel';

selectors.setTestIdAttribute('data-test-id');

/** The part of n8n's window that a person sees. */
const VIEWPORT = { width: 1280, height: 800 };

/** How long anything may take, on a machine on which other tests run. */
const TIMEOUT_MS = 60_000;

/** n8n's editor in a browser, as its user sees and uses it. */
export class Editor {
	/** Every address that the browser has asked for, in any of its windows. */
	readonly requestedUrls: string[] = [];

	private constructor(
		private readonly client: N8nClient,
		private readonly browser: Browser,
		/** All windows of the browser. */
		readonly context: BrowserContext,
		readonly page: Page,
	) {
		context.on('request', (request) => this.requestedUrls.push(request.url()));
	}

	/** Opens a browser in which the owner of n8n has signed in: n8n refuses many logins in a minute. */
	static async open({ url, client }: N8n): Promise<Editor> {
		const browser = await launchBrowser();
		const context = await browser.newContext({ viewport: VIEWPORT });
		context.setDefaultTimeout(TIMEOUT_MS);

		const [name = '', value = ''] = client.session.cookie.split('=');
		await context.addCookies([{ name, value, url }]);
		await context.addInitScript(`localStorage.setItem('n8n-browserId', '${BROWSER_ID}')`);
		return new Editor(client, browser, context, await context.newPage());
	}

	/** Closes the browser. */
	async close(): Promise<void> {
		await this.browser.close();
	}

	/** Opens the form for a new credential of a type that the editor lists. */
	async newCredential(typeName: string): Promise<CredentialForm> {
		await this.page.goto(`${this.client.url}/home/credentials`);
		await this.page.getByRole('button', { name: 'Create credential' }).first().click();
		await this.page.getByRole('combobox', { name: 'Search for app...' }).fill(typeName);
		await this.page.getByRole('option', { name: typeName, exact: true }).click();
		await this.page.getByRole('button', { name: 'Continue' }).click();
		return new CredentialForm(this.page);
	}

	/** Opens a stored credential. */
	async openCredential(name: string): Promise<CredentialForm> {
		const stored = await this.client.rest<Array<{ id: string; name: string }>>(
			'GET',
			'/credentials',
		);

		const found = stored.find((credential) => credential.name === name);
		if (found === undefined) {
			throw new Error(`n8n has no credential "${name}"`);
		}

		await this.page.goto(`${this.client.url}/home/credentials/${found.id}`);
		return new CredentialForm(this.page);
	}

	/** Opens an empty workflow. */
	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.client.url}/workflow/new`);
	}

	/** Opens a stored workflow. */
	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.client.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Adds a node behind the last one: finds it by its name, and one of its actions if it has any. */
	async addNode(name: string, action?: string): Promise<void> {
		await this.page.getByRole('button', { name: 'Open nodes panel' }).click();
		await this.page.getByPlaceholder('Search nodes...').fill(name);
		await this.page.getByTestId('node-creator-item-name').getByText(name, { exact: true }).click();
		if (action !== undefined) {
			await this.page.getByText(action, { exact: true }).click();
		}
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
		await executeWith(this.page, this.page.getByTestId('execute-workflow-button'));
	}

	/** Closes the notices in the corner, and waits until they are gone. */
	async dismissNotices(): Promise<void> {
		const notice = this.page.locator('.el-notification');
		for (const open of await notice.all()) {
			await open.locator('.el-notification__closeBtn').click();
		}

		await notice.first().waitFor({ state: 'detached' });
	}

	/** Everything that can be read in any window of the browser, masked fields left out. */
	async visibleText(): Promise<string> {
		const texts = await Promise.all(this.context.pages().map(textsOf));
		return texts.flat().join('\n');
	}
}

async function textsOf(page: Page): Promise<string[]> {
	const fields = await page.locator('input:not([type=password]), textarea').all();
	const values = await Promise.all(fields.map(async (field) => field.inputValue()));
	return [page.url(), await page.locator('body').innerText(), ...values];
}
