import {
	allNumbersIn,
	partsWithoutYearIn,
} from '../../../nodes/PartnerPayments/shared/invoiceNumbers';
import { matchKeyOf } from '../../../nodes/PartnerPayments/shared/references';

test.each([
	['INV-1042-2', ['1422', '142', '2']],
	['June 2026', ['226', '66', 'ejun']],
	['Retainer May', ['ainermayret']],
	['INV-7', ['7']],
])('%p is found by %j', (reference, numbers) => {
	expect(allNumbersIn(matchKeyOf(reference)).sort()).toEqual([...numbers].sort());
});

test.each([
	['INV-88/31765', '31765-88'],
	['S/2026/05/0009', '5-9'],
	['Wages 31.12.2026', '12-31'],
	['Wages 31.12.', '12-31'],
	['7', '7'],
	['MARCH', ''],
])('the parts of %p without a year are sorted as %p', (reference, parts) => {
	expect(partsWithoutYearIn(matchKeyOf(reference))).toBe(parts);
});
