import type { Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox/client';
import type { Editor } from './editor';

/** Signs in on the service's page, in the window that n8n opens for connecting, and allows n8n to act. */
export async function allow(window: Page, sandbox: Sandbox): Promise<void> {
	await window.getByRole('textbox', { name: 'E-mail address' }).fill(sandbox.userEmail);
	await window.getByRole('textbox', { name: 'Password' }).fill(sandbox.userPassword);
	await window.getByRole('button', { name: 'Sign in' }).click();
	await window.getByRole('button', { name: 'Allow' }).click();
}

/** Connects the account of the sandbox's user to a stored credential, or connects it again. */
export async function connectAccount(
	editor: Editor,
	sandbox: Sandbox,
	credentialName: string,
): Promise<void> {
	const form = await editor.openCredential(credentialName);
	await allow(await form.connect(), sandbox);
	await form.connected();
}
