import {
	differInYear,
	haveOneNumber,
	isFarAbove,
	areDays,
	isUnlikeAll,
} from '../../../nodes/PartnerPayments/shared/numberSeries';

test.each([
	['the number of an order', 'Order 5521', ['R-88120']],
	['the number of a customer', 'KD-200776', ['1207/26']],
	['a number for a month', '2026-207', ['Retainer November 2026']],
	['a month for a number', 'Retainer December 2026', ['2026-207', '2026-214']],
	['a lower number than all', 'INV-2004', ['INV-2017', 'INV-2040']],
	['a letter in place of a digit', 'INV-l042', ['INV-1041']],
	['a number that has grown by more than one digit', 'INV-1042', ['INV-98']],
	['a number that has grown too much', 'INV-207', ['INV-98']],
	['a number for words', 'INV-207', ['Consulting']],
	['words for a number', 'Consulting', ['INV-207']],
	['the number of an order that is as long', 'Order 5107', ['PP-4426']],
	['the number of an order where numbers stand alone', 'Order 5107', ['4426']],
	['the number of a reminder after an invoice', 'Reminder 1050', ['INV-1042']],
	['a customer beside the number for the first time', 'Cust 471 inv 88290', ['88213']],
	['a letter for two', 'S-1050', ['SR-1042']],
	['two letters for others', 'PO-1050', ['SR-1042']],
	['the number of an order beside a single letter', 'Order 88213', ['R-88120']],
	['our own number', 'ER-2250', ['INVOICES-2013']],
	['a month for a week', 'Support January', ['Support week 53']],
	['other words for a month', 'Lohn November 2026', ['Wages October 2026']],
	['words for a number with parts', 'Water December 2026', ['AQ/4471/12']],
	['words and a month for a short number', 'Gutters February', ['31']],
	['words and a month for a short number with a word', 'Windows December', ['Invoice 7']],
	['a short number for words and a month', '44', ['Gutters April']],
	['words and a month as a number for a short number', 'Gutters 3/2027', ['17']],
	['words and a day for a short number', 'Roof 26.4.2027', ['52']],
	['words and a month for a month', 'Roof April', ['7/2027']],
	['an earlier year', 'License 2025', ['License 2026']],
	['an earlier month than all', 'Rent 01/2026', ['Rent 11/2026', 'Rent 12/2026']],
	['the name of an earlier month', 'Rent May 2026', ['Rent June 2026']],
	['an earlier date', '21.11.2026', ['28.11.2026']],
	['the number of a series that began anew', '118/2026', ['204/2026']],
])('%s is unlike all: %s beside %j', (_, reference, known) => {
	expect(isUnlikeAll(reference, known)).toBe(true);
});

test.each([
	['the next one', 'INV-1043', ['INV-1042']],
	['one that is higher than one of them', 'INV-1043', ['INV-1060', 'INV-1042']],
	['one with another word for an invoice', 'Bill 1043', ['INV-1042']],
	['one without a word', '1043', ['PP-1042']],
	['one with another letter', 'B-1043', ['A-1042']],
	['one whose words are known', 'PP-1044', ['ER-1042', 'PP-1043']],
	['one with a date beside it', 'INV-1043 (7.12.)', ['INV-1042']],
	['one that has one digit more', 'INV-100', ['INV-98']],
	['one that has one digit more than a longer one', 'INV-10004', ['INV-9871']],
	['the first one of another year', '2027-001', ['2026-118']],
	['the first one of another month', '2027-01-001', ['2026-12-118']],
	['another week', 'Week 3', ['Week 48']],
	['another week of more digits', 'Week 48', ['Week 3']],
	['another week in another order of words', 'Wages week 3', ['Week 48 wages']],
	['a short number with another word for an invoice', 'Bill 13', ['INV-12']],
	['a short number without a word', '13', ['RE 12']],
	['a short number with a word', 'RE 13', ['12']],
	['a short number of a series', 'B-7', ['A-7']],
	['the short name of a month', 'Retainer Dec 2026', ['Retainer November 2026']],
	['a week of two digits', 'Week 10', ['Week 9']],
	['the next month in another notation', 'Rent July 2026', ['Rent 06/2026']],
	['the next month without a word', 'July 2026', ['06/2026']],
	['the next month', 'Rent July 2026', ['Rent June 2026']],
	['a month of the next year', 'Rent 01/2027', ['Rent 12/2026']],
	['a month that is later than one of them', 'Rent 06/2026', ['Rent 05/2026', 'Rent 07/2026']],
	['another part of another invoice', 'INV-7-3', ['WEB-9-3']],
	['another month without its year', 'Rent May', ['Rent June']],
	['a month with its year', 'Rent May 2026', ['Rent June']],
	['a later date', '05.12.2026', ['28.11.2026']],
	['another year', 'License 2027', ['License 2026']],
	['another contract', '4711/13', ['4711/12']],
	['one of those kinds that are known', 'KD-20079', ['AB-1207/26', 'KD-20077']],
	['words beside words', 'Consulting', ['Catering']],
])('%s is not: %s beside %j', (_, reference, known) => {
	expect(isUnlikeAll(reference, known)).toBe(false);
});

test('where references are often unlike those before, they are made at random', () => {
	const known = ['3FA85F64', '9C858901', 'D9B2D63D', '7C9E6679'];

	expect(isUnlikeAll('F47AC10B', known)).toBe(false);
	expect(isUnlikeAll('F47AC10B', known.slice(1))).toBe(true);
	expect(isUnlikeAll('F47AC10B', known.concat(elevenFrom(110)))).toBe(true);
});

test.each([
	['another date', 'INV-1042 05.12.2026', 'INV-1042 12.12.2026', true],
	['another month', '2026/11/1042', '2026/12/1042', true],
	['other words and another date', 'Invoice 1042 of 5 December 2026', 'INV-1042 (12.12.)', true],
	['a customer as long as it', '47110 INV-88290 (5.12.)', 'INV-88290 (12.12.)', true],
	['its zeros', 'INV-01042 (5.12.)', 'INV-1042 (12.12.)', true],
	['another part', '4711-13', '4711-11', true],
	['an earlier part', '4711-12', '4711-13', true],
	['a digit of the customer', '8-3032', '88-3032', true],
	['the next part', '4711-13', '4711-12', false],
	['the next year', '2027-1042', '2026-1042', false],
	['a later year', '2028-1042', '2026-1042', false],
	['a date', 'INV-1042', 'INV-1042 (5.12.)', false],
	['another number', 'INV-1042 (5.12.)', 'INV-1043 (5.12.)', false],
	['a number of two digits', 'INV-12 (5.11.)', 'INV-12 (6.11.)', false],
	['no number', 'Rent', 'Rent May', false],
])('two references differ in %s: %s, %s', (_, one, other, expected) => {
	expect(haveOneNumber(one, other)).toBe(expected);
});

test.each([
	['PH-2026-0450', 'PH-2027-0450', true],
	['Rent January 2027', 'Rent January 2026', true],
	['Rent Jan 2027', 'Rent January 2026', true],
	['Delivery 15 December 2026', 'Delivery 15 Dec 2027', true],
	['Rent December 2026', 'Rent January 2027', false],
	['PH-26-0450', 'PH-27-0450', true],
	['LB/26/515', 'LB/27/515', true],
	['K-19-0327', 'K-27-0327', false],
	['INV-26', 'INV-27', false],
	['14/26', '14/27', false],
	['26-14', '27-14', false],
	['4711-26', '4711-27', false],
	['26/2026', '27/2026', false],
	['INV-2026', 'INV-2031', false],
	['PH-2026-0450', 'PH-2026-0450', false],
])('%s and %s differ in their years alone: %p', (one, other, expected) => {
	expect(differInYear(one, other)).toBe(expected);
	expect(differInYear(other, one)).toBe(expected);
});

const ISSUED = ['2026/0472', '2026/0471', '2026/0476', '2026/0474'];

test.each([
	['far above all', '2026/0747', ISSUED, true],
	['ten times as far as they are', 'INV-124', ['INV-100', 'INV-102', 'INV-104'], false],
	['a little further', 'INV-125', ['INV-100', 'INV-102', 'INV-104'], true],
	['beside one of another length', 'INV-125', ['INV-100', 'INV-104', 'Order 5512'], false],
	['below them', '2026/0147', ISSUED, false],
	['above two of them', '2026/0747', ISSUED.slice(2), true],
	['above one of them', '2026/0747', ISSUED.slice(3), false],
	['a little above two with one number', 'INV-241', ['INV-231 (5.12.)', 'INV-231 (6.12.)'], false],
	['above two with one number', 'INV-242', ['INV-231 (5.12.)', 'INV-231 (6.12.)'], true],
	['of the next month', '20261207', ['20261116', '20261123', '20261130'], false],
	['of a month after that', '20261207', ['20261012', '20261019', '20261026'], true],
	['of the same month', '261229', ['261201', '261202', '261203'], true],
	['of the next year', 'R2700012', ['R2600412', 'R2600415', 'R2600431'], false],
	['of a year after that', 'R2800012', ['R2600412', 'R2600415', 'R2600431'], true],
	['of the next month in another year', '281207', ['261116', '261123', '261130'], true],
	['of the next month after the last', '261207', ['261030', '261106', '261130'], false],
	['with a year inside', 'R1270012', ['R1260412', 'R1260415', 'R1260431'], true],
	['too short for a year before it', 'R2413', ['R2312', 'R2313', 'R2314'], true],
	['of two digits', 'Week 48', ['Week 11', 'Week 12', 'Week 13'], true],
	['of one digit', '9', ['1', '2'], false],
	['a day', '2026-11-28', ['2026-11-11', '2026-11-12'], false],
	['of two digits behind a year', '2026-88', ['2026-11', '2026-12'], true],
	['with more digits', 'INV-1250', ['INV-100', 'INV-102', 'INV-104'], false],
	['beside one without a number', 'INV-145', ['INV-100', 'Consulting', 'INV-104'], true],
	['without a number', 'Consulting', ISSUED, false],
	['after a wrong one long ago', 'INV-130', ['INV-900'].concat(elevenFrom(110)), false],
	['after a wrong one', 'INV-990', ['INV-900'].concat(elevenFrom(110)), true],
])('%s: %s', (_, reference, known, expected) => {
	expect(isFarAbove(reference, known)).toBe(expected);
});

/** The numbers of eleven invoices. */
function elevenFrom(first: number): string[] {
	return Array.from({ length: 11 }, (_, index) => `INV-${first + index}`);
}

test.each([
	['days', 'Wages 18.12.', 'Wages 4.12.', true],
	['days with a year', 'Wages 18.12.2026', '2026-12-14', true],
	['days with the name of a month', 'Wages 11 December', 'Wages 4 Dec 2026', true],
	['months', 'Rent March', 'Rent January', false],
	['months with a year', 'BL-2026-12', 'BL-2026-11', false],
	['a day and a month', 'Wages 11.12.', 'Wages December', false],
	['two numbers above those of months', 'JW26/42', 'JW26/41', false],
	['a number and a month', '4471/12', '4471/11', false],
	['weeks', 'Week 49', 'Week 48', false],
	['numbers', 'INV-1043', 'INV-1042', false],
	['words', 'Lamps hall', 'Cables', false],
])('two references are days: %s, %s and %s, %p', (_, one, other, expected) => {
	expect(areDays(one, other)).toBe(expected);
	expect(areDays(other, one)).toBe(expected);
});
