import {
	findOutOfOrder,
	findTooNear,
	type Numbered,
} from '../../../nodes/PartnerPayments/ledger/protocol/invoiceOrder';

/** An invoice as `REFERENCE, DATE`, of which the date may be missing. */
function invoice(text: string): Numbered {
	const [reference = '', date = ''] = text.split(', ');
	return { reference, invoice_date: date };
}

const invoices = (texts: string[]): Numbered[] => texts.map(invoice);

const outOfOrder = (payment: string, others: string[]): string[] =>
	findOutOfOrder(invoice(payment), invoices(others)).map(({ other }) => other.reference);

const DECEMBER = ['AB77190, 2026-12-22', 'AB77204, 2026-12-30'];

describe('the number and the date of an invoice', () => {
	test.each<[what: string, payment: string, others: string[], found: string]>([
		['a lower number of a later date', 'AB77191, 2027-01-05', DECEMBER, 'AB77204'],
		['a higher number of an earlier date', 'AB77209, 2026-12-28', DECEMBER, 'AB77204'],
		['a number below all', 'AB77185, 2026-12-23', DECEMBER.slice(0, 1), 'AB77190'],
		[
			'an earlier year of a later date',
			'RE 2026-0103, 2027-01-05',
			['RE 2026-0102, 2026-12-23', 'RE 2027-0002, 2027-01-04'],
			'RE 2027-0002',
		],
		['a year behind the number', '0103/2026, 2027-01-05', ['0002/2027, 2027-01-04'], '0002/2027'],
		['a short number', '13, 2026-12-15', ['20, 2026-12-14'], '20'],
		['a short number after a long one', 'R-5, 2026-12-15', ['R-104, 2026-12-10'], 'R-104'],
		['a low number with zeros', 'R-0005, 2026-12-15', ['R-0008, 2026-12-10'], 'R-0008'],
		[
			'a number without its year',
			'RE 0101, 2026-12-15',
			['RE 2026-0103, 2026-12-10'],
			'RE 2026-0103',
		],
		['a short number of a year', '2026-3, 2026-12-15', ['2026-11, 2026-12-14'], '2026-11'],
	])('are not in order: %s', (_, payment, others, found) => {
		expect(outOfOrder(payment, others)).toEqual([found]);
	});

	test.each<[what: string, payment: string, others: string[]]>([
		['the next number', 'AB77209, 2027-01-05', DECEMBER],
		['an invoice that comes late', 'AB77195, 2026-12-26', DECEMBER],
		['a later number of the same date', 'AB77209, 2026-12-30', DECEMBER],
		['a payment without a date', 'AB77191', DECEMBER],
		['others without a date', 'AB77191, 2027-01-05', ['AB77190', 'AB77204']],
		['other words', 'CD77191, 2027-01-05', DECEMBER],
		['the same number with another letter', 'R-104a, 2026-12-20', ['R-104b, 2026-12-10']],
		['other numbers beside it', '5-77191, 2027-01-05', ['6-77204, 2026-12-30']],
		['a number that can be a month', '12, 2026-12-15', ['20, 2026-12-14']],
		['a later number without its year', 'RE 0105, 2026-12-15', ['RE 2026-0103, 2026-12-10']],
		[
			'a later number than one without its year',
			'RE 2026-0105, 2026-12-15',
			['RE 0103, 2026-12-10'],
		],
		['the first month of a year', '4471/1, 2027-01-31', ['4471/12, 2027-01-03']],
		['the first week of a year', 'Week 1, 2027-01-08', ['Week 53, 2027-01-01']],
		['the first number of a year', '2027-0001, 2027-01-05', ['2026-1238, 2026-12-22']],
		['a later year behind the number', '0002/2027, 2027-01-05', ['0103/2026, 2026-12-22']],
		['nothing before', 'AB77191, 2027-01-05', []],
	])('are in order, or say nothing: %s', (_, payment, others) => {
		expect(outOfOrder(payment, others)).toEqual([]);
	});

	test('say which of the two is higher', () => {
		const found = findOutOfOrder(invoice('R-105, 2026-12-15'), invoices(['R-107, 2026-12-10']));
		const later = findOutOfOrder(invoice('R-105, 2026-12-15'), invoices(['R-103, 2026-12-20']));

		expect(found).toMatchObject([{ likeness: expect.stringContaining('higher number') }]);
		expect(later).toMatchObject([{ likeness: expect.stringContaining('lower number') }]);
	});

	test('do not count once the numbers have begun anew', () => {
		const old = ['R-515', 'R-516', 'R-517', 'R-518'].map((number) => `${number}, 2026-12-20`);

		expect(outOfOrder('R-101, 2027-01-05', old)).toEqual(['R-516', 'R-517', 'R-518']);
		expect(outOfOrder('R-102, 2027-01-12', [...old, 'R-101, 2027-01-05'])).toEqual([]);
		expect(outOfOrder('R-100, 2027-01-12', [...old, 'R-101, 2027-01-05'])).toEqual(['R-101']);
	});

	test('are compared with the last ten of one series', () => {
		const first = 'R-196, 2026-12-25';
		const ten = Array.from({ length: 10 }, (_, index) => `R-1${index}0, 2026-12-${10 + index}`);
		const ofOtherSeries = Array.from({ length: 10 }, (_, index) => `K-2${index}0, 2026-12-26`);

		expect(outOfOrder('R-195, 2026-12-30', [first, ...ten])).toEqual([]);
		expect(outOfOrder('R-195, 2026-12-30', [first, ...ten.slice(1), ...ofOtherSeries])).toEqual([
			'R-196',
		]);
	});
});

describe('a number that is very near to one of another date', () => {
	const tooNear = (payment: string, others: string[]): string | undefined =>
		findTooNear(invoice(payment), invoices(others))?.reference;
	const STEPS = ['AB77164, 2026-12-11', 'AB77177, 2026-12-18', 'AB77190, 2026-12-22'];

	test.each<[what: string, payment: string, others: string[], found: string]>([
		['the next one', 'AB77191, 2027-01-05', STEPS, 'AB77190'],
		['less than half a step above', 'AB77196, 2027-01-05', STEPS, 'AB77190'],
		['below another one', 'AB77176, 2026-12-15', STEPS, 'AB77177'],
		['beside two of one date', 'AB77192, 2027-01-05', [...STEPS, 'AB77191, 2026-12-22'], 'AB77191'],
	])('is found: %s', (_, payment, others, found) => {
		expect(tooNear(payment, others)).toBe(found);
	});

	test.each<[what: string, payment: string, others: string[]]>([
		[
			'half a step above',
			'R-150, 2027-01-05',
			['R-100, 2026-12-01', 'R-120, 2026-12-08', 'R-140, 2026-12-15'],
		],
		[
			'after two numbers of a year',
			'2027-0031, 2027-03-05',
			['2026-0990, 2026-12-01', '2027-0010, 2027-01-05', '2027-0030, 2027-02-05'],
		],
		['the same date', 'AB77191, 2026-12-22', STEPS],
		['after two numbers, which may be near by chance', 'AB77191, 2027-01-05', STEPS.slice(1)],
		[
			'after the very next number',
			'R-106, 2026-12-20',
			['R-93, 2026-12-01', 'R-104, 2026-12-08', 'R-105, 2026-12-15'],
		],
		[
			'a later year',
			'2027-0001, 2027-01-05',
			['2026-0001, 2026-01-05', '2026-0040, 2026-02-05', '2026-0090, 2026-03-05'],
		],
		['other words', 'CD77191, 2027-01-05', STEPS],
		['nothing before', 'AB77191, 2027-01-05', []],
	])('is not found: %s', (_, payment, others) => {
		expect(tooNear(payment, others)).toBeUndefined();
	});

	test('has the day on which it was paid, without an invoice date', () => {
		const daysOf = (days: string[]): Numbered[] =>
			['R-110', 'R-130', 'R-150'].map((reference, index) => ({
				reference,
				invoice_date: '',
				createdAt: `${days[index]}T09:00:00.000Z`,
			}));
		const today = new Date().toISOString().slice(0, 10);

		const ofThreeDays = daysOf(['2026-05-04', '2026-05-11', '2026-05-18']);
		const ofOneDay = daysOf(['2026-05-04', '2026-05-04', '2026-05-04']);
		const ofToday = daysOf(['2026-05-04', '2026-05-11', today]);

		expect(findTooNear(invoice('R-151'), ofThreeDays)?.reference).toBe('R-150');
		expect(findTooNear(invoice('R-151'), ofOneDay)).toBeUndefined();
		expect(findTooNear(invoice('R-151'), ofToday)).toBeUndefined();
	});
});
