import { thrownBy } from '../support';
import { InputError } from '../../../nodes/PartnerPayments/shared/errors';
import { readFlag, readText, readTexts } from '../../../nodes/PartnerPayments/shared/fieldReaders';

const INEXACT = 'is a number that is not exact';

describe('a text', () => {
	test.each<[value: unknown, text: string | undefined]>([
		[' p1\n', 'p1'],
		[42, '42'],
		[0, '0'],
		[-1.5, '-1.5'],
		[Number.MAX_SAFE_INTEGER, '9007199254740991'],
		['9007199254740993', '9007199254740993'],
		// Data, whatever it looks like.
		['= 3 videos x 50', '= 3 videos x 50'],
		['Intro for {{client}}', 'Intro for {{client}}'],
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

describe('what is true or false', () => {
	test.each<[flag: boolean | undefined, values: unknown[]]>([
		[true, [true, 'true', ' TRUE\n']],
		[false, [false, 'False']],
		[undefined, ['', '  ', null, undefined]],
	])('is %p: %p', (flag, values) => {
		for (const value of values) {
			expect(readFlag(value, 'Combine Items')).toBe(flag);
		}
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
