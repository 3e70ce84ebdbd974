import { randomUUID } from 'node:crypto';

import {
	daysPass,
	holding,
	INVOICE,
	startHoldingService,
	tellingApart,
	writtenDaysAgo,
} from './heldInvoice';
import { statusesOf } from './payoutService';

const { pay } = startHoldingService();

/** How a payout ends that comes 400 days after another one. */
async function statusLongAfter(earlier: typeof INVOICE, payout: typeof INVOICE): Promise<unknown> {
	const changes = { workflowId: randomUUID() };
	await pay([earlier], holding, changes);
	writtenDaysAgo(400, changes);

	const [status] = statusesOf(await pay([payout], holding, changes));
	return status;
}

describe('a number that its vendor was paid for long ago', () => {
	test.each([
		['a correction', { ...INVOICE, reference: 'INV-7 rev 2' }],
		['a correction with another amount', { ...INVOICE, reference: 'INV-7a', amount: 410 }],
		['other words and another amount', { ...INVOICE, reference: 'Bill 7', amount: 410 }],
		['an invoice with others', { ...INVOICE, reference: 'INV-6/7', amount: 410 }],
	])('holds %s, whatever the days of the option #number-at-any-age', async (_, alike) => {
		const status = await statusLongAfter(INVOICE, alike);

		expect(status).toBe('held');
	});

	test.each([
		['other words', 'INV-7', 'Bill 7'],
		['a correction', 'INV-7', 'INV-7 rev 2'],
		['a month by its number', 'June 2026', '06/2026'],
		['a day with other separators', '2026-05-14', '14.05.2026'],
		['words in another order', 'Retainer May', 'May retainer'],
		['another word for an invoice', 'INV-ABC', 'Invoice ABC'],
	])(
		'holds %s at a second address of the vendor, with the same amount #second-address',
		async (_, first, second) => {
			const moved = { ...INVOICE, payee: 'ana.new@example.com', reference: second };

			const status = await statusLongAfter({ ...INVOICE, reference: first }, moved);

			expect(status).toBe('held');
		},
	);

	test.each([
		['words in another order', 'Photo shoot Smith', 'Smith photo shoot'],
		['another word for an invoice', 'Invoice B', 'B'],
		['its two parts in another order', '88/31765', '31765/88'],
		['the year elsewhere', 'S/2026/05/0009', 'S/05/2026/0009'],
		['what a spreadsheet makes of a month', 'June 2026', 'Jun-26'],
		['a day with a short year', '17.05.2026', '17/5/26'],
		['a month without its year', 'Hosting May 2026', 'Hosting May'],
		['a part of a number with a year', '2026-0042', '2026-0042-1'],
		['a part of a number of a month', '2026/05/53', '2026/05/53-1'],
		['a letter of another alphabet', 'A-1007', '\u0410-1007 rev'],
	])('holds %s with another amount #same-number-otherwise', async (_, first, second) => {
		const status = await statusLongAfter(
			{ ...INVOICE, reference: first },
			{ ...INVOICE, reference: second, amount: 410 },
		);

		expect(status).toBe('held');
	});

	test.each([
		['two digits swapped', 'PM-20985', 'PM-20958'],
		['a digit misread', 'PM-20971', 'PM-20771'],
		['a digit left out', 'OB0045512', 'OB004551'],
		['a digit typed twice', 'INV-3001', 'INV-30001'],
	])('holds %s, with the same amount #mistyped-number', async (_, first, second) => {
		const status = await statusLongAfter(
			{ ...INVOICE, reference: first },
			{ ...INVOICE, reference: second },
		);

		expect(status).toBe('held');
	});

	test.each([
		['holds a lower number with its digits swapped', 'PM-20958', 'held'],
		[
			'does not hold the next one of its numbers, though only a digit differs',
			'PM-21011',
			'funded',
		],
	])('of a vendor that gets the amount again and again, %s', async (_, reference, expected) => {
		const changes = { workflowId: randomUUID() };
		for (const earlier of ['PM-20972', 'PM-20985', 'PM-21001']) {
			await pay([{ ...INVOICE, reference: earlier }], holding, changes);
			daysPass(30, changes);
		}

		const again = await pay([{ ...INVOICE, reference }], holding, changes);

		expect(statusesOf(again)).toEqual([expected]);
	});

	test.each([
		['the number of an order', 'R-88120', 'Order 5521'],
		['a month in place of a number', '2026-207', 'Retainer November 2026'],
		['a lower number', 'INV-2040', 'INV-2017'],
	])('holds %s, with the same amount #like-none', async (_, first, second) => {
		const status = await statusLongAfter(
			{ ...INVOICE, reference: first },
			{ ...INVOICE, reference: second },
		);

		expect(status).toBe('held');
	});

	test.each([
		['Storage May', 'Storage for May'],
		['Milestone 2', 'Milestone II'],
		['Cust 88121 Inv 5530', 'Inv 5530 Cust 88121'],
		['INV-1242', 'INV-l242'],
		['Photo shoot', 'Consulting'],
	])('holds %s beside %s with the same amount #nothing-tells-apart', async (first, second) => {
		const status = await statusLongAfter(
			{ ...INVOICE, reference: first },
			{ ...INVOICE, reference: second },
		);

		expect(status).toBe('held');
	});

	test('names each rest of an invoice that was paid, also under another number #rest-again', async () => {
		const changes = { workflowId: randomUUID() };
		const rest = { ...INVOICE, reference: 'INV-7-2', amount: 25 };
		await pay([INVOICE], holding, changes);
		const [held] = await pay([rest], holding, changes);
		await pay([rest], tellingApart(held?.['different_invoice']), changes);
		writtenDaysAgo(400, changes);

		const [again] = await pay([{ ...rest, reference: 'INV-7-3' }], holding, changes);

		expect(again).toMatchObject({
			status: 'held',
			different_invoice: expect.stringMatching(/ is not INV-7 .*\n.* is not INV-7-2 /),
		});
	});

	test.each([
		['Rent May', 'Rent June'],
		['Week 12', 'Week 13'],
		['INV-1042', 'INV-1043'],
	])('does not hold %s beside %s with the same amount', async (first, second) => {
		const status = await statusLongAfter(
			{ ...INVOICE, reference: first },
			{ ...INVOICE, reference: second },
		);

		expect(status).toBe('funded');
	});

	test.each([
		['Retainer May', 'Retainer June'],
		['Consulting', 'Consulting services'],
		['INV-1-2', 'INV-2-1'],
	])('does not hold %s beside %s', async (first, second) => {
		const status = await statusLongAfter(
			{ ...INVOICE, reference: first },
			{ ...INVOICE, reference: second, amount: 410 },
		);

		expect(status).toBe('funded');
	});

	test('holds a date with other words', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([{ ...INVOICE, reference: '20261015' }], holding, changes);
		const alike = { ...INVOICE, reference: 'INV 20261015', amount: 410 };

		const items = await pay([alike], holding, changes);

		expect(statusesOf(items)).toEqual(['held']);
	});

	test.each([
		['June 2026', '06/2026'],
		['Rent 2026-05', 'Rent May 2026'],
		['May 14, 2026', '2026-05-14'],
	])('holds %s written as %s with another amount #named-month', async (first, second) => {
		const status = await statusLongAfter(
			{ ...INVOICE, reference: first },
			{ ...INVOICE, reference: second, amount: 410 },
		);

		expect(status).toBe('held');
	});

	test.each([
		['another number with the same amount', { ...INVOICE, reference: 'INV-8' }],
		[
			"another vendor's number with another amount",
			{ ...INVOICE, reference: 'INV-7-2', payee: 'ben@example.com', amount: 410 },
		],
	])('does not hold %s', async (_, other) => {
		const status = await statusLongAfter(INVOICE, other);

		expect(status).toBe('funded');
	});
});

test('a payout that is held stays held, however often it runs after the days of the option #held-stays-held', async () => {
	const changes = { workflowId: randomUUID() };
	const twin = { ...INVOICE, reference: 'INV-8' };
	await pay([INVOICE], holding, changes);
	await pay([twin], holding, changes);
	const statuses: unknown[] = [];

	for (let week = 0; week < 2; week += 1) {
		writtenDaysAgo(7, changes);
		statuses.push(...statusesOf(await pay([twin], holding, changes)));
	}

	expect(statuses).toEqual(['held', 'held']);
});
