import {
	areToldApart,
	type DistinctNumbers,
	distinctNumbersIn,
	mayBeMistyped,
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
	['INV-1042', 'INV-142', false],
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
	['INV-88213', 'INV-8213', false],
	['4471-88213', 'Customer 4471 bill 8213', false],
	['INV-31254', 'INV-312544', false],
	['INV-31254', 'INV-331254', false],
	['INV-31254', 'INV-312564', false],
	['INV-31254', 'INV-31263', true],
	['INV-12', 'INV-112', true],
	['INV-112', 'INV-1112', false],
	['INV-41769', 'INV-41679', true],
	['4471-88213', '4417-8213', true],
	['4471-88213', '88213-4471-1042', false],
	['88213-4471', 'Bill 8213 customer 4471', false],
	['88213-4471', '8213-4472', true],
	['88213', '8213-4472', true],
	['INV 7-7', 'INV 7-8', true],
	['2026-0042', '26-42', false],
	['INV-I242', 'INV-1242', false],
	['1042a', '1042', false],
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

test.each([
	['PM-20958', 'PM-20985', true],
	['SC/26/4520', 'SC/26/4502', true],
	['PM-20971', 'PM-20977', true],
	['PM-20977', 'PM-20971', false],
	['PM-20877', 'PM-20977', true],
	['PM-21977', 'PM-20977', true],
	['INV-1043', 'INV-1042', false],
	['INV-1042', 'INV-1043', true],
	['INV-1042', 'INV-1042', false],
	['INV-1024', 'INV-1204', true],
	['INV-1024', 'INV-1420', false],
	['INV-1432', 'INV-1243', false],
	['GC 2026 91', 'GC 2026 19', true],
	['INV-12', 'INV-22', false],
	['INV-112', 'INV-212', true],
	['INV-112', 'INV-121', true],
	['INV-1042', 'INV-10421', false],
	['INV-1042', 'INV-2052', false],
	['4711-88213', '4711-88231', true],
	['4711-88213', '4717-88231', false],
	['88213-1042', '1042-88231', true],
	['INV-1042b', 'INV-1042a', false],
	['Rent May', 'Rent June', false],
])('%p may be %p, mistyped: %p', (reference, earlier, expected) => {
	const first = numbersOf(reference);
	const second = numbersOf(earlier);

	expect(mayBeMistyped(first, second)).toBe(expected);
});
