import { randomUUID } from 'node:crypto';

import { daysPass, holding, INVOICE, startHoldingService, tellingApart } from './heldInvoice';
import { statusesOf } from './payoutService';

const { pay, resolveAs } = startHoldingService();

/** The same vendor and invoice with a wrong amount. It is held beside INVOICE. */
const SLIP = { ...INVOICE, reference: 'Bill 7', amount: INVOICE.amount + 36 };
/** The slip once more, in words. Nothing but the slip is like it. */
const IN_WORDS = { ...SLIP, reference: 'Lamps for the hall' };

/** A workflow that has paid an invoice, and holds it with a wrong amount. */
async function holdsSlip(): Promise<{ workflowId: string }> {
	const changes = { workflowId: randomUUID() };
	await pay([INVOICE], holding, changes);
	await pay([SLIP], holding, changes);
	return changes;
}

const decline = async (changes: { workflowId: string }): Promise<void> => {
	await resolveAs('notPaid', { ...changes, executionId: '2' }, SLIP.reference);
};

describe('what a person has declined, since it repeats a payment', () => {
	test.each([0, 60])(
		'is held in other words %d days later, and names what was paid #declined-again',
		async (days) => {
			const changes = await holdsSlip();
			await decline(changes);
			daysPass(days, changes);

			const [item] = await pay([IN_WORDS], holding, changes);
			const agreed = await pay([IN_WORDS], tellingApart(item?.['different_invoice']), changes);

			expect(item).toMatchObject({ status: 'held', reason: expect.stringContaining('"INV-7"') });
			expect(statusesOf(agreed)).toEqual(['funded']);
		},
	);

	test('is held beside a mistyped address of its vendor as one to a new payee, and names that address #declined-beside-address', async () => {
		const changes = { workflowId: randomUUID() };
		const elsewhere = { ...INVOICE, reference: '2026-0099', payee: 'ana@exanple.org' };
		await pay([elsewhere], holding, changes);
		await pay([{ ...INVOICE, reference: '99' }], holding, changes);
		await resolveAs('notPaid', { ...changes, executionId: '2' }, '99');

		const [item] = await pay(
			[{ ...INVOICE, reference: 'Garden December' }],
			{ options: { ...holding.options, holdNewPayees: true } },
			changes,
		);

		expect(item).toMatchObject({ status: 'held', reason: expect.stringContaining('2026-0099') });
	});

	test('does not hold the right number of what was never paid', async () => {
		const changes = { workflowId: randomUUID() };
		const wrong = { ...INVOICE, reference: 'INV-77' };
		await pay([wrong], { options: { ...holding.options, holdAbove: 0.5 } }, changes);
		await resolveAs('notPaid', { ...changes, executionId: '2' }, wrong.reference);

		const items = await pay([INVOICE], holding, changes);

		expect(statusesOf(items)).toEqual(['funded']);
	});

	test('does not hold the next invoice of the vendor', async () => {
		const changes = await holdsSlip();
		await decline(changes);

		const items = await pay([{ ...SLIP, reference: 'INV-12' }], holding, changes);

		expect(statusesOf(items)).toEqual(['funded']);
	});
});

test('what looks like a held payout alone names what that one repeats #held-beside-held', async () => {
	const changes = await holdsSlip();

	const [item] = await pay([IN_WORDS], holding, changes);

	expect(item).toMatchObject({
		status: 'held',
		reason: expect.stringMatching(/"Bill 7".*"INV-7"|"INV-7".*"Bill 7"/s),
	});
});
