import type { N8nClient } from './client';
import type { Host } from './hosts';
import { poll } from './poll';
import type { Workflow } from './workflow';

/** What differs between the major versions of n8n, as far as it is driven here. */
export interface Dialect {
	/** Settings that the other version ends at, or does not need. */
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

/** n8n 1.x answers when the triggers are in place, and is sent the workflow that it is to run. */
const n8n1: Dialect = {
	environment: {},
	manualRun: (workflowData) => ({ workflowData }),
	awaitActivation: async () => {},
};

/** n8n 2.x answers before a workflow is active; the editor asks for its state, and so does this. */
const n8n2: Dialect = {
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
export const dialectOf = ({ version }: Host): Dialect => (version.startsWith('1.') ? n8n1 : n8n2);
