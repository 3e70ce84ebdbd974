import { randomUUID } from 'node:crypto';

import { examplePath, fillIn } from '../../../tools/examples';
import {
	type Credential,
	credentialsOf,
	type StoredWorkflow,
	type Workflow,
	type WorkflowNode,
} from '../../../tools/n8n';
import { createLedgerCredential, LEDGER_TABLE } from '../../../tools/payouts/ledgerStore';
import type { Fixture } from './fixture';

/** What a user sets beside what an example's note asks for. */
export interface ExampleSettings {
	/** Credentials of the nodes with these names; those of this package get the sandbox's, and a ledger's. */
	credentials?: Record<string, Credential>;
	/** Options of the nodes with these names, beside those that the example sets. */
	options?: Record<string, object>;
	/** Parameters of the nodes with these names, in place of those that the example sets. */
	parameters?: Record<string, object>;
}

/** Imports an example, and fills it in for the sandbox, with addresses and a ledger of its own. */
export async function importExample(
	{ n8n, sandbox, createClient, ledgerTable }: Fixture,
	name: string,
	{ credentials = {}, options = {}, parameters = {} }: ExampleSettings = {},
): Promise<StoredWorkflow> {
	const own = [await createClient(), await createLedgerCredential(n8n)];
	return await n8n.importWorkflow(examplePath(name), own, (imported) => {
		const text = JSON.stringify(imported).replaceAll(LEDGER_TABLE, ledgerTable);
		const separate = JSON.parse(withOwnAddresses(text)) as Workflow;
		const workflow = fillIn(separate, sandbox.workspaceId, sandbox.verifiedVendorEmail);
		const nodes = workflow.nodes.map((node) => ({
			...node,
			...credentialOf(credentials[node.name]),
			parameters: {
				...node.parameters,
				...parameters[node.name],
				...optionsOf(node, options[node.name]),
			},
		}));
		return { ...workflow, nodes };
	});
}

/** The path of the first of a workflow's nodes that people or programs call. */
export function pathOf({ nodes }: StoredWorkflow): string {
	for (const { parameters } of nodes) {
		const { path, options } = parameters as { path?: string; options?: { path?: string } };
		const own = path ?? options?.path;
		if (own !== undefined) return own;
	}
	throw new Error('The workflow cannot be called');
}

/** Other addresses than those of the file, which another test may use in the same n8n. */
function withOwnAddresses(text: string): string {
	const paths = [...text.matchAll(/"(?:webhookId|path)":"([^"]+)"/g)].map(([, path = '']) => path);
	return paths.reduce(
		(workflow, path) => workflow.replaceAll(`"${path}"`, `"${randomUUID()}"`),
		text,
	);
}

const credentialOf = (credential?: Credential): Partial<WorkflowNode> =>
	credential === undefined ? {} : { credentials: credentialsOf([credential]) };

function optionsOf({ parameters }: WorkflowNode, options?: object): { options?: object } {
	if (options === undefined) return {};
	const own = parameters['options'];
	return { options: { ...(typeof own === 'object' ? own : {}), ...options } };
}
