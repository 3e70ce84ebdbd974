import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { ANA, startPayoutService, statusesOf } from './payoutService';

const { pay, fundings, answerFundings, useWallet } = startPayoutService();

const holding = { options: { holdDuplicatesDays: 6 } };

/** Pays with the option "Different Invoice", as an item has said to enter it. */
const tellingApart = ({ different_invoice: line }: IDataObject = {}) => ({
	options: { ...holding.options, differentInvoice: String(line) },
});

const INVOICE = { ...ANA, reference: 'INV-7' };

/** The same number with other words around it, and one slip beside. */
const SIMILAR = [
	['another amount', { ...INVOICE, reference: 'Bill 7', amount: 410 }],
	['another address', { ...INVOICE, reference: 'Bill 7', payee: 'ana2@example.com' }],
] as const;

describe('an invoice number with other words around it', () => {
	test.each(SIMILAR)('and %s is held #similar-number-held', async (_, similar) => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], holding, changes);

		const [held] = await pay([similar], holding, changes);

		expect(held).toMatchObject({ status: 'held', reason: expect.stringContaining('"INV-7"') });
		expect(fundings()).toHaveLength(1);
	});

	test.each(SIMILAR)('and %s is held beside the first one of a run', async (_, similar) => {
		const items = await pay([INVOICE, similar], holding);

		expect(statusesOf(items)).toEqual(['funded', 'held']);
	});

	test("and another address and amount is another vendor's", async () => {
		const other = { reference: 'Bill 7', payee: 'eve@example.com', amount: 410 };

		const items = await pay([INVOICE, other], holding);

		expect(statusesOf(items)).toEqual(['funded', 'funded']);
	});
});

describe('what a held item says to enter as "Different Invoice"', () => {
	test('lets it pass, and no other payout', async () => {
		const changes = { workflowId: randomUUID() };
		const twin = { ...INVOICE, reference: 'INV-8' };
		await pay([INVOICE], holding, changes);
		const [held] = await pay([twin], holding, changes);

		const [paid] = await pay([twin], tellingApart(held), changes);
		const [next] = await pay([{ ...INVOICE, reference: 'INV-9' }], tellingApart(held), changes);

		expect([paid, next]).toMatchObject([{ status: 'funded' }, { status: 'held' }]);
	});

	test('passes by the one invoice that it names, and no second one #told-apart-from-one', async () => {
		const changes = { workflowId: randomUUID() };
		const mistyped = { ...INVOICE, reference: 'INV-8', payee: 'anna@example.com' };
		await pay([INVOICE], holding, changes);
		answerFundings(422);
		await pay([mistyped], holding, changes);
		useWallet(1_000_000);
		const line = 'INV-8 1.00 ana@example.com is not INV-8 1.00 anna@example.com';

		const [held] = await pay(
			[{ ...mistyped, payee: ANA.payee }],
			tellingApart({ different_invoice: line }),
			changes,
		);

		expect(held).toMatchObject({ status: 'held', reason: expect.stringContaining('"INV-7"') });
		expect(fundings()).toEqual([]);
	});

	test('is nothing beside an unconfirmed one, which is resolved first #unconfirmed-first', async () => {
		const changes = { workflowId: randomUUID() };
		const twin = { ...INVOICE, reference: 'INV-8' };
		answerFundings(500);
		await pay([INVOICE], holding, changes);
		useWallet(1_000_000);

		const [held] = await pay([twin], holding, changes);
		const line = 'INV-8 1.00 ana@example.com is not INV-7 1.00 ana@example.com';
		const [again] = await pay([twin], tellingApart({ different_invoice: line }), changes);

		expect(held).toMatchObject({
			status: 'held',
			reason: expect.stringContaining('unconfirmed'),
		});
		expect(held).not.toHaveProperty('different_invoice');
		expect(again).toMatchObject({ status: 'held' });
	});
});
