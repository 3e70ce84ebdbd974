import type { INodeParameters } from 'n8n-workflow';

import { byId, funding, jsonOf, payable, startScriptedService, WORKSPACE } from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);

const LIMITS = '={{ { maxAmount: "1.00" } }}';
const payout = (changes: INodeParameters): INodeParameters => ({
	...payable({ amount: '777.00' }),
	fundingMethod: 'balance',
	uniqueReference: 'INV-7',
	...changes,
});

const subscription = { workspaceId, url: 'https://hooks.example.com', events: ['payablePaid'] };
const lineItems = '={{ { item: [{ amount: "19.99", description: "Edit" }] } }}';

test.each<[operation: string, label: string, parameters: INodeParameters]>([
	['payout.send', 'Options', payout({ options: LIMITS })],
	['payout.send', 'Options', payout({ options: '={{ {} }}' })],
	['payout.send', 'Options', payout({ options: '={{ $json.options }}' })],
	['payout.send', 'Line Items', payout({ options: { lineItems } })],
	['payout.getMany', 'Filters', { limit: 5, filters: '={{ { status: "unconfirmed" } }}' }],
	['payable.create', 'Options', payable({ options: LIMITS })],
	['payable.create', 'Line Items', payable({ options: { lineItems } })],
	['funding.create', 'Options', funding({ options: LIMITS })],
	['funding.getInvoicePdf', 'Options', { fundingId: 'f1', options: '={{ {} }}' }],
	['partner.invite', 'Options', { workspaceId, payeeEmail: 'a@b.example', options: '={{ {} }}' }],
	['deposit.simulate', 'Options', { workspaceId, amount: '1.00', options: '={{ {} }}' }],
	['webhookSubscription.create', 'Options', { ...subscription, options: '={{ {} }}' }],
])('%s sends nothing when "%s" is one expression: %j', async (operation, label, parameters) => {
	const { error, items } = await service.execute(operation, parameters);

	expect(error?.message).toBe(`"${label}" is one expression for all of its fields [item 0]`);
	expect(error?.description).toContain(`under "${label}"`);
	expect([items, service.requests, service.tokensIssued]).toEqual([[], [], 0]);
});

test('an expression for one option is evaluated', async () => {
	const options = { maxAmount: '={{ $json.limit }}' };
	const changes = { items: [{ limit: '1.00' }] };

	const { error } = await service.execute('payout.send', payout({ options }), changes);

	expect(error?.message).toContain('is above "Limit: Maximum Amount", $1.00');
	expect(service.requests).toEqual([]);
});

test('a list of line items may come from one expression, inside of the collection', async () => {
	const item = '={{ [{ amount: "19.99", description: "Edit" }] }}';
	service.useScript(() => ({ body: { id: 'p1' } }));

	const { error, items } = await service.execute(
		'payable.create',
		payable({ options: { lineItems: { item } } }),
	);

	expect(error).toBeUndefined();
	expect(jsonOf(items)).toEqual([{ id: 'p1' }]);
	expect(service.requests[0]?.body).toMatchObject({
		line_items: [{ amount: 1999, description: 'Edit' }],
	});
});

test.each<[operation: string, parameters: INodeParameters]>([
	['funding.create', funding({ method: 'balance', options: { poNumber: 'PO-1' } })],
	['payout.send', payout({ amount: '1.00', options: { poNumber: 'PO-1', checkBalance: false } })],
])(
	'%s by balance sends no PO number that is left from an invoice',
	async (operation, parameters) => {
		service.useScript(() => ({ body: { id: 'x1' } }));

		const { error } = await service.execute(operation, parameters);

		const fundings = service.requests.filter(({ url }) => url === '/v1/funding');

		expect(error).toBeUndefined();
		expect(fundings).toHaveLength(1);
		expect(fundings[0]?.body).not.toHaveProperty('po_number');
	},
);
