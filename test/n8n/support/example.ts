import { randomUUID } from 'node:crypto';

import { fillIn, readExample } from '../../../tools/examples';
import {
	type Credential,
	credentialsOf,
	type N8n,
	OLDEST_HOST,
	type StoredWorkflow,
	withCredentials,
	type Workflow,
	type WorkflowNode,
} from '../../../tools/n8n';
import { addLedgerTable, projectLedgerFields } from '../../../tools/payouts/ledgerStore';
import type { Fixture } from './fixture';

/** What a user sets beside what an example's note asks for. */
export interface ExampleSettings {
	/** Credentials of the nodes with these names; those of this package get the sandbox's, with a ledger table. */
	credentials?: Record<string, Credential>;
	/** Fields of a credential that say where its ledger is; a table of its own when left out. */
	ledger?: object;
	/** Options of the nodes with these names, beside those that the example sets. */
	options?: Record<string, object>;
	/** Parameters of the nodes with these names, in place of those that the example sets. */
	parameters?: Record<string, object>;
}

/** Imports an example, and fills it in for the sandbox, with addresses and a ledger of its own. */
export async function importExample(
	{ n8n, sandbox, createClient }: Fixture,
	name: string,
	{ credentials = {}, ledger, options = {}, parameters = {} }: ExampleSettings = {},
): Promise<StoredWorkflow> {
	const own = await createClient(ledger ?? (await addLedger(n8n)));
	const example = JSON.stringify(withCredentials(readExample(name), [own]));
	const separate = JSON.parse(withOwnAddresses(example)) as Workflow;
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

	return await n8n.createWorkflow({ ...workflow, nodes });
}

/** Adds a ledger table; returns the fields of a credential that say where it is. */
export async function addLedger(n8n: N8n): Promise<object> {
	const table = `Ledger ${randomUUID()}`;
	const id = await addLedgerTable(n8n, table);

	return projectLedgerFields(n8n.process.host === OLDEST_HOST ? id : table);
}

/** The path of the first of a workflow's nodes that people or programs call. */
export function pathOf({ nodes }: StoredWorkflow): string {
	for (const { parameters, type, webhookId } of nodes) {
		const { path } = parameters as { path?: string };
		const own = type === 'n8n-nodes-base.formTrigger' ? webhookId : path;
		if (own !== undefined) {
			return own;
		}
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
	if (options === undefined) {
		return {};
	}

	const own = parameters['options'];

	return { options: { ...(typeof own === 'object' ? own : {}), ...options } };
}
