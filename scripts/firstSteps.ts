import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

import { ROOT } from '../tools/n8n/paths';
import type { Environment } from '../tools/environment';
import { CredentialForm, type Editor } from '../tools/n8n/editor';
import { fieldLabelled, typeInto } from '../tools/n8n/editor/controls';
import { readLedger } from '../tools/payouts/ledgerStore';
import type { Camera } from './camera';

/** How long a part of the moving picture stays, in milliseconds. */
const DELAYS = [2000, 3000, 4000];

/** The dialog of a credential is lower than its fields. */
const WHOLE_DIALOG =
	'[data-test-id=editCredential-modal] { height: 765px !important; max-height: none !important }';

/** Windows that show all of the credential, and all of the fields. */
const HIGH = { width: 1280, height: 1080 };
const LOW = { width: 1280, height: 860 };

/** What a person does: presses of the mouse, and fields that they type into. */
interface Effort {
	clicks: number;
	values: number;
}

/** Counts what is done in all windows from now on. */
async function countEffort(context: BrowserContext): Promise<Effort> {
	const effort = { clicks: 0, values: 0 };
	await context.exposeFunction('pressed', () => (effort.clicks += 1));
	await context.exposeFunction('typed', () => (effort.values += 1));
	await context.addInitScript(`{
		let last;
		addEventListener('pointerdown', () => pressed(), true);
		addEventListener('input', ({ target }) => {
			if (!['checkbox', 'radio'].includes(target.type) && target !== last) typed();
			last = target;
		}, true);
	}`);
	return effort;
}

export interface Setup extends Environment {
	camera: Camera;
	editor: Editor;
}

type Row = (...cells: Array<string | number>) => void;

/**
 * Follows the first payout of the README and then the setup of a ledger table in docs/guide/records.md,
 * as a person does who has an empty n8n. Takes the README's pictures on the way.
 *
 * @param row takes what each of them cost
 * @returns whether that was as little as it may be
 */
export async function takeFirstSteps(setup: Setup, row: Row): Promise<boolean> {
	const { context } = setup.editor;
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);
	const all = await countEffort(context);
	await payOnce(setup, all);
	const { clicks, values } = all;
	await makeLedger(setup, all);
	const more = { clicks: all.clicks - clicks, values: all.values - values };
	row('a first payout', clicks, values);
	row('the ledger table, more', more.clicks, more.values);
	return clicks <= 12 && values <= 8 && more.clicks + more.values <= 25;
}

async function payOnce({ camera, sandbox, editor }: Setup, effort: Effort): Promise<void> {
	const { page } = editor;
	await page.setViewportSize(HIGH);
	await editor.newWorkflow();
	await page.getByText('Add first step').waitFor();
	await paste(page, 'README.md', effort);
	const name = page.getByText('send: payout');
	await camera.captureSteps('first-payout-1', page.locator('.vue-flow__node').or(name));

	const node = await editor.openNode('Send payout');
	await page.getByRole('button', { name: 'Connect to Partner Payments' }).click();
	const form = new CredentialForm(page);
	await form.fill({
		'API Base URL': sandbox.apiUrl,
		'Auth Base URL': sandbox.authUrl,
		'Client ID': sandbox.clientId,
		'Client Secret': sandbox.clientSecret,
		Audience: sandbox.audience,
		'Default Workspace ID': sandbox.workspaceId,
	});
	await page.addStyleTag({ content: WHOLE_DIALOG });
	await camera.capture('first-payout-2', form.dialog);
	await form.save();
	await form.dialog.waitFor({ state: 'hidden' });

	const type = async (label: string, value: string): Promise<void> => {
		const field = fieldLabelled(node.panel.getByTestId('parameter-item'), label);
		await typeInto(field.getByRole('textbox').last(), value);
	};
	const run = async (status: string): Promise<void> => {
		await node.execute();
		// A button under the mouse has another color.
		await page.mouse.move(0, 0);
		await node.panel.getByRole('cell', { name: status }).first().waitFor();
		await page.waitForTimeout(1000);
	};
	await type('Payee', sandbox.verifiedVendorEmail);
	await type('Unique Reference', 'INV-1040');
	await page.setViewportSize(LOW);
	// A field with the focus shows its controls.
	await page.evaluate('document.activeElement.blur()');
	await camera.capture('first-payout-3', node.panel.getByTestId('node-parameters'));
	await camera.film();
	await run('funded');
	await camera.capture('first-payout-4', node.panel);
	await camera.film();
	await run('duplicate');
	await camera.capture('first-payout-5', node.panel);
	await camera.film();
	await camera.develop('run-twice', DELAYS);
	await node.close();
}

async function makeLedger({ n8n, editor }: Setup, effort: Effort): Promise<void> {
	const { page } = editor;
	await page.getByTestId('main-sidebar-settings').click();
	await page.getByText('n8n API', { exact: true }).click();
	await page.getByRole('button', { name: 'Create API key' }).click();
	await page.getByPlaceholder('e.g Internal Project').fill('Payout ledger');
	await page.getByTestId('expiration-select').click();
	await page.getByRole('option', { name: 'Never' }).click();
	await page.getByTestId('scopes-mode-custom').click();
	await page.getByTestId('scope-group-dataTables').click();
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByRole('button', { name: 'Copy' }).click();
	await page.getByText('API Key copied to clipboard').waitFor();
	const key = await page.evaluate(async () => navigator.clipboard.readText());
	await page.getByRole('button', { name: 'Done' }).click();

	await page.getByTestId('settings-back').click();
	await page.getByTestId('project-home-menu-item').click();
	await page.getByText('Credentials', { exact: true }).click();
	await page.getByText('Partner Payments account').click();
	const form = new CredentialForm(page);
	await form.fill({ 'n8n API Key': key });
	await form.save();
	// The table is missing, as the test of the credential says.
	await form.dialog.getByText('Couldn’t connect').waitFor();
	await form.close();

	await page.getByTestId('universal-add').click();
	await page.getByText('New workflow', { exact: true }).click();
	await page.getByText('Add first step').waitFor();
	await paste(page, 'docs/guide/records.md', effort);
	const node = await editor.openNode('Create ledger');
	await node.execute();
	// Fails where there is no table.
	await readLedger(n8n);
}

/** Pastes the workflow of a page. */
async function paste(page: Page, file: string, effort: Effort): Promise<void> {
	const [, workflow = ''] = /```json\n(.*?)```/s.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
	await page.evaluate(async (text) => navigator.clipboard.writeText(text), workflow);
	await page.keyboard.press('Control+V');
	// The button that copies it, and the keys that paste it.
	effort.clicks += 2;
}
