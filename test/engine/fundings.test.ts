import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { testOperations } from './operations';
import { funding, FUNDING_BODY, sent, startScriptedService } from './support';

const service = startScriptedService();

testOperations(service, [
	{
		operation: 'funding.create',
		detail: 'from the balance',
		parameters: funding({ poNumber: 'of invoices only' }),
		answer: { funding: { id: 'f1', status: 'completed' } },
		request: ['POST', '/v1/funding', FUNDING_BODY],
		output: [{ id: 'f1', status: 'completed' }],
	},
	{
		operation: 'funding.create',
		detail: 'by invoice, with everything',
		parameters: funding({
			method: 'invoice',
			payableIds: ' p1, p2 ,,p3 ',
			fundingDescription: 'February',
			poNumber: 'PO-1',
			options: { additionalFields: '{"reference":"r"}' },
		}),
		answer: { id: 'f1' },
		request: [
			'POST',
			'/v1/funding',
			{
				...FUNDING_BODY,
				method: 'invoice',
				payable_ids: ['p1', 'p2', 'p3'],
				description: 'February',
				po_number: 'PO-1',
				reference: 'r',
			},
		],
		output: [{ id: 'f1' }],
	},
	{
		operation: 'funding.create',
		detail: 'payables from an expression',
		parameters: funding({ payableIds: '={{ $json.ids }}', amount: '={{ $json.total }}' }),
		answer: { id: 'f1' },
		request: ['POST', '/v1/funding', { ...FUNDING_BODY, payable_ids: ['a', 'b'], amount: 7 }],
		output: [{ id: 'f1' }],
		changes: { items: [{ ids: ['a', 'b'], total: 7 }] },
	},
	{
		operation: 'funding.getInvoicePdf',
		detail: 'only the address',
		parameters: { fundingId: 'f/1' },
		answer: { document: 'https://files.example.com/f1.pdf?sig=1' },
		request: ['GET', '/v1/funding/f%2F1/pdf-url'],
		output: [{ id: 'f/1', pdf_url: 'https://files.example.com/f1.pdf?sig=1' }],
	},
	{
		operation: 'funding.linkDeposit',
		parameters: { fundingId: 'f1', depositId: 'd1' },
		answer: { funding: { id: 'f1', status: 'completed' } },
		request: ['POST', '/v1/funding/f1/link-deposit', { deposit_id: 'd1' }],
		output: [{ id: 'f1', deposit_id: 'd1', status: 'completed' }],
	},
	{
		operation: 'funding.linkDeposit',
		detail: 'an empty answer',
		parameters: { fundingId: 'f1', depositId: 'd1' },
		answer: '',
		request: ['POST', '/v1/funding/f1/link-deposit', { deposit_id: 'd1' }],
		output: [{ id: 'f1', deposit_id: 'd1' }],
	},
]);

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

	test.each<[string, INodeParameters, IDataObject[]]>([
		['the sum', {}, payables],
		['the sum, where an expression says so', { combineItems: '={{ "TRUE" }}' }, payables],
		['a total that agrees', { amount: '3.50', amountUnit: 'major' }, payables],
		['a typed total, where no item has one', { amount: '350' }, [{ id: 'p1' }, { id: 'p2' }]],
	])('of %s', async (_, changes, items) => {
		const parameters = { ...combined, ...changes };
		const outcome = await service.execute('funding.create', parameters, { items });
		expect(sent(service.requests)).toEqual([['POST', '/v1/funding', body]]);
		expect(outcome.items).toEqual([{ json: { id: 'f1' }, pairedItem: [{ item: 0 }, { item: 1 }] }]);
	});

	test('for each method and description', async () => {
		const parameters = { ...combined, fundingDescription: '={{ $json.month }}' };
		const { items } = await service.execute('funding.create', parameters, {
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
		['a payable twice', {}, [payables[0], payables[0]], '"p1" is in item 0 already'],
	])('is refused: %s', async (_, changes, items, message) => {
		const outcome = await service.execute(
			'funding.create',
			{ ...combined, ...changes },
			{ items: items as IDataObject[] },
		);
		expect(outcome.error?.message).toContain(message);
		expect(service.requests).toEqual([]);
	});

	test('a payable in two items is refused without combining as well', async () => {
		const outcome = await service.execute(
			'funding.create',
			{ ...combined, combineItems: false, amount: '100' },
			{ items: [{ id: 'p1' }, { id: 'p1' }] },
		);
		expect(outcome.error?.message).toContain('"p1" is in item 0 already [item 1]');
		expect(service.requests).toEqual([]);
	});
});

describe('the amounts of combined items', () => {
	/** A combined funding whose items each name their own amount. */
	const combined = funding({
		combineItems: true,
		payableIds: '={{ $json.id }}',
		amount: '={{ $json.amount }}',
	});
	const worth = (...amounts: number[]) =>
		amounts.map((amount, index) => ({
			id: `p${index + 1}`,
			amount,
			amount_denomination: 'us_cents',
		}));
	const major = { amountUnit: 'major' };

	const fund = async (changes: INodeParameters, items: IDataObject[]) =>
		await service.execute('funding.create', { ...combined, ...changes }, { items });

	beforeEach(() => {
		service.useScript(() => ({ body: { id: 'f1' } }));
	});

	test.each<[string, INodeParameters, IDataObject[], number]>([
		['payables that are all worth the same', {}, worth(100, 100), 200],
		[
			'payables in dollars, by a calculation',
			{ ...major, amount: '={{ ($json.amount / 100).toFixed(2) }}' },
			worth(1999, 1),
			2000,
		],
		[
			'rows of a table in dollars, as texts and as numbers',
			major,
			[
				{ id: 'p1', amount: '19.99' },
				{ id: 'p2', amount: 250.5 },
				{ id: 'p3', amount: '19.99' },
			],
			29_048,
		],
		['one item', {}, worth(100), 100],
	])('the amounts of combined items are added up: %s', async (_, changes, items, amount) => {
		const { error } = await fund(changes, items);
		expect(error).toBeUndefined();
		const payableIds = items.map(({ id }) => id);
		expect(service.requests.map(({ body }) => body)).toEqual([
			expect.objectContaining({ amount, payable_ids: payableIds }),
		]);
	});

	test.each<[string, INodeParameters, IDataObject[]]>([
		['cents read as dollars', major, worth(100, 250)],
		[
			'dollars read as cents',
			{},
			worth(100, 250).map((item) => ({ ...item, amount_denomination: 'us_dollars' })),
		],
		[
			'an amount that is not the own one of each',
			{ amount: '={{ $itemIndex ? $json.amount : $json.amount + 1 }}' },
			worth(100, 250),
		],
		[
			'one amount typed for all, of payables that are worth it each',
			{ amount: '100' },
			worth(100, 100),
		],
	])('nothing is sent for %s', async (_, changes, items) => {
		const { error } = await fund(changes, items);
		expect(error?.message).toContain('The amount of a combined funding');
		expect(error?.description).toContain('{{ $json.amount }}');
		expect(service.requests).toEqual([]);
	});

	test('what is added up is held to the Maximum Amount', async () => {
		const { error } = await fund({ options: { maxAmount: '3.49' } }, worth(100, 250));
		expect(error?.message).toContain('3.50 is above the Maximum Amount, 3.49');
		expect(service.requests).toEqual([]);
	});
});
