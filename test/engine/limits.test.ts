import { randomUUID } from 'node:crypto';
import fc from 'fast-check';

import type { IDataObject } from 'n8n-workflow';

import { ANA, BEN, CARLA, startPayoutService, statusesOf } from './payoutService';
import { byId, OTHER_WORKSPACE, tablesOf } from './support';

const { service, execute, pay, fundings } = startPayoutService();

test.each([
	[
		'maxAmount',
		'2.99',
		/1 failed and 1 was not sent: \$3\.00 is above "Limit: Maximum Amount", \$2\.99 \[item 1\]/,
	],
	['maxTotal', '4.99', /add up to \$5\.00, above "Limit: Maximum Total", \$4\.99/],
])(
	'the limit %s refuses the whole run before its first request #limit-before-first-request',
	async (name, limit, sentence) => {
		const { error } = await execute([BEN, CARLA], { options: { [name]: limit } });

		expect(error?.message).toMatch(sentence);
		expect(service.requests).toEqual([]);
	},
);

test.each(['maxAmount', 'maxTotal', 'allowedPayees'])(
	'a limit that is set but empty is refused: %s #empty-limit-refused',
	async (name) => {
		const empty = await execute([BEN], { options: { [name]: '' } });
		const nothing = await execute([BEN], { options: { [name]: '={{ $json.nothing }}' } });

		expect(empty.error?.message).toMatch(/is empty/);
		expect(nothing.error?.message).toMatch(/is empty/);
		expect(service.requests).toEqual([]);
	},
);

describe('what other executions have paid', () => {
	const later = (changes: { workflowId: string }) => ({ ...changes, executionId: '2' });

	test('counts for the limit of the day, which may be reached', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([BEN], {}, changes);

		const [above] = await pay([CARLA], { options: { maxPerDay: '4.99' } }, later(changes));
		const [reached] = await pay([CARLA], { options: { maxPerDay: '5' } }, later(changes));

		expect(above).toMatchObject({
			status: 'not_sent',
			error: expect.stringContaining('"Limit: Maximum per Day"'),
		});
		expect(reached).toMatchObject({ status: 'funded' });
	});

	test('counts for no total of one execution', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([BEN], {}, changes);

		const items = await pay([CARLA], { options: { maxTotal: '3' } }, later(changes));

		expect(statusesOf(items)).toEqual(['funded']);
	});

	test.each([
		['maxPerDay', 'the evening before', () => new Date().setUTCHours(0, 0, 0, -1)],
		['maxTotal', 'a month', () => Date.now() - 31 * 86_400_000],
	])('counts no more for the limit %s after %s', async (limit, _, timeOf) => {
		const changes = { workflowId: randomUUID() };
		await pay([BEN], {}, changes);
		changeRow(changes, { createdAt: new Date(timeOf()).toISOString() });

		// An n8n with a rebuilt database numbers its executions from 1 again.
		const items = await pay([CARLA], { options: { [limit]: '3' } }, changes);

		expect(statusesOf(items)).toEqual(['funded']);
	});

	test('in another workspace counts for no limit of the day', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([BEN], { workspaceId: byId(OTHER_WORKSPACE) }, changes);

		const items = await pay([CARLA], { options: { maxPerDay: '3' } }, changes);

		expect(statusesOf(items)).toEqual(['funded']);
	});

	test('is unknown when its amount was edited into none, so nothing is paid', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([BEN], {}, changes);
		changeRow(changes, { amount_cents: null });

		const items = await pay([CARLA], { options: { maxPerDay: '9' } }, changes);

		expect(items).toMatchObject([
			{ status: 'not_sent', error: expect.stringContaining('amount_cents of "INV-2"') },
		]);
		expect(fundings()).toHaveLength(1);
	});
});

describe('a payout is held', () => {
	test.each([
		['2', 'funded'],
		['1.99', 'held'],
	])('above an amount alone: %s', async (holdAbove, status) => {
		const items = await pay([BEN], { options: { holdAbove } });

		expect(statusesOf(items)).toEqual([status]);
	});

	test('as the first one of a payee that only the other environment has paid', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([BEN], {}, changes);
		const production = { ...changes, credentials: { environment: 'production' } };

		const items = await pay(
			[{ ...BEN, reference: 'INV-20' }],
			{ options: { holdNewPayees: true } },
			production,
		);

		expect(statusesOf(items)).toEqual(['held']);
	});

	test('as a new payee no more once an event says that one is paid', async () => {
		const changes = { workflowId: randomUUID() };
		await pay([BEN], {}, changes);
		changeRow(changes, { state: 'paid' });

		const items = await pay(
			[{ ...BEN, reference: 'INV-20' }],
			{ options: { holdNewPayees: true } },
			changes,
		);

		expect(statusesOf(items)).toEqual(['funded']);
	});
});

/** Changes the first row of the ledger. */
function changeRow({ workflowId }: { workflowId: string }, values: IDataObject): void {
	const [row] = tablesOf(workflowId).tables[0]?.rows ?? [];
	Object.assign(row ?? {}, values);
}

/** References of which some are the same one, written in other ways. */
const references = ['A', ' A', 'A\u200b', 'B', 'Å', 'A\u030a', 'INV-7', 'INV-7 lock'];
const inDollars = (cents: number): string => (cents / 100).toFixed(2);

/** How many IDs the service has given, each once. */
let ids = 0;

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

test('limits are never exceeded, whatever the items, references and units #never-above-a-limit', async () => {
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
