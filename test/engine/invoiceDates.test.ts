import { randomUUID } from 'node:crypto';

import { daysPass, holding, INVOICE, startHoldingService, tellingApart } from './heldInvoice';
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

describe('an invoice whose number and date are not in order', () => {
	const dated = (reference: string, invoiceDate: string, amount: number) => ({
		...INVOICE,
		reference,
		amount,
		invoiceDate,
	});
	/** The node reads the date of each item. */
	const byDate = { options: { ...holding.options, invoiceDate: '={{ $json.invoiceDate }}' } };

	test.each([
		['AB77191', '2027-01-05', 'held'],
		['AB77215', '2027-01-05', 'funded'],
		['AB77191', '2026-12-29', 'funded'],
	])('%s of %s is %s #number-order', async (reference, date, expected) => {
		const changes = { workflowId: randomUUID() };
		await pay([dated('AB77190', '2026-12-22', 14_500)], byDate, changes);
		daysPass(24, changes);
		await pay([dated('AB77204', '2026-12-30', 7600)], byDate, changes);

		const [item] = await pay([dated(reference, date, 18_800)], byDate, changes);

		expect(item).toMatchObject({ status: expected });
	});

	test('is shown what has its amount, if one of its run says so #number-order-in-run', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([dated('RE 2026-0102', '2026-12-23', 9840)], byDate, changes);
		daysPass(24, changes);
		const run = [
			dated('RE 2027-0002', '2027-01-04', 18_760),
			dated('RE 2026-0103', '2027-01-05', 9840),
		];

		const [next, wrong] = await pay(run, byDate, changes);

		expect(next).toMatchObject({ status: 'funded' });
		expect(wrong).toMatchObject({
			status: 'held',
			reason: expect.stringMatching(/"RE 2026-0102" .*same payee and amount; .*"RE 2027-0002" /),
		});
	});
});

test.each([
	['AB77191', 'held'],
	['AB77204', 'funded'],
])('after AB77164, AB77177, and AB77190, %s is %s #near-number', async (reference, expected) => {
	const changes = { workflowId: randomUUID() };
	for (const number of [77_164, 77_177, 77_190]) {
		await pay([{ ...INVOICE, reference: `AB${number}`, amount: number }], holding, changes);
		daysPass(7, changes);
	}

	const items = await pay([{ ...INVOICE, reference, amount: 412 }], holding, changes);

	expect(statusesOf(items)).toEqual([expected]);
});
