import {
	compareNumbers,
	sharedNumberIn,
	sharedNumberOfDateIn,
} from '../../../nodes/PartnerPayments/shared/invoiceNumbers';
import { matchKeyOf } from '../../../nodes/PartnerPayments/shared/references';

/** Each row is one invoice in several notations. */
const NOTATIONS = [
	['2026110342', '2026 11 0342', '2026-11-342', '2026/110342', 'INV 202611-342', '202611342'],
	['INV-2026-11-0350', 'INV-202611-0350', 'INV-26-11-350', 'INV-2611-350', 'INV-26110350'],
	['RE20261100361', 'RE-2026-11-00361', 'RE 26/11/361'],
	['2026-9-342', '2026090342', '20260900342', '2026-09-0342', '26-9-342', '26090342', '2609-342'],
	['2026-01-342', '202601342', '26-1-342', '2601342'],
	['2026-11-342a', '202611342a', '2026110342A', '26-11-342a'],
	['2026-11-0007', '2026110007', '202611-07', '26-11-7', '26110007', '2026/110007', '261107'],
	['2026-01-0007', '2026010007', '202601-07', '26-1-7', '26010007'],
	['2026-11-42', '20261142', '26-11-42', '261142', '2611-42'],
	['ACME-2026-11-0374', 'ACME 11-0374'],
	['ACME-2026-11-0007', 'ACME 11-0007'],
	['26-11-375', '11-375'],
	['9-342', '26-9-342', '2026090342'],
	['SR-377/11/26', 'SR-3771126', 'SR-377/1126'],
	['SR/26/11/377', 'SR/2026/11/377', 'SR 26/11-377'],
	['20261107-353', '2026-11-07-353', '2026-11-7 353', '7.11.2026 353', '353 07.11.2026'],
	['INV 20261107 356', 'INV 2026 11 07 356', 'INV-356 11/07/2026', 'INV-356 11/2026'],
	['20261107', '2026-11-7', '7.11.2026', 'INV 2026-11-07'],
	['25.11.2026', '11/25/2026', '20261125'],
	['Rent 11/2026', 'Rent 2026-11', 'Rent 202611'],
];

describe('one invoice is found in all notations of its number and date', () => {
	test.each(NOTATIONS)('%p and the rest of its row', (...notations) => {
		const keys = notations.map(matchKeyOf);
		const pairs = keys.flatMap((one) => keys.map((other) => [one, other] as const));

		const different = pairs.filter(
			([one, other]) => !['sameReference', 'sameNumber'].includes(compareNumbers(one, other)),
		);

		expect(different).toEqual([]);
		expect(new Set(keys.map(sharedNumberIn)).size).toBe(1);
	});
});

describe('one month or day is found by the name of its month, and by its number', () => {
	test.each([
		[['June 2026', 'Jun 2026', 'Juni 2026', '06/2026', '2026-06', 'Jun-26', '202606']],
		[['Rent May 2026', 'Rent Mai 2026', 'Rent 05/2026', 'Rent 2026-05', 'rent-may-2026']],
		[['Fee mayo de 2026', 'Fee 5-2026']],
		[['May 14, 2026', '14 May 2026', '14th of May 2026', '2026-05-14', '14.05.2026', '20260514']],
		[['17.05.2026', '17/5/26', '2026-05-17', '260517', '17 May 2026']],
		[['Retainer Dec 2026', 'Retainer December 2026', 'Retainer déc. 2026', 'Retainer 12/2026']],
	])('%j', (notations) => {
		const keys = notations.map(matchKeyOf);
		const pairs = keys.flatMap((one) => keys.map((other) => [one, other] as const));

		const different = pairs.filter(
			([one, other]) => !['sameReference', 'sameNumber'].includes(compareNumbers(one, other)),
		);

		expect(different).toEqual([]);
		expect(new Set(keys.map(sharedNumberOfDateIn)).size).toBe(1);
	});
});

describe('a number that only looks so is another invoice', () => {
	test.each([
		['2026-11-342', '2025-11-342'],
		['2026-11-342', '2026-12-342'],
		['2026110342', '2025110342'],
		['2026110342', '2026-12-0342'],
		['26110364', '27110364'],
		['26-11-375', '27-11-375'],
		['2611-364', '2610-364'],
		['2026-11-1', '2026-1-11'],
		['11-1', '1-11'],
		['202601001', '202610001'],
		['2026-01-342', '202610342'],
		['2026-11-0007', '2026110008'],
		['2026-11-0007', '2025110007'],
		['INV-1125', 'INV-2026-11-25'],
		['INV-2011', 'INV-2027-02-11'],
		['INV-1042', 'INV/2026/10/0042'],
		['INV-1042 12/2026', 'INV/2026/10/0042'],
		['20991342', '1342'],
		['2026134', '2026-1-34'],
		['2026134', '2026-13-4'],
		['INV-26134', 'INV-134'],
		['INV-250700', 'INV-2026-0700'],
		['INV-26134', 'INV-13-4'],
		['INV-26114', 'INV-114'],
		['20000042', '42'],
		['F-2026-11-342', 'C-2026-11-342'],
		['F202611342', 'C202611342'],
		['20261107-353', '20261108-353'],
		['20260102-1', '20260201-1'],
		['INV-5 2026-11-7', 'INV-5 2026-7-11'],
		['INV-5 7.11.2026', 'INV-5 11.7.2026'],
		['INV-5 11/2026', 'INV-5 2026-12-07'],
		['Rent 2026-11-07', 'Bonus 07.11.2026'],
		['May 2026', '06/2026'],
		['May 2025', '05/2026'],
		['Rent May 2026', 'Bonus 05/2026'],
		['May 14, 2026', '2026-05-15'],
		['14 May 2026', '2026-06-14'],
		['May 2026', 'INV-5'],
		['Payout 2026', '11/2026'],
	])('%p and %p', (...references) => {
		const [one = '', other = ''] = references.map(matchKeyOf);

		expect(compareNumbers(one, other)).toBe('different');
		expect(compareNumbers(other, one)).toBe('different');
	});
});
