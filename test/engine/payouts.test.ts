import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import {
	aboutPayouts,
	ANA,
	BEN,
	CARLA,
	FUNDING,
	startPayoutService,
	statusesOf,
} from './payoutService';
import { type Changes, jsonOf } from './support';

const { service, useWallet, answerFundings, execute, pay, fundings } = startPayoutService();

/** The one funding where only Carla can be paid. */
const CARLA_ALONE = [expect.objectContaining({ amount: 300, description: '[INV-3]' })];

test.each([
	['the same vendor and another amount', { amount: 200 }],
	['another vendor and the same amount', { payee: 'ben@example.com' }],
])(
	'payouts with one reference, %s, are refused before the first request #one-reference-two-payouts',
	async (_, change) => {
		const [first = {}, second = {}, third = {}] = await pay([
			{ ...ANA, reference: 'JULY' },
			{ ...ANA, reference: ' JULY ', ...change },
			CARLA,
		]);

		expect(statusesOf([first, second, third])).toEqual(['failed', 'failed', 'funded']);
		expect(first).toMatchObject({
			error: expect.stringMatching(/^Items 0, 1 have one reference, "JULY", and /),
		});
		expect(fundings()).toEqual(CARLA_ALONE);
	},
);

test('a payout whose reference stands at one that cannot be read is refused as well #reference-of-unreadable', async () => {
	const unreadable = { ...BEN, reference: 'JULY', amount: '1,5,0' };

	expect(await pay([{ ...ANA, reference: 'JULY' }, unreadable, CARLA])).toMatchObject([
		{ status: 'failed', error: expect.stringMatching(/^Items 0, 1 have one reference/) },
		{
			status: 'failed',
			unique_reference: 'JULY',
			error: expect.stringContaining('1,5,0'),
			hint: expect.stringMatching(/This run sent nothing for it\.$/),
		},
		{ status: 'funded' },
	]);
	expect(fundings()).toEqual(CARLA_ALONE);
});

test('in one run, references that differ only in capitals are refused, and the others are paid #capitals-in-a-run', async () => {
	const refused = {
		status: 'failed',
		error: expect.stringMatching(/^Items 0, 2 have nearly the same reference, "INV-8" and "inv-8"/),
	};

	const items = [{ ...ANA, reference: 'INV-8' }, CARLA, { ...ANA, reference: 'inv-8' }];

	expect(await pay(items)).toMatchObject([refused, { status: 'funded' }, refused]);
	expect(fundings()).toEqual(CARLA_ALONE);
});

test('in one run, a number with and without the words before it is refused, at one amount of one vendor #similar-in-a-run', async () => {
	const items = [{ ...ANA, reference: 'INV-1042' }, CARLA, { ...ANA, reference: '1042' }];

	expect(statusesOf(await pay(items))).toEqual(['failed', 'funded', 'failed']);
	expect(fundings()).toEqual(CARLA_ALONE);
});

test('a similar number is refused later, until a person says that it is a different invoice #different-invoice', async () => {
	const workflowId = randomUUID();
	const similar = [{ ...ANA, reference: '1042' }];
	await pay([{ ...ANA, reference: 'INV-1042' }], {}, { workflowId });

	const refused = await pay(similar, {}, { workflowId });
	const paid = await pay(
		similar,
		{
			options: {
				differentInvoice: '1042 1.00 ana@example.com is not INV-1042 1.00 ana@example.com',
			},
		},
		{ workflowId },
	);
	const again = await pay(similar, {}, { workflowId });

	expect(statusesOf([...refused, ...paid, ...again])).toEqual(['failed', 'funded', 'duplicate']);
	expect(fundings()).toHaveLength(2);
});

test('payouts from a wallet that holds too little are not begun, and can be sent when it is filled #wallet-too-small', async () => {
	const workflowId = randomUUID();
	useWallet(499);

	const items = await pay([BEN, CARLA], {}, { workflowId });

	expect(statusesOf(items)).toEqual(['not_sent', 'not_sent']);
	expect(items[0]?.['error']).toBe('The wallet holds $4.99, and this run needs $5.00 [item 0]');
	expect(service.requests).toHaveLength(1);

	useWallet(500);

	expect(statusesOf(await pay([BEN, CARLA], {}, { workflowId }))).toEqual(['funded', 'funded']);
	expect(fundings()).toHaveLength(1);
});

test('payouts by invoice wait for the deposit, with the invoice at hand #invoice-waits-for-deposit', async () => {
	const options = { poNumber: 'PO-7', fundingDescription: 'March' };

	const items = await pay([BEN, CARLA], { fundingMethod: 'invoice', options });

	const { funding_id } = items[0] ?? {};
	const pdf_url = 'https://files.example.com/1.pdf';

	expect(funding_id).toMatch(/^x\d/);
	expect(items).toMatchObject([
		{ status: 'awaiting_deposit', funding_id, pdf_url },
		{ status: 'awaiting_deposit', funding_id, pdf_url },
	]);
	expect(fundings()).toMatchObject([
		{ method: 'invoice', po_number: 'PO-7', description: 'March [INV-2] [INV-3]' },
	]);
});

test('a payout is made once when two items of a run have its reference #once-in-a-run', async () => {
	const changes: Changes = { workflowId: randomUUID(), onError: 'continueRegularOutput' };

	const first = await execute([BEN, BEN], {}, changes);
	const again = await execute([BEN, BEN], {}, changes);

	expect(aboutPayouts(first.hints)).toEqual([
		expect.stringMatching(/^Items 0, 1 .* one payment, made once\. .* item 0 keeps the reference/),
	]);
	expect(statusesOf(jsonOf(first.items))).toEqual(['funded', 'duplicate']);
	expect(again.hints).toContainEqual(expect.stringContaining('one payment, made once'));
	expect(fundings()).toHaveLength(1);
});

test.each([
	['balance', 'paid before, not again'],
	['invoice', 'waits for its deposit, not paid yet'],
])('an error says of the other payouts how they ended: by %s, %s', async (fundingMethod, end) => {
	const changes: Changes = { workflowId: randomUUID() };
	await pay([BEN], { fundingMethod }, changes);
	answerFundings(422);

	const { error } = await execute([CARLA, BEN], {}, changes);

	expect(error?.description).toMatch(
		new RegExp(`These did not fail: item 1 \\(INV-2, x\\d+\\) ${end}\\.`),
	);
});

test('a preview refuses each item of a reference that the wallet cannot pay', async () => {
	useWallet(1);

	const shown = await pay([BEN, BEN], { options: { preview: true } });

	expect(statusesOf(shown)).toEqual(['refused', 'refused']);
});

/** Payouts to Ana, each with a reference of its own. */
const payouts = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ ...ANA, reference: `INV-${index + 1}` }));

/** A funding of its own for each payout. */
const APART = { options: { fundingDescription: '={{ $json.reference }}' } };

test.each(['INV-1', 'INV-78'])(
	'a funding that is refused is halved, and pays all but %s, which cannot be paid #one-unfundable-payout',
	async (bad) => {
		answerFundings(422, (body) => JSON.stringify(body).includes(`[${bad}]`));
		const expected = payouts(100).map(({ reference }) => (reference === bad ? 'failed' : 'funded'));

		const items = await pay(payouts(100));

		expect(statusesOf(items)).toEqual(expected);
		expect(fundings().length).toBeLessThanOrEqual(15);
	},
);

describe('a run whose fundings come to nothing', () => {
	let again: Changes;

	beforeEach(() => {
		again = { workflowId: randomUUID() };
	});

	test.each([402, 422])(
		'since all are refused with %i sends a handful of them, and a later one pays #refusals-end-the-run',
		async (status) => {
			answerFundings(status);
			const all = payouts(100);

			expect(statusesOf(await pay(all, {}, again))).toEqual(all.map(() => 'not_sent'));
			expect(fundings().length).toBeLessThanOrEqual(8);

			useWallet(1_000_000);

			expect(statusesOf(await pay(all, {}, again))).toEqual(all.map(() => 'funded'));
		},
	);

	test('since the service does not answer ends with the first #silent-service-ends-the-run', async () => {
		answerFundings(503);
		const changes: Changes = { ...again, onError: 'continueRegularOutput' };

		const { items, hints } = await execute(payouts(100), {}, changes);

		const statuses = statusesOf(jsonOf(items));
		const isUnconfirmed = (status: unknown): boolean => status === 'unconfirmed';
		expect(new Set(statuses)).toEqual(new Set(['unconfirmed', 'not_sent']));
		expect(statuses.filter(isUnconfirmed)).toHaveLength(50);
		expect(hints.join()).toContain('Of 100 items, 50 were not sent and 50 are unconfirmed');
		expect(fundings()).toHaveLength(1);

		useWallet(1_000_000);

		const afterwards = statusesOf(await pay(payouts(100), {}, again));
		expect(afterwards).toEqual(
			statuses.map((status) => (isUnconfirmed(status) ? 'unconfirmed' : 'funded')),
		);
	});

	test('since five in a row are refused ends, and keeps its payables', async () => {
		answerFundings(403);

		const items = await pay(payouts(8), APART, again);

		expect(fundings()).toHaveLength(5);
		expect(statusesOf(items).sort()).toEqual([
			...Array<string>(5).fill('failed'),
			...Array<string>(3).fill('not_sent'),
		]);

		useWallet(1_000_000);

		const paid = await pay(payouts(8), {}, again);

		// Those that were refused, and those that were prepared ahead of them.
		const hadPayable = (_: unknown, index: number) => items[index]?.['payable_id'] !== null;
		const known = items.filter(hadPayable).map(({ payable_id }) => payable_id);

		expect(statusesOf(paid)).toEqual(paid.map(() => 'funded'));
		expect(known.length).toBeGreaterThan(5);
		expect(paid.filter(hadPayable).map(({ payable_id }) => payable_id)).toEqual(known);
	});

	test.each([500, 404, 405, 406, 410, 303, 408])(
		'since one is answered with %s ends, and never sends that one again #lost-funding-unconfirmed',
		async (status) => {
			answerFundings(status);

			const items = await pay(payouts(3), APART, again);

			expect(statusesOf(items).sort()).toEqual(['not_sent', 'not_sent', 'unconfirmed']);
			expect(fundings()).toHaveLength(1);

			useWallet(1_000_000);

			const paid = await pay(payouts(3), APART, again);

			expect(statusesOf(paid).sort()).toEqual(['funded', 'funded', 'unconfirmed']);
			expect(fundings()).toHaveLength(2);
		},
	);
});

test.each([
	['funding', FUNDING, 429, 2],
	['creation', '/v1/payable', 500, 1],
])(
	'a %s that fails at first is sent again: %s #creation-unconfirmed',
	async (_, path, status, times) => {
		let asked = 0;
		useWallet(1_000_000, (url) => {
			if (url !== path) {
				return undefined;
			}

			asked += 1;

			return asked <= times ? status : undefined;
		});

		expect(statusesOf(await pay([BEN]))).toEqual(['funded']);
		expect(asked).toBe(times + 1);
	},
);

test('an approval without an answer is sent again #lost-approval', async () => {
	let asked = 0;
	useWallet(1_000_000, (url) => {
		if (!url.endsWith('/approve')) {
			return undefined;
		}

		asked += 1;

		return asked === 1 ? 500 : undefined;
	});

	expect(statusesOf(await pay([BEN]))).toEqual(['funded']);
	expect(asked).toBe(2);
});

test('what cannot be created is not sent', async () => {
	useWallet(1_000_000, (url) => (url === '/v1/payable' ? 500 : undefined));

	expect(statusesOf(await pay([BEN]))).toEqual(['not_sent']);
});

test('what is prepared is paid later with its payable, and is no payment until then #stops-before-money-moves', async () => {
	const again = { workflowId: randomUUID() };
	const none = { fundingMethod: 'none' };

	const [{ status, payable_id } = {}] = await pay([BEN], none, again);
	const second = await pay([BEN], none, again);

	expect(status).toBe('prepared');
	expect(second).toMatchObject([{ status: 'duplicate', first_status: 'prepared', payable_id }]);
	expect(fundings()).toEqual([]);

	const paid = await pay([BEN], {}, again);

	expect(paid).toMatchObject([{ status: 'funded', payable_id }]);
});

test('of two items with one reference, one is prepared', async () => {
	const items = await pay([CARLA, CARLA], { fundingMethod: 'none' });

	expect(items).toMatchObject([{ status: 'prepared' }, { first_status: 'prepared' }]);
});

test.each([
	[{ maxPerDay: '1' }, 'not_sent'],
	[{ holdNewPayees: true }, 'held'],
])('%j works in every workflow, without any set-up', async (options, status) => {
	const items = await pay([BEN], { options });

	expect(items).toMatchObject([{ status }]);
	expect(fundings()).toEqual([]);
});

test('payouts to which the service gives the same payable are not funded', async () => {
	service.useScript(() => ({ body: { id: 'p1', balance: 1_000_000 } }));

	expect(statusesOf(await pay([BEN, CARLA]))).toEqual(['not_sent', 'not_sent']);
	expect(fundings()).toEqual([]);
});
