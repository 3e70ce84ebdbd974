import { join } from 'node:path';

import type { Credential, StoredWorkflow, WorkflowNode } from '../../tools/n8n';
import type { Bench } from './setup';

/** What somebody fills in after the import of an example. */
export interface FillIn {
	/** Credentials of the nodes with these names; those of this package get the sandbox's. */
	credentials?: Record<string, Credential>;
	/** Options of the nodes with these names, beside those that the example sets. */
	options?: Record<string, object>;
}

/** Imports an example and does what its note asks for. */
export async function importExample(
	bench: Bench,
	name: string,
	{ credentials = {}, options = {} }: FillIn = {},
): Promise<StoredWorkflow> {
	const { n8n, credentialData } = bench;
	const client = await n8n.createCredential('Client', 'partnerPaymentsApi', credentialData);
	const file = join(__dirname, '../../examples', name);
	return await n8n.importWorkflow(file, [client], (workflow) => ({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			withOptions(filledIn(bench, node, credentials[node.name]), options[node.name]),
		),
	}));
}

function filledIn({ sandbox }: Bench, node: WorkflowNode, credential?: Credential): WorkflowNode {
	const text = JSON.stringify(node.parameters)
		.replaceAll('"mode":"id","value":""', `"mode":"id","value":"${sandbox.workspaceId}"`)
		.replaceAll('vendor@example.com', sandbox.verifiedVendorEmail);
	const parameters = JSON.parse(text) as Record<string, unknown>;
	if (credential === undefined) return { ...node, parameters };
	const { id, name, type } = credential;
	return { ...node, parameters, credentials: { [type]: { id, name } } };
}

function withOptions(node: WorkflowNode, options?: object): WorkflowNode {
	if (options === undefined) return node;
	const { options: own } = node.parameters;
	const given = typeof own === 'object' ? own : {};
	return { ...node, parameters: { ...node.parameters, options: { ...given, ...options } } };
}
