import { launchBrowser } from '../../../tools/browser';
import { useResource } from '../../n8n/support/resource';

/** The user and password of the Basic Auth credential that a form asks for. */
export const FORM_LOGIN = { user: 'nora', password: 'made-up-password' };

/** A file to upload. */
export interface Upload {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

/** Fills in a form at an address, by the labels of its fields, and returns the text of its last page. */
export type SubmitForm = (
	url: string,
	fields: Record<string, string | Upload>,
	button: string,
) => Promise<string>;

/**
 * Opens a browser during the tests of a file, to fill in n8n's forms as a person does.
 *
 * @returns what submits a form
 */
export function useForms(): SubmitForm {
	const browser = useResource(launchBrowser, async (launched) => {
		await launched.close();
	});
	return async (url, fields, button) => {
		const { user: username, password } = FORM_LOGIN;
		const page = await browser().newPage({ httpCredentials: { username, password } });
		await page.goto(url);
		for (const [label, value] of Object.entries(fields)) {
			const field = page.getByLabel(label, { exact: true });
			await (typeof value === 'string' ? field.fill(value) : field.setInputFiles(value));
		}
		await page.getByRole('button', { name: button, exact: true }).click();
		await page.waitForURL(/\/form-waiting\//);
		const text = await page.locator('.card').innerText();
		await page.close();
		return text;
	};
}
