import fc from 'fast-check';

import {
	documentUrl,
	identifier,
	list,
	record,
} from '../../../nodes/PartnerPayments/api/responseReaders';
import { anyBody, NESTED_DEEPLY } from '../bodies';

test.each<[body: unknown, found: object]>([
	[{ payable: { id: 'p' } }, { id: 'p' }],
	[{ data: { id: 'p' } }, { id: 'p' }],
	[{ payable: { id: 'p' }, data: { id: 'd' } }, { id: 'p' }],
	...[{ id: 'p', amount: 5 }, { id: 'p', payable: 'text' }, { payable: null }, { payable: [] }].map(
		(body): [unknown, object] => [body, body],
	),
	...[[{ id: 'p' }], 'text', '', 5, null, undefined].map((body): [unknown, object] => [body, {}]),
])('the record of %j is %j', (body, found) => {
	expect(record(body, 'payable')).toEqual(found);
});

test.each<[body: unknown, found: object[] | undefined]>([
	[
		[{ id: 1 }, { id: 2 }],
		[{ id: 1 }, { id: 2 }],
	],
	[{ deposits: [{ id: 1 }] }, [{ id: 1 }]],
	[{ data: [{ id: 1 }] }, [{ id: 1 }]],
	[{ deposits: [] }, []],
	[[], []],
	[[{ id: 1 }, 'text', null, [2]], [{ id: 1 }]],
	[{ deposits: null, data: [{ id: 1 }] }, [{ id: 1 }]],
	[{ deposits: {} }, undefined],
	[{ other: [] }, undefined],
	['text', undefined],
	[null, undefined],
])('the list of %j is %j #list-found', (body, found) => {
	expect(list(body, 'deposits')).toEqual(found);
});

test.each<[id: unknown, found: string | undefined]>([
	['a', 'a'],
	[5, '5'],
	[0, '0'],
	[Number.MAX_SAFE_INTEGER, '9007199254740991'],
	// JSON has rounded the second one: the payable of this number is another one.
	...[1.5, Number('9007199254740993'), '', null, undefined, true, { id: 'a' }].map(
		(id): [unknown, undefined] => [id, undefined],
	),
])('identifier %j is read as %p', (id, found) => {
	expect(identifier(JSON.parse(JSON.stringify({ id })) as { id: string })).toBe(found);
});

test('what no ID and no address is as long as is not kept', () => {
	const id = 'p'.repeat(500);

	expect([identifier({ id }), identifier({ id: `${id}p` })]).toEqual([id, undefined]);

	const url = `https://files.example.com/${'a'.repeat(7_000)}`;

	expect([documentUrl({ url }), documentUrl({ url: url + url })]).toEqual([url, undefined]);
});

describe('documentUrl #invoice-address', () => {
	const A = 'https://files.example.com/a.pdf';
	const B = 'https://files.example.com/b.pdf';

	test.each<[what: string, bodies: unknown[]]>([
		['a usual name', [{ pdf_url: A }, { pdfUrl: A }, { url: A }, { invoice_url: A }]],
		['a usual name', [{ download_url: A }, { href: A }, { link: A }]],
		[
			'the name that says most',
			[
				{ self: B, pdf_url: A },
				{ url: B, pdf_url: A },
			],
		],
		[
			'the only address',
			[
				{ anything: A, id: 'f', n: 1, none: null },
				{ pdf_url: null, file: A },
			],
		],
		['an object in it', [{ funding: { pdf_url: A } }, { data: { anything: A } }]],
		['the whole text', [A]],
	])('is found under %s: %j', (_, bodies) => {
		for (const body of bodies) {
			expect(documentUrl(body)).toBe(A);
		}
	});

	test.each<[what: string, bodies: unknown[]]>([
		['one of several', [{ one: A, other: B }, { data: { one: A, other: B } }]],
		['one of several objects', [{ one: { url: A }, other: { url: B } }]],
		['no web address', ['ftp://files.example.com/a.pdf', 'not a url', { pdf_url: 'files/a.pdf' }]],
		['part of a text', [`see ${A}`, `${A} ${B}`]],
		['nothing', [{ pdf_url: '' }, {}, [], null, '']],
	])('is not found where it would be %s: %j', (_, bodies) => {
		for (const body of bodies) {
			expect([body, documentUrl(body)]).toEqual([body, undefined]);
		}
	});

	test('may be one of this machine', () => {
		expect(documentUrl('http://localhost:4010/a.pdf')).toBe('http://localhost:4010/a.pdf');
	});

	test('never throws, and finds web addresses only', () => {
		fc.assert(
			fc.property(anyBody, (body) => {
				expect(documentUrl(body) ?? A).toMatch(/^https?:\/\/\S+$/);
			}),
		);
	});
});

test('deep nesting is no error', () => {
	for (const body of NESTED_DEEPLY) {
		expect(documentUrl(body)).toBeUndefined();
	}
});
