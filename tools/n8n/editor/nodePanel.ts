import type { Locator, Page } from 'playwright-core';

import { executeWith, startWith } from './controls';

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

	/** The rows of the output's table, which has to come up, each as its texts by column. */
	async output(): Promise<Record<string, string>[]> {
		const output = this.panel.getByTestId('output-panel');
		await output.getByRole('radio', { name: 'Table' }).click();

		const table = output.getByRole('row');
		await table.nth(1).waitFor();

		const [header, ...rows] = await table.all();
		const columns = (await header?.getByRole('columnheader').allInnerTexts()) ?? [];
		return await Promise.all(
			rows.map(async (row) => byColumn(columns, await row.getByRole('cell').allInnerTexts())),
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
}

/** The cells of a row under the names of their columns; a column without a name holds none. */
function byColumn(columns: string[], cells: string[]): Record<string, string> {
	const row: Record<string, string> = {};
	for (const [position, column] of columns.entries()) {
		if (column !== '') {
			row[column] = cells[position] ?? '';
		}
	}

	return row;
}
