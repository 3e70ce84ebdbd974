import { randomUUID } from 'node:crypto';

import { aboutPayouts, BEN, CARLA, startPayoutService, statusesOf } from './payoutService';
import { jsonOf, tablesOf, type Changes } from './support';

const { service, useWallet, execute, pay, fundings } = startPayoutService();

const ON: Changes = { onError: 'continueRegularOutput' };
const DAY = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;

/** An amount that is above a limit of 1.00. */
const LARGE = { payee: 'dora@example.com', amount: 101, reference: 'INV-4' };
const SMALL = { payee: 'ed@example.com', amount: 50, reference: 'INV-5' };

describe('the line above the output says that nothing was paid, and why', () => {
	test('for one payout that is held #line-above', async () => {
		const { hints } = await execute([BEN], { options: { holdAbove: '1.00' } });

		expect(aboutPayouts(hints)).toEqual([
			expect.stringMatching(
				/^Nothing was paid\. Held until a person decides: "INV-2", \$2\.00 to ben@example\.com: The amount is above \$1\.00\. Before a yes, /,
			),
		]);
	});

	test('for one payout that was paid before, with its time', async () => {
		const changes = { workflowId: randomUUID() };
		const first = await execute([BEN], {}, changes);

		const { hints } = await execute([BEN], {}, changes);

		expect(aboutPayouts(first.hints)).toEqual([]);
		expect(hints).toEqual([
			expect.stringMatching(
				`^Nothing was paid. Paid before, not again: "INV-2", \\$2.00 to ben@example.com: was paid on ${DAY}.$`,
			),
		]);
	});

	test('for one payout whose invoice waits for its deposit, which is not paid yet', async () => {
		const changes = { workflowId: randomUUID() };
		await execute([BEN], { fundingMethod: 'invoice' }, changes);

		const { hints } = await execute([BEN], { fundingMethod: 'invoice' }, changes);

		expect(hints).toEqual([expect.stringContaining('"INV-2", $2.00 to ben@example.com: waits')]);
		expect(hints.join()).not.toMatch(/paid before/i);
	});

	test('for one payout that is prepared, also the second time', async () => {
		const changes = { workflowId: randomUUID() };

		const first = await execute([BEN], { fundingMethod: 'none' }, changes);
		const again = await execute([BEN], { fundingMethod: 'none' }, changes);

		expect(aboutPayouts(first.hints)).toEqual([
			expect.stringContaining('Nothing was paid. Prepared until'),
		]);
		expect(again.hints).toEqual([expect.stringContaining('was not paid, it is prepared since')]);
	});

	test('for several, by their names, beside what was paid', async () => {
		const { hints } = await execute([BEN, CARLA], { options: { holdAbove: '2.50' } });

		expect(aboutPayouts(hints)).toEqual([
			expect.stringMatching(/^Payouts: 1 funded \(\$2\.00\), 1 held \(\$3\.00\)\. Held .*"INV-3"/),
		]);
	});

	test('and where some failed, that the others ended as they say', async () => {
		const unreadable = { payee: 'ana@example.com', amount: 'x', reference: 'INV-9' };

		const { hints } = await execute([BEN, unreadable], { options: { holdAbove: '1.00' } }, ON);
		const alone = await execute([unreadable], {}, ON);

		expect(hints.join()).toContain('Of 2 items, 1 failed');
		expect(hints.join()).toContain('The others ended as their "status" says.');
		expect(alone.hints.join()).not.toContain('The others');
	});

	test('and never that nothing was paid when that is not known', async () => {
		useWallet(1_000_000, (path) => (path === '/v1/funding' ? 500 : undefined));

		const { hints } = await execute([BEN, CARLA], {}, ON);

		expect(hints.join()).toContain('2 unconfirmed ($5.00)');
		expect(hints.join()).not.toContain('Nothing was');
	});
});

describe('a run that makes the ledger says so above all else #new-ledger-told', () => {
	test('also when its payout was paid, and the next runs say nothing of it', async () => {
		const changes = { workflowId: randomUUID() };

		const first = await execute([BEN], {}, changes);
		const second = await execute([CARLA], {}, changes);

		expect(first.hints).toEqual([expect.stringContaining('"Payout Ledger"')]);
		expect(second.hints).toEqual([]);
	});

	test('in its error when it fails, of which n8n shows no output', async () => {
		const changes = { workflowId: randomUUID() };
		useWallet(1_000_000, (path) => (path === '/v1/funding' ? 422 : undefined));

		const first = await execute([BEN], {}, changes);
		const second = await execute([BEN], {}, changes);

		expect(first.error?.description).toContain('empty ledger');
		expect(second.error?.description).not.toContain('empty ledger');
	});

	test('before what became of its payouts', async () => {
		const { hints } = await execute([BEN], { options: { holdAbove: '1.00' } });

		expect(hints).toEqual([
			expect.stringContaining('empty ledger'),
			expect.stringContaining('Nothing was paid'),
		]);
	});
});

test.each([
	['no payout', [], 'knows no payouts.', { payments: 0, not_sent: 0 }],
	['one held payout', [BEN], 'knows 1 payout, none of it paid.', { payments: 0, not_sent: 1 }],
	[
		'one held and one paid payout',
		[BEN, SMALL],
		'knows 2 payouts: 1 paid or sent, 1 not.',
		{ payments: 1, not_sent: 1 },
	],
])('a ledger that is confirmed with %s says so', async (_, payouts, said, counted) => {
	const changes = { workflowId: randomUUID() };
	await execute([...payouts], { options: { holdAbove: '1.00' } }, changes);

	const { items, hints } = await service.execute('ledger.create', {}, changes);

	expect(jsonOf(items)).toMatchObject([counted]);
	expect(hints).toEqual([expect.stringContaining(said)]);
});

describe('one payout above a limit', () => {
	test('is named once for the run, the others are not sent, and what was paid before says so #one-above-a-limit', async () => {
		const changes = { ...ON, workflowId: randomUUID() };
		await pay([BEN], {}, changes);
		const before = service.requests.length;

		const { hints, items } = await execute(
			[BEN, SMALL, LARGE],
			{ options: { maxAmount: '1.00' } },
			changes,
		);

		const errors = jsonOf(items).map(({ error }) => error);
		expect(statusesOf(jsonOf(items))).toEqual(['duplicate', 'not_sent', 'failed']);
		expect(errors).toEqual([
			undefined,
			expect.stringContaining('item 2 is above a limit'),
			'$1.01 is above "Limit: Maximum Amount", $1.00 [item 2]',
		]);
		expect(hints[0]).toMatch(
			/^Nothing was sent\. Above a limit: item 2 \("INV-4"\): \$1\.01 is above/,
		);
		expect(hints[0]).toContain('Paid before, not again: "INV-2"');
		expect(service.requests).toHaveLength(before);
	});

	test('that was paid before exceeds nothing', async () => {
		const changes = { ...ON, workflowId: randomUUID() };
		await pay([LARGE], {}, changes);

		const items = await pay([LARGE, SMALL], { options: { maxAmount: '1.00' } }, changes);

		expect(statusesOf(items)).toEqual(['duplicate', 'funded']);
		expect(fundings()).toHaveLength(2);
	});
});

test('totals count a repeated item once, and name what they leave out #totals-to-check', async () => {
	const unreadable = { payee: 'ana@example.com', amount: 'x', reference: 'INV-9' };

	const { hints } = await execute([BEN, BEN, unreadable, CARLA], {}, ON);

	const [totals, repeated] = aboutPayouts(hints);
	expect(totals).toBe(
		'Payouts: 2 funded ($5.00). Not counted, since an error refused them: item 2.',
	);
	expect(repeated).toMatch(/^Items 0, 1 .* one payment, made once/);
});

describe('a preview', () => {
	test('makes no ledger, says that there is none, and judges by the rules all the same #preview-without-ledger', async () => {
		const workflowId = randomUUID();
		const changes = { workflowId };

		const { items, hints } = await execute(
			[BEN],
			{ options: { preview: true, holdNewPayees: true } },
			changes,
		);
		const tablesAfterPreview = [...tablesOf(workflowId).tables];
		const [paid] = await pay([BEN], {}, changes);

		expect(statusesOf(jsonOf(items))).toEqual(['held']);
		expect(hints.join()).toContain('no ledger');
		expect(tablesAfterPreview).toEqual([]);
		expect(paid).toMatchObject({ status: 'funded' });
	});

	test('by invoice does not compare with the wallet #preview-by-invoice', async () => {
		useWallet(1);

		const { hints, items } = await execute([BEN], {
			fundingMethod: 'invoice',
			options: { preview: true },
		});

		expect(statusesOf(jsonOf(items))).toEqual(['would_pay']);
		expect(hints.join()).toMatch(/gets an invoice for \$2\.00/);
		expect(hints.join()).not.toMatch(/wallet/i);
		expect(service.requests).toEqual([]);
	});

	test('from the balance says what the wallet holds, and why a payout is held', async () => {
		useWallet(1_000);

		const { hints } = await execute([BEN, CARLA], {
			options: { preview: true, holdAbove: '2.50' },
		});

		expect(hints.join()).toMatch(/needs \$2\.00, its wallet holds \$10\.00/);
		expect(hints.join()).toContain('Held until a person decides: "INV-3"');
	});
});

test('an error names the item once, with its reference', async () => {
	useWallet(1_000_000, (path) => (path === '/v1/funding' ? 422 : undefined));

	const { error } = await execute([BEN], {});

	const text = `${error?.message} ${error?.description}`;
	expect(text.match(/item 0/g)).toHaveLength(1);
	expect(text.match(/INV-2/g)).toHaveLength(1);
});
