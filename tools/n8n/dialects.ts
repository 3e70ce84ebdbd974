import type { N8nClient } from './client';
import { type Host, NEWEST_HOST } from './hosts';
import { poll } from './poll';
import type { Workflow } from './workflow';

/** What differs between the versions of n8n, as far as it is driven here. */
export interface Dialect {
	/** Settings that the others end at, or do not need. */
	environment: Record<string, string>;
	/** More of what the editor sends when a workflow is run by hand. */
	manualRun: (workflow: Workflow) => object;
	/** Waits until what was asked for with a workflow's activation has come about. */
	awaitActivation: (
		client: N8nClient,
		workflowId: string,
		wanted: 'active' | 'inactive',
	) => Promise<void>;
}

/** n8n 1.x and the first 2.x answer when the triggers are in place, and are sent the workflow that they run. */
const earlier: Dialect = {
	environment: {},
	manualRun: (workflowData) => ({ workflowData }),
	awaitActivation: async () => {},
};

/** The newest n8n answers before a workflow is active; the editor asks for its state, and so does this. */
const newest: Dialect = {
	environment: { N8N_DISABLED_MODULES: 'mcp-registry' },
	manualRun: () => ({}),
	awaitActivation: async (client, workflowId, wanted) => {
		const wantedStatus = { active: 'published', inactive: 'not_published' }[wanted];
		await poll(`workflow ${workflowId} to be ${wanted}`, async () => {
			const { status, triggers } = await client.rest<{
				status: string;
				triggers: Array<{ errorMessage: string | null }>;
			}>('GET', `/workflows/${workflowId}/publication-status`);
			if (['failed', 'partial'].includes(status)) {
				throw new Error(triggers.map(({ errorMessage }) => errorMessage ?? '').join(' '));
			}

			return status === wantedStatus ? true : undefined;
		});
	},
};

/** How the n8n of a host is driven. */
export const dialectOf = (host: Host): Dialect => (host === NEWEST_HOST ? newest : earlier);
