import { randomUUID } from 'node:crypto';

import { holding, INVOICE, startHoldingService, tellingApart } from './heldInvoice';
import { statusesOf } from './payoutService';

const { pay, fundings } = startHoldingService();

describe('an invoice with the date of one that was paid', () => {
	const dated = (invoiceDate: string, more = {}) => ({
		options: { ...holding.options, invoiceDate, ...more },
	});
	/** The vendor's next number, and what a slip in the amount makes of it. */
	const next = { ...INVOICE, reference: 'INV-8', amount: 110 };

	test('is held under the next number and with another amount, and another date is paid #same-date', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], dated('2026-05-04'), changes);

		const items = await pay([next], dated('2026-05-04'), changes);

		const reason = expect.stringMatching(/"INV-7" .*: same payee and invoice date$/);
		expect(items).toMatchObject([{ status: 'held', reason, invoice_date: '2026-05-04' }]);
		expect(fundings()).toHaveLength(1);
		expect(statusesOf(await pay([next], dated('2026-05-05'), changes))).toEqual(['funded']);
	});

	test('is told apart by its date if it has the number that was paid #other-date', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], dated('2026-05-04'), changes);

		const [same] = await pay([INVOICE], dated('2026-05-04'), changes);
		const [other] = await pay([INVOICE], dated('2026-06-04'), changes);
		const [undated] = await pay([INVOICE], holding, changes);

		expect([same, undated]).toEqual([
			expect.not.objectContaining({ reason: expect.anything() }),
			expect.not.objectContaining({ reason: expect.anything() }),
		]);
		expect(other).toMatchObject({
			status: 'duplicate',
			reason: 'The ledger has it with the invoice date 2026-05-04, not 2026-06-04',
			hint: expect.any(String),
		});
	});

	test('is held once more by a node that has no date, until a person tells the two apart #held-date', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], dated('2026-05-04'), changes);
		const [held] = await pay([next], dated('2026-05-04'), changes);

		const again = await pay([next], holding, changes);
		const agreed = await pay([next], tellingApart(held?.['different_invoice']), changes);

		expect(statusesOf(again)).toEqual(['held']);
		expect(statusesOf(agreed)).toEqual(['funded']);
	});
});
