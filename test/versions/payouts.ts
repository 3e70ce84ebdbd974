import {
	type Host,
	NEWEST_HOST,
	NODE_UNDER_TEST,
	outputItems,
	workflowWithNode,
} from '../../tools/n8n';
import { payoutParameters } from '../../tools/payouts/payout';
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

/** What one who chose a Data Table reads in an n8n that has none in its public API. */
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

	test('a payout is made once in runs by hand and in two runs at the same time', async () => {
		const { n8n, sandbox, createClient } = fixture();
		const payees = await addVendors(sandbox, PAYOUTS);
		const { id } = await n8n.createWorkflow(
			workflowWithNode({
				credential: await createClient(),
				parameters: payoutParameters(sandbox.workspaceId),
				items: payoutsFor(payees),
			}),
		);
		await Promise.all([n8n.runManually(id), n8n.runManually(id)]);
		const last = outputItems(await n8n.runManually(id), NODE_UNDER_TEST);
		expect(statusesOf(last.map(({ json }) => json))).toEqual(Array(PAYOUTS).fill('duplicate'));
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	});

	test('a payout that a Data Table remembers is made once, or not at all where there is none', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, PAYOUTS);
		const workflow = await createTableWorkflow();
		const first = await workflow.pay(payoutsFor(payees));
		const again = await workflow.pay(payoutsFor(payees));
		if (hasDataTables) {
			expect(statusesOf(first)).toEqual(Array(PAYOUTS).fill('funded'));
			expect(statusesOf(again)).toEqual(Array(PAYOUTS).fill('duplicate'));
			expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
			return;
		}
		for (const { error, status } of [...first, ...again]) {
			expect(status).toBe('not_sent');
			expect(error).toMatch(NO_DATA_TABLES);
		}
		expect(await requestCounts()).toEqual({});
	});

	test('a payout in doubt goes to the error output, and none to the other', async () => {
		const { sandbox } = fixture();
		const payees = await addVendors(sandbox, PAYOUTS);
		const workflow = await createWorkflow({}, { onError: 'continueErrorOutput' });
		await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
		const execution = await workflow.execute(payoutsFor(payees));
		expect(outputItems(execution, NODE_UNDER_TEST)).toEqual([]);
		const failed = outputItems(execution, NODE_UNDER_TEST, 1).map(({ json }) => json);
		expect(failed).toHaveLength(PAYOUTS);
		for (const { error, message } of failed) {
			expect(error).toMatch(/^In doubt whether it was paid/);
			expect(message).toMatchObject({ in_doubt: true, payable_id: expect.any(String) });
		}
	});

	test('the payouts of a Data Table are listed and settled, or it is said that there is none', async () => {
		const { sandbox } = fixture();
		const [payee = ''] = await addVendors(sandbox, 1);
		const pay = await createTableWorkflow();
		const { control } = sandbox;
		await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
		const [payout] = payoutsFor([payee]);
		const reference = payout?.reference;
		await pay.pay([{ ...payout }]);
		const list = await createTableWorkflow({
			operation: 'getMany',
			returnAll: true,
			filters: { status: 'in_doubt' },
		});
		const settle = await createTableWorkflow({ operation: 'settle', outcome: 'paid' });
		const listed = await list.pay([{}]);
		const settled = await settle.pay([{ reference }]);
		if (hasDataTables) {
			expect(listed).toMatchObject([{ unique_reference: reference, status: 'in_doubt' }]);
			expect(settled).toMatchObject([{ unique_reference: reference, is_settled: true }]);
			return;
		}
		for (const { error } of [...listed, ...settled]) expect(error).toMatch(NO_DATA_TABLES);
	});

	test('the test of the ledger credential passes, or says that there are no Data Tables', async () => {
		const { n8n } = fixture();
		const data = { baseUrl: n8n.url, apiKey: n8n.client.apiKey };
		const result = await n8n.testCredential('Ledger test', 'partnerPaymentsLedgerApi', data);
		expect(result).toEqual(
			hasDataTables
				? { status: 'OK', message: 'Connection successful' }
				: { status: 'Error', message: expect.stringMatching(NO_DATA_TABLES) },
		);
	});
}
