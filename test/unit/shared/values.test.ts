import { thrownBy } from '../support';
import {
	InputError,
	isEmailAddress,
	normalizeReference,
	readFlag,
	readReference,
	readText,
	readTexts,
} from '../../../nodes/PartnerPayments/shared/values';

const E_ACUTE = '\u00e9';
const INEXACT = 'is a number that is not exact';

describe('a text', () => {
	test.each<[value: unknown, text: string | undefined]>([
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

	test.each<[reason: string, values: unknown[]]>([
		[INEXACT, [Number('9007199254740993'), -Number('9007199254740993'), 1e21, NaN, Infinity]],
		['is a list, not a text', [['p1'], []]],
		['is an object, not a text', [{ id: 'p1' }, new Date(0)]],
		['is true, not a text', [true]],
		['is false, not a text', [false]],
		...[
			'{{ $json.id }}',
			'p1 }}',
			'}}',
			'$json.id',
			'{$json.id}',
			'=p1',
			'$("Invoice").item.json.id',
		].map((text): [string, unknown[]] => [`holds an expression as text: "${text}"`, [text]]),
	])('what %s is refused by the name of its field: %p', (reason, values) => {
		for (const value of values) {
			const error = thrownBy(() => readText(value, 'Payable ID'));
			expect(error).toBeInstanceOf(InputError);
			expect(error).toMatchObject({ message: `Payable ID ${reason}` });
		}
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
		['INV-', 'Unique Reference ends with "-"'],
		['x'.repeat(501), 'Unique Reference is longer than 500 characters'],
	])('%p is refused', (value, message) => {
		expect(thrownBy(() => readReference(value, 'Unique Reference'))).toMatchObject({ message });
	});

	test.each([
		['blanks at both ends', ' \u00a0INV-7\n', 'INV-7'],
		['an invisible character', 'INV\u200b-7', 'INV-7'],
		['a letter with its accent apart', 'INV-e\u0301', `INV-${E_ACUTE}`],
		['an invisible character before an accent', 'INV-e\u200d\u0301', `INV-${E_ACUTE}`],
		['half of an emoji that was cut in two', 'INV-7\ud83c', 'INV-7'],
		['blanks of other kinds', 'INV\u00a0 5', 'INV 5'],
		['the blank of Braille', '\u2800INV\u28005', 'INV 5'],
		['the choice of a glyph', 'INV 5\ufe0f', 'INV 5'],
		['wide letters', 'ＩＮＶ ５', 'INV 5'],
	])('is compared without %s #look-alike-references', (_, text, normalized) => {
		expect(normalizeReference(text)).toBe(normalized);
		expect(normalizeReference(normalized)).toBe(normalized);
	});

	test('keeps an emoji', () => {
		expect(normalizeReference('INV-7 \u{1f389}')).toBe('INV-7 \u{1f389}');
	});
});

describe('what is true or false', () => {
	test.each<[flag: boolean | undefined, values: unknown[]]>([
		[true, [true, 'true', ' TRUE\n']],
		[false, [false, 'False']],
		[undefined, ['', '  ', null, undefined]],
	])('is %p: %p', (flag, values) => {
		for (const value of values) expect(readFlag(value, 'Combine Items')).toBe(flag);
	});

	test.each<[value: unknown, message: string]>([
		['yes', '"yes" is not true or false'],
		['1', '"1" is not true or false'],
		[1, 'is a number, not true or false'],
		[[true], 'is a list, not true or false'],
		[{}, 'is an object, not true or false'],
	])('%p is refused by the name of its field', (value, reason) => {
		const error = thrownBy(() => readFlag(value, 'Combine Items'));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({ message: `Combine Items ${reason}` });
	});
});

test.each<[is: boolean, what: string, texts: string[]]>([
	[true, 'plain', ['ana@example.com', 'ana.ruiz+pay@mail.example.co.uk', 'a@b.c']],
	[true, 'in other letters', ['änä@exämple.de']],
	[true, 'as long as one may be', [`${'a'.repeat(242)}@example.com`]],
	[false, 'too long', [`${'a'.repeat(243)}@example.com`]],
	[false, 'without a host', ['ana', 'ana@', 'ana@example', 'ana@.com', 'ana@example.']],
	[false, 'without a name', ['', '@example.com']],
	[false, 'two', ['ana@example.com@example.com', 'ana@example.com,bob@example.com']],
	[false, 'two', ['ana@example.com;bob@example.com', 'ana@example.com\nbob@example.com']],
	[false, 'with blanks', ['Ana <ana@example.com>', 'ana @example.com']],
	[false, 'with hidden characters', ['ana\u202emoc.elpmaxe@example.org', 'ana@example.com\u200b']],
	[false, 'with hidden characters', ['ana\u0000@example.com']],
])('an e-mail address is %p: what is %s: %j', (is, _, texts) => {
	for (const text of texts) expect([text, isEmailAddress(text)]).toEqual([text, is]);
});
