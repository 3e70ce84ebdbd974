import { type Host, NEWEST_HOST } from '../../tools/n8n';
import type { Fixture } from '../n8n/support/fixture';
import {
	addVendors,
	once,
	payoutsFor,
	statusesOf,
	timesFunded,
	usePayouts,
} from '../n8n/support/payouts';

const PAYOUTS = 3;

/** What one who chose a ledger table reads in an n8n that has none in its public API. */
const NO_DATA_TABLES = /The n8n at .* has no Data Tables in its public API/;

/** Tests that payouts are made once, in each store that this n8n has. */
export function testPayouts(fixture: () => Fixture, host: Host): void {
	const { createTableWorkflow, createWorkflow, requestCounts } = usePayouts(fixture);
	const hasDataTables = host === NEWEST_HOST;

	test("a payout that n8n's own store remembers is made once, in two runs in a row", async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, PAYOUTS);
		const workflow = await createWorkflow();
		const first = await workflow.pay(payoutsFor(payees));
		expect(statusesOf(first)).toEqual(Array(PAYOUTS).fill('funded'));
		const again = await workflow.pay(payoutsFor(payees));
		expect(again).toEqual(
			first.map((item) => ({ ...item, status: 'duplicate', first_status: 'funded' })),
		);
		expect(await requestCounts()).toMatchObject({ createPayable: PAYOUTS, createFunding: 1 });
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('a payout that a ledger table remembers is made once, listed and resolved, or refused where there is none', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, PAYOUTS);
		const payouts = payoutsFor(payees);
		const workflow = await createTableWorkflow();
		const list = await createTableWorkflow({
			operation: 'getMany',
			returnAll: true,
			filters: { status: 'unconfirmed' },
		});
		const resolve = await createTableWorkflow({ operation: 'resolve', outcome: 'paid' });
		await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
		const first = await workflow.pay(payouts);
		const listed = await list.pay([{}]);
		const resolved = await resolve.pay(payouts.map(({ reference }) => ({ reference })));
		const again = await workflow.pay(payouts);
		if (hasDataTables) {
			expect(statusesOf(first)).toEqual(Array(PAYOUTS).fill('unconfirmed'));
			expect(statusesOf(listed)).toEqual(Array(PAYOUTS).fill('unconfirmed'));
			expect(resolved.map((item) => item['is_resolved'])).toEqual(Array(PAYOUTS).fill(true));
			expect(statusesOf(again)).toEqual(Array(PAYOUTS).fill('duplicate'));
			expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
			return;
		}
		await sandbox.control.clearFaults();
		for (const { error } of [...first, ...listed, ...resolved, ...again]) {
			expect(error).toMatch(NO_DATA_TABLES);
		}
		expect(statusesOf([...first, ...again])).toEqual(Array(2 * PAYOUTS).fill('not_sent'));
		expect(await requestCounts()).toEqual({});
	});
}
