import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../tools/browser';
import { ANSWERS, signUpFields } from './plain-page';

// Chromium reports a page that was answered with one of these as if something had not loaded.
const REFUSED_PAGE = /the server responded with a status of (400|403|404|409|422)\b/;

/** A person with a browser; a test fails when the browser reported a problem on any page. */
export class Visitor {
	#browser: Browser | undefined;
	readonly #complaints: string[] = [];

	constructor() {
		beforeAll(async () => {
			this.#browser = await launchBrowser();
		});
		afterEach(async () => {
			await Promise.all(this.#browser?.contexts().map((context) => context.close()) ?? []);
			expect(this.#complaints.splice(0)).toEqual([]);
		});
		afterAll(async () => await this.#browser?.close());
	}

	/** A fresh page, in a profile of its own. */
	async page(options: BrowserContextOptions = {}): Promise<Page> {
		if (this.#browser === undefined) throw new Error('The browser has not been started.');
		const page = await (await this.#browser.newContext(options)).newPage();
		page.setDefaultTimeout(20_000);
		page.on('pageerror', ({ message }) => this.#complaints.push(message));
		page.on('dialog', (dialog) => {
			this.#complaints.push(`dialog: ${dialog.message()}`);
			void dialog.dismiss();
		});
		page.on('console', (message) => {
			if (!['error', 'warning'].includes(message.type())) return;
			const isAsset = message.location().url.includes('/assets/');
			if (REFUSED_PAGE.test(message.text()) && !isAsset) return;
			this.#complaints.push(message.text());
		});
		return page;
	}
}

/** Waits until the page has this heading, which is how a person knows to have arrived. */
export async function arrive(page: Page, heading: string | RegExp): Promise<void> {
	await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

/** Waits until a part of the page has the focus; a browser gives it after the page is there. */
export const waitForFocus = async (part: Locator): Promise<void> => {
	await part.and(part.page().locator(':focus')).waitFor();
};

/** The rows of the page's tables that have this text. */
export const rowWith = (page: Page, text: string): Locator =>
	page.getByRole('row').filter({ hasText: text });

/** By how many pixels a person would have to scroll sideways. */
export const overflow = async (page: Page): Promise<number> =>
	await page.evaluate<number>(
		'document.documentElement.scrollWidth - document.documentElement.clientWidth',
	);

export { ANSWERS };

/** Enters an address on an invite page. */
export async function enterEmail(page: Page, email: string): Promise<void> {
	await page.getByLabel('E-mail address').fill(email);
	await page.getByRole('button', { name: 'Continue' }).click();
}

/** Fills in the form of a sign-up, all of it or without some fields, and sends it. */
export async function fillSignUp(page: Page, answers = ANSWERS): Promise<void> {
	await arrive(page, 'Sign up');
	for (const [label, value] of Object.entries(signUpFields(answers))) {
		await page.getByLabel(label).fill(value);
	}
	await page.getByRole('button', { name: 'Sign and finish' }).click();
}

/** Signs up, from the invite page on. */
export async function signUp(page: Page, email: string, answers = ANSWERS): Promise<void> {
	await enterEmail(page, email);
	await fillSignUp(page, answers);
	await arrive(page, /can pay you now$/);
}
