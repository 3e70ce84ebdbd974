import { importExample, pathOf } from '../../n8n/support/example';
import type { Fixture } from '../../n8n/support/fixture';
import { FORM_LOGIN } from './form';

/** Publishes an example that starts with a form, until the test has ended; returns the form's address. */
export type PublishForm = (
	name: string,
	trigger: string,
	options?: Record<string, object>,
) => Promise<string>;

/** @returns what publishes an example with the form's login, and with options for nodes of these names */
export function usePublishedForms(fixture: () => Fixture): PublishForm {
	const published: string[] = [];
	afterEach(async () => {
		for (const id of published.splice(0)) await fixture().n8n.deactivate(id);
	});
	return async (name, trigger, options = {}) => {
		const { n8n } = fixture();
		const login = await n8n.createCredential('Login', 'httpBasicAuth', FORM_LOGIN);
		const settings = { credentials: { [trigger]: login }, options };
		const workflow = await importExample(fixture(), name, settings);
		await n8n.activate(workflow.id);
		published.push(workflow.id);
		return `${n8n.url}/form/${pathOf(workflow)}`;
	};
}
