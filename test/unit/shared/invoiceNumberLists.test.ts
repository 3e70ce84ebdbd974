import { numbersIn } from '../../../nodes/PartnerPayments/shared/invoiceNumberLists';
import { matchKeyOf } from '../../../nodes/PartnerPayments/shared/references';

test.each([
	['INV-1042', ['1042']],
	['INV-1042a', ['1042a', '1042']],
	['INV-1042-02', ['1042', '2']],
	['Invoices 9-11', ['9', '10', '11']],
	['Invoices 30-10', ['30', '10']],
	['2026-0042', ['42']],
	['2026-0042-1', ['42', '1']],
	['5075-5077', ['5075', '5076', '5077']],
	['INV-1,042', ['1042', '1', '42']],
	['PO 77 INV-3105', ['3105']],
	['PO 77', ['77']],
	['INV-2013', ['2013']],
	['INV-7 2026-11-25', ['7']],
	['INV-2026-5', ['5']],
	['INV-21 Nov', ['21']],
	['FA-31-2026', ['31']],
	['PO 4711', ['4711']],
	['PO 88123 5705 v2', ['5705', '2']],
	['PO 88123 5705-2026', ['5705']],
	['INV-10-007', ['10007', '10', '7']],
	['INV-1,000,042', ['1000042', '1', '0', '42']],
	['RE-26-088', ['26088', '26', '88']],
	['INV-20-1042', ['20', '1042']],
	['INV-12-11-266', ['12', '11', '266']],
	['INV 5 appendix 12', ['5', '12']],
	['Model 112-11', ['112', '11']],
	['Model 12-113', ['12113', '12', '113']],
	['Delta 5-7', ['5', '6', '7']],
	['Season 2025/2026', ['2026']],
	['2026-11-25', []],
	['May 2026', []],
	['MARCH', []],
])('%p has the numbers %p', (reference, numbers) => {
	expect(numbersIn(matchKeyOf(reference))).toEqual(numbers);
});

test.each([
	['L-513', '2026 L-513'],
	['LL-525', '2026 LL-525'],
	['533', '2026-L-533'],
	['INV-2OO1', 'INV-2001'],
])('the first number of %p is among those of %p', (one, other) => {
	expect(numbersIn(matchKeyOf(other))).toContain(numbersIn(matchKeyOf(one))[0]);
});
