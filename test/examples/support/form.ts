import { launchBrowser } from '../../../tools/browser';
import { poll } from '../../../tools/n8n/poll';
import { pathOf } from '../../n8n/support/example';
import type { Fixture } from '../../n8n/support/fixture';
import { useResource } from '../../n8n/support/resource';
import { usePublished } from './instance';

/** The user and password of the Basic Auth credential that a form asks for. */
export const FORM_LOGIN = { user: 'nora', password: 'made-up-password' };

/** A file to upload. */
export interface Upload {
	name: string;
	mimeType: string;
	buffer: Buffer;
}

/** Fills in a form, by the labels of its fields, and returns the text of its last page; forges it in a page of others. */
type SubmitForm = (
	url: string,
	fields: Record<string, string | Upload>,
	button: string,
	forge?: 'forge',
) => Promise<string>;

/** A page that sends these fields to a form of n8n. */
function forgedForm(url: string, fields: object, button: string): string {
	const inputs = Object.entries(fields).map(([label, value], index) => {
		const type = typeof value === 'string' ? 'text' : 'file';
		return `<input name="field-${index}" aria-label="${label}" type="${type}">`;
	});

	return `<form method="post" enctype="multipart/form-data" action="${url}">${inputs.join('')}<button>${button}</button></form>`;
}

/**
 * Opens a browser during the tests of a file, to fill in n8n's forms as a person does.
 *
 * @returns what submits a form
 */
export function useForms(): SubmitForm {
	const browser = useResource(launchBrowser, async (launched) => {
		await launched.close();
	});

	return async (url, fields, button, forge) => {
		const { user: username, password } = FORM_LOGIN;
		const page = await browser().newPage({ httpCredentials: { username, password } });
		await (forge ? page.setContent(forgedForm(url, fields, button)) : page.goto(url));
		for (const [label, value] of Object.entries(fields)) {
			const field = page.getByLabel(label, { exact: true });
			await (typeof value === 'string' ? field.fill(value) : field.setInputFiles(value));
		}

		await page.getByRole('button', { name: button, exact: true }).click();
		if (forge) {
			await page.waitForURL(url);
			const last = /"formWaitingUrl":"(.+?)"/.exec(await page.innerText('body'))?.[1] ?? '';
			const status = last.replace('?', '/n8n-execution-status?');
			await poll('the last page', async () => {
				return (await (await page.goto(status))?.text())?.includes('form-waiting') || undefined;
			});
			await page.goto(last);
		}

		// A long list of payments takes its time.
		await page.waitForURL(/\/form-waiting\//, { timeout: 1_200_000 });
		const text = await page.locator('.card').innerText();
		await page.close();

		return text;
	};
}

/** Publishes an example that starts with a form; returns the form's address. */
type PublishForm = (
	name: string,
	trigger: string,
	options?: Record<string, object>,
) => Promise<string>;

/** @returns what publishes an example with the form's login, and with options for nodes of these names */
export function usePublishedForms(fixture: () => Fixture): PublishForm {
	const publish = usePublished(fixture);
	return async (name, trigger, options = {}) => {
		const { n8n } = fixture();
		const login = await n8n.createCredential('Login', 'httpBasicAuth', FORM_LOGIN);
		const workflow = await publish(name, { credentials: { [trigger]: login }, options });

		return `${n8n.url}/form/${pathOf(workflow)}`;
	};
}
