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
	'[data-test-id=editCredential-modal] { height: 1000px !important; max-height: none !important }';

/** Windows that show all of the credential, and all of the fields. */
const HIGH = { width: 1280, height: 1080 };
const LOW = { width: 1280, height: 860 };

/** What a person has to do: clicks, and fields to type into. */
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
			const isTyped = !['checkbox', 'radio'].includes(target.type);
			if (isTyped && target !== last) {
				typed();
			}

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

/** The reference that the first payout is paid under. */
const REFERENCE = 'INV-1040';

/**
 * Follows the first payout of the README, as a person does who has an empty n8n, and looks for the
 * ledger that it has made. Takes the README's pictures on the way.
 *
 * @param row takes what each of them cost
 * @returns whether that was as little as it may be
 */
export async function takeFirstSteps(setup: Setup, row: Row): Promise<boolean> {
	const { context } = setup.editor;
	await context.grantPermissions(['clipboard-read', 'clipboard-write']);

	const effort = await countEffort(context);

	await payOnce(setup, effort);

	const { clicks, values } = effort;
	row('a first payout', clicks, values);

	await assertLedger(setup);

	const more = { clicks: effort.clicks - clicks, values: effort.values - values };
	row('the ledger table, more', more.clicks, more.values);

	return clicks <= 12 && values <= 8 && more.clicks === 0 && more.values === 0;
}

/** Throws unless the payout has made the ledger table, and is in it. */
async function assertLedger({ n8n }: Setup): Promise<void> {
	// Fails where there is no table.
	const { rows } = await readLedger(n8n);

	const states = rows.map(({ reference, state }) => `${String(reference)} ${String(state)}`);
	if (states.join() !== `${REFERENCE} funded`) {
		throw new Error(`The ledger has other rows than the payout: ${states.join()}`);
	}
}

async function payOnce({ camera, sandbox, editor }: Setup, effort: Effort): Promise<void> {
	const { page } = editor;
	await page.setViewportSize(HIGH);
	await editor.newWorkflow();
	await page.getByText('Add first step').waitFor();
	await paste(page, effort);

	const name = page.getByText('send: payout');
	await camera.captureSteps('first-payout-1', page.locator('.vue-flow__node').or(name));

	const node = await editor.openNode('Send payout');
	await page.addStyleTag({ content: WHOLE_DIALOG });
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

	const next = form.dialog.getByText('Requests per Minute', { exact: true });
	await camera.capture('first-payout-2', form.dialog, next);
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
	};

	await type('Payee', sandbox.verifiedVendorEmail);
	await type('Unique Reference', REFERENCE);

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

/** Pastes the workflow of the README. */
async function paste(page: Page, effort: Effort): Promise<void> {
	const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
	const [, workflow = ''] = /```json\n(.*?)```/s.exec(readme) ?? [];
	await page.evaluate(async (text) => navigator.clipboard.writeText(text), workflow);
	await page.keyboard.press('Control+V');

	// The button that copies it, and the keys that paste it.
	effort.clicks += 2;
}
