import { randomUUID } from 'crypto';
import type {
	IConnections,
	INode,
	INodeParameters,
	IWorkflowBase,
	IWorkflowSettings,
} from 'n8n-workflow';

import { COLUMNS, haveIds, type Condition, type RowValues } from './rows';
import type { Step } from './tableStore';

/*
 * Inline workflows of n8n's own nodes. n8n runs them inside the process and in the project of the workflow
 * that calls them, so their Data Table nodes reach the project's tables without a key.
 */

/** The most rows that n8n reads at once. */
export const PAGE = 1000;

/** Nothing of a sub-execution is kept: the executions list shows people their own executions alone. */
const SETTINGS: IWorkflowSettings = {
	executionOrder: 'v1',
	saveDataSuccessExecution: 'none',
	saveDataErrorExecution: 'none',
	saveManualExecutions: false,
	saveExecutionProgress: false,
	callerPolicy: 'any',
};

const START = 'Start';
const TABLES = 'Tables';
const MERGE = 'Merge';

/** Does steps one after the other. An `insert` takes its rows from the input items. */
export function stepsWorkflow(tableId: string, steps: Step[]): IWorkflowBase {
	const nodes = [startNode(), ...stepNodes(tableId, steps)];
	return workflowOf(nodes, chainOf(nodes));
}

/** Lists the tables of the project. */
export function tablesWorkflow(): IWorkflowBase {
	const nodes = [startNode(), tablesNode()];
	return workflowOf(nodes, chainOf(nodes));
}

/** Makes the ledger's table. */
export function creationWorkflow(name: string): IWorkflowBase {
	const create = dataTableNode('Create', {
		resource: 'table',
		operation: 'create',
		tableName: literal(name),
		columns: { column: COLUMNS.map((column): INodeParameters => ({ ...column })) },
		options: {},
	});
	const nodes = [startNode(), create];
	return workflowOf(nodes, chainOf(nodes));
}

/** Lists the tables beside steps: first the items of the tables, then those of the steps. */
export function tablesAndStepsWorkflow(tableId: string, steps: Step[]): IWorkflowBase {
	const start = startNode();
	const tables = tablesNode();
	const branch = stepNodes(tableId, steps);
	const merge = nodeOf(MERGE, 'n8n-nodes-base.merge', 3, { mode: 'append', numberInputs: 2 });
	const first = branch[0]?.name ?? MERGE;
	const last = branch.at(-1)?.name ?? START;
	const connections: IConnections = {
		...chainOf(branch),
		[START]: { main: [[linkTo(TABLES), linkTo(first)]] },
		[TABLES]: { main: [[linkTo(MERGE, 0)]] },
		[last]: { main: [[linkTo(MERGE, 1)]] },
	};
	return workflowOf([start, tables, ...branch, merge], connections);
}

/** A workflow without an ID, to which n8n gives that of its caller. */
function workflowOf(nodes: INode[], connections: IConnections): IWorkflowBase {
	const now = new Date();
	return {
		id: '',
		name: 'Payout ledger',
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: now,
		updatedAt: now,
		nodes,
		connections,
		settings: SETTINGS,
	};
}

function chainOf(nodes: INode[]): IConnections {
	const connections: IConnections = {};
	for (const [index, node] of nodes.entries()) {
		const next = nodes[index + 1];
		if (next !== undefined) {
			connections[node.name] = { main: [[linkTo(next.name)]] };
		}
	}
	return connections;
}

const linkTo = (node: string, index = 0) => ({ node, type: 'main' as const, index });

const startNode = (): INode =>
	nodeOf(START, 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' });

const tablesNode = (): INode =>
	dataTableNode(TABLES, {
		resource: 'table',
		operation: 'list',
		returnAll: true,
		// n8n lists tables in pages, so their order must not change when rows are written.
		options: { sortField: 'createdAt', sortDirection: 'asc' },
	});

const stepNodes = (tableId: string, steps: Step[]): INode[] =>
	steps.map((step, index) => {
		const table = { __rl: true, mode: 'id', value: tableId };
		return dataTableNode(`Step ${index + 1}`, {
			resource: 'row',
			dataTableId: table,
			...parametersOf(step),
		});
	});

function parametersOf(step: Step): INodeParameters {
	switch (step.kind) {
		case 'insert':
			return {
				operation: 'insert',
				columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
				options: { optimizeBulk: true },
			};
		case 'update':
			return {
				operation: 'update',
				matchType: 'allConditions',
				filters: { conditions: conditionsOf(step.all) },
				columns: columnsOf(step.values),
				options: {},
			};
		case 'updateByIds':
			return {
				operation: 'update',
				matchType: 'anyCondition',
				filters: { conditions: conditionsOf(haveIds(step.ids)) },
				columns: columnsOf(step.values),
				options: {},
			};
		case 'delete':
			return {
				operation: 'deleteRows',
				matchType: 'allConditions',
				filters: { conditions: conditionsOf(step.all) },
				options: {},
			};
		case 'find':
			return {
				operation: 'get',
				matchType: step.match === 'all' ? 'allConditions' : 'anyCondition',
				filters: { conditions: conditionsOf(step.conditions) },
				returnAll: false,
				limit: PAGE,
				orderBy: true,
				orderByColumn: 'id',
				orderByDirection: step.order === 'ascending' ? 'ASC' : 'DESC',
			};
	}
}

const conditionsOf = (conditions: Condition[]): INodeParameters[] =>
	conditions.map(({ columnName, condition, value }) => ({
		keyName: columnName,
		condition,
		keyValue: typeof value === 'string' ? literal(value) : value,
	}));

/** What an update writes. n8n wants to be told of each column. */
function columnsOf(values: Partial<RowValues>): INodeParameters {
	const entries = Object.entries(values);
	const value: INodeParameters = {};
	for (const [name, written] of entries) {
		value[name] = typeof written === 'string' ? literal(written) : written;
	}
	const schema = entries.map(([name, written]): INodeParameters => ({
		id: name,
		displayName: name,
		type: typeof written === 'number' ? 'number' : 'string',
		required: false,
		defaultMatch: false,
		display: true,
		canBeUsedToMatch: true,
	}));
	return { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
}

/**
 * A text as the parameter of a node. n8n takes one that begins with "=" for an expression: then the text
 * is written as one that yields it, without any braces of its own.
 */
export function literal(text: string): string {
	if (!text.startsWith('=')) {
		return text;
	}
	const escaped = JSON.stringify(text).replace(
		/[^\w "\\]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	return `={{ ${escaped} }}`;
}

/** Each step runs once, whatever the step before it returns. */
function dataTableNode(name: string, parameters: INodeParameters): INode {
	const node = nodeOf(name, 'n8n-nodes-base.dataTable', 1.1, parameters);
	node.alwaysOutputData = true;
	if (parameters.operation !== 'insert') {
		node.executeOnce = true;
	}
	return node;
}

const nodeOf = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
): INode => ({ id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters });
