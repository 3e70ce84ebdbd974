import type { Locator, Page } from 'playwright-core';

import { executeWith, fieldLabelled, startWith } from './controls';

/** The panel of a node: its parameters in the middle, its input and output at the sides. */
export class NodePanel {
	/** The panel itself. */
	readonly panel: Locator;

	constructor(private readonly page: Page) {
		this.panel = page.getByTestId('ndv');
	}

	/** Chooses a credential by its name. */
	async chooseCredential(name: string): Promise<void> {
		await this.panel.getByTestId('node-credentials-select').click();
		await this.page.getByRole('option').getByText(name, { exact: true }).click();
	}

	/** Chooses how something is to be named: "From list", "By ID" or "By URL". */
	async chooseMode(label: string, mode: string): Promise<void> {
		await this.field(label).getByTestId('rlc-mode-selector').click();
		await this.page.getByRole('option', { name: mode, exact: true }).click();
	}

	/** Opens the list of a field in the mode "From list"; returns what is in it. */
	async openList(label: string): Promise<string[]> {
		await this.field(label).getByTestId('rlc-input').click();
		return await this.listed();
	}

	/** Types into the search of the open list; returns what it then shows. */
	async searchList(text: string): Promise<string[]> {
		const answer = this.page.waitForResponse(/resource-locator-results/);
		await this.page.getByTestId('rlc-search').fill(text);
		await answer;
		return await this.listed();
	}

	/** Chooses from the open list. */
	async pick(entry: string): Promise<void> {
		await this.page.getByTestId('rlc-item').getByText(entry, { exact: true }).click();
	}

	/** Runs this node, and the nodes before it that have not run yet. */
	async execute(): Promise<void> {
		await executeWith(this.page, this.panel.getByTestId('node-execute-button'));
	}

	/** Presses the button of a trigger that waits for one event, and waits until the editor listens. */
	async listen(): Promise<void> {
		await startWith(this.page, this.triggerButton('Execute step'));
		await this.triggerButton('Stop Listening').waitFor();
	}

	/** Presses "Stop Listening", and waits until the editor does not listen any more. */
	async stopListening(): Promise<void> {
		await this.triggerButton('Stop Listening').click();
		await this.triggerButton('Execute step').waitFor();
	}

	/** Chooses how the output is shown. */
	async viewOutput(view: 'Schema' | 'Table' | 'JSON'): Promise<void> {
		await this.panel.getByTestId('output-panel').getByRole('radio', { name: view }).click();
	}

	/** Drags the parameters until their middle is this far from the left: beside them is the output. */
	async moveParameters(x: number): Promise<void> {
		const handle = this.panel.getByTestId('panel-drag-button');
		await handle.dragTo(this.panel, { targetPosition: { x, y: 20 } });
	}

	/** The rows of the output's table, which has to come up, each as its texts by column. */
	async output(): Promise<Record<string, string>[]> {
		await this.viewOutput('Table');
		const table = this.panel.getByTestId('output-panel').getByRole('row');
		await table.nth(1).waitFor();
		const [header, ...rows] = await table.all();
		const columns = (await header?.getByRole('columnheader').allInnerTexts()) ?? [];
		return await Promise.all(
			rows.map(async (row) => {
				const texts = await row.getByRole('cell').allInnerTexts();
				return Object.fromEntries(
					columns.flatMap((column, index) => (column === '' ? [] : [[column, texts[index] ?? '']])),
				);
			}),
		);
	}

	/** What the output shows instead when the node has failed. */
	async error(): Promise<{ message: string; description: string }> {
		const output = this.panel.getByTestId('output-panel');
		return {
			message: await output.getByTestId('node-error-message').innerText(),
			description: await output.getByTestId('node-error-description').innerText(),
		};
	}

	async close(): Promise<void> {
		await this.panel.getByTestId('ndv-close-button').click();
		await this.panel.waitFor({ state: 'hidden' });
	}

	/** The button of a trigger, beside its parameters, while it says this. */
	private triggerButton(name: string): Locator {
		return this.panel
			.getByTestId('trigger-execute-button')
			.and(this.page.getByRole('button', { name }));
	}

	/** The field with this label, with everything that belongs to it. */
	private field(label: string): Locator {
		return fieldLabelled(this.panel.getByTestId('parameter-item'), label);
	}

	/** The entries of the open list, or the sentence that stands there instead. */
	private async listed(): Promise<string[]> {
		const entries = this.page
			.getByTestId(/^rlc-(item|error-container)$/)
			.or(this.page.getByText('No results', { exact: true }));
		await entries.first().waitFor();
		return await entries.allInnerTexts();
	}
}
