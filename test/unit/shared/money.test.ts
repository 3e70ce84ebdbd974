import fc from 'fast-check';

import { InputError } from '../../../nodes/PartnerPayments/shared/errors';
import {
	formatDollars,
	sum,
	toMinorUnits,
	type AmountUnit,
} from '../../../nodes/PartnerPayments/shared/money';
import { thrownBy } from '../support';

const LARGEST = Number.MAX_SAFE_INTEGER;
const TOO_LARGE = 'is too large to be sent exactly';
const NO_NUMBER = 'is not a plain number';

describe('toMinorUnits', () => {
	test.each<[minor: number, unit: AmountUnit, values: unknown[]]>([
		[1999, 'dollars', [19.99, '19.99']],
		[1990, 'dollars', ['19.9']],
		[1900, 'dollars', ['19', '19.0']],
		[1, 'dollars', [0.01, '0.01']],
		[110, 'dollars', [1.1]],
		[115, 'dollars', [1.15]],
		[435, 'dollars', [4.35]],
		[750, 'dollars', ['007.50']],
		[500, 'dollars', ['+5']],
		[LARGEST, 'dollars', ['90071992547409.91']],
		[1999, 'cents', [1999, '1999', '  1999 ', '0001999']],
		[5, 'cents', ['+5']],
		[1, 'cents', [1]],
		[LARGEST, 'cents', [LARGEST, '9007199254740991']],
	])('%p is the amount of these in %s: %p', (minor, unit, values) => {
		expect(values.map((value) => toMinorUnits(value, unit))).toEqual(values.map(() => minor));
	});

	test.each<[message: string, hint: string, unit: AmountUnit, values: unknown[]]>([
		['has 3 decimals, and dollars have 2', 'Is it 1000, with a point', 'dollars', ['1.000']],
		['has 3 decimals, and dollars have 2', 'Is it 12500, with a point', 'dollars', ['12.500']],
		['has 3 decimals, and dollars have 2', '.toFixed(2)', 'dollars', ['1.005', 1.005, '1234.500']],
		['has 3 decimals, and cents have 0', 'Is it 1000, with a point', 'cents', ['1.000']],
		['has 3 decimals, and cents have 0', 'Math.round(…)', 'cents', ['229.999']],
		['"0.30000000000000004" has 17 decimals', '.toFixed(2)', 'dollars', [0.1 + 0.2]],
		['has 17 decimals', 'ROUND(…, 2) in the spreadsheet', 'dollars', ['0.30000000000000004']],
		['"3.3000000000000003" has 16 decimals', '.toFixed(2)', 'dollars', [1.1 * 3]],
		['"229.99999999999997" has 14 decimals', 'Math.round(…)', 'cents', [2.3 * 100]],
		['"114.99999999999999" has 14 decimals', 'Math.round(…)', 'cents', [1.15 * 100]],
		[TOO_LARGE, 'Check the field', 'cents', ['9007199254740993', Number('9007199254740993')]],
		[TOO_LARGE, 'Check the field', 'cents', ['9007199254740992', '9'.repeat(400)]],
		[TOO_LARGE, 'Check the field', 'dollars', ['9007199254740993', '90071992547409.92']],
		['is zero', 'above zero', 'cents', [0, '0', -0, '-0']],
		['is zero', 'above zero', 'dollars', ['0.00']],
		['"-1" is negative', 'credit note', 'cents', [-1]],
		['"-19.99" is negative', 'credit note', 'dollars', ['-19.99']],
		['"19.99" has 2 decimals, and cents have 0', 'as whole cents', 'cents', ['19.99', 19.99]],
		['"1999.00" has 2 decimals, and cents', '25000 for 250.00', 'cents', ['1999.00']],
		['"1e3" is not a plain number', 'as whole cents', 'cents', ['1e3']],
		['"1e+21" is not a plain number', 'as whole cents', 'cents', [1e21]],
		['"1e-7" is not a plain number', 'without separators', 'dollars', [1e-7]],
		[NO_NUMBER, 'without separators', 'dollars', ['1,234.50', '1.234,50', '19,99']],
		[NO_NUMBER, 'as whole cents', 'cents', ['1 234', "1'234", '1_234', '0x10', '١٢٣']],
		[NO_NUMBER, 'as whole cents', 'cents', ['--5', '12\n34', 'nonsense', '{{ $json.a }}']],
		[NO_NUMBER, 'currency sign', 'dollars', ['$19.99', '19.99 USD', '19.99€']],
		[NO_NUMBER, 'before the decimals', 'dollars', ['.5', '5.']],
		['"NaN" is not a plain number', 'as whole cents', 'cents', [NaN]],
		['"Infinity" is not a plain number', 'as whole cents', 'cents', [Infinity]],
		['"-Infinity" is not a plain number', 'Write digits with a point', 'dollars', [-Infinity]],
		['is empty', 'expression', 'cents', ['', '   ', null, undefined]],
		['is an object, not a number', 'expression', 'cents', [{ amount: 5 }]],
		['is a list, not a number', 'expression', 'cents', [[5]]],
		['is true, not a number', 'expression', 'cents', [true]],
		['is a bigint, not a number', 'expression', 'cents', [5n]],
	])('the error is %s, and the hint %s, in %s: %p', (message, hint, unit, values) => {
		for (const value of values) {
			const error = thrownBy(() => toMinorUnits(value, unit)) as InputError;

			expect(error).toBeInstanceOf(InputError);
			expect(error.message).toMatch(/^The amount /);
			expect(error.message).toContain(message);
			expect(error.hint).toContain(hint);
		}
	});

	test.each<[unit: AmountUnit, other: RegExp]>([
		['cents', /amount unit|in dollars|toFixed/i],
		['dollars', /amount unit|cents|Math\.round/i],
	])('no hint about an amount in %s leads to another unit', (unit, other) => {
		const values = ['19.99', 2.3 * 100, 1.005, '1.000', '229.999', '1,5', '1e3', '', 0, -1];

		const hints = values.map((value) => {
			try {
				return String(toMinorUnits(value, unit));
			} catch (error) {
				return (error as InputError).hint;
			}
		});

		expect(hints.filter((hint) => other.test(hint))).toEqual([]);
	});

	test.each<[unit: AmountUnit, value: string]>([
		['dollars', '0.500'],
		['dollars', '0.001'],
		['dollars', '007.500'],
		['cents', '0.500'],
	])('no hint about %s takes %s for thousands', (unit, value) => {
		const error = thrownBy(() => toMinorUnits(value, unit)) as InputError;

		expect(error.hint).toMatch(/round it/);
		expect(error.hint).not.toContain('Is it');
	});

	test('names what the amount is', () => {
		expect(() => toMinorUnits(0, 'cents', 'The amount of line item 2')).toThrow(
			'The amount of line item 2 is zero',
		);
	});

	test('every amount is read again as it was written', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: LARGEST }), (minor) => {
				expect(toMinorUnits(formatDollars(minor), 'dollars')).toBe(minor);
				expect(toMinorUnits(minor, 'cents')).toBe(minor);
				expect(toMinorUnits(String(minor), 'cents')).toBe(minor);
			}),
		);
	});

	test('a number with two decimals is the amount that it is written as', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 10 ** 13 }), (minor) => {
				expect(toMinorUnits(Number(formatDollars(minor)), 'dollars')).toBe(minor);
			}),
		);
	});

	test('whatever is accepted is a safe whole number above zero, all else is refused with a hint', () => {
		const numberLike = fc.stringMatching(/^[+-]?[0-9]{0,18}[.,]?[0-9]{0,4}$/);
		const anyValue = fc.oneof(fc.anything(), fc.double(), fc.string(), numberLike);
		fc.assert(
			fc.property(anyValue, fc.constantFrom<AmountUnit>('cents', 'dollars'), (value, unit) => {
				let minor: number;

				try {
					minor = toMinorUnits(value, unit);
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
					expect(error).toHaveProperty('hint', expect.stringMatching(/\w.*\.$/));

					return;
				}

				expect(Number.isSafeInteger(minor)).toBe(true);
				expect(minor).toBeGreaterThanOrEqual(1);
			}),
			{ numRuns: 2000 },
		);
	});
});

describe('sum', () => {
	test.each([
		[[], 0],
		[[1999], 1999],
		[[1, 2, 3], 6],
		[[LARGEST - 1, 1], LARGEST],
	])('of %p is %p', (amounts, total) => {
		expect(sum(amounts)).toBe(total);
	});

	test('too large to be exact is refused', () => {
		const error = thrownBy(() => sum([LARGEST, 1]));

		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({ message: expect.stringContaining('too large') });
	});
});

test.each([
	[1, '0.01'],
	[10, '0.10'],
	[100, '1.00'],
	[1999, '19.99'],
	[LARGEST, '90071992547409.91'],
])('%p cents are written as %s dollars', (minor, major) => {
	expect(formatDollars(minor)).toBe(major);
});
