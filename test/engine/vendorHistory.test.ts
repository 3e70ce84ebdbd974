import { randomUUID } from 'node:crypto';

import { daysPass, holding, INVOICE, startHoldingService, tellingApart } from './heldInvoice';
import { statusesOf } from './payoutService';

const { pay } = startHoldingService();

/** A workflow whose vendor is paid each two weeks. The last time was so many days ago. */
async function paidEachTwoWeeks(daysAgo: number): Promise<{ workflowId: string }> {
	const changes = { workflowId: randomUUID() };
	await pay([{ ...INVOICE, reference: 'EC-55' }], holding, changes);
	daysPass(14, changes);
	// After one payment, the next is expected in a month, so a person is asked once.
	const second = { ...INVOICE, reference: 'EC-56' };
	const [held] = await pay([second], holding, changes);
	await pay([second], tellingApart(held?.['different_invoice']), changes);
	daysPass(14, changes);
	await pay([{ ...INVOICE, reference: 'EC-57' }], holding, changes);
	daysPass(daysAgo, changes);
	return changes;
}

describe('the next number of a vendor that is paid each two weeks', () => {
	const next = { ...INVOICE, reference: 'EC-58' };

	test.each([
		['is held after nine days', 9, 'held'],
		['is paid after two weeks', 14, 'funded'],
	])('%s #sooner-than-usual', async (_, daysAgo, expected) => {
		const changes = await paidEachTwoWeeks(daysAgo);

		const items = await pay([next], holding, changes);

		expect(statusesOf(items)).toEqual([expected]);
	});

	test('stays held when time passes, until a person tells it apart #held-until-a-yes', async () => {
		const changes = await paidEachTwoWeeks(9);
		await pay([next], holding, changes);
		daysPass(14, changes);

		const [again] = await pay([next], holding, changes);
		const agreed = await pay([next], tellingApart(again?.['different_invoice']), changes);

		expect(again).toMatchObject({ status: 'held' });
		expect(statusesOf(agreed)).toEqual(['funded']);
	});
});

test.each([
	[14, 'held'],
	[28, 'funded'],
])(
	'an invoice of a vendor that is paid each month, %d days after the last one, is %s #sooner-for-vendor',
	async (days, expected) => {
		const changes = { workflowId: randomUUID() };
		for (const number of [1, 2, 3, 4]) {
			await pay(
				[{ ...INVOICE, reference: `PF-009${number}`, amount: 7600 + number * 130 }],
				holding,
				changes,
			);
			daysPass(number === 4 ? days : 30, changes);
		}

		const items = await pay([{ ...INVOICE, reference: 'PF-0095', amount: 8600 }], holding, changes);

		expect(statusesOf(items)).toEqual([expected]);
	},
);

test.each([
	['8-3032', 'held'],
	['88-3033', 'funded'],
])('after 88-3032, a month later, %s is %s #other-part', async (reference, expected) => {
	const changes = { workflowId: randomUUID() };
	await pay([{ ...INVOICE, reference: '88-3032' }], holding, changes);
	daysPass(30, changes);

	const items = await pay([{ ...INVOICE, reference }], holding, changes);

	expect(statusesOf(items)).toEqual([expected]);
});

describe('a second payment of an amount', () => {
	const FIRST_OF: Record<string, string> = {
		'Wages 11.12.2026': 'Wages 4.12.2026',
		'Rent December 2026': 'Rent November 2026',
	};

	test.each([
		['EC-59', 21, 'held'],
		['EC-59', 24, 'funded'],
		['EC-56', 7, 'held'],
		['EC-56', 24, 'funded'],
		['Wages 11.12.2026', 7, 'funded'],
		['Rent December 2026', 7, 'held'],
	])('%s after %d days is %s #once-a-month', async (reference, days, expected) => {
		const changes = { workflowId: randomUUID() };
		const first = FIRST_OF[reference] ?? 'EC-55';
		await pay([{ ...INVOICE, reference: first }], holding, changes);
		daysPass(days, changes);

		const items = await pay([{ ...INVOICE, reference }], holding, changes);

		expect(statusesOf(items)).toEqual([expected]);
	});
});

test.each([
	['Reminder 771', 'held'],
	['Statement May 2026', 'held'],
	['Mahnung 771', 'held'],
	['Repairs 771', 'held'],
	['INV-12', 'funded'],
	['12', 'funded'],
])(
	'%s of a vendor who was paid for INV-7 is %s, with another amount #other-paper',
	async (reference, expected) => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], holding, changes);
		daysPass(30, changes);

		const items = await pay([{ ...INVOICE, reference, amount: 410 }], holding, changes);

		expect(statusesOf(items)).toEqual([expected]);
	},
);

test('a vendor who bills by orders is paid for the next one #other-paper-again', async () => {
	const changes = { workflowId: randomUUID() };
	await pay([{ ...INVOICE, reference: 'Order 5107' }], holding, changes);
	daysPass(30, changes);

	const items = await pay([{ ...INVOICE, reference: 'Order 5160', amount: 410 }], holding, changes);

	expect(statusesOf(items)).toEqual(['funded']);
});

describe('a vendor whose references have one word', () => {
	/** Its invoices of other amounts, the last one a month ago. */
	async function knownVendor(): Promise<{ workflowId: string }> {
		const changes = { workflowId: randomUUID() };
		for (const [index, reference] of ['KP-3344', 'KP-3350', 'KP-3361'].entries()) {
			await pay([{ ...INVOICE, reference, amount: 100 + index }], holding, changes);
		}
		daysPass(30, changes);
		return changes;
	}

	test.each([
		['Print flyers', 'held'],
		['Account 3370', 'held'],
		['KP-3370', 'funded'],
		['Invoice 3370', 'funded'],
		['3370', 'funded'],
	])('and a payment of %s, with another amount: %s #other-words', async (reference, expected) => {
		const changes = await knownVendor();

		const items = await pay([{ ...INVOICE, reference }], holding, changes);

		expect(statusesOf(items)).toEqual([expected]);
	});
});

test.each([
	[51000, 'R-2035', 50100, 'R-2053', 'held'],
	[18330, 'HL/26/1007', 13830, 'HL/26/1070', 'held'],
	[5500, '5522688', 4622, '5522868', 'held'],
	[5500, '5522688', 5050, '5522668', 'held'],
	[6620, '400123755', 6260, '400123775', 'held'],
	[44406, 'BC-21027', 44604, 'BC-21072', 'held'],
	[18330, 'HL/26/1007', 13830, 'HL/26/1012', 'funded'],
	[71625, 'Wages Priya 31.12.2026', 70125, 'Wages Priya 31.12.', 'held'],
	[40000, 'KP-124', 47600, 'KP-142', 'held'],
])(
	'after %d cents for %s, %d cents for %s are %s #number-and-amount',
	async (paid, earlier, amount, reference, expected) => {
		const changes = { workflowId: randomUUID() };
		await pay([{ ...INVOICE, reference: earlier, amount: paid }], holding, changes);
		daysPass(30, changes);

		const items = await pay([{ ...INVOICE, reference, amount }], holding, changes);

		expect(statusesOf(items)).toEqual([expected]);
	},
);
