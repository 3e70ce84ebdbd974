import fc from 'fast-check';

import { InputError } from '../../../nodes/PartnerPayments/shared/inputError';
import {
	inMajorUnits,
	sum,
	toMinorUnits,
	type AmountUnit,
} from '../../../nodes/PartnerPayments/shared/money';
import { thrownBy } from '../support';

const LARGEST = Number.MAX_SAFE_INTEGER;

describe('toMinorUnits', () => {
	test.each<[value: unknown, unit: AmountUnit, minor: number]>([
		[19.99, 'major', 1999],
		['19.99', 'major', 1999],
		['19.990', 'major', 1999],
		['19.9900000', 'major', 1999],
		['19.9', 'major', 1990],
		['19', 'major', 1900],
		['19.0', 'major', 1900],
		[0.01, 'major', 1],
		['0.01', 'major', 1],
		[1.1, 'major', 110],
		[1.15, 'major', 115],
		[4.35, 'major', 435],
		[1999, 'minor', 1999],
		['1999', 'minor', 1999],
		[1999.0, 'minor', 1999],
		['  1999 ', 'minor', 1999],
		['0001999', 'minor', 1999],
		['007.50', 'major', 750],
		['+5', 'minor', 5],
		['+5', 'major', 500],
		[1, 'minor', 1],
		[LARGEST, 'minor', LARGEST],
		['9007199254740991', 'minor', LARGEST],
		['90071992547409.91', 'major', LARGEST],
	])('%p in the %s unit is %p', (value, unit, minor) => {
		expect(toMinorUnits(value, unit)).toBe(minor);
	});

	test.each<[value: unknown, unit: AmountUnit, message: string, hint: string]>([
		['1.005', 'major', 'has 3 decimals, but the unit has only 2', '.toFixed(2)'],
		[1.005, 'major', '"1.005" has 3 decimals', '.toFixed(2)'],
		[0.1 + 0.2, 'major', '"0.30000000000000004" has 17 decimals', '.toFixed(2)'],
		[1.1 * 3, 'major', '"3.3000000000000003" has 16 decimals', '.toFixed(2)'],
		['9007199254740993', 'minor', 'is too large to be sent exactly', 'Split it'],
		['9007199254740993', 'major', 'is too large to be sent exactly', 'Split it'],
		[Number('9007199254740993'), 'minor', 'is too large to be sent exactly', 'Split it'],
		['9007199254740992', 'minor', 'is too large to be sent exactly', 'Split it'],
		['90071992547409.92', 'major', 'is too large to be sent exactly', 'Split it'],
		['9'.repeat(400), 'minor', 'is too large to be sent exactly', 'Split it'],
		[0, 'minor', 'is zero', 'above zero'],
		['0', 'minor', 'is zero', 'above zero'],
		['0.00', 'major', 'is zero', 'above zero'],
		[-0, 'minor', 'is zero', 'above zero'],
		['-0', 'minor', 'is zero', 'above zero'],
		[-1, 'minor', '"-1" is negative', 'above zero'],
		['-19.99', 'major', '"-19.99" is negative', 'above zero'],
		['19.99', 'minor', 'has decimals, but its unit is minor', 'Major'],
		['1999.00', 'minor', '"1999.00" has decimals, but its unit is minor', '25000 for 250.00'],
		[
			'{{ $json.amount }}',
			'major',
			'holds braces of an expression: "{{ $json.amount }}"',
			'Expression',
		],
		[19.99, 'minor', 'has decimals, but its unit is minor', 'Major'],
		['1e3', 'minor', '"1e3" is not a plain number', 'as whole cents'],
		[1e21, 'minor', '"1e+21" is not a plain number', 'as whole cents'],
		[1e-7, 'major', '"1e-7" is not a plain number', 'without separators'],
		['1,234.50', 'major', 'is not a plain number', 'without separators'],
		['1.234,50', 'major', 'is not a plain number', 'without separators'],
		['19,99', 'major', 'is not a plain number', 'without separators'],
		['1 234', 'minor', 'is not a plain number', 'as whole cents'],
		["1'234", 'minor', 'is not a plain number', 'as whole cents'],
		['1_234', 'minor', 'is not a plain number', 'as whole cents'],
		['$19.99', 'major', 'is not a plain number', 'currency sign'],
		['19.99 USD', 'major', 'is not a plain number', 'currency sign'],
		['19.99€', 'major', 'is not a plain number', 'currency sign'],
		['.5', 'major', 'is not a plain number', 'before the decimals'],
		['5.', 'major', 'is not a plain number', 'before the decimals'],
		['0x10', 'minor', 'is not a plain number', 'as whole cents'],
		['١٢٣', 'minor', 'is not a plain number', 'as whole cents'],
		['--5', 'minor', 'is not a plain number', 'as whole cents'],
		['12\n34', 'minor', 'is not a plain number', 'as whole cents'],
		['nonsense', 'minor', 'is not a plain number', 'as whole cents'],
		[NaN, 'minor', '"NaN" is not a plain number', 'as whole cents'],
		[Infinity, 'minor', '"Infinity" is not a plain number', 'as whole cents'],
		[-Infinity, 'major', '"-Infinity" is not a plain number', 'Write digits with a point'],
		['', 'minor', 'is empty', 'expression'],
		['   ', 'minor', 'is empty', 'expression'],
		[null, 'minor', 'is empty', 'expression'],
		[undefined, 'minor', 'is empty', 'expression'],
		[{ amount: 5 }, 'minor', 'is an object, not a number', 'expression'],
		[[5], 'minor', 'is a list, not a number', 'expression'],
		[true, 'minor', 'is true, not a number', 'expression'],
		[5n, 'minor', 'is a bigint, not a number', 'expression'],
	])('%p in the %s unit is refused: %s', (value, unit, message, hint) => {
		const error = thrownBy(() => toMinorUnits(value, unit));
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^The amount /),
			hint: expect.stringContaining(hint),
		});
		expect(error).toHaveProperty('message', expect.stringContaining(message));
	});

	test('names what the amount is', () => {
		expect(() => toMinorUnits(0, 'minor', 'The amount of line item 2')).toThrow(
			'The amount of line item 2 is zero',
		);
	});

	test('every amount in minor units comes back from its major text', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: LARGEST }), (minor) => {
				expect(toMinorUnits(inMajorUnits(minor), 'major')).toBe(minor);
				expect(toMinorUnits(minor, 'minor')).toBe(minor);
				expect(toMinorUnits(String(minor), 'minor')).toBe(minor);
			}),
		);
	});

	test('the digits decide, not floating-point arithmetic', () => {
		const wholeDollars = fc.bigInt({ min: 0n, max: BigInt(LARGEST) / 100n - 1n });
		const cents = fc.integer({ min: 0, max: 99 });
		fc.assert(
			fc.property(wholeDollars, cents, fc.nat(5), (dollars, rest, zeros) => {
				fc.pre(dollars > 0n || rest > 0);
				const text = `${String(dollars)}.${String(rest).padStart(2, '0')}${'0'.repeat(zeros)}`;
				expect(BigInt(toMinorUnits(text, 'major'))).toBe(dollars * 100n + BigInt(rest));
			}),
		);
	});

	test('a number with two decimals is the amount that it is written as', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 10 ** 13 }), (minor) => {
				expect(toMinorUnits(Number(inMajorUnits(minor)), 'major')).toBe(minor);
			}),
		);
	});

	test('whatever is accepted is a safe whole number above zero, all else is refused with a hint', () => {
		const numberLike = fc.stringMatching(/^[+-]?[0-9]{0,18}[.,]?[0-9]{0,4}$/);
		const anyValue = fc.oneof(fc.anything(), fc.double(), fc.string(), numberLike);
		fc.assert(
			fc.property(anyValue, fc.constantFrom<AmountUnit>('minor', 'major'), (value, unit) => {
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
])('inMajorUnits: %p is %s', (minor, major) => {
	expect(inMajorUnits(minor)).toBe(major);
});
