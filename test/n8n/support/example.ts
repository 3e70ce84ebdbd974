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
		const nodes = workflow.nodes.map((node) =>
			withParameters(
				withOptions(withCredential(node, credentials[node.name]), options[node.name]),
				parameters[node.name],
			),
		);
		return { ...workflow, nodes };
	});
}

const withCredential = (node: WorkflowNode, credential?: Credential): WorkflowNode =>
	credential === undefined ? node : { ...node, credentials: credentialsOf([credential]) };

const withParameters = (node: WorkflowNode, parameters: object = {}): WorkflowNode => ({
	...node,
	parameters: { ...node.parameters, ...parameters },
});

function withOptions(node: WorkflowNode, options?: object): WorkflowNode {
	if (options === undefined) return node;
	const { options: own } = node.parameters;
	const given = typeof own === 'object' ? own : {};
	return { ...node, parameters: { ...node.parameters, options: { ...given, ...options } } };
}
