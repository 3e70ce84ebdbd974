import { basename } from 'node:path';
import type { Page } from 'playwright-core';

import { EXAMPLES, readExample } from '../tools/examples';
import type { N8n, Workflow } from '../tools/n8n';
import type { Editor } from '../tools/n8n/editor';
import type { Camera } from './camera';

/** The size of the canvas in the pictures: notes can be read, and files stay small. */
const SCALE = 0.7;
/** What n8n leaves free around a workflow that it fits into its window, as a part of it. */
const ROOM = 1.25;
/** What stands on the canvas: nodes and notes. */
const STEP = '.vue-flow__node';
/** What connects the nodes there. */
const LINE = '.vue-flow__edge';
/** The side of a node on the canvas. */
const NODE_SIZE = 96;

/** Takes a picture of each example, as n8n shows a workflow before it is stored. */
export async function pictureTemplates(
	{ url }: N8n,
	{ page }: Editor,
	camera: Camera,
): Promise<void> {
	await markReadiness(page);

	for (const file of EXAMPLES) {
		const workflow = readExample(file);
		await page.setViewportSize(windowFor(workflow));
		await page.goto(`${url}/workflows/demo`);
		await preview(page, workflow);
		await assertNotesFit(page, file);
		await camera.captureSteps(`templates/${basename(file, '.json')}`, page.locator(STEP));
	}
}

/** Has each page of the editor say in its document when it takes workflows to show. */
const markReadiness = async (page: Page): Promise<void> => {
	await page.addInitScript(() => {
		addEventListener('message', ({ data }) => {
			if (String(data).includes('"n8nReady"')) {
				document.documentElement.dataset['ready'] = '';
			}
		});
	});
};

/** Shows a workflow, and waits until all of it can be seen. */
async function preview(page: Page, workflow: Workflow): Promise<void> {
	await page.locator('html[data-ready]').waitFor();

	const command = JSON.stringify({ command: 'openWorkflow', workflow });
	await page.evaluate((message) => {
		window.postMessage(message, '*');
	}, command);

	const steps = page.locator(STEP);
	await steps.nth(workflow.nodes.length - 1).waitFor();

	// A level line has no height: Playwright does not call it visible.
	const lines = page.locator(LINE);
	await lines.nth(countConnections(workflow) - 1).waitFor({ state: 'attached' });
}

/** How many lines there are between the nodes of a workflow. */
function countConnections({ connections }: Workflow): number {
	const outputs = Object.values(connections).flatMap((kinds) => Object.values(kinds));
	return outputs.flat(2).length;
}

/** Throws when a note is too small for its text. */
async function assertNotesFit(page: Page, file: string): Promise<void> {
	const small = await page.locator('.n8n-sticky').evaluateAll((notes) => {
		const parts = notes.flatMap((note) => [note, ...Array.from(note.querySelectorAll('*'))]);
		return parts.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1).length;
	});
	if (small > 0) {
		throw new Error(`A note of ${file} is too small for its text`);
	}
}

/** A window that n8n fills with the workflow. */
function windowFor({ nodes }: Workflow): { width: number; height: number } {
	const length = (axis: 0 | 1, side: 'width' | 'height'): number => {
		const starts = nodes.map(({ position }) => position[axis]);
		const ends = nodes.map(
			({ position, parameters }) => position[axis] + Number(parameters[side] ?? NODE_SIZE),
		);

		return Math.ceil((Math.max(...ends) - Math.min(...starts)) * SCALE * ROOM);
	};

	return { width: length(0, 'width'), height: length(1, 'height') };
}
