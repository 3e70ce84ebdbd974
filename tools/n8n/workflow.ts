import { randomUUID } from 'node:crypto';

/** A stored credential. */
export interface Credential {
	id: string;
	name: string;
	type: string;
}

/** A node of a workflow, with the properties that are used here. */
export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
	webhookId?: string;
}

/** A value of a field that names something by its id, as n8n stores it. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** A payee as its field stores it. */
export const byEmail = (value: string) => ({ __rl: true, mode: 'email', value });

/** What a node does when it fails: n8n's "On Error". */
export type OnError = 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';

/** The targets of each output. */
type Connections = Array<Array<{ node: string; type: string; index: number }>>;

/** A workflow, as the editor exports it. */
export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	/** From each node, by the kind of connection: `main`, or such as `ai_tool` between an agent and its tools. */
	connections: Record<string, { main?: Connections; [kind: string]: Connections | undefined }>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, PinnedItem[]>;
}

/** An item that a node puts out without being run, with files in base64. */
export interface PinnedItem {
	json: Record<string, unknown>;
	binary?: Record<string, { data: string; mimeType: string; fileName: string }>;
}

/** How {@link workflowWithNode} sets up its node. */
export interface NodeSetup {
	parameters: Record<string, unknown>;
	credential?: Credential;
	/** The items that the node is given; one empty item when left out. */
	items?: Array<Record<string, unknown>>;
	/** A path: the workflow then starts with a call to this webhook instead of by hand. */
	webhookPath?: string;
	/** When that webhook answers, and with what; at the end with all items when left out. */
	answer?: WebhookAnswer;
	onError?: OnError;
	retryOnFail?: { maxTries: number; waitBetweenTries: number };
}

/** The name of the trigger in the workflows made here. */
export const START = 'Start';

/** The name of the tested node in the workflows made here. */
export const NODE_UNDER_TEST = 'Node under test';

const PACKAGE = 'n8n-nodes-partner-payments.';

/**
 * A workflow that feeds one node.
 *
 * The items are pinned data of the manual trigger: n8n hands them on as they stand, through no
 * expression and no other node. Pinned data counts in manual runs only. A workflow with a
 * webhook, for production runs, gets its items in the call's body instead, as `{items: [...]}`.
 */
export function workflowWithNode(setup: NodeSetup): Workflow {
	const { webhookPath, answer = 'allEntries', retryOnFail, items = [{}] } = setup;
	const node: WorkflowNode = {
		// n8n keeps what it stores for a node under this id.
		id: randomUUID(),
		name: NODE_UNDER_TEST,
		type: `${PACKAGE}partnerPayments`,
		typeVersion: 1,
		position: [480, 0],
		parameters: setup.parameters,
	};
	if (setup.credential !== undefined) {
		node.credentials = credentialsOf([setup.credential]);
	}

	if (setup.onError !== undefined) {
		node.onError = setup.onError;
	}

	if (retryOnFail !== undefined) {
		node.retryOnFail = true;
		node.maxTries = retryOnFail.maxTries;
		node.waitBetweenTries = retryOnFail.waitBetweenTries;
	}

	if (webhookPath === undefined) {
		return {
			...chain([trigger('manualTrigger', 1, {}), node]),
			pinData: { [START]: items.map((json) => ({ json })) },
		};
	}

	return chain([...itemsFromWebhook(webhookPath, answer), node]);
}

/** The name of the node that makes items of a webhook's call in the workflows made here. */
export const ITEMS = 'Items';

/** When a webhook answers, and with what: at the end with all items or the first one, or at once. */
export type WebhookAnswer = 'allEntries' | 'firstEntryJson' | 'started';

/** The nodes that begin a workflow with the items of a call, which has the body `{items: [...]}`. */
export function itemsFromWebhook(path: string, answer: WebhookAnswer): WorkflowNode[] {
	const response =
		answer === 'started'
			? { responseMode: 'onReceived' }
			: { responseMode: 'lastNode', responseData: answer };

	const webhook = { path, httpMethod: 'POST', ...response, options: {} };

	const split: WorkflowNode = {
		name: ITEMS,
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		position: [240, 0],
		parameters: { fieldToSplitOut: 'body.items', options: {} },
	};

	return [{ ...trigger('webhook', 2, webhook), webhookId: path }, split];
}

/** A workflow that consists of this package's trigger. */
export function workflowWithTrigger(
	parameters: Record<string, unknown>,
	credential: Credential,
): Workflow {
	const node: WorkflowNode = {
		id: randomUUID(),
		webhookId: randomUUID(),
		name: START,
		type: `${PACKAGE}partnerPaymentsTrigger`,
		typeVersion: 1.1,
		position: [0, 0],
		parameters,
		credentials: credentialsOf([credential]),
	};

	return chain([node]);
}

/** Gives every node of this package the credentials, in place of what the file names. */
export function withCredentials(workflow: Workflow, credentials: Credential[]): Workflow {
	const nodes = workflow.nodes.map((node) => {
		if (!node.type.startsWith(PACKAGE)) {
			return node;
		}

		return { ...node, credentials: credentialsOf(credentials) };
	});

	return { ...workflow, nodes };
}

function trigger(
	name: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
): WorkflowNode {
	return { name: START, type: `n8n-nodes-base.${name}`, typeVersion, position: [0, 0], parameters };
}

/** The nodes, each connected to the next. */
export function chain(nodes: WorkflowNode[]): Workflow {
	const connections: Workflow['connections'] = {};
	let previous: WorkflowNode | undefined;
	for (const node of nodes) {
		if (previous !== undefined) {
			connections[previous.name] = { main: [[{ node: node.name, type: 'main', index: 0 }]] };
		}

		previous = node;
	}

	return { name: 'Test', nodes, connections, settings: { executionOrder: 'v1' } };
}

/** The property of a node that refers to these credentials. */
export function credentialsOf(
	credentials: Credential[],
): Record<string, { id: string; name: string }> {
	return Object.fromEntries(credentials.map(({ id, name, type }) => [type, { id, name }]));
}
