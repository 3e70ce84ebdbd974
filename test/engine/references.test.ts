import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { payable, startScriptedService } from './support';

const service = startScriptedService();

/** Sends a payout whose reference is written so, for an item; returns the error. */
async function refusalOf(uniqueReference: string, item: IDataObject = {}) {
	const parameters: INodeParameters = payable({ fundingMethod: 'none', uniqueReference });
	const { error } = await service.execute('payout.send', parameters, { items: [item] });

	return error;
}

/** The descriptions of all payables that were created. */
const descriptions = (): unknown[] =>
	service.requests
		.filter(({ method, url }) => method === 'POST' && url === '/v1/payable')
		.map(({ body }) => (body as IDataObject)['description']);

beforeEach(() => {
	service.useScript(() => ({ body: { id: 'p1' } }));
});

describe('a part of the reference that yields nothing', () => {
	test.each<[written: string, part: string, item: IDataObject]>([
		['=Invoice No. {{ $json.nr }}', '{{ $json.nr }}', {}],
		['=Invoice No. {{ $json.nr }}', '{{ $json.nr }}', { nr: null }],
		['=Invoice No. {{ $json.nr }}', '{{ $json.nr }}', { nr: '' }],
		['=Invoice No. {{ $json.nr }}', '{{ $json.nr }}', { nr: ' \u200b' }],
		['=Invoice No. {{ $json.nr }}', '{{ $json.nr }}', { nr: [] }],
		['=Invoice No. {{ $json.nr }}', '{{ $json.nr }}', { nr: [null] }],
		['=Invoice No. {{ Number($json.nr) }}', '{{ Number($json.nr) }}', { nr: 'x' }],
		['={{ $json.nr }} of May', '{{ $json.nr }}', {}],
		['={{ $json.year }}{{ $json.nr }}', '{{ $json.nr }}', { year: 2026 }],
		['={{ $json.year }} {{ $json.nr }}', '{{ $json.year }}', { nr: 7 }],
		['=INV {{ $json.deep.nr }}', '{{ $json.deep.nr }}', {}],
		['=INV {{ $json.nr.trim() }}', '{{ $json.nr.trim() }}', {}],
		['=INV {{ $json.nr', '{{ $json.nr', {}],
		['=\\{{ a }} {{ $json.nr }}', '{{ $json.nr }}', {}],
	])('is refused in %p, with the part named: %s of %j', async (written, part, item) => {
		const error = await refusalOf(written, item);

		expect(error?.message).toBe(`A part of "Unique Reference" yields nothing: ${part} [item 0]`);
		expect(service.requests).toEqual([]);
	});

	test('is refused where it cannot be evaluated by itself', async () => {
		const error = await refusalOf('=INV {{ $json.nr.toString }}', { nr: 7 });

		expect(error?.message).toContain('A part of "Unique Reference" cannot be evaluated');
		expect(service.requests).toEqual([]);
	});

	test('is refused where it is a number that is not exact', async () => {
		const error = await refusalOf('=INV {{ $json.nr }}', { nr: 2 ** 53 });

		expect(error?.message).toMatch(/"Unique Reference" .* not exact/);
		expect(service.requests).toEqual([]);
	});

	test.each<[written: string, item: IDataObject]>([
		['={{ String($json.nr) }}', { nr: Number('20260500012345678') }],
		['=INV-{{ String($json.row.nr) }}', { row: { nr: Number('20260500012345679') } }],
		['={{ "INV-" + $json.nr }}', { nr: Number('20260500012345679') }],
	])('is refused where it was a number that is not exact: %s', async (written, item) => {
		const error = await refusalOf(written, item);

		expect(error?.message).toContain('"Unique Reference" is a number that is not exact');
		expect(service.requests).toEqual([]);
	});

	test('ends a run with what n8n says when n8n itself refuses the expression', async () => {
		const error = await refusalOf("=INV {{ $('Nowhere').item.json.nr }}");

		expect(error?.message).toContain('Referenced node');
		expect(service.requests).toEqual([]);
	});
});

test.each<[written: string, item: IDataObject, reference: string]>([
	['={{ $json.year }}/{{ $json.nr }}/7', { year: 2026, nr: 0 }, '2026/0/7'],
	['={{ $json.year }}/{{ $json.nr }}/7', { year: 2026, nr: '0' }, '2026/0/7'],
	['={{ $json.year }}/{{ $json.nr }}', { year: 2026, nr: 7 }, '2026/7'],
	['={{ $json.a }}{{ $json.b }}', { a: 'INV-', b: [7] }, 'INV-7'],
	['={{ $json.nr }} ', { nr: 'INV-7' }, 'INV-7'],
	['={{ $json.nr ?? "INV-8" }}', {}, 'INV-8'],
	['=INV-7', {}, 'INV-7'],
	['={{ $json.nr }}', { nr: '20260500012345678', id: 2 ** 60 }, '20260500012345678'],
	['={{ String($json.nr) }}', { nr: 2026050001234567 }, '2026050001234567'],
])(
	'a reference whose parts all yield something is paid: %p of %j',
	async (written, item, reference) => {
		const error = await refusalOf(written, item);

		expect(error).toBeUndefined();
		expect(descriptions()).toEqual([`[${reference}]`]);
	},
);

test.each<[written: string, item: IDataObject, reason: string]>([
	['=INV {{ $json.a }}', { a: { b: 1 } }, 'holds "[object Object]"'],
	['={{ "INV" + $json.nr }}', {}, 'holds "undefined"'],
	['={{ `INV-${$json.nr}` }}', { nr: null }, 'holds "null"'],
	['={{ "INV-" + Number($json.nr) }}', {}, 'holds "NaN"'],
	['={{ "INV " + new Date($json.day) }}', { day: 'x' }, 'holds "Invalid Date"'],
	['={{ $json.nr }}', { nr: '2.02605E+11' }, 'holds "2.02605E+11"'],
	['={{ $json.nr }}', { nr: '20260500012345600' }, 'holds "20260500012345600"'],
	['={{ $json.nr }}', { nr: 'Err:502' }, 'holds "Err:502"'],
	['={{ $json.nr }}', { nr: '$json.invoice' }, 'holds "$json"'],
	['={{ $json.nr }}', { nr: '?' }, 'has no letter or digit'],
	['=INV-{{ $json.nr }}', { nr: 0 }, 'holds "0"'],
	['INV-${$json.nr}', { nr: '7' }, 'holds "${"'],
	['INV-$json.nr', { nr: '7' }, 'holds "$json"'],
	['={{ $json.nr }}', { nr: 'INV [7]' }, 'has a bracket'],
	['={{ "{{" + $json.nr }}', { nr: '7' }, 'holds "{{"'],
	['INV-{{ $json.nr }}', { nr: '7' }, 'holds an expression as text: "INV-{{ $json.nr }}"'],
	['=$json.nr', { nr: '7' }, 'holds an expression as text: "$json.nr"'],
	['=INV-7 {{ "Ana@Example.com" }}', {}, 'contains the address of the payee'],
])('%s of %j names no single invoice, and nothing is sent', async (written, item, reason) => {
	const error = await refusalOf(written, item);

	expect(error?.message).toContain(reason);
	expect(service.requests).toEqual([]);
});
