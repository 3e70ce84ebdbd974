import { type Host, NEWEST_HOST } from '../../tools/n8n';
import type { Fixture } from '../n8n/support/fixture';
import { statusesOf, usePayouts } from '../n8n/support/payouts';

const PAYOUTS = 3;

/** What one who chose a ledger table reads in an n8n that has none in its public API. */
const NO_DATA_TABLES = /The n8n at .* has no Data Tables in its public API/;

/** Tests that payouts are made once, in each store that this n8n has. */
export function testPayouts(fixture: () => Fixture, host: Host): void {
	const { addPayouts, createTableWorkflow, createWorkflow, requestCounts } = usePayouts(fixture);

	test("a payout that n8n's own store remembers is made once, in two runs in a row", async () => {
		const { payouts, expectPaidOnce } = await addPayouts(PAYOUTS);
		const workflow = await createWorkflow();
		const first = await workflow.pay(payouts);
		expect(statusesOf(first)).toEqual(Array(PAYOUTS).fill('funded'));
		const again = await workflow.pay(payouts);
		expect(again).toEqual(
			first.map((item) => ({ ...item, status: 'duplicate', first_status: 'funded' })),
		);
		expect(await requestCounts()).toMatchObject({ createPayable: PAYOUTS, createFunding: 1 });
		await expectPaidOnce();
	});

	if (host === NEWEST_HOST) return;

	test('a ledger table is refused, since its public API has none', async () => {
		const { payouts } = await addPayouts(PAYOUTS);
		const pay = await createTableWorkflow();
		const list = await createTableWorkflow({ operation: 'getMany', returnAll: true });
		const resolve = await createTableWorkflow({ operation: 'resolve', outcome: 'paid' });
		const paid = await pay.pay(payouts);
		expect(statusesOf(paid)).toEqual(Array(PAYOUTS).fill('not_sent'));
		const references = payouts.map(({ reference }) => ({ reference }));
		for (const { error } of [
			...paid,
			...(await list.pay([{}])),
			...(await resolve.pay(references.slice(0, 1))),
		])
			expect(error).toMatch(NO_DATA_TABLES);
		expect(await requestCounts()).toEqual({});
	});
}
