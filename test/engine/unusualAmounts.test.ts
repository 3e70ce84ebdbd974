import { randomUUID } from 'node:crypto';

import { ANA, BEN, startPayoutService, statusesOf } from './payoutService';
import { tablesOf } from './support';

const { pay, fundings } = startPayoutService();

const holding = { options: { holdUnusualAmounts: 5 } };

describe('a payout of an unusual amount', () => {
	test('is held once the payee has got less, and the reason says how much #hold-unusual-amounts', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([{ ...ANA, amount: 950, reference: 'INV-1' }], holding, changes);
		await pay([{ ...ANA, amount: 700, reference: 'INV-2' }], holding, changes);

		const [held] = await pay([{ ...ANA, amount: 95_000, reference: 'INV-3' }], holding, changes);

		expect(held).toMatchObject({
			status: 'held',
			reason: 'The amount is more than 5 times the highest that ana@example.com got, $9.50',
		});
		expect(fundings()).toHaveLength(2);
	});

	test.each([
		['five times', 4750, 'funded'],
		['more than five times', 4751, 'held'],
	])('is held above its limit alone: %s', async (_, amount, status) => {
		const changes = { workflowId: randomUUID() };
		await pay([{ ...ANA, amount: 950, reference: 'INV-1' }], {}, changes);

		const items = await pay([{ ...ANA, amount, reference: 'INV-2' }], holding, changes);

		expect(statusesOf(items)).toEqual([status]);
	});

	test('is paid to a payee that was never paid, whatever others got', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([BEN], {}, changes);

		const items = await pay([{ ...ANA, amount: 95_000, reference: 'INV-9' }], holding, changes);

		expect(statusesOf(items)).toEqual(['funded']);
	});

	test('is judged without an amount that a person has deleted from the ledger', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([{ ...ANA, reference: 'INV-1' }], {}, changes);
		const [row] = tablesOf(changes.workflowId).tables[0]?.rows ?? [];
		Object.assign(row ?? {}, { amount_cents: null });

		const items = await pay([{ ...ANA, amount: 95_000, reference: 'INV-2' }], holding, changes);

		expect(statusesOf(items)).toEqual(['funded']);
	});

	test('is judged without what was only prepared', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([{ ...ANA, reference: 'INV-1' }], { fundingMethod: 'none' }, changes);

		const items = await pay([{ ...ANA, amount: 95_000, reference: 'INV-2' }], holding, changes);

		expect(statusesOf(items)).toEqual(['funded']);
	});
});
