import type { IWorkflowBase } from 'n8n-workflow';

import { COLUMNS, equals, where } from '../../../nodes/PartnerPayments/ledger/table/rows';
import {
	creationWorkflow,
	literal,
	stepsWorkflow,
	tablesAndStepsWorkflow,
	tablesWorkflow,
} from '../../../nodes/PartnerPayments/ledger/table/subWorkflow';
import type { Step } from '../../../nodes/PartnerPayments/ledger/table/tableStore';

const TABLE = 'abcdefgh12345678';
const FIND: Step = {
	kind: 'find',
	match: 'any',
	conditions: [equals('key', '=1+1'), where('id', 'gte', 7)],
	order: 'descending',
};

const link = (node: string, index = 0) => ({ node, type: 'main', index });

/** The parameters of a node. */
const parametersOf = ({ nodes }: IWorkflowBase, name: string): unknown =>
	nodes.find((node) => node.name === name)?.parameters;

test.each([
	['steps', stepsWorkflow(TABLE, [FIND])],
	['the list of tables', tablesWorkflow()],
	['a new table', creationWorkflow('Payout Ledger')],
	['both', tablesAndStepsWorkflow(TABLE, [FIND])],
])('n8n keeps nothing of a sub-execution, which any workflow may call: %s', (_, workflow) => {
	expect(workflow).toMatchObject({
		// n8n gives it the ID of its caller, and so the tables of its project.
		id: '',
		active: false,
		isArchived: false,
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveManualExecutions: false,
			saveExecutionProgress: false,
			callerPolicy: 'any',
		},
	});
	expect(workflow.nodes[0]).toMatchObject({
		name: 'Start',
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	});
});

test('steps follow each other, each once, whatever the step before returns', () => {
	const workflow = stepsWorkflow(TABLE, [{ kind: 'insert', rows: [] }, FIND]);

	expect(workflow.connections).toEqual({
		Start: { main: [[link('Step 1')]] },
		'Step 1': { main: [[link('Step 2')]] },
	});
	const [, insert, find] = workflow.nodes;
	// An insert is executed for each of its rows.
	expect(insert).toMatchObject({ type: 'n8n-nodes-base.dataTable', alwaysOutputData: true });
	expect(insert).not.toHaveProperty('executeOnce');
	expect(find).toMatchObject({ alwaysOutputData: true, executeOnce: true, typeVersion: 1.1 });
});

test('the list of tables comes before the rows that are read beside it', () => {
	const workflow = tablesAndStepsWorkflow(TABLE, [FIND, FIND]);

	expect(workflow.connections).toEqual({
		Start: { main: [[link('Tables'), link('Step 1')]] },
		Tables: { main: [[link('Merge', 0)]] },
		'Step 1': { main: [[link('Step 2')]] },
		'Step 2': { main: [[link('Merge', 1)]] },
	});
	expect(workflow.nodes.at(-1)).toMatchObject({
		type: 'n8n-nodes-base.merge',
		parameters: { mode: 'append', numberInputs: 2 },
	});
	expect(parametersOf(workflow, 'Tables')).toEqual({
		resource: 'table',
		operation: 'list',
		returnAll: true,
		options: { sortField: 'createdAt', sortDirection: 'asc' },
	});
	expect(workflow.nodes.map(({ name }) => name)).toEqual([
		'Start',
		'Tables',
		'Step 1',
		'Step 2',
		'Merge',
	]);
});

test('the table gets the columns of the ledger', () => {
	const workflow = creationWorkflow('=Ledger');

	expect(parametersOf(workflow, 'Create')).toEqual({
		resource: 'table',
		operation: 'create',
		tableName: literal('=Ledger'),
		columns: { column: COLUMNS },
		options: {},
	});
});

test.each<[step: Step, parameters: object]>([
	[
		{ kind: 'insert', rows: [] },
		{
			operation: 'insert',
			columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
			options: { optimizeBulk: true },
		},
	],
	[
		{ kind: 'delete', all: [equals('state', 'held')] },
		{
			operation: 'deleteRows',
			matchType: 'allConditions',
			filters: { conditions: [{ keyName: 'state', condition: 'eq', keyValue: 'held' }] },
			options: {},
		},
	],
	[
		FIND,
		{
			operation: 'get',
			matchType: 'anyCondition',
			filters: {
				conditions: [
					{ keyName: 'key', condition: 'eq', keyValue: literal('=1+1') },
					{ keyName: 'id', condition: 'gte', keyValue: 7 },
				],
			},
			returnAll: false,
			limit: 1000,
			orderBy: true,
			orderByColumn: 'id',
			orderByDirection: 'DESC',
		},
	],
])('n8n is asked to do a step in its table: %j', (step, parameters) => {
	const workflow = stepsWorkflow(TABLE, [step]);

	expect(parametersOf(workflow, 'Step 1')).toEqual({
		resource: 'row',
		dataTableId: { __rl: true, mode: 'id', value: TABLE },
		...parameters,
	});
});

test('rows that meet all conditions are found, the oldest first', () => {
	const find: Step = { ...FIND, match: 'all', order: 'ascending' };

	const workflow = stepsWorkflow(TABLE, [find]);

	expect(parametersOf(workflow, 'Step 1')).toMatchObject({
		matchType: 'allConditions',
		orderByDirection: 'ASC',
	});
});

test('an update writes its values alone, to all rows that meet all conditions', () => {
	const column = { required: false, defaultMatch: false, display: true, canBeUsedToMatch: true };

	const workflow = stepsWorkflow(TABLE, [
		{ kind: 'update', all: [equals('id', 7)], values: { reference: '=1+1', amount_cents: 5 } },
	]);

	expect(parametersOf(workflow, 'Step 1')).toMatchObject({
		operation: 'update',
		matchType: 'allConditions',
		filters: { conditions: [{ keyName: 'id', condition: 'eq', keyValue: 7 }] },
		columns: {
			mappingMode: 'defineBelow',
			value: { reference: literal('=1+1'), amount_cents: 5 },
			matchingColumns: [],
			schema: [
				{ ...column, id: 'reference', displayName: 'reference', type: 'string' },
				{ ...column, id: 'amount_cents', displayName: 'amount_cents', type: 'number' },
			],
		},
	});
});

describe('a text as the parameter of a node', () => {
	test('is never taken for an expression #literal-equals', () => {
		expect(literal('INV-1')).toBe('INV-1');
		const written = literal('={{ $json.x }} "q" \\ ü 🙂');
		const [, expression = ''] = /^=\{\{ (".*") \}\}$/.exec(written) ?? [];
		expect(expression).not.toMatch(/[{}$]/);
		expect(JSON.parse(expression)).toBe('={{ $json.x }} "q" \\ ü 🙂');
	});
});
