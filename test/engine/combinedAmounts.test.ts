import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { executeOperation, funding, startScriptedService } from './support';

const service = startScriptedService();

/** A combined funding whose items each name their own amount. */
const combined = funding({
	combineItems: true,
	payableIds: '={{ $json.id }}',
	amount: '={{ $json.amount }}',
});
const CENTS = { amount_denomination: 'us_cents' };
const major = { amountUnit: 'major' };

const fund = async (changes: INodeParameters, items: IDataObject[]) =>
	await executeOperation(service, 'funding.create', { ...combined, ...changes }, { items });

beforeEach(() => {
	service.useScript(() => ({ body: { id: 'f1' } }));
});

test.each<[string, INodeParameters, IDataObject[], number]>([
	[
		'payables as the service puts them out',
		{},
		[
			{ id: 'p1', amount: 100, ...CENTS },
			{ id: 'p2', amount: 250, ...CENTS },
		],
		350,
	],
	[
		'payables that are all worth the same',
		{},
		[
			{ id: 'p1', amount: 100, ...CENTS },
			{ id: 'p2', amount: 100, ...CENTS },
		],
		200,
	],
	[
		'payables in dollars, by a calculation',
		{ ...major, amount: '={{ ($json.amount / 100).toFixed(2) }}' },
		[
			{ id: 'p1', amount: 1999, ...CENTS },
			{ id: 'p2', amount: 1, ...CENTS },
		],
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
	['one item', {}, [{ id: 'p1', amount: 100, ...CENTS }], 100],
])('the amounts of combined items are added up: %s', async (_, changes, items, amount) => {
	const { error } = await fund(changes, items);
	expect(error).toBeUndefined();
	const payableIds = items.map(({ id }) => id);
	expect(service.requests.map(({ body }) => body)).toEqual([
		expect.objectContaining({ amount, payable_ids: payableIds }),
	]);
});

test.each<[string, INodeParameters, IDataObject[]]>([
	[
		'cents read as dollars',
		major,
		[
			{ id: 'p1', amount: 100, ...CENTS },
			{ id: 'p2', amount: 250, ...CENTS },
		],
	],
	[
		'dollars read as cents',
		{},
		[
			{ id: 'p1', amount: 100, amount_denomination: 'us_dollars' },
			{ id: 'p2', amount: 250, amount_denomination: 'us_dollars' },
		],
	],
	[
		'an amount that is not the own one of each',
		{ amount: '={{ $itemIndex ? $json.amount : $json.amount + 1 }}' },
		[
			{ id: 'p1', amount: 100, ...CENTS },
			{ id: 'p2', amount: 250, ...CENTS },
		],
	],
	[
		'one amount typed for all, of payables that are worth it each',
		{ amount: '100' },
		[
			{ id: 'p1', amount: 100, ...CENTS },
			{ id: 'p2', amount: 100, ...CENTS },
		],
	],
])('nothing is sent for %s', async (_, changes, items) => {
	const { error } = await fund(changes, items);
	expect(error?.message).toContain('The amount of a combined funding');
	expect(error?.description).toContain('{{ $json.amount }}');
	expect(service.requests).toEqual([]);
});

test('what is added up is held to the Maximum Amount', async () => {
	const { error } = await fund({ options: { maxAmount: '3.49' } }, [
		{ id: 'p1', amount: 100, ...CENTS },
		{ id: 'p2', amount: 250, ...CENTS },
	]);
	expect(error?.message).toContain('3.50 is above the Maximum Amount, 3.49');
	expect(service.requests).toEqual([]);
});
