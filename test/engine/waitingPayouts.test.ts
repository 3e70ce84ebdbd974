import { randomUUID } from 'node:crypto';

import { holding, INVOICE, startHoldingService, tellingApart, writtenDaysAgo } from './heldInvoice';
import { statusesOf } from './payoutService';

const { pay, fundings, answerFundings, useWallet, resolveAs } = startHoldingService();

describe('a payout that waits for a person, or for its next run', () => {
	const aboveHalf = { options: { ...holding.options, holdAbove: '0.50' } };
	const twin = { ...INVOICE, reference: 'INV-77' };

	test('is named to another one that looks like it, and can itself be paid #held-counts', async () => {
		const changes = { workflowId: randomUUID() };
		const [first] = await pay([INVOICE], aboveHalf, changes);

		const [second] = await pay([twin], aboveHalf, changes);
		const [paid] = await pay([INVOICE], holding, changes);
		const [after] = await pay([twin], holding, changes);

		expect([first, second, paid, after]).toMatchObject([
			{ status: 'held' },
			{ status: 'held', different_invoice: expect.stringContaining('is not INV-7 ') },
			{ status: 'funded' },
			{ status: 'held', reason: expect.stringContaining('"INV-7"') },
		]);
		expect(fundings()).toHaveLength(1);
	});

	test('holds a later one as long as it waits itself', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], aboveHalf, changes);
		await pay([twin], holding, changes);

		const items = await pay([twin], holding, changes);

		expect(statusesOf(items)).toEqual(['held']);
	});

	test('holds an earlier one that a person has resolved as not paid since', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], aboveHalf, changes);
		await resolveAs('notPaid', changes);
		await pay([twin], aboveHalf, changes);

		const items = await pay([INVOICE], holding, changes);

		expect(statusesOf(items)).toEqual(['held']);
	});

	test('is held again, however late, after a person has resolved it as not paid #not-paid-later', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([twin], {}, changes);
		await pay([INVOICE], holding, changes);
		await resolveAs('notPaid', changes);
		writtenDaysAgo(30, changes);

		const items = await pay([INVOICE], holding, changes);

		expect(statusesOf(items)).toEqual(['held']);
	});

	test('holds another one of its run, where a person has resolved it as not paid before #not-paid-in-run', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], aboveHalf, changes);
		await resolveAs('notPaid', changes);

		const items = await pay([INVOICE, twin], holding, changes);

		expect(statusesOf(items)).toEqual(['funded', 'held']);
		expect(fundings()).toHaveLength(1);
	});

	test("holds one whose number another vendor's invoice had first", async () => {
		const changes = { workflowId: randomUUID() };
		const other = { ...INVOICE, payee: 'eve@example.com', amount: 410 };
		await pay([other], aboveHalf, changes);
		await pay([twin], aboveHalf, changes);
		const told = 'INV-7 1.00 ana@example.com is not INV-7 4.10 eve@example.com';

		const items = await pay([INVOICE], tellingApart(told), changes);

		expect(statusesOf(items)).toEqual(['held']);
	});

	test('is told apart while it waits, and no more once it was paid #line-of-a-state', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], aboveHalf, changes);
		const [held] = await pay([twin], aboveHalf, changes);
		const line = held?.['different_invoice'];
		await pay([INVOICE], holding, changes);

		const [again] = await pay([twin], tellingApart(line), changes);

		expect(line).toEqual(expect.stringContaining('which is held'));
		expect(again).toMatchObject({ status: 'held', reason: expect.stringContaining('was paid') });
	});

	test('is told apart from one of the same run that was paid by it #line-of-a-run', async () => {
		const changes = { workflowId: randomUUID() };
		const [, held] = await pay([INVOICE, twin], holding, changes);

		const items = await pay([INVOICE, twin], tellingApart(held?.['different_invoice']), changes);

		expect(statusesOf(items)).toEqual(['duplicate', 'funded']);
	});

	test('is paid in one funding with one of the same run that it was told apart from before', async () => {
		const line = 'INV-77 1.00 ana@example.com is not INV-7 1.00 ana@example.com';

		const items = await pay([INVOICE, twin], tellingApart(line));

		expect(statusesOf(items)).toEqual(['funded', 'funded']);
		expect(fundings()).toHaveLength(1);
	});

	test('is paid beside one that waits, too, where one yes was for both #line-of-both', async () => {
		const changes = { workflowId: randomUUID() };
		const [, held] = await pay([INVOICE, twin], aboveHalf, changes);

		const both = [INVOICE, twin];
		const items = await pay(both, tellingApart(held?.['different_invoice']), changes);

		expect(held).toMatchObject({ status: 'held', reason: expect.stringContaining('in this run') });
		expect(statusesOf(items)).toEqual(['funded', 'funded']);
	});

	test('is paid beside one that waits, where the yes for both came after an earlier run #line-of-earlier-run', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], { fundingMethod: 'none' }, changes);
		const [held] = await pay([twin], holding, changes);
		const line = held?.['different_invoice'];

		const items = await pay([INVOICE, twin], tellingApart(line), changes);

		expect(line).toEqual(expect.stringContaining('which is prepared'));
		expect(statusesOf(items)).toEqual(['funded', 'funded']);
	});

	test('is held beside one of the same run that waits, without a line', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE, twin], aboveHalf, changes);

		const items = await pay([INVOICE, twin], holding, changes);

		expect(items).toMatchObject([
			{ status: 'funded' },
			{ status: 'held', reason: expect.stringContaining('in this run') },
		]);
	});

	test('is unconfirmed to others once its funding was sent, although it was held before', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], aboveHalf, changes);
		answerFundings(500);
		await pay([INVOICE], holding, changes);
		useWallet(1_000_000);

		const [held] = await pay([twin], holding, changes);

		expect(held).toMatchObject({
			status: 'held',
			reason: expect.stringContaining('may have been paid'),
		});
		expect(held).not.toHaveProperty('different_invoice');
	});

	test('holds one that no other rule would hold', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], aboveHalf, changes);

		const [other] = await pay([twin], holding, changes);

		expect(other).toMatchObject({
			status: 'held',
			reason: expect.stringMatching(/"INV-7" .*it is held/),
		});
	});

	test('holds another one when it is prepared', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], { ...holding, fundingMethod: 'none' }, changes);

		const [other] = await pay([twin], holding, changes);
		const [paid] = await pay([INVOICE], holding, changes);

		expect(other).toMatchObject({ status: 'held', reason: expect.stringContaining('prepared') });
		expect(paid).toMatchObject({ status: 'funded' });
	});

	test('counts no more when a person has resolved it as Not Paid #hold-resolved', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], aboveHalf, changes);
		await resolveAs('notPaid', changes);

		const [other] = await pay([twin], holding, changes);

		expect(other).toMatchObject({ status: 'funded' });
	});
});
