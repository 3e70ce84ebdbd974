import { executeOperation, funding, payable, startScriptedService } from './support';

const service = startScriptedService();

const STOP = 'Stop here and tell a person. Do not try it in another way.';

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
			const { error } = await executeOperation(service, operation, parameters, { isTool: true });
			expect(error?.message).toBe(
				`As a tool of an agent, this operation needs a Maximum Amount [item 0]. ${STOP}`,
			);
			expect(service.requests).toEqual([]);
		},
	);

	test.each([
		['payout.send', payout({ options: { maxAmount: '19.98' } })],
		['funding.create', funding({ uniqueReference: 'INV-7', options: { maxAmount: '19.98' } })],
	])('%s pays no more than that', async (operation, parameters) => {
		const { error } = await executeOperation(service, operation, parameters, { isTool: true });
		expect(error?.message).toMatch(/^19.99.* is above the Maximum Amount, 19.98 \[item 0\]/);
		expect(error?.message).toContain(STOP);
		expect(service.requests).toEqual([]);
	});

	test('a request in doubt says in its message that nothing may be tried', async () => {
		service.useScript(() => ({ status: 503 }));
		const { error } = await executeOperation(service, 'payable.create', payable(), {
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
			const { error } = await executeOperation(service, operation, parameters, { isTool, items });
			expect(error?.message).toMatch(
				new RegExp(`^${label} reads \\$fromAI, which a model fills in`, 'i'),
			);
			expect(error?.description).toContain('Enter the value itself');
			expect(service.requests).toEqual([]);
		});

		test.each(['={{ $json.most }}', '={{ $parameter.amount }}', '={{ $tool.parameters.most }}'])(
			'written as %s, in a tool, whose input is what the model says',
			async (maxAmount) => {
				const parameters = funding({ options: { maxAmount } });
				const changes = { isTool, items };
				const { error } = await executeOperation(service, 'funding.create', parameters, changes);
				expect(/which a model fills in/.test(error?.message ?? '')).toBe(isTool);
			},
		);
	},
);
