import {
	areToldApart,
	type DistinctNumbers,
	distinctNumbersIn,
} from '../../../nodes/PartnerPayments/shared/distinctNumbers';
import { matchKeyOf } from '../../../nodes/PartnerPayments/shared/references';

const numbersOf = (reference: string): DistinctNumbers => distinctNumbersIn(matchKeyOf(reference));

test.each([
	['INV-1042', 'INV-1043', true],
	['INV-1042', 'Bill 1042', false],
	['Rent May', 'Rent June', true],
	['Storage May', 'Storage for May', false],
	['Rent May 2026', 'Rent May 2025', true],
	['Rent May 2026', 'Rent 05/2026', false],
	['Rent May 2026', 'Rent 5/26', false],
	['2026-05-14', '14.05.2026', false],
	['2026-05-14', '2026-05-21', true],
	['Week 12', 'Week 13', true],
	['Week 1 2026', 'Week 26 2026', true],
	['2026-01-1', '2026-02-1', true],
	['P1-1', 'P2-1', true],
	['P1-1', 'P1-2', true],
	['2026-7', '26-7', false],
	['INV-1042', 'INV-1O42', false],
	['INV-42', 'INV-OO42', false],
	['INV-1112', 'INV-lll2', false],
	['Milestone 2', 'Milestone II', false],
	['H1 2026', 'First half 2026', false],
	['Q3 2026', 'Q4 2026', true],
	['Consulting', 'Consulting services', false],
	['Consulting', 'Web hosting', false],
	['Marketing', 'Marketing March', false],
	['Marketing 7', 'Web 3', true],
	['Phase B', 'Project phase B', false],
	['A-7', 'B-7', true],
	['INV-500a', 'INV-500b', true],
	['RV-8844-2', 'RV-8844 part 2', false],
	['RV-8844-2', 'RV-8844 part 3', true],
	['Cust 88121 Inv 5530', 'Inv 5530 Cust 88121', false],
	['AB-1234-CD', 'AB-l234-CD', false],
	['INV-1242', 'INV-l242', false],
	['INV-1242', 'INV-l243', true],
	['INV-2107', 'INV-Z107', false],
	['INV-817', 'INV-B17', false],
	['INV-4512', 'INV-4S12', false],
	['INV-1012', 'INV-OlO12', false],
	['INV-1oo', 'INV-100', false],
	['INV-1l2', 'INV-113', true],
	['4471-88213', '88213-4471-1042', false],
	['INV 7-7', 'INV 7-8', true],
	['2026-0042', '26-42', false],
	['INV-I242', 'INV-1242', false],
	['Bill 1', 'Bill 10', true],
	['Booth 14A', 'Booth 14B', true],
	['2026-0042', '26-43', true],
	['Fee Januar', 'Fee Februar', true],
	['Retainer, Mai', 'Retainer Juin', true],
])('the numbers of %p and %p tell them apart: %p', (one, other, expected) => {
	const first = numbersOf(one);
	const second = numbersOf(other);

	expect(areToldApart(first, second)).toBe(expected);
	expect(areToldApart(second, first)).toBe(expected);
});
