import { randomUUID } from 'node:crypto';
import fc from 'fast-check';

import { ANA, BEN, CARLA, startPayoutService } from './payoutService';

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
