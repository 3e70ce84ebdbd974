import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import { byEmail, byId, funding, payable, startScriptedService, WORKSPACE } from './support';

const service = startScriptedService();

const STOP = 'Stop here and call a person';
/** How an error begins about what a person has to set. */
const BY_MODEL = 'A model must not fill in';

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
		['payout.send', payout({ options: {} })],
		['payable.create', payable()],
	])(
		'%s needs a maximum amount that a person has set #tool-needs-max-amount',
		async (name, set) => {
			const { error } = await service.execute(name, set, { isTool: true });

			expect(error?.message).toContain(`needs "Limit: Maximum Amount" [item 0]. ${STOP}`);
			expect(service.requests).toEqual([]);
		},
	);

	test.each([
		['funding.create', funding({ options: { maxAmount: '19.99' } })],
		['funding.linkDeposit', { fundingId: 'f1', depositId: 'd1' }],
		['payable.approve', { payableId: 'p1' }],
		['payout.resolve', { workspaceId: byId(WORKSPACE), uniqueReference: 'INV-7', outcome: 'paid' }],
		['ledger.create', {}],
		[
			'webhookSubscription.create',
			{ workspaceId: byId(WORKSPACE), url: 'https://eve.example', events: ['payablePaid'] },
		],
	])('%s is refused #tool-refused-operations', async (operation, parameters) => {
		const { error } = await service.execute(operation, parameters, { isTool: true });

		expect(error?.message).toContain('This operation is not for agents [item 0]');
		expect(error?.message).toContain(STOP);
		expect(service.requests).toEqual([]);
	});

	test('an unconfirmed request says in its message that nothing may be tried', async () => {
		service.useScript(() => ({ status: 503 }));
		const limited = payable({ options: { maxAmount: '19.99' } });

		const { error } = await service.execute('payable.create', limited, { isTool: true });

		expect(error?.message).toContain('Unconfirmed');
		expect(error?.message).toContain(STOP);
	});
});

describe('limits are set by a person #tool-limits-by-a-person', () => {
	describe.each([true, false])(
		'nothing is sent for a limit that a model would fill in: as a tool %s',
		(isTool) => {
			/** What the model says; it would allow everything. */
			const items = [{ most: '1000000', payees: 'ana@example.com' }];
			const AI = '/*n8n-auto-generated-fromAI-override*/ $fromAI';

			test.each([
				['maxAmount', `={{ ${AI}('most', \`\`, 'string') }}`, 'Limit: Maximum Amount'],
				['maxTotal', "={{ $fromAI('most') }}", 'Limit: Maximum Total'],
				['maxPerDay', "={{ Math.max(1, $fromAi ( 'most' )) }}", 'Limit: Maximum per Day'],
				['allowedPayees', "=eve@example.com, {{ $fromai('payees') }}", 'Limit: Allowed Payees'],
			])('of %s', async (option, value, label) => {
				const options = { maxAmount: '19.99', [option]: value };
				const changes = { isTool, items };

				const { error } = await service.execute('payout.send', payout({ options }), changes);

				expect(error?.message).toContain(`${BY_MODEL} "${label}"`);
				expect(service.requests).toEqual([]);
			});
		},
	);

	describe('a limit that is read from the input', () => {
		const items = [{ most: '1000000' }];
		const ofInput = ['={{ $json.most }}', '={{ \\u0024json.most }}', '={{ $parameter.amount }}'];
		const ofNothing = ['={{ $node["Pay"].parameter.amount }}', '={{ $tool.parameters.most }}'];

		test.each([...ofInput, ...ofNothing])(
			'is what a model says in a tool, and is refused: %s',
			async (maxAmount) => {
				const parameters = payout({ options: { maxAmount } });
				const changes = { isTool: true, items };

				const { error } = await service.execute('payout.send', parameters, changes);

				expect(error?.message).toContain(`${BY_MODEL} "Limit: Maximum Amount"`);
				expect(service.requests).toEqual([]);
			},
		);

		test.each(ofInput)('is what the workflow says in a node, which pays: %s', async (maxAmount) => {
			const parameters = payout({ options: { maxAmount } });

			const { error } = await service.execute('payout.send', parameters, { items });

			expect(error).toBeUndefined();
			expect(service.requests).not.toEqual([]);
		});

		test.each(ofNothing)('is nothing in a node, which pays nothing: %s', async (maxAmount) => {
			const parameters = payout({ options: { maxAmount } });

			const { error } = await service.execute('payout.send', parameters, { items });

			expect(error).toBeDefined();
			expect(error?.message).not.toContain(BY_MODEL);
			expect(service.requests).toEqual([]);
		});
	});
});

test.each(['holdAbove', 'holdNewPayees', 'holdUnusualAmounts', 'holdDuplicatesDays', 'preview'])(
	'a model does not turn %s off #tool-keeps-holds',
	async (option) => {
		const options = { maxAmount: '19.99', [option]: "={{ $fromAI('value') }}" };
		const changes = { isTool: true, items: [{ value: false }] };

		const { error, items: shown } = await service.execute(
			'payout.send',
			payout({ options }),
			changes,
		);

		expect(error?.message ?? shown[0]?.json.reason).toEqual(expect.stringContaining(BY_MODEL));
		expect(service.requests).toEqual([]);
	},
);

const LIMITED = { maxAmount: '19.99' };

/** What a model says: names of its own for everything. */
const items = [
	{ reference: 'INV-8', number: 'INV-9', workspace: WORKSPACE, method: 'balance', fields: '{}' },
];

const refusal = async (changes: INodeParameters) => {
	const parameters = payout({ options: LIMITED, ...changes });
	const { error } = await service.execute('payout.send', parameters, { isTool: true, items });

	return error;
};

test.each([
	"={{ $fromAI('reference') }}",
	"={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('reference') }}",
	"=INV {{ $fromai('reference') }}",
	'={{ $json.number }}',
	'={{ $input.item.json.number }}',
	'={{ $tool.parameters.reference }}',
])('the unique reference is not filled in by a model: %s #tool-reference', async (written) => {
	const error = await refusal({ uniqueReference: written });

	expect(error?.message).toContain(`${BY_MODEL} "Unique Reference"`);
	expect(error?.message).toContain(`[item 0]. ${STOP}`);
	expect(error?.description).toContain("{{ $('Invoice').item.json.number }}");
	expect(service.requests).toEqual([]);
});

test.each([
	'={{ $now.toISO() }}',
	'=call {{ $runIndex }}',
	"={{ $('Invoice').item.json.number }}{{ $('Invoice').runIndex }}",
	"={{ $('Invoice').item.json.number + +new Date }}",
	"={{ $('Invoice').item.json[$rawParameter.x] }}",
	"={{ $('Invoice').item.json['a' + Math.random()] }}",
	"={{ $('Invoice').context.count }}",
	"={{ $('Invoice').all().length }}",
	"={{ $('Invoice').item.json.number.concat($execution.id) }}",
	'={{ Date.now() }}',
])('nor is it another one at each call of a tool: %s #tool-reference-fixed', async (written) => {
	const error = await refusal({ uniqueReference: written });

	expect(error?.message).toContain(`${BY_MODEL} "Unique Reference"`);
	expect(service.requests).toEqual([]);
});

test.each([
	['Workspace', { workspaceId: byId("={{ $fromAI('workspace') }}") }],
	['Workspace', { workspaceId: byId('={{ $json.workspace }}') }],
	['Funding Method', { fundingMethod: "={{ $fromAI('method') }}" }],
	['Funding Method', { fundingMethod: '={{ $json.method }}' }],
	['Additional Fields', { options: { ...LIMITED, additionalFields: '={{ $json.fields }}' } }],
	['Amount Unit', { options: { ...LIMITED, amountUnit: "={{ $fromAI('unit') }}" } }],
	['Amount Unit', { options: { ...LIMITED, amountUnit: '={{ $json.unit }}' } }],
])(
	'what holds a payment together is not left to a model: %s %j #tool-payment-together',
	async (field, changes) => {
		const error = await refusal(changes);

		expect(error?.message).toContain(`${BY_MODEL} "${field}"`);
		expect(service.requests).toEqual([]);
	},
);

test('in a node that is no tool, references, workspaces and methods come from its items', async () => {
	const parameters = payout({
		workspaceId: byId('={{ $json.workspace }}'),
		fundingMethod: '={{ $json.method }}',
		uniqueReference: '={{ $json.number }}',
	});

	const { error } = await service.execute('payout.send', parameters, { items });

	expect(error).toBeUndefined();
	expect(service.requests.at(-1)?.body).toMatchObject({
		workspace_id: WORKSPACE,
		description: '[INV-9]',
	});
});

const VENDOR = '={{ { __rl: true, mode: "serviceId", value: "ven_1" } }}';
const NO_ADDRESS = '"Payee" is not an email address: "ven_1"';

test.each<[payee: NodeParameterValueType, reason: string]>([
	[VENDOR, NO_ADDRESS],
	[{ ...byEmail('ven_1'), mode: '={{ "serviceId" }}' }, NO_ADDRESS],
	[byEmail(VENDOR), '"Payee" is an object, not a text'],
])(
	'a model names a payee in no mode that the node is not set to: %j #tool-payee-mode',
	async (payee, reason) => {
		const error = await refusal({ payee });

		expect(error?.message).toContain(reason);
		expect(service.requests).toEqual([]);
	},
);

test.each<[field: string, changes: INodeParameters]>([
	['Workspace', { workspaceId: byId('={{ $json.workspace }}') }],
	['Additional Fields', { options: { ...LIMITED, additionalFields: '={{ $json.fields }}' } }],
	['Amount Unit', { options: { ...LIMITED, amountUnit: '={{ $json.unit }}' } }],
])('a model does not fill in "%s" of a payable', async (field, changes) => {
	const parameters = payable({ options: LIMITED, ...changes });

	const { error } = await service.execute('payable.create', parameters, { isTool: true, items });

	expect(error?.message).toContain(`${BY_MODEL} "${field}"`);
	expect(service.requests).toEqual([]);
});
