import {
	mayBeMistyped,
	mayBeMistypedAtAnyAmount,
	mayBeMistypedWithAmount,
} from '../../../nodes/PartnerPayments/shared/mistypedNumbers';

/** Whether a reference may be an earlier one, mistyped, where its vendor has only got the amount. */
const isMistyped = (reference: string, earlier: string, known: string[]): boolean =>
	mayBeMistyped(reference, earlier, { ofAmount: known, ofVendor: known });

describe('where a vendor got the amount for one invoice', () => {
	test.each([
		['two digits swapped', 'PM-20985', 'PM-20958'],
		['two digits swapped, in a part', 'SC/26/4502', 'SC/26/4520'],
		['two digits swapped in a short number', 'INV-12', 'INV-21'],
		['two digits swapped in a year', 'Rent July 2026', 'Rent July 2062'],
		['a zero swapped to the beginning', 'CPD-0303', 'CPD-0033'],
		['a zero swapped within zeros', 'F1-008', 'F1-080'],
		['a digit left out', 'INV-88213', 'INV-8213'],
		['a digit left out, with other words around it', '4471-88213', 'Customer 4471 bill 8213'],
		['a digit left out behind zeros', 'OB0045512', 'OB004551'],
		['one of two nines left out behind zeros', 'BA 0099', 'BA 009'],
		['a digit left out, and its zeros', '0088213', '8213'],
		['a digit left out in the year', '2026-0031', '206-0031'],
		['a digit misread, and its year left out', '2026/322', '332'],
		['a digit typed twice', 'INV-112', 'INV-1112'],
		['a digit typed twice in a short number', 'INV-12', 'INV-122'],
		['another digit added', 'INV-31254', 'INV-312564'],
		['a digit misread', 'PM-20977', 'PM-20877'],
		['the first digit misread', 'PM-20977', 'PM-90977'],
		['the first of two digits misread', 'INV-12', 'INV-72'],
		['a lower last digit', 'INV-1043', 'INV-1042'],
		['a lower last digit of three', 'INV-113', 'INV-112'],
		['a lower letter behind it', 'INV-1042b', 'INV-1042a'],
		['a letter behind it', '1042', '1042a'],
		['a letter behind it left out', '1042a', '1042'],
		['a digit misread in a date', '260622', '460622'],
		['the first digit of a day', 'Wages Jo 04.12.2026', 'Wages Jo 14.12.2026'],
		['the digits of a day', 'Wages Jo 01.01.2027', 'Wages Jo 10.01.2027'],
		['the last digit of a day', 'Wages Jo 2026-12-04', 'Wages Jo 2026-12-05'],
		['the day of a month that has a name', 'Wages Jo 4 Dec 2026', 'Wages Jo 14 Dec 2026'],
		['the digits of Arabic', 'INV-1042', '\u0661\u0660\u0662\u0664'],
	])('%s may be mistyped: %s as %s', (_, earlier, reference) => {
		expect(isMistyped(reference, earlier, [earlier])).toBe(true);
	});

	test.each([
		['the next one', 'INV-1042', 'INV-1043'],
		['one of the next ones', 'INV-1042', 'INV-1049'],
		['the next letter', 'INV-1042a', 'INV-1042b'],
		['the same number', 'INV-1042', 'Bill 1042'],
		['the same number without its zeros', 'INV-0042', 'INV-42'],
		['the same year without its century', '2026-42', '26-42'],
		['two digits changed', 'INV-1042', 'INV-2052'],
		['two digits changed beside each other', 'INV-1042', 'INV-1053'],
		['one digit moved, and another one changed', 'INV-1042', 'INV-1023'],
		['two digits swapped that are not beside each other', 'INV-1024', 'INV-1420'],
		['three digits moved', 'INV-1432', 'INV-1243'],
		['two pairs of digits swapped', 'INV-123412', 'INV-214321'],
		['one digit swapped, and another one changed', 'INV-1024', 'INV-1205'],
		['two digits added', 'INV-12', 'INV-1042'],
		['two numbers changed', '4711-88213', '4717-88231'],
		['one number more', 'INV-1042', 'INV-1042-1'],
		['one number more behind a swapped one', 'INV-1042', 'INV-1024-1'],
		['its two numbers in another order', '12-34', '34-12'],
		['another month', 'Rent May', 'Rent June'],
		['a day a week later', 'Wages Jo 11.12.2026', 'Wages Jo 18.12.2026'],
		['a day half a month later', 'Wages Jo 01.12.2026', 'Wages Jo 15.12.2026'],
		['a month later', 'Wages Jo 04.11.2026', 'Wages Jo 04.12.2026'],
		['what may be a month later', 'Wages Jo 01/04/2026', 'Wages Jo 10/04/2026'],
		['a later number of a year', 'SO 2026-412-3', 'SO 2026-412-5'],
		['the month of another year', 'Fee 01/2026', 'Fee 10/2026'],
		['a lower last digit of a short number', 'INV-13', 'INV-12'],
		['a digit more of a single one', 'Week 4', 'Week 14'],
		['a digit less of a short number', 'Week 42', 'Week 4'],
		['other words', 'Consulting', 'Catering'],
	])('%s is no slip: %s, and then %s', (_, earlier, reference) => {
		expect(isMistyped(reference, earlier, [earlier])).toBe(false);
	});
});

/** The references of a vendor that gets one amount again and again, from the oldest one on. */
const WEEKLY = ['CLN-1187', 'CLN-1188', 'CLN-1189', 'CLN-1190', 'CLN-1191'];
const SOMETIMES = ['12045', '12060', '12091', '12110'];
const FLYERS = ['F1-008', 'F1-015', 'F1-022'];

test.each([
	['INV-120', true],
	['INV-119', false],
])(
	'where a vendor got an amount twice, a digit that differs is a slip, but the last one: %s',
	(reference, expected) => {
		expect(isMistyped(reference, 'INV-110', ['INV-100', 'INV-110'])).toBe(expected);
		expect(isMistyped(reference, 'INV-110', ['INV-090', 'INV-100', 'INV-110'])).toBe(false);
	},
);

describe('where a vendor got the amount for several invoices', () => {
	test.each([
		['swapped digits of a lower number', SOMETIMES, '12060', '12006'],
		['swapped digits of a number between others', ['12045', '12059', '12110'], '12059', '12095'],
		['swapped digits that come too early', WEEKLY, 'CLN-1189', 'CLN-1198'],
		['swapped zeros that come too early', FLYERS, 'F1-008', 'F1-080'],
		['swapped digits of the last number', SOMETIMES, '12110', '12101'],
		['the last number, whose digits were swapped', SOMETIMES.concat('12136'), '12136', '12163'],
		['a misread digit that comes too early', WEEKLY, 'CLN-1189', 'CLN-1789'],
		['a misread digit of a lower number', SOMETIMES, '12091', '12061'],
		['a misread last digit of a lower number', SOMETIMES, '12060', '12068'],
		['one that is more than twice as far as before', ['110', '120'], '120', '150'],
		['a digit left out', SOMETIMES, '12110', '1210'],
		['a digit added', SOMETIMES, '12060', '120600'],
	])('%s may be mistyped', (_, known, earlier, reference) => {
		expect(isMistyped(reference, earlier, known)).toBe(true);
	});

	test.each([
		['the next one', WEEKLY, 'CLN-1191', 'CLN-1192'],
		['swapped digits of an earlier one', WEEKLY.concat('CLN-1197'), 'CLN-1189', 'CLN-1198'],
		['the next letter of the last one', ['INV-400', 'INV-500a'], 'INV-500a', 'INV-500b'],
		['one in which a digit differs', SOMETIMES, '12110', '12120'],
		['the first one with a digit more', ['INV-998', 'INV-999'], 'INV-100', 'INV-1000'],
		['one that is twice as far as before', ['INV-110', 'INV-120'], 'INV-120', 'INV-140'],
	])('%s is no slip: it continues the series', (_, known, earlier, reference) => {
		expect(isMistyped(reference, earlier, [earlier].concat(known).sort())).toBe(false);
	});

	test('another number of the references is that of another series', () => {
		const known = ['P4-1042', 'P7-1187', 'P7-1199'];

		expect(isMistyped('P7-1142', 'P7-1199', known)).toBe(false);
		expect(isMistyped('P4-1142', 'P4-1042', known)).toBe(true);
		expect(isMistyped('P7-1189', 'P7-1199', known)).toBe(true);
	});

	test('one digit that differs says nothing where the numbers do not rise, such as dates', () => {
		const dates = ['21112026', '28112026', '05122026'];

		expect(isMistyped('15122026', '05122026', dates)).toBe(false);
		expect(isMistyped('28112025', '28112026', dates)).toBe(false);
		expect(isMistyped('05122062', '05122026', dates)).toBe(true);
	});

	test('a number that is there several times rises, too', () => {
		const known = ['INV-500a', 'INV-500b', 'INV-501a'];

		expect(isMistyped('INV-601a', 'INV-501a', known)).toBe(true);
	});
});

describe('beside payments of other amounts', () => {
	const ofVendor = ['R-88213', 'R-88120', 'R-88205', 'R-88151'];

	test.each([
		['lower than others', 'R-88157', 'R-88151', true],
		['not half as far as ever', 'R-88216', 'R-88213', true],
		['half as far as ever', 'R-88217', 'R-88213', false],
	])('a number is compared with all of its vendor: %s', (_, reference, earlier, expected) => {
		const known = { ofAmount: [earlier], ofVendor };

		expect(mayBeMistyped(reference, earlier, known)).toBe(expected);
	});

	test.each([
		['twice', ['R-88342', 'R-88290'], true],
		['three times', ['R-88342', 'R-88290', 'R-88301'], false],
	])(
		'digits swapped to the next number count where the amount was paid %s',
		(_, ofAmount, expected) => {
			const all = { ofAmount, ofVendor: ['R-88290', 'R-88301', 'R-88342', 'R-88379'] };

			expect(mayBeMistyped('R-88432', 'R-88342', all)).toBe(expected);
			expect(mayBeMistyped('R-88421', 'R-88342', all)).toBe(false);
		},
	);

	test.each([
		['once', ['77-0120-1'], true],
		['three times', ['77-0120-1', '77-0118-2', '77-0119-3'], false],
	])('digits swapped across a dash count where the amount was paid %s', (_, ofAmount, expected) => {
		const all = { ofAmount, ofVendor: ofAmount };

		expect(mayBeMistyped('77-0121-0', '77-0120-1', all)).toBe(expected);
		expect(mayBeMistyped('77-0122-0', '77-0120-1', all)).toBe(false);
	});

	test('only the last ten tell how the numbers go on', () => {
		const wrong = 'INV-99999';
		const ofMonths = Array.from({ length: 10 }, (_, month) => `INV-${10_100 + 20 * month}`);
		const reference = 'INV-10290';
		const earlier = 'INV-10280';
		const ofAmount = ['INV-10100', 'INV-10180', earlier];
		const known = { ofAmount, ofVendor: [wrong, ...ofMonths] };
		const tooSoon = { ofAmount, ofVendor: [wrong, ...ofMonths.slice(1)] };

		expect(mayBeMistyped(reference, earlier, known)).toBe(false);
		expect(mayBeMistyped(reference, earlier, tooSoon)).toBe(true);
	});

	test('whether its numbers rise, those of the amount say', () => {
		const known = { ofAmount: ['INV-1042'], ofVendor: ['INV-1060', 'INV-1042', 'INV-1051'] };

		expect(mayBeMistyped('INV-1742', 'INV-1042', known)).toBe(true);
	});
});

describe('a number and an amount', () => {
	const KNOWN = ['R-2031', 'R-2034', 'R-2039'];

	const areMistyped = (reference: string, earlier: string, ...cents: [number, number]): boolean => {
		const [amount, earlierAmount] = cents;
		return mayBeMistypedWithAmount(reference, earlier, { amount, earlierAmount }, KNOWN);
	};

	test.each<[what: string, reference: string, earlier: string, cents: [number, number]]>([
		['digits swapped in both', 'R-2013', 'R-2031', [50_100, 51_000]],
		['digits swapped in both, to the next number', 'R-2043', 'R-2034', [20_400, 24_000]],
		['digits swapped, and one of the amount changed', 'R-2013', 'R-2031', [22_200, 22_220]],
		['a digit left out, and one of the amount changed', 'R-203', 'R-2034', [22_200, 22_220]],
		['a higher digit, and digits of the amount swapped', 'R-2054', 'R-2034', [20_400, 24_000]],
		['a digit added to a part of one digit', '77-1218-20', '77-1218-2', [3_101, 3_110]],
		['digits swapped across a dash', '77-1213-1', '77-1211-3', [2_420, 2_240]],
		['digits swapped in both, across others in the amount', 'R-2043', 'R-2034', [44_406, 44_604]],
		['a lower last digit, and digits of the amount swapped', 'R-2033', 'R-2034', [20_400, 24_000]],
		['a digit far above others, and one of the amount', 'R-2834', 'R-2034', [2_790, 2_750]],
		['a digit below others, and one of the amount', 'R-2037', 'R-2034', [2_790, 2_750]],
		['a lower digit, and a zero of the amount left out', 'R-2030', 'R-2031', [5_100, 51_000]],
		['a lower digit, and a zero of the amount added', 'R-2030', 'R-2031', [510_000, 51_000]],
		['a higher digit, and one of the amount', 'R-2044', 'R-2034', [25_000, 24_000]],
		[
			'a last digit above all, and digits of the amount swapped',
			'JW26/43',
			'JW26/41',
			[20_400, 24_000],
		],
		['the next number, and a digit of the amount', 'JW26/42', 'JW26/41', [26_000, 22_000]],
		['digits across a dash, and one of the amount', '77-1213-1', '77-1211-3', [2_250, 2_240]],
	])('may both be mistyped: %s', (_, reference, earlier, cents) => {
		expect(areMistyped(reference, earlier, ...cents)).toBe(true);
	});

	test.each<[what: string, reference: string, earlier: string, cents: [number, number]]>([
		['the next number, and digits of the amount swapped', 'R-2041', 'R-2039', [20_400, 24_000]],
		['digits of other words swapped', 'AB-1213-1', 'CD-1211-3', [2_420, 2_240]],
		['two digits across a dash', '77-1214-1', '77-1211-3', [2_420, 2_240]],
		['a last digit above all, and one of the amount', 'JW26/43', 'JW26/41', [26_000, 22_000]],
		['the highest last digit, and one of the amount', 'R-2039', 'R-2034', [25_000, 24_000]],
		['another part, and a digit of the amount', 'D-411-2', 'D-411-1', [5_100, 5_000]],
		['another letter, and a digit of the amount', 'F613b', 'F613a', [5_100, 5_000]],
		['digits swapped, and another amount', 'R-2013', 'R-2031', [51_000, 48_200]],
		[
			'two digits of the number, and digits of the amount swapped',
			'R-2077',
			'R-2031',
			[20_400, 24_000],
		],
	])('may be those of another invoice: %s', (_, reference, earlier, cents) => {
		expect(areMistyped(reference, earlier, ...cents)).toBe(false);
	});
});

describe('whatever the amounts are', () => {
	test.each([
		['two digits swapped', 'R-2013', 'R-2031', ['R-2031', 'R-2034']],
		['two digits swapped in the only number', 'KP-142', 'KP-124', ['KP-124']],
		['a digit left out', 'R-234', 'R-2034', ['R-2031', 'R-2034']],
		['a digit typed twice', 'R-20334', 'R-2034', ['R-2031', 'R-2034']],
		['a digit misread, above all others', 'R-2834', 'R-2034', ['R-2029', 'R-2031', 'R-2034']],
	])('a number may be mistyped: %s', (_, reference, earlier, known) => {
		expect(mayBeMistypedAtAnyAmount(reference, earlier, known)).toBe(true);
	});

	test.each([
		['the next number, which has two digits swapped', 'R-2043', 'R-2034', ['R-2034', 'R-2039']],
		['two digits swapped of two', 'R-31', 'R-13', ['R-12', 'R-13']],
		['a digit left out of three', 'R-12', 'R-122', ['R-120', 'R-122']],
		['another last digit', 'R-2038', 'R-2034', ['R-2029', 'R-2031', 'R-2034']],
		['a lower last digit', 'R-2033', 'R-2034', ['R-2029', 'R-2034', 'R-2039']],
		['a lower digit', 'R-2014', 'R-2034', ['R-2029', 'R-2031', 'R-2034']],
		['a higher digit after two numbers', 'R-2834', 'R-2034', ['R-2031', 'R-2034']],
		['a higher digit below others', 'R-2064', 'R-2034', ['R-2031', 'R-2034', 'R-2099']],
		['digits swapped beside other words', 'B-2013', 'R-2031', ['R-2031', 'R-2034']],
		['two numbers', 'R-2013/7', 'R-2031/9', ['R-2031/9']],
		['no slip', 'R-2077', 'R-2031', ['R-2031', 'R-2034']],
	])('a number may be that of another invoice: %s', (_, reference, earlier, known) => {
		expect(mayBeMistypedAtAnyAmount(reference, earlier, known)).toBe(false);
	});
});
