import { randomUUID } from 'node:crypto';

import { holding, INVOICE, startHoldingService, tellingApart } from './heldInvoice';

const { pay, fundings, answerFundings, useWallet, resolveAs } = startHoldingService();

describe('an invoice that was sent without an answer, and that a person has resolved as not paid', () => {
	/** The invoice may be paid, and a person says that it is not. */
	const resolvedWrongly = async (changes: { workflowId: string }): Promise<void> => {
		answerFundings(500);
		await pay([INVOICE], {}, changes);
		await resolveAs('notPaid', { ...changes, executionId: '2' });
		useWallet(1_000_000);
	};

	/** Its invoice is open, and a person says that it is not paid, without a word to the operator. */
	const resolvedWhileOpen = async (changes: { workflowId: string }): Promise<void> => {
		await pay([INVOICE], { fundingMethod: 'invoice' }, changes);
		await resolveAs('notPaid', { ...changes, executionId: '2' });
	};

	const ALIKE = [
		['other words', { ...INVOICE, reference: 'Bill 7' }],
		['another number', { ...INVOICE, reference: 'INV-8' }],
		['another amount', { ...INVOICE, amount: INVOICE.amount + 45 }],
		['another address', { ...INVOICE, payee: 'ana.new@example.com' }],
	] as const;

	test.each(ALIKE)('holds %s of it #sent-in-vain', async (_, alike) => {
		const changes = { workflowId: randomUUID() };
		await resolvedWrongly(changes);

		const [item] = await pay([alike], holding, changes);
		const line = item?.['different_invoice'];
		const [apart] = await pay([alike], tellingApart(line), changes);

		expect(item).toMatchObject({ status: 'held', reason: expect.stringContaining('INV-7') });
		expect(apart).toMatchObject({ status: 'funded' });
	});

	test.each(ALIKE)('holds %s of one by invoice #sent-in-vain-by-invoice', async (_, alike) => {
		const changes = { workflowId: randomUUID() };
		await resolvedWhileOpen(changes);

		const [item] = await pay([alike], holding, changes);

		expect(item).toMatchObject({ status: 'held', reason: expect.stringContaining('INV-7') });
	});

	test.each([
		['without an answer', resolvedWrongly],
		['by invoice', resolvedWhileOpen],
	])(
		'refuses it in other capitals, without a hold: %s #sent-in-vain-spelling',
		async (_, resolved) => {
			const changes = { workflowId: randomUUID() };
			await resolved(changes);
			const sent = fundings().length;

			const [item] = await pay([{ ...INVOICE, reference: 'inv 07' }], {}, changes);

			expect(item).toMatchObject({ status: 'failed', error: expect.stringContaining('"INV-7"') });
			expect(fundings()).toHaveLength(sent);
		},
	);

	test('is resolved with a word of the payout that has paid it with another amount', async () => {
		const changes = { workflowId: randomUUID() };
		await resolvedWrongly(changes);
		await pay([{ ...INVOICE, amount: INVOICE.amount + 45 }], {}, changes);

		const { hints } = await resolveAs('paid', { ...changes, executionId: '3' });

		expect(hints).toEqual([expect.stringContaining('counts as paid')]);
	});

	test('is paid itself, and so is what a prepared one with a wrong number is corrected to', async () => {
		const changes = { workflowId: randomUUID() };
		const other = { workflowId: randomUUID() };
		await resolvedWrongly(changes);
		await pay([INVOICE], { fundingMethod: 'none' }, other);
		await resolveAs('notPaid', other);

		const [itself] = await pay([INVOICE], holding, changes);
		const [corrected] = await pay([{ ...INVOICE, reference: 'INV-8' }], holding, other);

		expect(itself).toMatchObject({ status: 'funded' });
		expect(corrected).toMatchObject({ status: 'funded' });
	});
});
