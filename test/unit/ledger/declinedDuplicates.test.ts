import type { Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { find, NOW, referencesOf, rowFor, timeAgo, waitingFor } from './duplicateFinding';
import { paymentOf } from './ledgerRuns';

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});

afterEach(() => {
	jest.useRealTimers();
});

/** Of another amount than what was paid. */
const AMOUNT = { amount: 13600 };
const IN_WORDS = paymentOf('Lamps hall', AMOUNT);

const declined = (reference: string, changes: Partial<Row> = {}): Row =>
	waitingFor(paymentOf(reference, AMOUNT), { state: 'not_paid', ...changes });

describe('what a person has declined', () => {
	test.each([0, 300])('names what it repeats, to one that may be it, after %d days', (days) => {
		const paid = rowFor(paymentOf('INV-7'), { createdAt: timeAgo(days + 2) });

		const found = find(IN_WORDS, [paid, declined('Bill 7', { createdAt: timeAgo(days) })]);

		expect(found).toEqual([
			expect.objectContaining({ mayBePaid: true, text: expect.stringContaining('"Bill 7"') }),
		]);
		expect(referencesOf(found)).toEqual(['INV-7']);
	});

	test('repeats what was paid in the same moment', () => {
		const paid = rowFor(paymentOf('INV-7'), { createdAt: timeAgo(5) });

		const found = find(IN_WORDS, [paid, declined('Bill 7', { createdAt: timeAgo(5) })]);

		expect(referencesOf(found)).toEqual(['INV-7']);
	});

	test.each<[what: string, other: Row]>([
		['was paid later', rowFor(paymentOf('INV-7-2'), { createdAt: timeAgo(1) })],
		['waits', waitingFor(paymentOf('INV-7'), { createdAt: timeAgo(4) })],
		['was declined, too', waitingFor(paymentOf('INV-7'), { state: 'not_paid' })],
	])('names nothing that %s', (_, other) => {
		expect(find(IN_WORDS, [other, declined('Bill 7', { createdAt: timeAgo(3) })])).toEqual([]);
	});

	test('of another vendor or amount names nothing', () => {
		const paid = rowFor(paymentOf('INV-7'), { createdAt: timeAgo(20) });
		const ofEve = waitingFor(paymentOf('Bill 7', { ...AMOUNT, payee: 'eve@example.org' }), {
			state: 'not_paid',
		});
		const ofOtherAmount = waitingFor(paymentOf('Bill 7', { amount: 1 }), { state: 'not_paid' });

		expect(find(IN_WORDS, [paid, ofEve, ofOtherAmount])).toEqual([]);
	});
});

test('what waits is named behind what it repeats, since that was paid', () => {
	const paid = rowFor(paymentOf('INV-7'), { createdAt: timeAgo(20) });
	const held = waitingFor(paymentOf('Bill 7', AMOUNT));

	const found = find(IN_WORDS, [held, paid]);

	expect(referencesOf(found)).toEqual(['INV-7', 'Bill 7']);
});
