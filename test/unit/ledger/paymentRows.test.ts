import type { Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import {
	assignRows,
	earlierPayables,
} from '../../../nodes/PartnerPayments/ledger/protocol/paymentRows';
import { rowOf, toRow, type Row } from '../../../nodes/PartnerPayments/ledger/table/rows';
import { useFakeTime } from '../../support/fakeTime';
import { paymentOf } from './ledgerRuns';

const ENVIRONMENT = 'sandbox';

useFakeTime();

const ADA = paymentOf('INV-1', { payableId: 'pay-now' });

/** A row of a payment, prepared by an earlier run unless told otherwise. */
function rowWith(changes: Partial<Row>, payment: Payment = ADA): Row {
	const run = { state: 'prepared', claim: 'c', execution: '1', environment: ENVIRONMENT } as const;
	const now = new Date().toISOString();

	return { ...toRow({ ...rowOf(payment, run), createdAt: now, updatedAt: now }), ...changes };
}

const idsOf = (rows: Row[]): string[] => rows.map(({ payable_id: id }) => id);

describe('the payables that payments had earlier', () => {
	test('are those of their invoice, without what has no payable and without their own', () => {
		const rows = [
			rowWith({ payable_id: 'pay-1' }),
			rowWith({ payable_id: '', state: 'held' }),
			rowWith({ payable_id: 'pay-now' }),
			rowWith({ payable_id: 'pay-9' }, paymentOf('INV-9')),
		];

		expect(earlierPayables([ADA], rows, ENVIRONMENT)).toEqual(['pay-1']);
	});

	test('do not matter where a row blocks the payment already', () => {
		const rows = [rowWith({ payable_id: 'pay-1' }), rowWith({ state: 'funded' })];

		expect(earlierPayables([ADA], rows, ENVIRONMENT)).toEqual([]);
	});

	test('are none of a payment that has no payable yet, and had none', () => {
		const unprepared = paymentOf('INV-1', { payableId: undefined });

		const found = earlierPayables([unprepared], [rowWith({ payable_id: '' })], ENVIRONMENT);

		expect(found).toEqual([]);
	});
});

test('the row of somebody who funds an earlier payable by its ID concerns the payment, and no other row of none', () => {
	const byId = { reference: '', key: 'payable pay-1', number_key: 'payable pay-1' };
	const rows = [
		rowWith({ payable_id: 'pay-1' }),
		rowWith({ ...byId, payable_id: 'pay-1', state: 'sending' }),
		rowWith({ ...byId, payable_id: 'pay-2', state: 'sending' }),
	];

	const [assigned] = assignRows([ADA], rows, ENVIRONMENT);

	expect(idsOf(assigned?.rows ?? [])).toEqual(['pay-1', 'pay-1']);
	expect(assigned?.besides).toEqual([]);
});
