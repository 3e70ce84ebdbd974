import { randomUUID } from 'node:crypto';

import { holding, INVOICE, startHoldingService } from './heldInvoice';
import { statusesOf } from './payoutService';
import { byId, OTHER_WORKSPACE } from './support';

const { pay } = startHoldingService();

describe('an invoice number with its year and month in another notation', () => {
	const separated = { ...INVOICE, reference: '2026-11-0007' };
	const joined = { ...INVOICE, reference: '2026110007' };
	const corrected = { ...joined, amount: 410 };

	test('is refused with the same payee and amount', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([separated], {}, changes);

		const items = await pay([joined], {}, changes);

		expect(items).toMatchObject([
			{ status: 'failed', error: expect.stringContaining('2026-11-0007') },
		]);
	});

	test('is held with another amount', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([separated], holding, changes);

		const items = await pay([corrected], holding, changes);

		expect(items).toMatchObject([
			{ status: 'held', reason: expect.stringMatching(/: same invoice number$/) },
		]);
	});

	test('is held in another workspace', async () => {
		const changes = { workflowId: randomUUID() };
		const elsewhere = { ...holding, workspaceId: byId(OTHER_WORKSPACE) };
		await pay([separated], holding, changes);

		const items = await pay([corrected], elsewhere, changes);

		expect(statusesOf(items)).toEqual(['held']);
	});
});
