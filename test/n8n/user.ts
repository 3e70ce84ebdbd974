import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { Editor } from '../../tools/n8n/editor';
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
