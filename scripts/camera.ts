import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, PageScreenshotOptions } from 'playwright-core';

import type { Sandbox } from '../sandbox/client';
import type { Editor } from '../tools/n8n/editor';

const IMAGES = join(__dirname, '../docs/images');
const MAX_BYTES = 200_000;
/** Hides the nodes before and after an open one, which overlap its panel. */
const NO_NEIGHBOURS = '[data-test-id=floating-nodes] { visibility: hidden }';
/** Leaves nothing of the canvas but its steps, without what each of them still lacks. */
const STEPS_ALONE = `[data-test-id=canvas-background], [data-test-id=canvas-controls],
	[data-test-id=node-issues] { visibility: hidden }`;
/** What is left free around the steps of a workflow, in pixels. */
const MARGIN = 16;

/** Takes pictures, none of which shows a secret. */
export class Camera {
	constructor(
		private readonly editor: Editor,
		private readonly sandbox: Sandbox,
	) {
		mkdirSync(join(IMAGES, 'templates'), { recursive: true });
	}

	/** Takes a picture of what a person sees in a part of a window, down to something in it. */
	async capture(name: string, part: Locator, downTo?: Locator): Promise<void> {
		const { x, y, width, height } = await boxOf(part);
		const end = downTo === undefined ? y + height : (await boxOf(downTo)).y;
		const clip = { x, y, width, height: end - y };
		await this.save(name, part.page(), { clip });
	}

	/** Takes a picture of the steps of a workflow, all of which have to be on the canvas. */
	async captureSteps(name: string, steps: Locator): Promise<void> {
		const boxes = await Promise.all((await steps.all()).map(boxOf));
		const x = Math.min(...boxes.map((box) => box.x)) - MARGIN;
		const y = Math.min(...boxes.map((box) => box.y)) - MARGIN;
		const width = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN - x;
		const height = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN - y;
		await this.save(name, steps.page(), { clip: { x, y, width, height }, style: STEPS_ALONE });
	}

	/** Takes a picture of a page, down to its end or to something on it. */
	async capturePage(name: string, page: Page, width: number, downTo?: Locator): Promise<void> {
		// As high as the page needs: the window is never higher.
		await page.setViewportSize({ width, height: 100 });
		const clip =
			downTo === undefined ? undefined : { x: 0, y: 0, width, height: (await boxOf(downTo)).y };
		await this.save(name, page, { fullPage: true, ...(clip && { clip }) });
	}

	private async save(name: string, page: Page, section: PageScreenshotOptions): Promise<void> {
		const text = await this.editor.visibleText();
		const { applicationSecret, clientSecret } = this.sandbox;
		if ([applicationSecret, clientSecret].some((secret) => text.includes(secret))) {
			throw new Error(`The picture ${name} would show a secret`);
		}
		const path = join(IMAGES, `${name}.png`);
		await page.screenshot({ style: NO_NEIGHBOURS, ...section, path, animations: 'disabled' });
		const { size } = statSync(path);
		if (size > MAX_BYTES) throw new Error(`The picture ${name} has ${size} bytes`);
		console.log(`docs/images/${name}.png (${Math.round(size / 1000)} kB)`);
	}
}

/** Where something is on the page; it has to be visible. */
async function boxOf(subject: Locator) {
	const box = await subject.boundingBox();
	if (box === null) throw new Error('What is to be in the picture cannot be seen');
	return box;
}
