import { importExample } from './example';
import type { Fixture } from './fixture';
import { FORM_LOGIN } from './form';

/** Publishes an example that starts with a form, until the test has ended; returns the form's address. */
export type PublishForm = (
	name: string,
	form: { trigger: string; path: string },
	options?: Record<string, object>,
) => Promise<string>;

/** @returns what publishes an example with the form's login, and with options for nodes of these names */
export function usePublishedForms(fixture: () => Fixture): PublishForm {
	const published: string[] = [];
	afterEach(async () => {
		for (const id of published.splice(0)) await fixture().n8n.deactivate(id);
	});
	return async (name, { trigger, path }, options = {}) => {
		const { n8n } = fixture();
		const login = await n8n.createCredential('Login', 'httpBasicAuth', FORM_LOGIN);
		const settings = { credentials: { [trigger]: login }, options };
		const { id } = await importExample(fixture(), name, settings);
		await n8n.activate(id);
		published.push(id);
		return `${n8n.url}/form/${path}`;
	};
}
