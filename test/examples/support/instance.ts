import type { StoredWorkflow } from '../../../tools/n8n';
import { type ExampleSettings, importExample } from '../../n8n/support/example';
import { type Fixture, useFixtureOn, useOwnN8n } from '../../n8n/support/fixture';
import { useServices } from './services';
import { slack } from './slack';

/** What answers n8n for the services of others. */
export const services = useServices();

beforeEach(() => {
	services().requests.length = 0;
	services().serve('slack.com', slack);
});

const n8n = useOwnN8n(() => ({ env: services().environment }));

/** The n8n of a test file, in which each group of tests has a sandbox and a ledger of its own. */
export const useExamples = () => useFixtureOn(n8n);

/** Empties the sandbox before each test, and lifts its limit of requests. */
export const useEmptySandbox = (fixture: () => Fixture): void => {
	beforeEach(async () => {
		const { control } = fixture().sandbox;
		await control.reset();
		await control.setSettings({ requestsPerMinute: 100_000 });
	});
};

/** @returns what publishes an example until the test has ended */
export function usePublished(fixture: () => Fixture) {
	const published: string[] = [];

	afterEach(async () => {
		for (const id of published.splice(0)) {
			await fixture().n8n.deactivate(id);
		}
	});

	return async (name: string, settings: ExampleSettings): Promise<StoredWorkflow> => {
		const workflow = await importExample(fixture(), name, settings);
		await fixture().n8n.activate(workflow.id);
		published.push(workflow.id);

		return workflow;
	};
}
