import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page, PageScreenshotOptions } from 'playwright-core';
import sharp from 'sharp';

import type { Sandbox } from '../sandbox/client';
import type { Editor } from '../tools/n8n/editor';
import { stillness } from '../tools/n8n/editor/controls';

const IMAGES = join(__dirname, '../docs/images');
const MAX_BYTES = 200_000;
const MAX_FILM_BYTES = 1_500_000;
/** How wide a moving picture is, in pixels. */
const FILM_WIDTH = 1000;
/** Hides what overlaps a panel: the nodes before and after an open one, and notices. */
const NOTHING_ABOVE =
	'[data-test-id=floating-nodes], .el-notification { visibility: hidden !important }';

/** Hides everything on the canvas but the steps, and the warnings on them. */
const STEPS_ALONE = `[data-test-id=canvas-background], [data-test-id=canvas-controls],
	[data-test-id=node-issues] { visibility: hidden }`;

/** What is left free around the steps of a workflow, in pixels. */
const MARGIN = 16;

/** Takes pictures, none of which shows a secret. */
export class Camera {
	private readonly frames: Buffer[] = [];

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
		const all = await steps.all();
		const boxes = await Promise.all(all.map(boxOf));
		const left = Math.min(...boxes.map((box) => box.x)) - MARGIN;
		const top = Math.min(...boxes.map((box) => box.y)) - MARGIN;
		const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN;
		const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN;
		const clip = { x: left, y: top, width: right - left, height: bottom - top };
		await this.save(name, steps.page(), { clip, style: STEPS_ALONE });
	}

	/** Takes the next frame of a moving picture: the window as it is. */
	async film(): Promise<void> {
		this.assertNoSecret(await this.editor.visibleText());
		await stillness(this.editor.page);

		const window = await this.editor.page.screenshot({ style: NOTHING_ABOVE });
		// One by one: sharp loses all frames but the first when it resizes them together.
		this.frames.push(await sharp(window).resize(FILM_WIDTH).png().toBuffer());
	}

	/**
	 * Makes the moving picture of all frames.
	 *
	 * @param delay how long each frame stays, in milliseconds
	 */
	async develop(name: string, delay: number[]): Promise<void> {
		const film = sharp(this.frames, { join: { animated: true } }).gif({ delay, loop: 0 });
		const path = join(IMAGES, `${name}.gif`);
		const { size } = await film.toFile(path);
		const { pages } = await sharp(path).metadata();
		if (pages !== delay.length) {
			throw new Error(`The picture ${name} has ${pages} frames`);
		}

		announce(`${name}.gif`, size, MAX_FILM_BYTES);
	}

	private async save(name: string, page: Page, section: PageScreenshotOptions): Promise<void> {
		this.assertNoSecret(await this.editor.visibleText());
		await stillness(page);

		const path = join(IMAGES, `${name}.png`);
		const shown = await page.screenshot({
			style: NOTHING_ABOVE,
			...section,
			animations: 'disabled',
		});

		// The editor has few colors, and a palette of them makes the file of a long workflow less than half.
		await sharp(shown).png({ palette: true, effort: 10 }).toFile(path);
		announce(`${name}.png`, statSync(path).size, MAX_BYTES);
	}

	private assertNoSecret(text: string): void {
		const { applicationSecret, clientSecret } = this.sandbox;
		if ([applicationSecret, clientSecret].some((secret) => text.includes(secret))) {
			throw new Error('The picture would show a secret');
		}
	}
}

function announce(name: string, size: number, most: number): void {
	if (size > most) {
		throw new Error(`The picture ${name} has ${size} bytes`);
	}

	console.log(`docs/images/${name} (${Math.round(size / 1000)} kB)`);
}

/** Where something is on the page; it has to be visible. */
async function boxOf(subject: Locator) {
	const box = await subject.boundingBox();
	if (box === null) {
		throw new Error('What is to be in the picture cannot be seen');
	}

	return box;
}
