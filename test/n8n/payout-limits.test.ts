import fc from 'fast-check';

import { NODE_UNDER_TEST, nodeError } from '../../tools/n8n';
import {
	addVendors,
	payoutsFor,
	type PayoutWorkflow,
	statusesOf,
	usePayouts,
} from './support/payouts';

const { fixture, createWorkflow, createTableWorkflow } = usePayouts();

const inDollars = (cents: number): string => (cents / 100).toFixed(2);

/** What each funding has paid so far, in cents. */
const fundedAmounts = async (): Promise<number[]> =>
	(await fixture().sandbox.control.allocations()).map(({ amount }) => amount);

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** References of which some are the same one, written in other ways. */
const references = ['A', ' A', 'A\u200b', 'B', 'Å', 'A\u030a', 'INV-7', 'INV-7 lock'];

describe('whatever the items, references and units', () => {
	let workflow: PayoutWorkflow;
	let payees: string[];
	beforeAll(async () => {
		payees = await addVendors(fixture().sandbox, 3);
		workflow = await createWorkflow({
			amountUnit: '={{ $json.unit }}',
			options: { maxAmount: '={{ $json.maxAmount }}', maxTotal: '={{ $json.maxTotal }}' },
		});
	});

	test('what is paid never exceeds a limit #never-above-a-limit', async () => {
		const item = fc.record({
			reference: fc.constantFrom(...references),
			payee: fc.nat(2),
			cents: fc.integer({ min: 1, max: 250 }),
			unit: fc.constantFrom('minor', 'major'),
		});
		let runs = 0;
		let paid = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.array(item, { minLength: 1, maxLength: 8 }),
				fc.integer({ min: 200, max: 400 }),
				fc.integer({ min: 200, max: 1500 }),
				async (items, maxAmount, maxTotal) => {
					runs += 1;
					const limits = { maxAmount: inDollars(maxAmount), maxTotal: inDollars(maxTotal) };
					const payouts = items.map(({ reference, payee, cents, unit }) => ({
						reference: `${reference} of ${runs}`,
						payee: payees[payee] ?? '',
						amount: unit === 'minor' ? cents : inDollars(cents),
						unit,
						...limits,
					}));
					for (let times = 0; times < 2; times += 1) {
						const before = (await fundedAmounts()).length;
						await workflow.pay(payouts);
						const amounts = (await fundedAmounts()).slice(before);
						paid += amounts.length;
						expect(sum(amounts)).toBeLessThanOrEqual(maxTotal);
						expect(Math.max(0, ...amounts)).toBeLessThanOrEqual(maxAmount);
					}
				},
			),
			{ numRuns: 12, seed: 10 },
		);
		// A property of runs that pay nothing would hold for nothing.
		expect(paid).toBeGreaterThan(5);
	});
});

describe('a limit that is there', () => {
	test.each(['maxAmount', 'maxTotal', 'allowedPayees'])(
		'and is empty or comes to nothing is refused: %s #empty-limit-refused',
		async (name) => {
			const { sandbox } = fixture();
			const payees = await addVendors(sandbox, 1);
			for (const value of ['', '={{ $json.nothing }}']) {
				const workflow = await createWorkflow({ options: { [name]: value } }, {});
				const execution = await workflow.execute(payoutsFor(payees));
				expect(nodeError(execution, NODE_UNDER_TEST)?.message).toMatch(/is empty/);
			}
			expect(await sandbox.control.requests()).toEqual([]);
		},
	);

	test('per day is refused where nobody knows what other runs have paid', async () => {
		const payees = await addVendors(fixture().sandbox, 1);
		const [item] = await (
			await createWorkflow({ options: { maxPerDay: '5' } })
		).pay(payoutsFor(payees));
		expect(item?.['error']).toMatch(/^"Maximum per Day" needs a ledger table/);
	});
});

test('nobody but the allowed payees is paid, in whatever case they are written #allowed-payees-only', async () => {
	const { sandbox } = fixture();
	const payees = await addVendors(sandbox, 2);
	const allowedPayees = `other@example.com, ${payees[0]?.toUpperCase() ?? ''}`;
	const workflow = await createTableWorkflow({ options: { allowedPayees } });
	const items = await workflow.pay(payoutsFor(payees));
	expect(statusesOf(items)).toEqual(['funded', 'failed']);
	expect(items[1]?.['error']).toBe(`"${payees[1] ?? ''}" is not among the Allowed Payees [item 1]`);
});
