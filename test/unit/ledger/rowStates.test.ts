import {
	isResolvedFunding,
	isUnconfirmed,
	wasSentInVain,
} from '../../../nodes/PartnerPayments/ledger/protocol/rowStates';
import { rowOf, toRow, type Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { paymentOf } from './ledgerRuns';

/** A row without times: it is long ago. */
function rowWith(changes: Partial<Row>): Row {
	const run = { state: 'prepared', claim: '', execution: '1', environment: 'sandbox' } as const;
	const times = { createdAt: '', updatedAt: '' };

	return { ...toRow({ ...rowOf(paymentOf('INV-1'), run), ...times }), ...changes };
}

describe('what was resolved as not paid', () => {
	test.each<[what: string, changes: Partial<Row>, wasSent: boolean, isFundingKnown: boolean]>([
		['was never sent', { claim: '', funding_id: '' }, false, false],
		['was sent, and no answer is known', { claim: 'c', funding_id: '' }, true, false],
		['was sent, and its funding was known', { claim: '', funding_id: 'f' }, true, true],
		['was sent, and its answer came later', { claim: 'c', funding_id: 'f' }, true, false],
	])('%s', (_, changes, wasSent, isFundingKnown) => {
		const row = rowWith({ ...changes, state: 'not_paid' });

		expect(wasSentInVain(row)).toBe(wasSent);
		expect(isResolvedFunding(row)).toBe(isFundingKnown);
	});

	test.each(['prepared', 'held', 'void', 'funded'])('is no row that is %s', (state) => {
		for (const claim of ['', 'c']) {
			const row = rowWith({ state, claim, funding_id: 'f' });

			expect(wasSentInVain(row)).toBe(false);
			expect(isResolvedFunding(row)).toBe(false);
		}
	});
});

test.each(['preparing', 'prepared', 'held', 'not_paid', 'surplus'])(
	'a row that is %s is unconfirmed if an answer came, and its claim still waits for it',
	(state) => {
		expect(isUnconfirmed(rowWith({ state, claim: 'c', funding_id: 'f' }))).toBe(true);
		expect(isUnconfirmed(rowWith({ state, claim: '', funding_id: 'f' }))).toBe(false);
		expect(isUnconfirmed(rowWith({ state, claim: 'c', funding_id: '' }))).toBe(false);
	},
);
