import { differentInvoiceText } from '../../../nodes/PartnerPayments/ledger/payment';
import { find, NOW, referencesOf, rowFor, timeAgo, waitingFor } from './duplicateFinding';
import { paymentOf } from './ledgerRuns';

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});

afterEach(() => {
	jest.useRealTimers();
});

test('a payment whose number may be this one, mistyped, counts at any age', () => {
	const createdAt = timeAgo(300);
	const paid = rowFor(paymentOf('INV-20985'), { createdAt });
	const own = waitingFor(paymentOf('INV-20958'));
	const ofMonth = rowFor(paymentOf('INV-20011'), { createdAt });
	const turned = paymentOf('INV-20958');

	expect(referencesOf(find(turned, [paid, own, ofMonth]))).toEqual(['INV-20985']);
	expect(find(paymentOf('INV-20986'), [paid])).toEqual([]);
	expect(find({ ...turned, payee: 'eve@example.com' }, [paid])).toEqual([]);
	expect(referencesOf(find({ ...turned, amount: 100 }, [paid]))).toEqual(['INV-20985']);
});

test.each([
	['held', ['INV-20985']],
	['prepared', ['INV-20985']],
	['not_paid', []],
])('of what was never sent, one that is %s counts: %j', (state, expected) => {
	const waiting = waitingFor(paymentOf('INV-20985'), { createdAt: timeAgo(300), state });

	expect(referencesOf(find(paymentOf('INV-20958'), [waiting]))).toEqual(expected);
});

test('the series of a vendor begins with its oldest payment, in whichever order it is read', () => {
	const oldest = rowFor(paymentOf('PM-1000'), { createdAt: timeAgo(90) });
	const older = rowFor(paymentOf('PM-1100'), { createdAt: timeAgo(60) });
	const newer = rowFor(paymentOf('PM-1190'), { createdAt: timeAgo(30) });

	expect(find(paymentOf('PM-1290'), [newer, oldest, older])).toEqual([]);
	expect(referencesOf(find(paymentOf('PM-1790'), [newer, oldest, older]))).toEqual(['PM-1190']);
});

test('payments of other amounts tell how the numbers of a vendor go on', () => {
	const paid = rowFor(paymentOf('INV-2044'), { createdAt: timeAgo(40) });
	const later = rowFor(paymentOf('INV-2049', { amount: 100 }), { createdAt: timeAgo(10) });
	const ofOther = rowFor(paymentOf('INV-2049', { payee: 'eve@example.com', amount: 100 }));
	const payment = paymentOf('INV-2046');

	expect(referencesOf(find(payment, [paid, later]))).toEqual(['INV-2044']);
	expect(find(payment, [paid, ofOther])).toEqual([]);
});

test('beside a number that is like none of its amount, the newest five are named, until a person tells them apart', () => {
	const payments = Array.from({ length: 7 }, (_, week) => paymentOf(`R-8812${week}`));
	const rows = payments.map((payment, week) =>
		rowFor(payment, { id: week + 1, createdAt: timeAgo(100 - week) }),
	);
	const order = paymentOf('Order 5521');
	const newest = ['R-88126', 'R-88125', 'R-88124', 'R-88123', 'R-88122'];
	const differentInvoices = newest.map((reference) =>
		differentInvoiceText(order, paymentOf(reference)),
	);

	expect(referencesOf(find(order, rows))).toEqual(newest);
	expect(find({ ...order, differentInvoices }, rows)).toEqual([]);
	expect(find(paymentOf('R-88129', { amount: 100 }), rows)).toEqual([]);
});

test.each([
	['a date', 'Wages Kofi 18.12.2026', '-2', '-3'],
	['a date alone', '2026-12-01', '-2', '-3'],
	['a month with its year', 'Rent May 2026', '-2', '-3'],
	['a month in figures', 'Rent 2026-05', '-2', '-3'],
	['a month by its name', 'Rent May', '-2', '-3'],
	['an order', 'PO 4500012345', '-2', '-3'],
	['an order, with a word', 'Order 5512', ' part 2', ' part 3'],
	['a number', 'INV-1042', '-2', '-3'],
])(
	'the rest of what has %s is held at any age and amount, and after another rest, too: %s',
	(_, reference, second, third) => {
		const ofInvoice = paymentOf(reference, { amount: 45_500 });
		const invoice = rowFor(ofInvoice, { createdAt: timeAgo(100) });
		const rest = rowFor(paymentOf(reference + second), { createdAt: timeAgo(90) });
		const nextRest = paymentOf(reference + third);

		expect(referencesOf(find(paymentOf(reference + second), [invoice]))).toEqual([reference]);
		expect(referencesOf(find(ofInvoice, [rest]))).toEqual([reference + second]);
		expect(referencesOf(find(nextRest, [invoice, rest]))).toEqual(
			expect.arrayContaining([reference, reference + second]),
		);
	},
);

test('the number of an earlier payment with another date is held, until two show that it is that of a contract', () => {
	const ofNovember = rowFor(paymentOf('4711 11/2026'), { createdAt: timeAgo(60) });
	const ofDecember = rowFor(paymentOf('4711 12/2026'), { createdAt: timeAgo(30) });
	const again = rowFor(paymentOf('4711 11/2026'), { createdAt: timeAgo(30), state: 'void' });
	const payment = paymentOf('4711 01/2027');

	expect(referencesOf(find(payment, [ofNovember]))).toEqual(['4711 11/2026']);
	expect(referencesOf(find(payment, [ofNovember, again]))).toEqual(['4711 11/2026']);
	expect(find(payment, [ofNovember, ofDecember])).toEqual([]);
});

test.each([
	[299, ['PH-2026-0450']],
	[301, []],
])('a reference with another year is held %i days later: %j', (days, expected) => {
	const paid = rowFor(paymentOf('PH-2026-0450'), { createdAt: timeAgo(days) });

	expect(referencesOf(find(paymentOf('PH-2027-0450'), [paid]))).toEqual(expected);
});

test('what a number may be, mistyped, is shown beside whatever else counts, until a person tells both apart', () => {
	const old = { createdAt: timeAgo(300) };
	const mistyped = rowFor(paymentOf('L-342'), old);
	const first = rowFor(paymentOf('L-311'), old);
	const ofLastMonth = rowFor(paymentOf('L-345'), old);
	const ofToday = rowFor(paymentOf('L-346'));
	const rows = [first, mistyped, ofLastMonth, ofToday];
	const payment = paymentOf('L-324');
	const ofMistyped = differentInvoiceText(payment, paymentOf('L-342'));
	const ofTodayLine = differentInvoiceText(payment, paymentOf('L-346'));

	const found = find(payment, rows);
	const inRun = find(payment, [first, mistyped, ofLastMonth], [paymentOf('L-347')]);
	const withOneLine = find({ ...payment, differentInvoices: [ofTodayLine] }, rows);
	const withBoth = find({ ...payment, differentInvoices: [ofTodayLine, ofMistyped] }, rows);

	expect(referencesOf(found)).toEqual(['L-342', 'L-346']);
	expect(referencesOf(inRun)).toEqual(['L-342', 'L-347']);
	expect(referencesOf(withOneLine)).toEqual(['L-342']);
	expect(withBoth).toEqual([]);
});
