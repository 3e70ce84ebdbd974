import fc from 'fast-check';

import { serviceMessage } from '../../../nodes/PartnerPayments/api/http/serviceMessage';
import { anyBody, NESTED_DEEPLY } from '../bodies';

describe('serviceMessage #refusal-words', () => {
	test.each<[where: string, body: unknown, message: string]>([
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
		['details that say the same', { message: 'Refused', details: ['Refused'] }, 'Refused'],
		['details alone', { error: { code: 'x', details: ['One', 'Two'] } }, 'One; Two'],
		['plain text', 'Not enough balance.', 'Not enough balance'],
		['text with a point inside', 'Above 5.00 a day.', 'Above 5.00 a day'],
		['text with a sign of HTML inside', 'Amount < 500', 'Amount < 500'],
		['text in lines', ' Not \n\tenough   balance\n', 'Not enough balance'],
		['an HTML title', '<!doctype html><html><title> Bad Gateway </title></html>', 'Bad Gateway'],
		['HTML after blanks', ' \n\t<title>Bad Gateway</title>', 'Bad Gateway'],
		[
			'an HTML heading',
			'<html><body><h1 class="x">502 Bad Gateway</h1></body></html>',
			'502 Bad Gateway',
		],
		['an empty list before a detail', { message: [], detail: 'Refused' }, 'Refused'],
		['an empty message before an error', { message: '', error: 'Refused' }, 'Refused'],
		['a blank message before a detail', { message: ' ', detail: 'Refused' }, 'Refused'],
	])('%s', (_, body, message) => {
		expect(serviceMessage(body)).toBe(message);
	});

	test.each<[what: string, bodies: unknown[]]>([
		['a text without words', ['', ' \n ', '.', '<html><body><p>Sorry</p></body></html>']],
		['an object without one', [{}, { message: '' }, { errors: [] }, { message: { a: 1 } }]],
		['anything else', [null, undefined, 5]],
	])('finds none in %s: %j', (_, bodies) => {
		for (const body of bodies) {
			expect([body, serviceMessage(body)]).toEqual([body, undefined]);
		}
	});

	test('cuts a message of more than 300 characters', () => {
		const kept = 'x'.repeat(300);

		expect(serviceMessage({ message: kept })).toBe(kept);
		expect(serviceMessage({ message: `${kept}x` })).toBe(`${kept}…`);
	});

	test('is never blank, and never an error', () => {
		const names = ['message', 'error', 'errors', 'detail', 'title', 'details', 'field', 'reason'];
		const key = fc.constantFrom(...names);
		const values = [fc.string(), fc.constantFrom('', ' ', '.', null, 5)];
		const refusal = fc.anything({ key, values, maxDepth: 4 });
		fc.assert(
			fc.property(fc.oneof(anyBody, refusal), (body) => {
				const message = serviceMessage(body);
				if (message === undefined) {
					return;
				}

				expect(message.trim()).not.toBe('');
				expect(message).not.toContain('\n');
				expect(message.length).toBeLessThanOrEqual(301);
			}),
			{ numRuns: 1000 },
		);
	});
});

test('deep nesting is no error', () => {
	for (const body of NESTED_DEEPLY) {
		expect(serviceMessage(body)).toBeUndefined();
	}
});
