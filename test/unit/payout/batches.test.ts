import type { Rules } from '../../../nodes/PartnerPayments/ledger/ledger';
import {
	batchesOf,
	fundingOf,
	rulesOf,
} from '../../../nodes/PartnerPayments/resources/payout/batches';
import type { PayoutRequest } from '../../../nodes/PartnerPayments/resources/payout/request';
import { NO_RULES, payoutOf, requestOf, WORKSPACE } from './payouts';

const OTHER_WORKSPACE = '1b671a64-40d5-491e-99b0-da01ff1f3341';

describe('payouts share a funding', () => {
	const referencesOf = (payouts: Parameters<typeof batchesOf>[0]): string[][] =>
		batchesOf(payouts).map((batch) => batch.map(({ payment }) => payment.reference));

	test('in their order, up to 50', () => {
		const references = Array.from({ length: 51 }, (_, index) => `INV-${index}`);

		const batches = referencesOf(references.map((reference) => payoutOf(reference)));

		expect(batches).toEqual([references.slice(0, 50), references.slice(50)]);
	});

	test.each<[what: string, changes: Partial<PayoutRequest>]>([
		['workspace', { payableBody: requestOf('INV-2', OTHER_WORKSPACE).payableBody }],
		['method', { method: 'invoice' }],
		['text', { fundingText: { description: 'June' } }],
	])('only with the same %s', (_, changes) => {
		const batches = referencesOf([
			payoutOf('INV-1'),
			payoutOf('INV-2', changes),
			payoutOf('INV-3'),
		]);

		expect(batches).toEqual([['INV-1', 'INV-3'], ['INV-2']]);
	});
});

describe('the rules of several payouts', () => {
	test.each<[name: keyof Rules, strict: number | string, lax: number | string]>([
		['maxTotal', 1, 2],
		['maxPerDay', 1, 2],
		['holdAbove', 1, 2],
		['holdUnusualTimes', 1, 2],
		['holdDuplicatesSince', '2026-04-01', '2026-04-02'],
	])('have the strictest value: %s', (name, strict, lax) => {
		const withValue = (value: unknown) => ({ rules: { ...NO_RULES, [name]: value } });
		const none = payoutOf('INV-1');
		const one = payoutOf('INV-2', withValue(lax));
		const other = payoutOf('INV-3', withValue(strict));

		expect(rulesOf([none, one, other])).toEqual({ ...NO_RULES, [name]: strict });
	});

	test('hold new payees if one of them does', () => {
		const holding = payoutOf('INV-2', { rules: { ...NO_RULES, holdNewPayees: true } });

		const rules = rulesOf([payoutOf('INV-1'), holding]);

		expect(rules).toEqual({ ...NO_RULES, holdNewPayees: true });
	});

	test('are none where none of them has any', () => {
		expect(rulesOf([payoutOf('INV-1'), payoutOf('INV-2')])).toBeUndefined();
	});
});

describe('a funding', () => {
	test('asks for the sum, and names payables and references', () => {
		const fundingText = { description: 'June', po_number: 'PO-1' };

		const body = fundingOf([
			payoutOf('INV-1', { method: 'invoice', fundingText }),
			payoutOf('INV-2', { method: 'invoice', fundingText }),
		]);

		expect(body).toEqual({
			workspace_id: WORKSPACE,
			method: 'invoice',
			amount: 200,
			amount_denomination: 'us_cents',
			description: 'June [INV-1] [INV-2]',
			po_number: 'PO-1',
			payable_ids: ['pay-INV-1', 'pay-INV-2'],
		});
	});

	test('is never made for a payout that is only to be prepared', () => {
		const payout = payoutOf('INV-1', { method: 'none' });

		expect(() => fundingOf([payout])).toThrow('without a funding method');
	});
});
