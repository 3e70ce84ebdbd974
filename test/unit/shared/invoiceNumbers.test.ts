import {
	compareNumbers,
	hasOwnNumber,
	sharedNumberIn,
} from '../../../nodes/PartnerPayments/shared/invoiceNumbers';
import { matchKeyOf } from '../../../nodes/PartnerPayments/shared/references';

describe('similar references share the last number, without its zeros', () => {
	test.each([
		['INV-1042', '142'],
		['1042', '142'],
		['Invoice No. 1042', '142'],
		['2026-11 INV 1042', '142'],
		['INV-1042a', '142a'],
		['INV-2026-5', '65'],
		['INV-1042 (corrected)', '142'],
		['INV-1042 2026-11-25', '142'],
		['INV-1042-25.11.2026', '142'],
		['INV-1042 11/2026', '142'],
		['20261126-1042', '142'],
		['26.11.2026 1042', '142'],
		['2026-1042', '142'],
		['1042/2026', '142'],
		['2026/219', '219'],
		['20260037', '37'],
		['INV20261055', '155'],
		['10422026', '142'],
		['INV-3105 PO 77', '315'],
		['INV-3105, purchase order no. 77', '315'],
		['PO 77 INV-3105', '315'],
		['PO 77', '77'],
		['INV-31O5', '315'],
		['INV-3lO5', '315'],
		['INV-10O', '1'],
		['INV-10 of 12', '12'],
		['2026-11-25', '1125'],
		['25.11.2026', '1125'],
		['11/25/2026', '1125'],
		['2026-11-0342', '11342'],
		['26110342', '11342'],
		['11-0342', '11342'],
		['2642', '42'],
		['264', '264'],
		['INV-3,101', '311'],
		['4003.0', '43'],
		['INV-2001 Nov 2026', '21'],
		['INV-000', '0'],
		['INV-0-000', '0'],
		['INV-12026-4', '12264'],
		['MARCH', 'archm'],
		['INV-MARCH', 'archm'],
		['\u{1f389}', '\u{1f389}'],
	])('%p: %p', (reference, number) => {
		expect(sharedNumberIn(matchKeyOf(reference))).toBe(number);
	});
});

/** Two references, and whether they may be one invoice. */
const PAIRS: Array<[one: string, other: string, isOne: boolean]> = [
	['1042', 'INV-1042', true],
	['Invoice 1042', 'INV-1042', true],
	['2026-11-INV-1042', 'INV-1042', true],
	['INV-1042 (corrected)', 'INV-1042', true],
	['INV-1042 2026-11-25', 'INV-1042', true],
	['INV-1042 2026-11-25', 'INV-1042 2026-11-26', false],
	['INV-1042 11/2026', 'INV-1042', true],
	['INV-1042 11/2026', 'INV-1042 12/2026', false],
	['20261126-1042', 'INV-1042', true],
	['20261126-1', '20261203-1', false],
	['INV-1042', 'INV-1042-2', false],
	['INV-1042', 'INV-1042', false],
	['INV-1042', 'INV-1043', false],
	['INV-42', 'INV-1042', false],
	['INV-1,042', 'INV-1042', true],
	['2026-0037', '20260037', true],
	['INV-2026-1055', 'INV20261055', true],
	['INV-2026-1055', 'INV-20261055', true],
	['INV-2026-10566', 'INV202610566', true],
	['RE-26-0044', 'RE-260044', true],
	['26-0044-01', '26004401', true],
	['1042/2026', '10422026', true],
	['INV-2026-091-2', 'INV-26-091-2', true],
	['INV-2026-034', 'INV-26-034', true],
	['RE 2026/0815', 'RE 26/0815', true],
	['INV-2026-088', 'INV-26-088', true],
	['INV-2026-034', 'INV-27-034', false],
	['034/2026', 'INV-26-034', true],
	['INV-2026-091-2', 'INV-25-091-2', false],
	['20250037', '20260037', false],
	['2025-0037', '20260037', false],
	['20260037', '20260038', false],
	['10422025', '10422026', false],
	['202637', '2026-38', false],
	['RE-26-0044', 'RE-260045', false],
	['2026105', '2026106', false],
	['INV 1 042', 'INV-1042', true],
	['INV-1.042', 'INV-1042', true],
	['INV-10,007', 'INV-10007', true],
	['INV-1,000,042', 'INV-1000042', true],
	['INV-1,042.0', 'INV-1042', true],
	['INV-26/042', 'INV-26/42', true],
	['INV-26/042', 'INV-26042', true],
	['INV-1,042', 'INV-142', true],
	['INV-1,042', 'INV-1142', false],
	['MAY 2026', 'JUNE 2026', false],
	['Bill 7', 'Rechnung 7', true],
	['INV-7 rest', 'INV-7 remainder', true],
	['INV-3,101', 'INV-3101', true],
	['INV-4003.0', '4003', true],
	['INV-7 Nov 2026', 'INV-7', true],
	['INV-2001 Nov 2026', 'INV-2001', true],
	['Rent May 2026', 'Rent June 2026', false],
	['2026-05', '2026-06', false],
	['INV-7', 'INV-7b', false],
	['MARCH', 'APRIL', false],
	['2026-0218', '0218', true],
	['2026/219', '219/2026', true],
	['2026-1042', '2025-1042', false],
	['2026-1042', '1042 2026-11-25', true],
	['2025-1042', '1042 2026-11-25', false],
	['INV-3105 PO 77', 'INV-3105', true],
	['INV-3105 PO 77', 'INV-77', false],
	['INV-31O5', 'INV-3105', true],
	['F-1', 'C-1', false],
	['F-1', 'INV F-1', true],
	['Invoice 5705 of 12 Nov 2026', 'Inv. 5705', true],
	['INV 5705 dd 5.12.', 'Inv. 5705', true],
	['Rechnung Nr. 5705 vom 6. Dezember 2026', 'Inv. 5705', true],
	['Facture 5705 du 3 janvier 2027', 'Inv. 5705', true],
	['INV 5705 Nov 12, 2026', 'Inv. 5705', true],
	['INV 5705 12th of March', 'Inv. 5705', true],
	['PO 88123 5705', 'Inv. 5705', true],
	['PO4500012345-1320', '1320', true],
	['Bill No 2013', 'Inv. 2013', true],
	['2003 second notice', 'Inv. 2003', true],
	['Invoice 3001 of 12 Nov 2026', 'Invoice 3002 of 12 Nov 2026', false],
	['2nd notice 2004', 'INV-2', false],
	['Asset-12', 'Asset-13', false],
	['INV-21 Nov', 'INV-21', true],
	['INV-20 Nov 2026', 'INV-20', true],
	['INV-21 Nov', 'INV-22 Nov', false],
	['FA-31-2026', 'FA-31', true],
	['2026-31', 'FA-31', true],
	['20-2026', 'RE 20', true],
	['Asset-12', 'INV-12', true],
	['NOV-12', 'DEC-12', false],
	['INV-7 SET', 'INV-7', true],
	['NOV-12', 'INV-12', false],
	['Rent 31 Dec', 'INV-31', false],
	['Rent May 2026', 'May 2026', true],
	['Rent 2026', 'Rent May 2026', true],
	['INV-12 marketing', 'Bill 12', true],
	['INV-1042 2026-11-25', '2026-11-25-1042', true],
	['INV-1042 2026-11-25', 'INV-1042 2026-11-2', false],
	['INV-1042 2026-11-2', 'INV-1042 2026-1-12', false],
	['INV-1042-5 Dec', 'INV-1042', true],
	['INV-1042-31 Dec', 'INV-1042', true],
	['RE 1042 vom 12.11.', 'INV-1042', true],
	['RE 1042 vom 12.11.26', 'INV-1042', true],
	['RE-26-0142', 'RE-260142', true],
	['RE-26-01142', 'RE-2601142', true],
	['INV-20261107-353', 'INV-353', true],
	['20261142', '2026-1142', true],
	['INV-7/2026', 'INV-2026/7', true],
	['INV-7O041', 'INV-70041', true],
	['INV-7l041', 'INV-71041', true],
	['INV-1O001', 'INV-10001', true],
	['2026-118', '26118', true],
	['INV-2026-0118', 'INV-260118', true],
	['2026-118', '27118', false],
	['2026-34', '2634', false],
	['INV-10I2', 'INV-1012', true],
	['INV-10lI2', 'INV-10112', true],
	['INV-7O041', 'INV-70042', false],
];

describe('two references may be one invoice', () => {
	test.each(PAIRS)('%p and %p: %p', (one, other, isOne) => {
		const keys = [matchKeyOf(one), matchKeyOf(other)] as const;

		expect(compareNumbers(keys[0], keys[1]) === 'sameNumber').toBe(isOne);
		expect(compareNumbers(keys[1], keys[0]) === 'sameNumber').toBe(isOne);
	});

	test('each pair that may be is found by one number', () => {
		const numbers = PAIRS.filter(([, , isOne]) => isOne).map(([one, other]) =>
			[one, other].map((reference) => sharedNumberIn(matchKeyOf(reference))),
		);

		expect(numbers.filter(([one, other]) => one !== other)).toEqual([]);
	});
});

test.each([
	['INV-1042', 'Inv. 1042', 'sameReference'],
	['INV-1042', 'Bill 1042', 'sameNumber'],
	['INV-1042', 'INV-1042-2', 'extended'],
	['INV-1042', 'INV-1043', 'different'],
	['2345-1', '12345', 'different'],
	['477', '477v7-12', 'extended'],
	['INV-1042 2026-11-25', 'INV-1042 2026-11-26', 'different'],
	['MARCH', 'INV-1042', 'different'],
])('%p and %p are %s', (one, other, comparison) => {
	const keys = [matchKeyOf(one), matchKeyOf(other)] as const;

	expect(compareNumbers(keys[0], keys[1])).toBe(comparison);
	expect(compareNumbers(keys[1], keys[0])).toBe(comparison);
});

test.each([
	['L-513', '2026 L-513'],
	['I-519', 'PO 4500 I-519'],
	['O-521', 'PO4500 O-521'],
	['LL-525', '2026 LL-525'],
	['533', '2026-L-533'],
	['L-516', 'Smith 12 L-516'],
	['INV-2OO1', 'INV-2001'],
])(
	'a letter that looks like a digit can begin a number, or be a digit: %p has the same number as %p',
	(one, other) => {
		const keys = [matchKeyOf(one), matchKeyOf(other)] as const;

		expect(compareNumbers(keys[0], keys[1])).toBe('sameNumber');
		expect(compareNumbers(keys[1], keys[0])).toBe('sameNumber');
	},
);

test.each([
	['L-513', '2026 L-513'],
	['O-521', 'PO4500 O-521'],
	['INV-2OO1', 'INV-2001'],
])('%p and %p share their number', (one, other) => {
	expect(sharedNumberIn(matchKeyOf(one))).toBe(sharedNumberIn(matchKeyOf(other)));
});

test.each([
	['INV-1042', true],
	['PO 77', true],
	['Rent May 2026', false],
	['Rent 31 Dec', false],
	['MARCH', false],
])('%p has a number that is no date: %p', (reference, isNumbered) => {
	expect(hasOwnNumber(matchKeyOf(reference))).toBe(isNumbered);
});
