import { isDeepStrictEqual } from 'node:util';
import pWaitFor from 'p-wait-for';

import { Editor } from '../../../tools/n8n/editor';
import type { Fixture } from './fixture';
import { useResource } from './resource';

/** Opens n8n's editor in a browser during the tests of a file. */
export const useEditor = (fixture: () => Fixture): (() => Editor) =>
	useResource(
		async () => await Editor.open(fixture().n8n),
		async (editor) => {
			await editor.close();
		},
	);

/** How long the editor may take until it shows what is expected. */
const TIMEOUT_MS = 60_000;
const INTERVAL_MS = 100;

/** Expects the editor to show exactly this in the end; it shows earlier states for a moment. */
export async function expectToShow<Content>(
	read: () => Promise<Content>,
	expected: Content,
): Promise<void> {
	let content: Content | undefined;
	const isShown = async (): Promise<boolean> => {
		content = await read();
		return isDeepStrictEqual(content, expected);
	};
	const timeout = { milliseconds: TIMEOUT_MS, fallback: () => undefined };
	await pWaitFor(isShown, { interval: INTERVAL_MS, timeout });
	expect(content).toEqual(expected);
}
