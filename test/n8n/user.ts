import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';

import type { Sandbox } from '../../sandbox/client';
import { Editor } from './driver/editor';
import type { Bench } from './setup';

/**
 * Opens n8n's editor in a browser before the tests of a file and closes it after.
 *
 * @returns a function that gives it to a test
 */
export function useEditor(bench: () => Bench): () => Editor {
	let editor: Editor | undefined;
	beforeAll(async () => {
		editor = await Editor.open(bench().n8n);
	});
	afterAll(async () => {
		await editor?.close();
	});
	return () => {
		if (editor === undefined) throw new Error('The editor is not open');
		return editor;
	};
}

/** How long the editor may take to show what it comes to, and how often it is looked at. */
const SETTLING = { withinMs: 15_000, everyMs: 100 };

/** Expects that the editor comes to show exactly this; it shows earlier states for a moment. */
export async function expectShown<Shown>(
	look: () => Promise<Shown>,
	expected: Shown,
): Promise<void> {
	const deadline = Date.now() + SETTLING.withinMs;
	let shown = await look();
	while (!isDeepStrictEqual(shown, expected) && Date.now() < deadline) {
		await delay(SETTLING.everyMs);
		shown = await look();
	}
	expect(shown).toEqual(expected);
}

/** Signs in on the service's page, in the window that n8n opens for connecting. */
export async function signIn(window: Page, sandbox: Sandbox): Promise<void> {
	await window.getByRole('textbox', { name: 'E-mail address' }).fill(sandbox.userEmail);
	await window.getByRole('textbox', { name: 'Password' }).fill(sandbox.userPassword);
	await window.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in, and allows n8n to act for the user. */
export async function allow(window: Page, sandbox: Sandbox): Promise<void> {
	await signIn(window, sandbox);
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
