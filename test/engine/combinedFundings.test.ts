import type { IDataObject } from 'n8n-workflow';

import { executeOperation, funding, FUNDING_BODY, sent, startScriptedService } from './support';

const service = startScriptedService();

describe('combined items make one funding', () => {
	const combined = funding({ combineItems: true, payableIds: '={{ $json.id }}', amount: '' });
	const payables = [
		{ id: 'p1', amount: 100, amount_denomination: 'us_cents' },
		{ id: 'p2', amount: 250, amount_denomination: 'us_cents' },
	];
	const body = { ...FUNDING_BODY, amount: 350, payable_ids: ['p1', 'p2'] };

	beforeEach(() => {
		service.useScript(() => ({ body: { funding: { id: 'f1' } } }));
	});

	test.each([
		['the sum', combined],
		[
			'the sum, where an expression says so in a text',
			{ ...combined, combineItems: '={{ "TRUE" }}' },
		],
		['a total that agrees', { ...combined, amount: '3.50', amountUnit: 'major' }],
	])('of %s', async (_, parameters) => {
		const { items } = await executeOperation(service, 'funding.create', parameters, {
			items: payables,
		});
		expect(sent(service.requests)).toEqual([['POST', '/v1/funding', body]]);
		expect(items).toEqual([{ json: { id: 'f1' }, pairedItem: [{ item: 0 }, { item: 1 }] }]);
	});

	test('of a typed total, when the items name no amount', async () => {
		await executeOperation(
			service,
			'funding.create',
			{ ...combined, amount: '350' },
			{
				items: [{ id: 'p1' }, { id: 'p2' }],
			},
		);
		expect(sent(service.requests)).toEqual([['POST', '/v1/funding', body]]);
	});

	test('for each method and description', async () => {
		const parameters = { ...combined, fundingDescription: '={{ $json.month }}' };
		const { items } = await executeOperation(service, 'funding.create', parameters, {
			items: [
				{ ...payables[0], month: 'May' },
				{ ...payables[1], month: 'June' },
				{ id: 'p3', amount: 1, month: 'May' },
			],
		});
		// They are sent at the same time, so that either may arrive first.
		const bodies = service.requests.map((request) => request.body);
		expect(bodies).toHaveLength(2);
		expect(bodies).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ amount: 101, payable_ids: ['p1', 'p3'], description: 'May' }),
				expect.objectContaining({ amount: 250, payable_ids: ['p2'], description: 'June' }),
			]),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 2 }],
			{ item: 1 },
		]);
	});

	test.each([
		['a typed total that disagrees', { amount: '351' }, payables, 'here 3.50, but the items say'],
		[
			'totals that disagree with each other',
			{ amount: '={{ $json.total }}' },
			[
				{ id: 'p1', total: 5 },
				{ id: 'p2', total: 6 },
			],
			'but the items say otherwise',
		],
		['no amount at all', {}, [{ id: 'p1' }], 'Amount is empty, and the input item has no amount'],
		[
			'an amount in another unit',
			{},
			[{ id: 'p1', amount: 5, amount_denomination: 'us_dollars' }],
			'has no amount in minor units',
		],
		['a payable twice', {}, [payables[0], payables[0]], '"p1" is in item 0 already'],
	])('is refused: %s', async (_, changes, items, message) => {
		const outcome = await executeOperation(
			service,
			'funding.create',
			{ ...combined, ...changes },
			{ items: items as IDataObject[] },
		);
		expect(outcome.error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});

	test('a payable in two items is refused without combining as well', async () => {
		const outcome = await executeOperation(
			service,
			'funding.create',
			{ ...combined, combineItems: false, amount: '100' },
			{ items: [{ id: 'p1' }, { id: 'p1' }] },
		);
		expect(outcome.error?.message).toContain('"p1" is in item 0 already [item 1]');
		expect(service.requests).toEqual([]);
	});

	test('is refused before any request, also when another group is valid', async () => {
		const outcome = await executeOperation(
			service,
			'funding.create',
			{ ...combined, fundingDescription: '={{ $json.month }}' },
			{
				items: [
					{ ...payables[0], month: 'May' },
					{ ...payables[1], month: 'June' },
					{ ...payables[1], month: 'June' },
				],
			},
		);
		expect(outcome.error?.message).toContain('"p2" is in item 1 already');
		expect(service.requests).toEqual([]);
	});
});
