import type { Locator, Page } from 'playwright-core';

import { fieldLabelled, typeInto } from './controls';

/** The dialog with the fields of a credential. */
export class CredentialForm {
	/** The dialog itself. */
	readonly dialog: Locator;

	constructor(private readonly page: Page) {
		this.dialog = page.getByTestId('editCredential-modal');
	}

	/** Types into fields, found by their labels; choices are made from their list. */
	async fill(fields: Record<string, string>): Promise<void> {
		for (const [label, value] of Object.entries(fields)) {
			await this.fillField(label, value);
		}
	}

	private async fillField(label: string, value: string): Promise<void> {
		const fields = this.dialog.getByTestId('credential-connection-parameter');
		const field = fieldLabelled(fields, label);
		const list = field.getByRole('combobox');
		const text = field.getByTestId('parameter-input-field');
		await list.or(text).first().waitFor();
		if (!(await list.isVisible())) {
			await typeInto(text, value);
			return;
		}

		await list.click();
		await this.page.getByRole('option', { name: value }).click();
	}

	/** Gives the credential another name. */
	async rename(name: string): Promise<void> {
		await this.dialog.getByTestId('credential-name').click();
		await this.dialog.getByTestId('inline-edit-input').fill(name);
		await this.page.keyboard.press('Enter');
	}

	/** Connects an account, or connects again; returns the window that opens for the user to sign in. */
	async connect(): Promise<Page> {
		const opened = this.page.waitForEvent('popup');
		await this.dialog.getByRole('button', { name: /^(Connect|Switch account)$/ }).click();

		const window = await opened;
		await window.waitForURL(/^https?:/);
		return window;
	}

	/** Waits until the editor says that an account is connected. */
	async connected(): Promise<void> {
		await this.dialog.getByTestId('oauth-connect-success-banner').waitFor();
	}

	/** What the editor says about the connection. */
	async connection(): Promise<string> {
		const banner = this.dialog.getByTestId(/^oauth-(connect-success|not-connected)-banner$/);
		const text = await banner.filter({ visible: true }).innerText();
		const [sentence = ''] = text.split('\n');
		return sentence.trim();
	}

	/** Saves the credential; the dialog stays open where the test of it fails. */
	async save(): Promise<void> {
		await this.dialog.getByTestId('credential-save-button').click();
	}

	async close(): Promise<void> {
		await this.dialog.getByRole('button', { name: 'Close this dialog' }).click();
	}
}
