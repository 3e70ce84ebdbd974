import fc from 'fast-check';

import {
	documentUrl,
	identifier,
	list,
	record,
} from '../../nodes/PartnerPayments/service/api/responseReaders';
import { serviceMessage } from '../../nodes/PartnerPayments/service/http/serviceMessage';
import { parseJson } from '../../nodes/PartnerPayments/shared/json';

/** Any body an answer can have: parsed JSON, or text. */
const anyBody = fc.oneof(
	fc.jsonValue(),
	fc.string(),
	fc.string().map((text) => `<${text}`),
);

test.each<[text: string, body: unknown]>([
	['{"id":"a"}', { id: 'a' }],
	['[1]', [1]],
	['5', 5],
	['null', null],
	['', ''],
	['plain', 'plain'],
	['<html></html>', '<html></html>'],
	['{"id":', '{"id":'],
])('parseJson of %p is %p', (text, body) => {
	expect(parseJson(text)).toEqual(body);
});

describe('record', () => {
	test.each<[body: unknown, found: object]>([
		[{ payable: { id: 'p' } }, { id: 'p' }],
		[{ data: { id: 'p' } }, { id: 'p' }],
		[{ payable: { id: 'p' }, data: { id: 'd' } }, { id: 'p' }],
		[
			{ id: 'p', amount: 5 },
			{ id: 'p', amount: 5 },
		],
		[
			{ id: 'p', payable: 'text' },
			{ id: 'p', payable: 'text' },
		],
		[
			{ payable: null, id: 'p' },
			{ payable: null, id: 'p' },
		],
		[{ payable: [] }, { payable: [] }],
		[[{ id: 'p' }], {}],
		['text', {}],
		['', {}],
		[5, {}],
		[null, {}],
		[undefined, {}],
	])('of %j is %j', (body, found) => {
		expect(record(body, 'payable')).toEqual(found);
	});
});

describe('list', () => {
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
	])('of %j is %j', (body, found) => {
		expect(list(body, 'deposits')).toEqual(found);
	});
});

test.each<[id: unknown, found: string | undefined]>([
	['a', 'a'],
	[5, '5'],
	[0, '0'],
	['', undefined],
	[null, undefined],
	[undefined, undefined],
	[true, undefined],
	[{ id: 'a' }, undefined],
])('identifier %j is read as %p', (id, found) => {
	expect(identifier(JSON.parse(JSON.stringify({ id })) as { id: string })).toBe(found);
});

describe('documentUrl', () => {
	const A = 'https://files.example.com/a.pdf';
	const B = 'https://files.example.com/b.pdf';

	test.each<[body: unknown, found: string | undefined]>([
		[{ pdf_url: A }, A],
		[{ pdfUrl: A }, A],
		[{ url: A }, A],
		[{ invoice_url: A }, A],
		[{ download_url: A }, A],
		[{ href: A }, A],
		[{ link: A }, A],
		[{ self: B, pdf_url: A }, A],
		[{ url: B, pdf_url: A }, A],
		[{ anything: A, id: 'f', n: 1, none: null }, A],
		[{ one: A, other: B }, undefined],
		[{ funding: { pdf_url: A } }, A],
		[{ data: { anything: A } }, A],
		[{ data: { one: A, other: B } }, undefined],
		[{ one: { url: A }, other: { url: B } }, undefined],
		[A, A],
		['http://localhost:4010/a.pdf', 'http://localhost:4010/a.pdf'],
		['ftp://files.example.com/a.pdf', undefined],
		['not a url', undefined],
		[`see ${A}`, undefined],
		[`${A} ${B}`, undefined],
		[{ pdf_url: '' }, undefined],
		[{ pdf_url: null, file: A }, A],
		[{ pdf_url: 'files/a.pdf' }, undefined],
		[{}, undefined],
		[[], undefined],
		[null, undefined],
		['', undefined],
	])('of %j is %p', (body, found) => {
		expect(documentUrl(body)).toBe(found);
	});

	test('never throws, and finds web addresses only', () => {
		fc.assert(
			fc.property(anyBody, (body) => {
				expect(documentUrl(body) ?? A).toMatch(/^https?:\/\/\S+$/);
			}),
		);
	});
});

describe('serviceMessage', () => {
	test.each<[place: string, body: unknown, words: string | undefined]>([
		['message', { message: 'Not enough balance' }, 'Not enough balance'],
		['error', { error: 'Not enough balance' }, 'Not enough balance'],
		['error_description', { error: 'invalid', error_description: 'Wrong code' }, 'Wrong code'],
		['error.message', { error: { code: 'x', message: 'Wrong code' } }, 'Wrong code'],
		['errors of texts', { errors: ['One', 'Two'] }, 'One; Two'],
		['errors of objects', { errors: [{ message: 'One' }, { detail: 'Two' }] }, 'One; Two'],
		[
			'errors with fields',
			{ errors: [{ field: 'amount', message: 'too low' }] },
			'amount: too low',
		],
		[
			'problem+json',
			{ type: 'about:blank', title: 'Unprocessable', detail: 'Amount too low' },
			'Amount too low',
		],
		['the title of problem+json', { type: 'about:blank', title: 'Unprocessable' }, 'Unprocessable'],
		['reason', { reason: 'Closed' }, 'Closed'],
		['a list', [{ message: 'One' }, 'Two'], 'One; Two'],
		[
			'error with details',
			{ error: { code: 'x', message: 'Refused', details: [{ field: 'amount', message: 'low' }] } },
			'Refused (amount: low)',
		],
		['details alone', { error: { code: 'x', details: ['One', 'Two'] } }, 'One; Two'],
		['plain text', 'Not enough balance.', 'Not enough balance'],
		['text in lines', ' Not \n\tenough   balance\n', 'Not enough balance'],
		['an HTML title', '<!doctype html><html><title> Bad Gateway </title></html>', 'Bad Gateway'],
		[
			'an HTML heading',
			'<html><body><h1 class="x">502 Bad Gateway</h1></body></html>',
			'502 Bad Gateway',
		],
		['HTML without words', '<html><body><p>Sorry</p></body></html>', undefined],
		['an empty text', '', undefined],
		['a blank text', ' \n ', undefined],
		['a full stop', '.', undefined],
		['an empty object', {}, undefined],
		['an empty message', { message: '' }, undefined],
		['an empty list', { errors: [] }, undefined],
		['null', null, undefined],
		['undefined', undefined, undefined],
		['a number', 5, undefined],
		['a message that is no text', { message: { a: 1 } }, undefined],
		['an empty message before an error', { message: '', error: 'Refused' }, 'Refused'],
		['a blank message before a detail', { message: ' ', detail: 'Refused' }, 'Refused'],
	])('%s', (_, body, words) => {
		expect(serviceMessage(body)).toBe(words);
	});

	test('cuts a very long message', () => {
		const words = serviceMessage({ message: 'x'.repeat(100_000) });
		expect(words).toBe(`${'x'.repeat(300)}…`);
	});

	test('never throws, and never says nothing in words', () => {
		const places = ['message', 'error', 'errors', 'detail', 'title', 'details', 'field', 'reason'];
		const refusal = fc.letrec((tie) => ({
			body: fc.oneof(
				{ depthSize: 'small' },
				fc.string(),
				fc.constantFrom('', ' ', '.', null, 5),
				fc.array(tie('body'), { maxLength: 3 }),
				fc.dictionary(fc.constantFrom(...places), tie('body'), { maxKeys: 4 }),
			),
		})).body;
		fc.assert(
			fc.property(fc.oneof(anyBody, refusal), (body) => {
				const words = serviceMessage(body);
				if (words === undefined) return;
				expect(words.trim()).not.toBe('');
				expect(words).not.toContain('\n');
				expect(words.length).toBeLessThanOrEqual(301);
			}),
			{ numRuns: 1000 },
		);
	});
});

test('no reader stumbles over deep nesting', () => {
	const lists: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
	const objects: unknown = JSON.parse('{"error":'.repeat(50_000) + '"deep"' + '}'.repeat(50_000));
	for (const body of [lists, objects]) {
		expect(serviceMessage(body)).toBeUndefined();
		expect(documentUrl(body)).toBeUndefined();
	}
});
