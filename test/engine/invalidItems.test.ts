import type { INodeParameters } from 'n8n-workflow';

import {
	AMOUNT_OF_ITEM,
	byId,
	executeOperation,
	funding,
	ONE_WRONG_AMOUNT,
	payable,
	payableNamedByAmount,
	startScriptedService,
	WORKSPACE,
} from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);
const subscription = { url: 'https://hooks.example.com', events: ['payablePaid'] };
/** An empty value that n8n itself cannot see before the node runs. */
const EMPTY = '={{ "" }}';

describe('an invalid item', () => {
	const lines = (...amounts: string[]) => ({
		options: { lineItems: { item: amounts.map((amount) => ({ amount, description: '' })) } },
	});

	test.each<[what: string, operation: string, parameters: INodeParameters, message: string]>([
		['1.005', 'payable.create', payable({ amount: '1.005' }), 'has 3 decimals'],
		['0.1 + 0.2', 'payable.create', payable({ amount: '={{ 0.1 + 0.2 }}' }), 'has 17 decimals'],
		[
			'9007199254740993',
			'payable.create',
			payable({ amount: '9007199254740993', amountUnit: 'minor' }),
			'too large',
		],
		['a zero amount', 'payable.create', payable({ amount: 0 }), 'is zero'],
		['a negative amount', 'funding.create', funding({ amount: -1 }), 'is negative'],
		['no amount', 'deposit.simulate', { workspaceId, amount: EMPTY }, 'The amount is empty'],
		[
			'line items that do not add up',
			'payable.create',
			payable(lines('10', '9')),
			'add up to 19.00',
		],
		['a line item of zero', 'payable.create', payable(lines('19.99', '0')), 'line item 2 is zero'],
		['no address', 'payable.create', payable({ payeeEmail: EMPTY }), 'Payee Email is empty'],
		['a wrong address', 'payable.create', payable({ payeeEmail: 'ana' }), 'not an e-mail address'],
		[
			'a wrong date',
			'payable.create',
			payable({ options: { dueDate: 'soon' } }),
			'Due Date "soon" is not a date',
		],
		['no workspace', 'wallet.get', { workspaceId: byId(EMPTY) }, 'Workspace is empty'],
		[
			'a wrong workspace',
			'wallet.get',
			{ workspaceId: byId('={{ "../x" }}') },
			'is not a workspace ID',
		],
		['no payables', 'funding.create', funding({ payableIds: ' , ' }), 'Payable IDs is empty'],
		['a payable twice', 'funding.create', funding({ payableIds: 'a,b,a' }), 'names "a" twice'],
		[
			'an additional field that the node sends itself',
			'payable.create',
			payable({ options: { additionalFields: '{"amount":1}' } }),
			'Additional Fields replaces "amount"',
		],
		[
			'broken JSON',
			'payable.create',
			payable({ options: { additionalFields: '{"a":' } }),
			'is not a JSON object',
		],
		[
			'a subscription address that is none',
			'webhookSubscription.create',
			{ workspaceId, url: 'hooks', events: ['payablePaid'] },
			'is not a web address',
		],
		[
			'a subscription to nothing',
			'webhookSubscription.create',
			{ workspaceId, url: 'https://hooks.example.com', events: '={{ [] }}' },
			'Events needs at least one of',
		],
		[
			'a list for an amount',
			'payable.create',
			payable({ amount: '={{ [19.99] }}' }),
			'The amount is a list, not a number',
		],
		[
			'a truth for the amount of a line item',
			'payable.create',
			payable(lines('={{ true }}')),
			'The amount of line item 1 is true, not a number',
		],
		[
			'an object for a limit',
			'funding.create',
			funding({ options: { maxAmount: '={{ {} }}' } }),
			'Maximum Amount is an object, not a number',
		],
		[
			'a list for a date',
			'payable.create',
			payable({ options: { dueDate: '={{ ["2026-03-01"] }}' } }),
			'Due Date holds a list, which is not a date',
		],
		[
			'an object for a reference',
			'payable.create',
			payable({ uniqueReference: '={{ { number: 7 } }}' }),
			'Unique Reference is an object, not a text',
		],
		[
			'an ID that JavaScript has rounded',
			'payable.approve',
			{ payableId: '={{ 9007199254740993 }}' },
			'Payable ID is a number that is not exact',
		],
		[
			'a payable that is an object',
			'funding.create',
			funding({ payableIds: '={{ ["p1", { id: "p2" }] }}' }),
			'An entry of Payable IDs is an object, not a text',
		],
		['no funding', 'funding.getInvoicePdf', { fundingId: ' ' }, 'Funding ID is empty'],
		['a limit of zero', 'deposit.getAll', { workspaceId, limit: 0 }, 'Limit is not a whole'],
	])('%s is refused before any request', async (_, operation, parameters, message) => {
		service.useScript(() => ({ body: {} }));
		const { error, items } = await executeOperation(service, operation, parameters);
		expect(error?.message).toContain(message);
		expect(error?.message).toMatch(/ \[item 0\]$/);
		expect(error?.description).toContain('This run sent nothing for it.');
		expect([items, service.requests, service.tokensIssued]).toEqual([[], [], 0]);
	});

	test.each([
		['payable.create', 'payee_service_id', payable()],
		['payable.create', 'payeeServiceId', payable()],
		['payable.create', 'partner_id', payable()],
		['payable.create', 'line_items', payable()],
		['payable.create', 'due_date', payable()],
		['payable.create', 'description', payable()],
		['payout.send', 'Payee-Service-ID', { ...payable(), uniqueReference: 'INV-7' }],
		['funding.create', 'po_number', funding()],
		['funding.create', 'payableIds', funding()],
		['funding.create', 'amount', funding({ combineItems: true })],
		['deposit.simulate', 'amountDenomination', { workspaceId, amount: '1' }],
		['webhookSubscription.create', 'URL', { ...subscription, workspaceId }],
	])('%s takes no additional field that the node has: %s', async (operation, name, parameters) => {
		service.useScript(() => ({ body: {} }));
		const options = { additionalFields: JSON.stringify({ [name]: 'x' }) };
		const { error } = await executeOperation(service, operation, { ...parameters, options });
		expect(error?.message).toBe(`Additional Fields replaces "${name}" [item 0]`);
		expect(service.requests).toEqual([]);
	});

	test.each(['.', '..'])('with the ID %p reaches no other endpoint', async (payableId) => {
		service.useScript(() => ({ body: {} }));
		const { error } = await executeOperation(service, 'payable.approve', { payableId });
		expect(error?.message).toContain('is not an ID');
		expect(service.requests).toEqual([]);
	});

	test('among valid ones ends the execution before any request', async () => {
		service.useScript(() => ({ body: {} }));
		const { error } = await executeOperation(service, 'payable.create', AMOUNT_OF_ITEM, {
			items: ONE_WRONG_AMOUNT,
		});
		expect(error?.message).toMatch(/1\.005.*\[item 1\]$/);
		expect(service.requests).toEqual([]);
	});

	test('keeps its position in the output when the node continues', async () => {
		service.useScript(payableNamedByAmount);
		const { error, items } = await executeOperation(service, 'payable.create', AMOUNT_OF_ITEM, {
			items: ONE_WRONG_AMOUNT,
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect([items[0]?.json, items[2]?.json]).toEqual([{ id: 'p100' }, { id: 'p300' }]);
		expect(items[1]?.json).toEqual({
			error: 'The amount "1.005" has 3 decimals, but the unit has only 2 [item 1]',
			details: { hint: expect.stringContaining('.toFixed(2)'), in_doubt: false },
		});
		expect(service.requests).toHaveLength(2);
	});

	test('goes to the error output with its input, when there is one', async () => {
		service.useScript(payableNamedByAmount);
		const { error, items, failedItems } = await executeOperation(
			service,
			'payable.create',
			AMOUNT_OF_ITEM,
			{
				items: ONE_WRONG_AMOUNT,
				onError: 'continueErrorOutput',
			},
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([{ id: 'p100' }, { id: 'p300' }]);
		expect(failedItems.map(({ json }) => json)).toEqual([
			{
				amount: '1.005',
				error: expect.stringContaining('[item 1]'),
				message: { hint: expect.stringContaining('.toFixed(2)'), in_doubt: false },
			},
		]);
	});
});
