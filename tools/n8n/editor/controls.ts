import type { Locator, Page } from 'playwright-core';

/** Longer than the editor's own debounce of what is typed. */
const INPUT_DEBOUNCE_MS = 500;

/** The one of these fields that has the label; an asterisk marks required ones. */
export function fieldLabelled(fields: Locator, label: string): Locator {
	const text = new RegExp(`^\\s*${label}\\s*\\*?\\s*$`);
	return fields.filter({ has: fields.page().locator('label').getByText(text) });
}

/** Replaces what is in a field, and waits until the editor has stored it. */
export async function typeInto(field: Locator, value: string): Promise<void> {
	await field.fill(value);
	// A timer of the page itself: however slow the machine, the editor's shorter one ends before it.
	await field.page().evaluate(async (ms) => {
		await new Promise((resolve) => setTimeout(resolve, ms));
	}, INPUT_DEBOUNCE_MS);
}

/** Presses a button that starts an execution, and waits until the editor shows the end of it. */
export async function executeWith(page: Page, button: Locator): Promise<void> {
	await startWith(page, button);
	await button.and(page.locator(':enabled')).waitFor();
}

/** Presses a button that starts an execution, and waits until n8n has started it. */
export async function startWith(page: Page, button: Locator): Promise<void> {
	const started = page.waitForResponse(
		(response) => response.request().method() === 'POST' && /\/run$/.test(response.url()),
	);

	await button.click();
	await started;
}

/** What Vue shows while it comes or goes, whether or not a style lets it move. */
const PASSING = '[class*="-enter-active"], [class*="-leave-active"]';

/** Waits until every animation that ends has ended. */
export async function stillness(page: Page): Promise<void> {
	await page.waitForFunction((passing) => {
		const moves = document.getAnimations().map(({ effect }) => effect?.getComputedTiming());
		const isStill = moves.every((timing) => timing?.endTime === Infinity);
		return isStill && document.querySelector(passing) === null;
	}, PASSING);
}
