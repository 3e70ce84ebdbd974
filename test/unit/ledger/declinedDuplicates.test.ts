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
	test.each([0, 300])(
		'is seen through %d days later, in other words: what it repeats is named',
		(days) => {
			const paid = rowFor(paymentOf('INV-7'), { createdAt: timeAgo(days + 2) });

			const found = find(IN_WORDS, [paid, declined('Bill 7', { createdAt: timeAgo(days) })]);

			expect(referencesOf(found)).toEqual(['INV-7']);
		},
	);
});

test('what waits is named behind what it repeats, since that was paid', () => {
	const paid = rowFor(paymentOf('INV-7'), { createdAt: timeAgo(20) });
	const held = waitingFor(paymentOf('Bill 7', AMOUNT));

	const found = find(IN_WORDS, [held, paid]);

	expect(referencesOf(found)).toEqual(['INV-7', 'Bill 7']);
});
