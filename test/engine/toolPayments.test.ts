import type { INodeParameters } from 'n8n-workflow';

import {
	byId,
	executeOperation,
	funding,
	payable,
	startScriptedService,
	WORKSPACE,
} from './support';

const service = startScriptedService();

const LIMITED = { maxAmount: '19.99' };
/** What each operation is given that would be sent if no model had a say in it. */
const PARAMETERS: Record<string, INodeParameters> = {
	'payout.send': { ...payable(), fundingMethod: 'balance', options: LIMITED },
	'funding.create': funding({ options: LIMITED }),
	'payable.create': payable(),
};

/** What a model says: names of its own for everything. */
const items = [
	{
		reference: 'INV-8',
		number: 'INV-9',
		workspace: WORKSPACE,
		method: 'balance',
		fields: '{}',
	},
];

beforeEach(() => {
	service.useScript(() => ({ body: { id: 'x1' } }));
});

const refusal = async (operation: string, changes: INodeParameters, isTool = true) => {
	const parameters = { ...PARAMETERS[operation], uniqueReference: 'INV-7', ...changes };
	const { error } = await executeOperation(service, operation, parameters, { isTool, items });
	return error;
};

describe.each(Object.keys(PARAMETERS))(
	'the unique reference of %s #tool-reference',
	(operation) => {
		test.each([
			["={{ $fromAI('reference') }}", '$fromAI'],
			[
				"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('reference', ``, 'string') }}",
				'$fromAI',
			],
			["=INV {{ $fromai('reference') }}", '$fromai'],
			['={{ $json.number }}', '$json'],
			['={{ $input.item.json.number }}', '$input'],
			['={{ $tool.parameters.reference }}', '$tool'],
		])('is not filled in by a model: %s', async (uniqueReference, found) => {
			const error = await refusal(operation, { uniqueReference });
			expect(error?.message).toMatch(
				`Unique Reference reads ${found}, which a model fills in [item 0]. Stop here`,
			);
			expect(error?.description).toContain("{{ $('Invoice').item.json.number }}");
			expect(service.requests).toEqual([]);
		});

		test.each([
			['={{ $now.toISO() }}', '$now'],
			['=call {{ $runIndex }}', '$runIndex'],
			['={{ $execution.id }}', '$execution'],
			['={{ Date.now() }}', 'Date.now'],
			['={{ new Date() }}', 'Date('],
			['={{ DateTime.now().toMillis() }}', 'DateTime.now'],
			['={{ Math.random() }}', 'random('],
		])('is not another one at each call: %s', async (uniqueReference, found) => {
			const error = await refusal(operation, { uniqueReference });
			expect(error?.message).toContain(
				`Unique Reference reads ${found}, which gives each call of this tool another one`,
			);
			expect(service.requests).toEqual([]);
		});
	},
);

describe.each([
	['payout.send', 'fundingMethod', 'Funding Method'],
	['funding.create', 'method', 'Method'],
])('what holds a payment of %s together #tool-payment-together', (operation, method, label) => {
	test.each([
		['Workspace', { workspaceId: byId("={{ $fromAI('workspace') }}") }],
		['Workspace', { workspaceId: byId('={{ $json.workspace }}') }],
		[label, { [method]: "={{ $fromAI('method') }}" }],
		[label, { [method]: '={{ $json.method }}' }],
		['Additional Fields', { options: { ...LIMITED, additionalFields: '={{ $json.fields }}' } }],
	])('is not left to a model: %s %j', async (field, changes) => {
		const error = await refusal(operation, changes);
		expect(error?.message).toMatch(
			new RegExp(`^${field} reads \\$(?:fromAI|json), which a model fills in`),
		);
		expect(service.requests).toEqual([]);
	});
});

test('a funding needs a unique reference as a tool #tool-funding-needs-reference', async () => {
	const error = await refusal('funding.create', { uniqueReference: '' });
	expect(error?.message).toContain(
		'As a tool of an agent, this operation needs a Unique Reference [item 0]. Stop here',
	);
	expect(service.requests).toEqual([]);
});

test.each(['paid', 'notPaid'])(
	'a model settles nothing as %s #tool-settles-nothing',
	async (outcome) => {
		const error = await refusal('payout.settle', { findBy: 'uniqueReference', outcome });
		expect(error?.message).toContain('This operation is not for the tools of an agent [item 0]');
		expect(service.requests).toEqual([]);
	},
);

test('in a node that is no tool, references, workspaces and methods come from its items', async () => {
	const parameters = {
		...PARAMETERS['funding.create'],
		workspaceId: byId('={{ $json.workspace }}'),
		method: '={{ $json.method }}',
		payableIds: '={{ $json.number }}',
	};
	const { error } = await executeOperation(service, 'funding.create', parameters, { items });
	expect(error).toBeUndefined();
	expect(service.requests.map(({ body }) => body)).toMatchObject([
		{ workspace_id: WORKSPACE, payable_ids: ['INV-9'] },
	]);
});
