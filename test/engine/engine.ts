import 'reflect-metadata';

import { loadBuilt, waitedMs } from './environment';

import { inspect } from 'node:util';
import { randomUUID } from 'node:crypto';
import { ExecutionLifecycleHooks, ExternalSecretsProxy, WorkflowExecute } from 'n8n-core';
import {
	NodeConnectionTypes,
	NodeHelpers,
	Workflow,
	type ICredentialType,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { engineCredentials, type StoredCredentials } from './credentials';
import { DataTables } from '../support/dataTables';
import './deduplicator';

export { waitedMs };

/** The built node and the built credential types, as n8n loads them. */
const built = {
	node: construct('nodes/PartnerPayments/PartnerPayments.node.js', 'PartnerPayments') as INodeType,
	credentials: ['PartnerPaymentsApi', 'PartnerPaymentsOAuth2Api'].map(
		(name) => construct(`credentials/${name}.credentials.js`, name) as ICredentialType,
	),
};

/** What is given to the node, and how it is set up. */
export interface ExecutionOptions {
	parameters: INodeParameters;
	/** The items that come in; one empty item when left out. */
	items?: INodeExecutionData['json'][];
	/** The values of the node's credential. n8n keeps what it learns, such as the token, in here. */
	credentials: StoredCredentials;
	onError?: INode['onError'];
	retryOnFail?: boolean;
	timezone?: string;
	/** Whether the node is n8n's twin of it, which a model calls. */
	isTool?: boolean;
	/** Of a workflow that is executed again; a new one when left out. */
	workflowId?: string;
	/** Of an execution that calls the node several times; "1" when left out. */
	executionId?: string;
	/** Stops the execution when it aborts. */
	signal?: AbortSignal;
}

/** What came of it. */
export interface ExecutionResult {
	items: INodeExecutionData[];
	/** The error that ended the execution. */
	error: { message: string; description: string } | undefined;
	/** Notices for the user, beside the output. */
	hints: string[];
	/** All data of the execution as text, with more than n8n would store. */
	stored: string;
}

const NODE = 'Partner Payments';
const START = 'Start';
const START_TYPE: INodeType = {
	description: {
		displayName: START,
		name: 'start',
		group: ['trigger'],
		version: 1,
		description: 'Begins the execution',
		defaults: { name: START },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
};

const nodeTypes: INodeTypes = {
	getByName: (name) => (name === 'start' ? START_TYPE : built.node),
	getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(nodeTypes.getByName(name)),
	getKnownTypes: () => ({}),
};

/**
 * Runs the built node in n8n's own execution engine: a workflow of a start node, whose items are
 * pinned, and the node, with n8n's request helpers and the built credential types.
 */
export async function execute(options: ExecutionOptions): Promise<ExecutionResult> {
	const workflow = workflowOf(options);
	const tables = tablesOf(workflow.id);
	const credentials = engineCredentials(built.credentials, options.credentials);
	const execution = new WorkflowExecute(
		additionalData(credentials, workflow, tables, options.executionId ?? '1'),
		'manual',
	);
	const items = options.items ?? [{}];
	const startNode = workflow.getNode(START);
	if (startNode === null) {
		throw new Error('The workflow has no start node');
	}

	await workflow.expression.acquireIsolate();
	try {
		const run = execution.run({
			workflow,
			startNode,
			pinData: { [START]: items.map((json) => ({ json })) },
		});

		options.signal?.addEventListener('abort', () => {
			run.cancel();
		});

		return resultOf(await run);
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

function workflowOf({
	parameters,
	onError,
	retryOnFail = false,
	timezone = 'UTC',
	isTool = false,
	workflowId = randomUUID(),
}: ExecutionOptions): Workflow {
	const credentials = Object.fromEntries(
		built.credentials.map(({ name }) => [name, { id: name, name }]),
	);
	const base = { typeVersion: 1, position: [0, 0] as [number, number] };
	const node: INode = {
		...base,
		id: '2',
		name: NODE,
		type: `n8n-nodes-partner-payments.partnerPayments${isTool ? 'Tool' : ''}`,
		credentials,
		parameters,
		...(onError !== undefined && { onError }),
		...(retryOnFail && { retryOnFail, maxTries: 2 }),
	};

	return new Workflow({
		id: workflowId,
		nodes: [{ ...base, id: '1', name: START, type: 'start', parameters: {} }, node],
		connections: {
			[START]: { main: [[{ node: NODE, type: NodeConnectionTypes.Main, index: 0 }]] },
		},
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1', timezone },
	});
}

/** The Data Tables of each workflow's project: a project of its own for each workflow. */
const projects = new Map<string, DataTables>();

export function tablesOf(workflowId: string): DataTables {
	const tables = projects.get(workflowId) ?? new DataTables();
	projects.set(workflowId, tables);

	return tables;
}

/** What the engine is given by n8n's server. */
function additionalData(
	credentialsHelper: ReturnType<typeof engineCredentials>,
	{ id, nodes, connectionsBySourceNode: connections }: Workflow,
	tables: DataTables,
	executionId: string,
): IWorkflowExecuteAdditionalData {
	const stored = { id, name: 'Test', nodes: Object.values(nodes), connections, active: false };
	const now = new Date();
	const notHere = (): never => {
		throw new Error('An engine test has no n8n server');
	};
	const url = 'http://localhost:5678';

	return {
		credentialsHelper,
		hooks: new ExecutionLifecycleHooks('manual', '1', {
			...stored,
			isArchived: false,
			activeVersionId: null,
			createdAt: now,
			updatedAt: now,
		}),
		externalSecretsProxy: new ExternalSecretsProxy(),
		executeWorkflow: async (info, _, { inputData = [] }) =>
			await tables.host(id).executeWorkflow(info, inputData),
		getRunExecutionData: notHere,
		getRuntimeCredential: notHere,
		startRunnerTask: notHere,
		logAiEvent: notHere,
		currentNodeExecutionIndex: 0,
		executionId,
		variables: {},
		restApiUrl: url,
		instanceBaseUrl: url,
		formBaseUrl: url,
		formWaitingBaseUrl: url,
		formTestBaseUrl: url,
		webhookBaseUrl: url,
		webhookWaitingBaseUrl: url,
		webhookTestBaseUrl: url,
		mcpBaseUrl: url,
		mcpTestBaseUrl: url,
	};
}

function resultOf(run: IRun): ExecutionResult {
	const { runData, error } = run.data.resultData;
	const { data, hints = [] } = runData[NODE]?.at(-1) ?? {};

	return {
		items: data?.main?.[0] ?? [],
		hints: hints.map(({ message }) => message),
		error: error && { message: error.message, description: error.description ?? '' },
		stored: JSON.stringify(run) + inspect(run, { depth: Infinity, showHidden: true }),
	};
}

/** Makes an object of a class of the built package. */
function construct(file: string, name: string): object {
	const exported = loadBuilt(file) as Record<string, new () => object>;
	const Class = exported[name];
	if (Class === undefined) {
		throw new Error(`${file} does not export ${name}: run "npm run build".`);
	}

	return new Class();
}
