import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../tools/browser';

/** What is filled in on the form of a sign-up. */
export const ANSWERS = {
	name: 'Nina Novak Films',
	account: '98761234567',
	routing: '110000000',
	taxId: '4321',
};

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

	/** A fresh page of a browser without JavaScript. */
	async plainPage(url: string): Promise<Page> {
		const page = await this.page({ javaScriptEnabled: false });
		await page.goto(url);

		return page;
	}

	/** A fresh page, in a profile of its own. */
	async page(options: BrowserContextOptions = {}): Promise<Page> {
		if (this.#browser === undefined) {
			throw new Error('The browser has not been started.');
		}

		const page = await (await this.#browser.newContext(options)).newPage();
		page.setDefaultTimeout(20_000);
		page.on('pageerror', ({ message }) => this.#complaints.push(message));
		page.on('dialog', (dialog) => {
			this.#complaints.push(`dialog: ${dialog.message()}`);
			void dialog.dismiss();
		});

		page.on('console', (message) => {
			if (!['error', 'warning'].includes(message.type())) {
				return;
			}

			const isAsset = message.location().url.includes('/assets/');
			if (REFUSED_PAGE.test(message.text()) && !isAsset) {
				return;
			}

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

/** What a person reads there, in one line. */
export const textOf = async (part: Locator): Promise<string> =>
	(await part.innerText()).replace(/\s+/g, ' ').trim();

/** The rows of the table with this caption, without the one that names the columns. */
export async function rowsOf(page: Page, caption: string): Promise<string[]> {
	const rows = await page.getByRole('table', { name: caption }).getByRole('row').all();
	return await Promise.all(rows.slice(1).map(textOf));
}

/** Does what opens another page, and waits for it. */
export async function go(page: Page, act: () => Promise<unknown>): Promise<Page> {
	await Promise.all([page.waitForEvent('load'), act()]);
	return page;
}

/** Follows the link of this name. */
export const follow = async (page: Page, name: string | RegExp): Promise<Page> =>
	await go(page, async () => {
		await page.getByRole('link', { name }).click();
	});

/** Fills in fields by their labels, and presses a button. */
export async function press(page: Page, name: string, fields: Record<string, string> = {}) {
	for (const [label, value] of Object.entries(fields)) {
		const field = page.getByLabel(label, { exact: true });
		const isList = await field.evaluate((node) => node.nodeName === 'SELECT');
		await (isList ? field.selectOption(value) : field.fill(value));
	}

	return await go(page, async () => {
		await page.getByRole('button', { name, exact: true }).click();
	});
}

/** What a field is marked with, once the summary leads to the field with the same words. */
export async function errorAt(page: Page, label: string): Promise<string> {
	const field = page.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid=true]'));
	const id = (await field.getAttribute('id')) ?? '';
	const said = await textOf(page.getByRole('alert').locator(`a[href="#${id}"]`));
	const [described = ''] = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];

	expect(await textOf(page.locator(`id=${described}`))).toBe(`Error: ${said}`);

	return said;
}

/** By how many pixels a person would have to scroll sideways. */
export const overflow = async (page: Page): Promise<number> =>
	await page.evaluate<number>(
		'document.documentElement.scrollWidth - document.documentElement.clientWidth',
	);

/** Enters an address on an invite page. */
export async function enterEmail(page: Page, email: string): Promise<void> {
	await page.getByLabel('E-mail address').fill(email);
	await page.getByRole('button', { name: 'Continue' }).click();
}

/** Fills in the form of a sign-up, all of it or without some fields, and sends it. */
export async function fillSignUp(page: Page, answers = ANSWERS): Promise<void> {
	await arrive(page, 'Sign up');
	await page.getByLabel('Legal or business name').fill(answers.name);
	await page.getByLabel('Account number').fill(answers.account);
	await page.getByLabel('Routing number').fill(answers.routing);
	await page.getByLabel('Tax ID, last four digits').fill(answers.taxId);
	await page.getByRole('button', { name: 'Sign and finish' }).click();
}

/** Signs up, from the invite page on. */
export async function signUp(page: Page, email: string, answers = ANSWERS): Promise<void> {
	await enterEmail(page, email);
	await fillSignUp(page, answers);
	await arrive(page, /can pay you now$/);
}
