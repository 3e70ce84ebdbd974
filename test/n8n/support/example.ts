import { examplePath, fillIn } from '../../../tools/examples';
import {
	type Credential,
	credentialsOf,
	type StoredWorkflow,
	type WorkflowNode,
} from '../../../tools/n8n';
import { createLedgerCredential } from '../../../tools/payouts/ledgerStore';
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

/** Imports an example, and fills it in for the sandbox. */
export async function importExample(
	{ n8n, sandbox, createClient }: Fixture,
	name: string,
	{ credentials = {}, options = {}, parameters = {} }: ExampleSettings = {},
): Promise<StoredWorkflow> {
	const own = [await createClient(), await createLedgerCredential(n8n)];
	return await n8n.importWorkflow(examplePath(name), own, (imported) => {
		const workflow = fillIn(imported, sandbox.workspaceId, sandbox.verifiedVendorEmail);
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

const credentialOf = (credential?: Credential): Partial<WorkflowNode> =>
	credential === undefined ? {} : { credentials: credentialsOf([credential]) };

function optionsOf({ parameters }: WorkflowNode, options?: object): { options?: object } {
	if (options === undefined) return {};
	const own = parameters['options'];
	return { options: { ...(typeof own === 'object' ? own : {}), ...options } };
}
