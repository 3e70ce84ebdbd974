import { randomUUID } from 'node:crypto';

import { holding, INVOICE, startHoldingService, tellingApart, writtenDaysAgo } from './heldInvoice';
import { ANA, statusesOf } from './payoutService';
import { byId, OTHER_WORKSPACE, WORKSPACE } from './support';

const { pay, fundings, answerFundings, useWallet, resolveAs } = startHoldingService();

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

		expect(held).toMatchObject({
			status: 'held',
			reason: expect.stringMatching(/"INV-7" .*: same invoice number$/),
		});
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

	test('and a letter of another series is another one of its vendor', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([{ ...INVOICE, reference: 'A-7' }], holding, changes);

		const items = await pay([{ ...INVOICE, reference: 'B-7', amount: 101 }], holding, changes);

		expect(statusesOf(items)).toEqual(['funded']);
	});
});

describe('a payout of the same payee and amount', () => {
	const twin = { ...INVOICE, reference: 'INV-8' };

	test('is held, and its reason names the other one and what both share', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], holding, changes);

		const items = await pay([twin], holding, changes);

		const reason =
			/^Possible duplicate of "INV-7" to ana@example.com, which was paid on .*: same payee and amount$/;
		expect(items).toMatchObject([{ status: 'held', reason: expect.stringMatching(reason) }]);
	});

	test('is held beside the first one of a run, which is paid', async () => {
		const items = await pay([INVOICE, twin], holding);

		expect(items).toMatchObject([
			{ status: 'funded' },
			{
				status: 'held',
				reason:
					'Possible duplicate of "INV-7" to ana@example.com, which is in this run: same payee and amount',
				different_invoice: expect.stringContaining('is not INV-7 '),
			},
		]);
	});

	test('is paid when the other one is older than the days of the option', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([{ ...INVOICE, reference: 'Wages 4.12.' }], holding, changes);
		writtenDaysAgo(8, changes);

		const items = await pay([{ ...INVOICE, reference: 'Wages 11.12.' }], holding, changes);

		expect(statusesOf(items)).toEqual(['funded']);
	});

	test('is paid where only new payees are held', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], {}, changes);

		const items = await pay([twin], { options: { holdNewPayees: true } }, changes);

		expect(statusesOf(items)).toEqual(['funded']);
	});

	test('names ten others at most', async () => {
		const changes = { workflowId: randomUUID() };
		const others = Array.from({ length: 12 }, (_, index) => ({
			...INVOICE,
			reference: `INV-${index + 10}`,
		}));
		await pay(others, {}, changes);

		const [held] = await pay([INVOICE], holding, changes);

		expect(held).toMatchObject({
			reason: expect.stringMatching(/^(?:[^;]+: same payee and amount(?:; |$)){10}$/),
		});
	});
});

test('one month of two vendors is no invoice number that both share', async () => {
	const changes = { workflowId: randomUUID() };
	await pay([{ ...INVOICE, reference: '05/2026' }], holding, changes);
	const other = { ...INVOICE, payee: 'ben@example.com', reference: '05/2026', amount: 99 };

	const items = await pay([other], holding, changes);

	expect(statusesOf(items)).toEqual(['funded']);
});

describe('what a held item says to enter as "Different Invoice"', () => {
	test('lets it pass, and no other payout', async () => {
		const changes = { workflowId: randomUUID() };
		const twin = { ...INVOICE, reference: 'INV-8' };
		await pay([INVOICE], holding, changes);
		const [held] = await pay([twin], holding, changes);

		const [paid] = await pay([twin], tellingApart(held?.['different_invoice']), changes);
		const [next] = await pay(
			[{ ...INVOICE, reference: 'INV-9' }],
			tellingApart(held?.['different_invoice']),
			changes,
		);

		expect([paid, next]).toMatchObject([{ status: 'funded' }, { status: 'held' }]);
	});

	test('lets an invoice with a dollar sign in its number pass, too', async () => {
		const changes = { workflowId: randomUUID() };
		const twin = { ...INVOICE, reference: 'Fee $1.00' };
		await pay([INVOICE], holding, changes);
		const [held] = await pay([twin], holding, changes);

		const [paid] = await pay([twin], tellingApart(held?.['different_invoice']), changes);

		expect([held, paid]).toMatchObject([{ status: 'held' }, { status: 'funded' }]);
	});

	test('lets one payee of an amount pass beside another, and no third one #different-invoice-alone', async () => {
		const changes = { workflowId: randomUUID() };
		const option = tellingApart('INV-7 1.00 ben@example.com is not INV-7 1.00 ana@example.com');
		const ben = { ...INVOICE, payee: 'ben@example.com' };
		await pay([INVOICE], {}, changes);

		const refused = await pay([ben], {}, changes);
		const paid = await pay([ben], option, changes);
		const again = await pay([ben], option, changes);
		const third = await pay([{ ...INVOICE, payee: 'eve@example.com' }], option, changes);

		const statuses = statusesOf([...refused, ...paid, ...again, ...third]);
		expect(statuses).toEqual(['failed', 'funded', 'duplicate', 'failed']);
		expect(fundings()).toHaveLength(2);
	});

	test('passes by the one invoice that it names, and no second one #told-apart-from-one', async () => {
		const changes = { workflowId: randomUUID() };
		const mistyped = { ...INVOICE, reference: 'INV-8', payee: 'anna@example.com' };
		await pay([INVOICE], holding, changes);
		answerFundings(422);
		await pay([mistyped], holding, changes);
		useWallet(1_000_000);
		const line = 'INV-8 1.00 ana@example.com is not INV-8 1.00 anna@example.com, which is prepared';

		const [held] = await pay([{ ...mistyped, payee: ANA.payee }], tellingApart(line), changes);

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
		const [again] = await pay([twin], tellingApart(line), changes);

		expect(held).toMatchObject({
			status: 'held',
			reason: expect.stringContaining('unconfirmed'),
		});
		expect(held).not.toHaveProperty('different_invoice');
		expect(again).toMatchObject({ status: 'held' });
	});
});

test('a possible duplicate is named beside every other reason, and first #all-reasons', async () => {
	const changes = { workflowId: randomUUID() };
	await pay([INVOICE], holding, changes);
	const strict = { options: { ...holding.options, holdAbove: '0.50', holdNewPayees: true } };

	const [held] = await pay(
		[{ ...INVOICE, payee: 'ana2@example.com', amount: 101 }],
		strict,
		changes,
	);

	expect(held).toMatchObject({
		status: 'held',
		reason: expect.stringMatching(/^Possible duplicate of "INV-7".*; .*0.50; .*never paid/),
		different_invoice: expect.stringContaining('is not INV-7 1.00 ana@example.com'),
	});
});

test.each([
	['with a payable', { fundingMethod: 'none' }],
	['that was held, and may have been paid by hand', { options: { holdAbove: '0.50' } }],
])(
	'one %s that a person made void counts as a possible duplicate #void-counts',
	async (_, parameters) => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE], parameters, changes);
		await resolveAs('void', changes);

		const [held] = await pay([{ ...INVOICE, reference: 'INV-77' }], holding, changes);

		expect(held).toMatchObject({ status: 'held', reason: expect.stringContaining('void') });
	},
);

test('the same invoice in another workspace is held, and no line tells it apart', async () => {
	const changes = { workflowId: randomUUID() };
	await pay([INVOICE], holding, changes);
	const elsewhere = { ...holding, workspaceId: byId(OTHER_WORKSPACE) };

	const [held] = await pay([INVOICE], elsewhere, changes);

	expect(held).toMatchObject({ status: 'held', reason: expect.stringContaining(WORKSPACE) });
	expect(held).not.toHaveProperty('different_invoice');
});

test('a similar number in the same workspace counts under another environment, too #environment-similar', async () => {
	const changes = { workflowId: randomUUID() };
	const elsewhere = { ...changes, credentials: { environment: 'production' } };
	await pay([INVOICE], {}, changes);

	const [refused] = await pay([{ ...INVOICE, reference: 'Bill 7' }], {}, elsewhere);
	const [held] = await pay([{ ...INVOICE, reference: 'INV-8' }], holding, elsewhere);

	expect(refused).toMatchObject({ status: 'failed', error: expect.stringContaining('sandbox') });
	expect(held).toMatchObject({ status: 'held', reason: expect.stringContaining('"INV-7"') });
	expect(fundings()).toHaveLength(1);
});

test.each([
	['as they are', '\n'],
	['in a field of one line', ' '],
])(
	'the lines of two possible duplicates pass both at once, %s #lines-of-several',
	async (_, end) => {
		const changes = { workflowId: randomUUID() };
		await pay([INVOICE, { ...INVOICE, reference: 'INV-17' }], {}, changes);
		const third = { ...INVOICE, reference: 'INV-70' };
		const [held] = await pay([third], holding, changes);

		const lines = held?.['different_invoice'];

		const entered = typeof lines === 'string' && lines.replace('\n', end);
		const [paid] = await pay([third], tellingApart(entered), changes);

		expect(held).toMatchObject({
			status: 'held',
			reason: expect.stringMatching(/"INV-7" .*"INV-17" /),
		});
		expect(paid).toMatchObject({ status: 'funded' });
	},
);

test.each([
	['in quotation marks', (line: string) => `"${line}"`],
	['with \\n as n8n shows it', (line: string) => `nothing\\n${line}`],
	['with the end of a line of Windows', (line: string) => `${line}\r\n`],
])('a line that was copied %s passes #copied-line', async (_, copied) => {
	const changes = { workflowId: randomUUID() };
	await pay([INVOICE], holding, changes);
	const second = { ...INVOICE, reference: 'INV-8' };
	const [held] = await pay([second], holding, changes);

	const line = held?.['different_invoice'];
	const [paid] = await pay(
		[second],
		tellingApart(typeof line === 'string' && copied(line)),
		changes,
	);

	expect(paid).toMatchObject({ status: 'funded' });
});

test.each([
	['66.35', 51_300, '513', 6_635],
	['88', 7_500, '75', 8_800],
])(
	'an amount and a number that were swapped are held: %s #swapped',
	async (reference, amount, other, otherAmount) => {
		const changes = { workflowId: randomUUID() };
		await pay([{ ...ANA, reference, amount }], holding, changes);

		const [held] = await pay([{ ...ANA, reference: other, amount: otherAmount }], holding, changes);

		expect(held).toMatchObject({ status: 'held', reason: expect.stringContaining('swapped') });
		expect(fundings()).toHaveLength(1);
	},
);

describe('a number with more behind it', () => {
	/** Pays two payouts, one after the other, under the holds; returns the second item. */
	async function paySecond(first: typeof INVOICE, second: typeof INVOICE) {
		const changes = { workflowId: randomUUID() };
		await pay([first], holding, changes);
		const [item] = await pay([second], holding, changes);
		return item;
	}

	const heldAsExtended = {
		status: 'held',
		reason: expect.stringMatching(/: almost the same number$/),
		different_invoice: expect.stringContaining(' is not INV-7'),
	};

	// The rest of an invoice and an invoice that was corrected look alike.
	test.each([
		['INV-7-2', 101],
		['INV-7a', 101],
		['INV-7 #2', 101],
		['INV-7a', 99],
		['INV-7-2', 1],
	])('is held, whatever the amount: %s with %d #extended-number', async (reference, amount) => {
		const held = await paySecond(INVOICE, { ...INVOICE, reference, amount });

		expect(held).toMatchObject(heldAsExtended);
	});

	test.each([
		['INV-21', 'INV-21 Nov', 'ana@example.com', 99],
		['INV-21', 'INV-21-2026', 'ana.new@example.com', 100],
		['FA-31', 'FA-31-2026', 'ana@example.com', 101],
		['INV-7', 'INV-7-2026', 'ana@example.com', 99],
		['INV-7', 'INV-7-2026', 'ana.new@example.com', 100],
	])(
		'is held where that may be a month or a year: %s and %s #month-behind',
		async (reference, another, payee, amount) => {
			const held = await paySecond(
				{ ...INVOICE, reference },
				{ reference: another, payee, amount },
			);

			expect(held).toMatchObject({ status: 'held', reason: expect.stringContaining('number') });
			expect(fundings()).toHaveLength(1);
		},
	);

	test('holds the number that it extends', async () => {
		const held = await paySecond({ ...INVOICE, reference: 'INV-7a', amount: 99 }, INVOICE);

		expect(held).toMatchObject(heldAsExtended);
	});

	test('is held for another payee with the same amount, as after a new address', async () => {
		const moved = { ...INVOICE, payee: 'ana.new@example.com', reference: 'INV-7a' };

		const held = await paySecond(INVOICE, moved);
		const other = await paySecond(INVOICE, { ...moved, amount: 99 });

		expect(held).toMatchObject(heldAsExtended);
		expect(other).toMatchObject({ status: 'funded' });
	});

	test('is paid as the rest of an invoice with the line of the held item', async () => {
		const changes = { workflowId: randomUUID() };
		const rest = { ...INVOICE, reference: 'INV-7-2', amount: 99 };
		await pay([INVOICE], holding, changes);
		const [held] = await pay([rest], holding, changes);

		const [paid] = await pay([rest], tellingApart(held?.['different_invoice']), changes);

		expect(paid).toMatchObject({ status: 'funded' });
	});

	test.each([
		['D-411 part 1', 'D-411 part 2', 'D-411'],
		['E-512 (1/2)', 'E-512 (2/2)', 'E-512'],
		['F613a', 'F613b', 'F613'],
	])('holds the whole after its parts %s and %s #whole-after-parts', async (one, other, whole) => {
		const changes = { workflowId: randomUUID() };
		const parts = [one, other].map((reference, index) => ({
			...INVOICE,
			reference,
			amount: 50 + index,
		}));
		const paid = await pay(parts, holding, changes);

		const [held] = await pay([{ ...INVOICE, reference: whole, amount: 101 }], holding, changes);

		expect(statusesOf(paid)).toEqual(['funded', 'funded']);
		expect(held).toMatchObject({
			status: 'held',
			reason: expect.stringMatching(/almost the same number;.*almost the same number/),
		});
	});

	const more = { ...INVOICE, reference: 'INV-7-2', amount: 99 };

	test.each([
		['the whole first', [INVOICE, more]],
		['the part first', [more, INVOICE]],
	])('is held beside the whole in one run, %s', async (_, items) => {
		expect(statusesOf(await pay(items, holding))).toEqual(['funded', 'held']);
	});

	test('is shown as held in a preview of both', async () => {
		const [, shown] = await pay([INVOICE, more], {
			options: { ...holding.options, preview: true },
		});

		expect(shown).toMatchObject({ status: 'held' });
	});
});
