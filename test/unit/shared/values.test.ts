import { InputError } from '../../../nodes/PartnerPayments/shared/inputError';
import { normalizeReference, readReference } from '../../../nodes/PartnerPayments/shared/reference';
import { readFlag, readText, readTexts } from '../../../nodes/PartnerPayments/shared/values';
import { thrownBy } from '../support';
import { parseJson } from '../../../nodes/PartnerPayments/shared/json';
import { isEmailAddress } from '../../../nodes/PartnerPayments/shared/email';

const INEXACT = 'is a number that is not exact';

describe('a text', () => {
	test.each<[value: unknown, text: string | undefined]>([
		['p1', 'p1'],
		[' p1\n', 'p1'],
		[42, '42'],
		[0, '0'],
		[-1.5, '-1.5'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
		['9007199254740993', '9007199254740993'],
		['', undefined],
		['  ', undefined],
		[null, undefined],
		[undefined, undefined],
	])('%p is read as %p', (value, text) => {
		expect(readText(value, 'Payable ID')).toBe(text);
	});

	test.each<[value: unknown, message: string]>([
		[Number('9007199254740993'), `Payable ID ${INEXACT}`],
		[-Number('9007199254740993'), `Payable ID ${INEXACT}`],
		[1e21, `Payable ID ${INEXACT}`],
		[NaN, `Payable ID ${INEXACT}`],
		[Infinity, `Payable ID ${INEXACT}`],
		[['p1'], 'Payable ID is a list, not a text'],
		[[], 'Payable ID is a list, not a text'],
		[{ id: 'p1' }, 'Payable ID is an object, not a text'],
		[new Date(0), 'Payable ID is an object, not a text'],
		[true, 'Payable ID is true, not a text'],
		[false, 'Payable ID is false, not a text'],
		['{{ $json.id }}', 'Payable ID holds braces of an expression: "{{ $json.id }}"'],
		['p1 }}', 'Payable ID holds braces of an expression: "p1 }}"'],
		['}}', 'Payable ID holds braces of an expression: "}}"'],
	])('%p is refused by the name of its field', (value, message) => {
		const error = thrownBy(() => readText(value, 'Payable ID'));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({ message });
	});
});

describe('several texts', () => {
	test.each<[value: unknown, texts: string[]]>([
		['p1, p2,', ['p1', 'p2']],
		[
			['p1', 2, ''],
			['p1', '2'],
		],
		['', []],
		[[], []],
		[null, []],
	])('%j are read as %j', (value, texts) => {
		expect(readTexts(value, 'Payable IDs')).toEqual(texts);
	});

	test.each<[value: unknown, message: string]>([
		[{ id: 'p1' }, 'Payable IDs is an object, not a text'],
		[true, 'Payable IDs is true, not a text'],
		[['p1', { id: 'p2' }], 'An entry of Payable IDs is an object, not a text'],
		[['p1', ['p2']], 'An entry of Payable IDs is a list, not a text'],
		[['p1', false], 'An entry of Payable IDs is false, not a text'],
		[['p1', Number('9007199254740993')], `An entry of Payable IDs ${INEXACT}`],
	])('%j are refused, none of them left out in silence', (value, message) => {
		expect(thrownBy(() => readTexts(value, 'Payable IDs'))).toMatchObject({ message });
	});
});

describe('a unique reference', () => {
	test.each<[value: unknown, reference: string | undefined]>([
		[' INV-7 ', 'INV-7'],
		[1042, '1042'],
		['\u200b', undefined],
		['x'.repeat(500), 'x'.repeat(500)],
	])('%p is read as %p', (value, reference) => {
		expect(readReference(value, 'Unique Reference')).toBe(reference);
	});

	test.each<[value: unknown, message: string]>([
		[Number('9007199254740993'), `Unique Reference ${INEXACT}`],
		[0.5, `Unique Reference ${INEXACT}`],
		[['INV-7'], 'Unique Reference is a list, not a text'],
		[{ number: 7 }, 'Unique Reference is an object, not a text'],
		[true, 'Unique Reference is true, not a text'],
		['x'.repeat(501), 'Unique Reference is longer than 500 characters'],
	])('%p is refused', (value, message) => {
		expect(thrownBy(() => readReference(value, 'Unique Reference'))).toMatchObject({ message });
	});
});

describe('what is true or false', () => {
	test.each<[value: unknown, flag: boolean | undefined]>([
		[true, true],
		[false, false],
		['true', true],
		[' TRUE\n', true],
		['False', false],
		['', undefined],
		['  ', undefined],
		[null, undefined],
		[undefined, undefined],
	])('%p is read as %p', (value, flag) => {
		expect(readFlag(value, 'Combine Items')).toBe(flag);
	});

	test.each<[value: unknown, message: string]>([
		['yes', 'Combine Items "yes" is not true or false'],
		['1', 'Combine Items "1" is not true or false'],
		[1, 'Combine Items is a number, not true or false'],
		[[true], 'Combine Items is a list, not true or false'],
		[{}, 'Combine Items is an object, not true or false'],
	])('%p is refused by the name of its field', (value, message) => {
		const error = thrownBy(() => readFlag(value, 'Combine Items'));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({ message });
	});
});

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

const E_ACUTE = '\u00e9';

describe('a unique reference', () => {
	test.each([
		['blanks at both ends', ' \u00a0INV-7\n', 'INV-7'],
		['an invisible character', 'INV\u200b-7', 'INV-7'],
		['a letter with its accent apart', 'INV-e\u0301', `INV-${E_ACUTE}`],
		['an invisible character before an accent', 'INV-e\u200d\u0301', `INV-${E_ACUTE}`],
		['half of an emoji that was cut in two', 'INV-7\ud83c', 'INV-7'],
	])('is compared without %s', (_, text, normalized) => {
		expect(normalizeReference(text)).toBe(normalized);
		expect(normalizeReference(normalized)).toBe(normalized);
	});

	test('keeps an emoji', () => {
		expect(normalizeReference('INV-7 \u{1f389}')).toBe('INV-7 \u{1f389}');
	});
});

test.each([
	['ana@example.com', true],
	['ana.ruiz+pay@mail.example.co.uk', true],
	['a@b.c', true],
	['änä@exämple.de', true],
	[`${'a'.repeat(242)}@example.com`, true],
	[`${'a'.repeat(243)}@example.com`, false],
	['ana', false],
	['ana@example', false],
	['ana@.com', false],
	['ana@example.', false],
	['@example.com', false],
	['ana@', false],
	['ana@example.com@example.com', false],
	['ana@example.com,bob@example.com', false],
	['ana@example.com;bob@example.com', false],
	['Ana <ana@example.com>', false],
	['ana @example.com', false],
	['ana@example.com\nbob@example.com', false],
	['ana\u202emoc.elpmaxe@example.org', false],
	['ana@example.com\u200b', false],
	['ana\u0000@example.com', false],
	['', false],
])('whether %j is an address: %p', (text, is) => {
	expect(isEmailAddress(text)).toBe(is);
});
