import { parseJson } from '../../../nodes/PartnerPayments/shared/json';

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
