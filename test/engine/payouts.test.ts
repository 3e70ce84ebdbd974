import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import { byEmail, type Changes, jsonOf, payable, startScriptedService } from './support';

const FUNDING = '/v1/funding';

const service = startScriptedService();

/** How many IDs the service has given, each once. */
let ids = 0;

/** Has the service do what it is asked, from a wallet that holds so much, unless a status says otherwise. */
const useWallet = (
	balance: number,
	statusOf: (path: string, body: unknown) => number | undefined = () => undefined,
): void => {
	const common = { balance, pdf_url: 'https://files.example.com/1.pdf' };
	service.useScript(({ url, body }) => {
		const status = statusOf(url, body);
		if (status !== undefined) {
			return { status, body: { message: 'No' } };
		}

		ids += 1;

		return { body: { id: `x${ids}`, ...common } };
	});
};

/** Has fundings answered with a status, all of them or those that are chosen. */
const answerFundings = (
	status: number,
	isChosen: (body: unknown) => boolean = () => true,
): void => {
	useWallet(1_000_000, (path, body) => (path === FUNDING && isChosen(body) ? status : undefined));
};

beforeEach(() => {
	useWallet(1_000_000);
});

const execute = async (
	items: IDataObject[],
	{
		options,
		...parameters
	}: Record<string, NodeParameterValueType> & { options?: INodeParameters },
	changes: Changes = {},
) =>
	await service.execute(
		'payout.send',
		payable({
			payee: byEmail('={{ $json.payee }}'),
			amount: '={{ $json.amount }}',
			options: { amountUnit: 'cents', ...options },
			fundingMethod: 'balance',
			uniqueReference: '={{ $json.reference }}',
			...parameters,
		}),
		{ items, ...changes },
	);

/** Pays what items ask for; returns the items that come out. */
const pay = async (
	items: IDataObject[],
	parameters: INodeParameters = {},
	changes: Changes = {},
): Promise<IDataObject[]> =>
	jsonOf(
		(await execute(items, parameters, { onError: 'continueRegularOutput', ...changes })).items,
	);

const statusesOf = (items: IDataObject[]): unknown[] => items.map(({ status }) => status);

/** The bodies of all fundings that were asked for. */
const fundings = (): unknown[] =>
	service.requests.filter(({ url }) => url === FUNDING).map(({ body }) => body);

const ANA = { payee: 'ana@example.com', amount: 100 };
const BEN = { payee: 'ben@example.com', amount: 200, reference: 'INV-2' };
const CARLA = { payee: 'carla@example.com', amount: 300, reference: 'INV-3' };
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
			error: expect.stringMatching(/^Items 0, 1 have one reference, "JULY", so nothing was/),
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
		error: expect.stringMatching(
			/^Items 0, 2 have spellings of one reference, "INV-8" and "inv-8"/,
		),
	};

	const items = [{ ...ANA, reference: 'INV-8' }, CARLA, { ...ANA, reference: 'inv-8' }];

	expect(await pay(items)).toMatchObject([refused, { status: 'funded' }, refused]);
	expect(fundings()).toEqual(CARLA_ALONE);
});

test('payouts from a wallet that holds too little are not begun, and can be sent when it is filled #wallet-too-small', async () => {
	const workflowId = randomUUID();
	useWallet(499);

	const items = await pay([BEN, CARLA], {}, { workflowId });

	expect(statusesOf(items)).toEqual(['not_sent', 'not_sent']);
	expect(items[0]?.['error']).toBe('The wallet holds 4.99, and this run needs 5.00 [item 0]');
	expect(service.requests).toHaveLength(1);

	useWallet(500);

	expect(statusesOf(await pay([BEN, CARLA], {}, { workflowId }))).toEqual(['funded', 'funded']);
	expect(fundings()).toHaveLength(1);
});

test('payouts by invoice wait for the deposit, with the invoice at hand #invoice-waits-for-deposit', async () => {
	const options = { poNumber: 'PO-7', fundingDescription: 'March' };
	const items = await pay([BEN, CARLA], { fundingMethod: 'invoice', options });
	const { funding_id } = items[0] ?? {};

	expect(funding_id).toMatch(/^x\d/);

	const waiting = { status: 'awaiting_deposit', funding_id };

	expect(items).toMatchObject([
		{ ...waiting, pdf_url: 'https://files.example.com/1.pdf' },
		{ ...waiting, pdf_url: 'https://files.example.com/1.pdf' },
	]);
	expect(fundings()).toMatchObject([
		{ method: 'invoice', po_number: 'PO-7', description: 'March [INV-2] [INV-3]' },
	]);
});

test('a payout is made once when two items of a run have its reference #once-in-a-run', async () => {
	const changes: Changes = { workflowId: randomUUID(), onError: 'continueRegularOutput' };

	const first = await execute([BEN, BEN], {}, changes);

	expect(first.hints).toEqual([
		expect.stringMatching(/^Items 0, 1 .* one payment, made once\. .* item 0 keeps the reference/),
	]);
	expect(statusesOf(jsonOf(first.items))).toEqual(['funded', 'duplicate']);

	const again = await execute([BEN, BEN], {}, changes);

	expect(again.hints).toContainEqual(expect.stringContaining('one payment, made once'));
	expect(fundings()).toHaveLength(1);
});

test('an error says of the other payouts how they ended', async () => {
	const changes: Changes = { workflowId: randomUUID() };
	await pay([BEN], {}, changes);
	answerFundings(422);

	const { error } = await execute([CARLA, BEN], {}, changes);

	expect(error?.description).toMatch(/These did not fail: item 1 \(INV-2, x\d+\) duplicate\./);
});

test('a preview refuses each item of a reference that the wallet cannot pay', async () => {
	useWallet(1);

	const shown = await pay([BEN, BEN], { options: { preview: true } });

	expect(statusesOf(shown)).toEqual(['refused', 'refused']);
});

/** So many payouts to Ana. */
const payouts = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ ...ANA, reference: `INV-${index + 1}` }));
/** A funding of its own for each payout. */
const APART = { options: { fundingDescription: '={{ $json.reference }}' } };

test('a funding that is refused is halved, and pays all but the one that cannot be paid #one-unfundable-payout', async () => {
	for (const bad of ['INV-1', 'INV-78']) {
		answerFundings(422, (body) => JSON.stringify(body).includes(`[${bad}]`));
		const expected = payouts(100).map(({ reference }) => (reference === bad ? 'failed' : 'funded'));

		expect(statusesOf(await pay(payouts(100)))).toEqual(expected);
		expect(fundings().length).toBeLessThanOrEqual(15);
	}
});

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
		const expected = (rest: string) =>
			payouts(100).map((_, at) => (at < 50 ? 'unconfirmed' : rest));
		const changes: Changes = { ...again, onError: 'continueRegularOutput' };

		const { items, hints } = await execute(payouts(100), {}, changes);

		expect(statusesOf(jsonOf(items))).toEqual(expected('not_sent'));
		expect(hints.join()).toContain('Of 100 items, 50 failed and 50 are unconfirmed');
		expect(fundings()).toHaveLength(1);

		useWallet(1_000_000);

		expect(statusesOf(await pay(payouts(100), {}, again))).toEqual(expected('funded'));
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

		expect(statusesOf(paid)).toEqual(paid.map(() => 'funded'));

		// Those that were refused, and those that were prepared ahead of them.
		const hadPayable = (_: unknown, index: number) => items[index]?.['payable_id'] !== null;

		const known = items.filter(hadPayable).map(({ payable_id }) => payable_id);

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
])('a %s that fails at first is sent again: %s #creation-unconfirmed', async (_, path, ...rest) => {
	const [status, times] = rest;
	let asked = 0;
	useWallet(1_000_000, (url) => (url === path && (asked += 1) <= times ? status : undefined));

	expect(statusesOf(await pay([BEN]))).toEqual(['funded']);
	expect(asked).toBe(times + 1);
});

test('an approval without an answer is sent again #lost-approval', async () => {
	let asked = 0;
	useWallet(1_000_000, (url) => (url.endsWith('/approve') && (asked += 1) === 1 ? 500 : undefined));

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

	expect(status).toBe('prepared');

	const duplicate = { status: 'duplicate', first_status: 'prepared', payable_id };

	expect(await pay([BEN], none, again)).toMatchObject([duplicate]);
	expect(await pay([CARLA, CARLA], none, again)).toMatchObject([
		{ status: 'prepared' },
		{ first_status: 'prepared' },
	]);
	expect(fundings()).toEqual([]);
	expect(await pay([BEN], {}, again)).toMatchObject([{ status: 'funded', payable_id }]);
});

test('a limit of the day and holds work in every workflow, without any set-up', async () => {
	for (const options of [{ maxPerDay: '1' }, { holdNewPayees: true }]) {
		const [item] = await pay([BEN], { options });

		expect(['held', 'not_sent']).toContain(item?.['status']);
	}

	expect(fundings()).toEqual([]);
});

test('payouts to which the service gives the same payable are not funded', async () => {
	service.useScript(() => ({ body: { id: 'p1', balance: 1_000_000 } }));

	expect(statusesOf(await pay([BEN, CARLA]))).toEqual(['not_sent', 'not_sent']);
	expect(fundings()).toEqual([]);
});

describe('limits', () => {
	test.each([
		['maxAmount', '2.99', /3.00 in item 1 is above "Limit: Maximum Amount", 2.99/],
		['maxTotal', '4.99', /add up to 5.00, above "Limit: Maximum Total", 4.99/],
	])(
		'%s refuses the whole run before its first request #limit-before-first-request',
		async (name, limit, sentence) => {
			const { error } = await execute([BEN, CARLA], { options: { [name]: limit } });

			expect(error?.message).toMatch(sentence);
			expect(service.requests).toEqual([]);
		},
	);

	test.each(['maxAmount', 'maxTotal', 'allowedPayees'])(
		'that are there and empty or come to nothing are refused: %s #empty-limit-refused',
		async (name) => {
			for (const value of ['', '={{ $json.nothing }}']) {
				const { error } = await execute([BEN], { options: { [name]: value } });

				expect(error?.message).toMatch(/is empty/);
			}

			expect(service.requests).toEqual([]);
		},
	);

	/** References of which some are the same one, written in other ways. */
	const references = ['A', ' A', 'A\u200b', 'B', 'Å', 'A\u030a', 'INV-7', 'INV-7 lock'];
	const inDollars = (cents: number): string => (cents / 100).toFixed(2);

	/** Has the service do all that it is asked; returns what tells the amounts that it has paid. */
	const countPaid = (): (() => number[]) => {
		const amounts = new Map<string, number>();
		service.useScript(({ body }) => {
			ids += 1;
			amounts.set(`x${ids}`, (body as { amount?: number } | undefined)?.amount ?? 0);

			return { body: { id: `x${ids}`, balance: 1_000_000 } };
		});

		return () =>
			fundings()
				.flatMap((body) => (body as { payable_ids: string[] }).payable_ids)
				.map((id) => amounts.get(id) ?? NaN);
	};

	test('are never exceeded, whatever the items, references and units #never-above-a-limit', async () => {
		const item = fc.record({
			reference: fc.constantFrom(...references),
			payee: fc.constantFrom(ANA.payee, BEN.payee, CARLA.payee),
			cents: fc.integer({ min: 1, max: 250 }),
			unit: fc.constantFrom('cents', 'dollars'),
		});

		const options = {
			amountUnit: '={{ $json.unit }}',
			maxAmount: '={{ $json.maxAmount }}',
			maxTotal: '={{ $json.maxTotal }}',
		};

		let paid = 0;

		await fc.assert(
			fc.asyncProperty(
				fc.array(item, { minLength: 1, maxLength: 8 }),
				fc.integer({ min: 200, max: 400 }),
				fc.integer({ min: 200, max: 1500 }),
				async (items, maxAmount, maxTotal) => {
					const limits = { maxAmount: inDollars(maxAmount), maxTotal: inDollars(maxTotal) };
					const payouts = items.map(({ cents, ...more }) => ({
						...more,
						...limits,
						amount: more.unit === 'cents' ? cents : inDollars(cents),
					}));

					const workflowId = randomUUID();
					for (let times = 0; times < 2; times += 1) {
						const paidAmounts = countPaid();
						await pay(payouts, { options }, { workflowId });
						const amounts = paidAmounts();
						paid += amounts.length;

						expect(amounts.reduce((total, amount) => total + amount, 0)).toBeLessThanOrEqual(
							maxTotal,
						);
						expect(Math.max(0, ...amounts)).toBeLessThanOrEqual(maxAmount);
					}
				},
			),
			{ numRuns: 60 },
		);

		// A property of runs that pay nothing would hold for nothing.
		expect(paid).toBeGreaterThan(20);
	});
});
