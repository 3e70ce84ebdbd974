import type { INodeParameters } from 'n8n-workflow';

import { byId, funding, payable, startScriptedService, WORKSPACE } from './support';

const service = startScriptedService();

const STOP = 'Stop here and tell a person';

const payout = (changes = {}) => ({
	...payable(),
	fundingMethod: 'balance',
	uniqueReference: 'INV-7',
	...changes,
});

beforeEach(() => {
	service.useScript(() => ({ body: { id: 'x1' } }));
});

describe('as the tool of an agent', () => {
	test.each([
		['payout.send', payout()],
		['funding.create', funding()],
	])(
		'%s needs a maximum amount that a person has set #tool-needs-max-amount',
		async (operation, parameters) => {
			const { error } = await service.execute(operation, parameters, { isTool: true });
			expect(error?.message).toContain(`needs a Maximum Amount [item 0]. ${STOP}`);
			expect(service.requests).toEqual([]);
		},
	);

	test.each([
		['payout.send', payout({ options: { maxAmount: '19.98' } })],
		['funding.create', funding({ uniqueReference: 'INV-7', options: { maxAmount: '19.98' } })],
	])('%s pays no more than that', async (operation, parameters) => {
		const { error } = await service.execute(operation, parameters, { isTool: true });
		expect(error?.message).toMatch(/^19.99.* is above the Maximum Amount, 19.98 \[item 0\]/);
		expect(error?.message).toContain(STOP);
		expect(service.requests).toEqual([]);
	});

	test('a request in doubt says in its message that nothing may be tried', async () => {
		service.useScript(() => ({ status: 503 }));
		const { error } = await service.execute('payable.create', payable(), {
			isTool: true,
		});
		expect(error?.message).toContain('In doubt');
		expect(error?.message).toContain(STOP);
	});
});

describe.each([true, false])(
	'nothing is sent for a limit that a model would fill in: as a tool %s #tool-limits-by-a-person',
	(isTool) => {
		/** What the model says; it would allow everything. */
		const items = [{ most: '1000000', payees: 'ana@example.com', when: 'fundAgain' }];
		const AI = '/*n8n-auto-generated-fromAI-override*/ $fromAI';

		test.each([
			['payout.send', 'maxAmount', `={{ ${AI}('most', \`\`, 'string') }}`, 'Maximum Amount'],
			['payout.send', 'maxTotal', "={{ $fromAI('most') }}", 'Maximum Total'],
			['payout.send', 'maxPerDay', "={{ Math.max(1, $fromAi ( 'most' )) }}", 'Maximum per Day'],
			[
				'payout.send',
				'allowedPayees',
				"=eve@example.com, {{ $fromai('payees') }}",
				'Allowed Payees',
			],
			['payout.send', 'whenInDoubt', "={{ $fromAI('when') }}", 'When in Doubt'],
			['funding.create', 'maxAmount', "={{ $fromAI('most') }}", 'Maximum Amount'],
		])('of %s, %s', async (operation, option, value, label) => {
			const options = { maxAmount: '19.99', [option]: value };
			const parameters =
				operation === 'payout.send'
					? payout({ options, rememberIn: 'dataTable' })
					: funding({ options });
			const { error } = await service.execute(operation, parameters, { isTool, items });
			expect(error?.message.toLowerCase()).toContain(`${label} reads $fromAI`.toLowerCase());
			expect(service.requests).toEqual([]);
		});

		test.each(['={{ $json.most }}', '={{ $parameter.amount }}', '={{ $tool.parameters.most }}'])(
			'written as %s, in a tool, whose input is what the model says',
			async (maxAmount) => {
				const parameters = funding({ options: { maxAmount } });
				const changes = { isTool, items };
				const { error } = await service.execute('funding.create', parameters, changes);
				expect(/which a model fills in/.test(error?.message ?? '')).toBe(isTool);
			},
		);
	},
);

const LIMITED = { maxAmount: '19.99' };
/** What each operation is given that would be sent if no model had a say in it. */
const PARAMETERS: Record<string, INodeParameters> = {
	'payout.send': { ...payable(), fundingMethod: 'balance', options: LIMITED },
	'funding.create': funding({ options: LIMITED }),
	'payable.create': payable(),
};

/** What a model says: names of its own for everything. */
const items = [
	{ reference: 'INV-8', number: 'INV-9', workspace: WORKSPACE, method: 'balance', fields: '{}' },
];

const refusal = async (operation: string, changes: INodeParameters, isTool = true) => {
	const parameters = { ...PARAMETERS[operation], uniqueReference: 'INV-7', ...changes };
	const { error } = await service.execute(operation, parameters, { isTool, items });
	return error;
};

describe.each(Object.keys(PARAMETERS))(
	'the unique reference of %s #tool-reference',
	(operation) => {
		test.each([
			["={{ $fromAI('reference') }}", '$fromAI'],
			["={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('reference') }}", '$fromAI'],
			["=INV {{ $fromai('reference') }}", '$fromai'],
			['={{ $json.number }}', '$json'],
			['={{ $input.item.json.number }}', '$input'],
			['={{ $tool.parameters.reference }}', '$tool'],
			['={{ $now.toISO() }}', '$now'],
			['=call {{ $runIndex }}', '$runIndex'],
			['={{ $execution.id }}', '$execution'],
			['={{ Date.now() }}', 'Date.now'],
			['={{ new Date() }}', 'Date('],
			['={{ DateTime.now().toMillis() }}', 'DateTime.now'],
			['={{ Math.random() }}', 'random('],
		])(
			'is not filled in by a model, nor another one at each call: %s',
			async (uniqueReference, found) => {
				const error = await refusal(operation, { uniqueReference });
				expect(error?.message).toContain(`Unique Reference reads ${found}`);
				expect(error?.message).toContain(`[item 0]. ${STOP}`);
				expect(error?.description).toContain("{{ $('Invoice').item.json.number }}");
				expect(service.requests).toEqual([]);
			},
		);
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
		expect(error?.message).toContain(`${field} reads $`);
		expect(service.requests).toEqual([]);
	});
});

test('a funding needs a unique reference as a tool #tool-funding-needs-reference', async () => {
	const error = await refusal('funding.create', { uniqueReference: '' });
	expect(error?.message).toContain(`needs a Unique Reference [item 0]. ${STOP}`);
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
	const { error } = await service.execute('funding.create', parameters, { items });
	expect(error).toBeUndefined();
	expect(service.requests.map(({ body }) => body)).toMatchObject([
		{ workspace_id: WORKSPACE, payable_ids: ['INV-9'] },
	]);
});
