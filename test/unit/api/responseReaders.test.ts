import fc from 'fast-check';

import {
	documentUrl,
	identifiedRecord,
	identifier,
	list,
	record,
} from '../../../nodes/PartnerPayments/api/responseReaders';
import { anyBody, NESTED_DEEPLY } from '../bodies';

test.each<[body: unknown, found: object]>([
	[{ payable: { id: 'p' } }, { id: 'p' }],
	[{ data: { id: 'p' } }, { id: 'p' }],
	[{ payable: { id: 'p' }, data: { id: 'd' } }, { id: 'p' }],
	[{ id: 'request', payable: { id: 'p' } }, { id: 'p' }],
])('the record of %j is %j', (body, found) => {
	expect(record(body, 'payable')).toEqual(found);
});

test.each<[body: object]>([
	[{ id: 'p', amount: 5 }],
	[{ id: 'p', payable: 'text' }],
	[{ payable: null }],
	[{ payable: [] }],
])('%j is the record itself', (body) => {
	expect(record(body, 'payable')).toEqual(body);
});

test.each<[body: unknown]>([[[{ id: 'p' }]], ['text'], [''], [5], [null], [undefined]])(
	'%j has no record',
	(body) => {
		expect(record(body, 'payable')).toEqual({});
	},
);

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

test.each<[body: unknown, id: string | undefined]>([
	[{ funding: { id: 'f' } }, 'f'],
	[{ id: 'f', success: true, error: null, errors: [] }, 'f'],
	[{ id: 'f', success: false }, undefined],
	[{ id: 'f', error: 'declined' }, undefined],
	[{ funding: { id: 'f' }, errors: ['declined'] }, undefined],
	[{ funding: {} }, undefined],
])('what %j has made is %j #success-that-says-no', (body, id) => {
	expect(identifiedRecord('funding').read(body)?.id).toBe(id);
});

describe('an identifier', () => {
	/** Reads an ID as it comes from JSON. */
	const read = (id: unknown): string | undefined =>
		identifier(JSON.parse(JSON.stringify({ id })) as { id: string });

	test.each<[id: unknown, found: string]>([
		['a', 'a'],
		[5, '5'],
		[0, '0'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
	])('%j is read as %p', (id, found) => {
		expect(read(id)).toBe(found);
	});

	test.each<[id: unknown]>([
		[1.5],
		// JSON has rounded this number, which may be the ID of another payable.
		[Number('9007199254740993')],
		[''],
		[null],
		[undefined],
		[true],
		[{ id: 'a' }],
	])('is not %j', (id) => {
		expect(read(id)).toBeUndefined();
	});

	test('has 500 characters at most', () => {
		const id = 'p'.repeat(500);

		expect(read(id)).toBe(id);
		expect(read(`${id}p`)).toBeUndefined();
	});
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

	test('is not found where it is too long to be one', () => {
		const url = `https://files.example.com/${'a'.repeat(7_000)}`;

		expect(documentUrl({ url })).toBe(url);
		expect(documentUrl({ url: url + url })).toBeUndefined();
	});

	test('is a web address whatever the answer is', () => {
		const key = fc.constantFrom('pdf_url', 'url', 'link', 'data', 'file');
		const values = [fc.webUrl(), fc.webUrl().map((url) => `see ${url}`), fc.string()];
		const answer = fc.anything({ key, values, maxDepth: 3 });
		fc.assert(
			fc.property(fc.oneof(anyBody, answer), (body) => {
				const found = documentUrl(body);
				if (found === undefined) {
					return;
				}

				expect(found).toMatch(/^https?:\/\/\S+$/);
			}),
			{ numRuns: 1000 },
		);
	});

	test('is not looked for without end', () => {
		for (const body of NESTED_DEEPLY) {
			expect(documentUrl(body)).toBeUndefined();
		}
	});
});
