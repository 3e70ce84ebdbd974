import { type Host, OLDEST_HOST } from '../../tools/n8n';
import { LEDGER_TABLE } from '../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../tools/payouts/payout';
import { ProjectTables } from '../n8n/support/projectTables';
import { useOwnFixture } from '../n8n/support/fixture';
import { PayoutWorkflow, statusesOf, usePayouts } from '../n8n/support/payouts';

const PAYOUTS = 3;

/** Tests what a credential does in this n8n that says nothing of a ledger, in a project without one. */
export function testWithoutSetup(host: Host): void {
	const fixture = useOwnFixture(() => ({ host }));
	const { addPayouts } = usePayouts(fixture);
	let tables: ProjectTables;

	beforeAll(async () => {
		tables = new ProjectTables(fixture().n8n);
		await tables.removeAll();
	});

	/** Publishes two workflows that pay. */
	async function publishTwo(): Promise<[PayoutWorkflow, PayoutWorkflow]> {
		const { createClient, n8n, sandbox } = fixture();
		const credential = await createClient({ ledgerElsewhere: false });
		const parameters = payoutParameters(sandbox.workspaceId, {});

		return [
			await PayoutWorkflow.create(n8n, credential, parameters),
			await PayoutWorkflow.create(n8n, credential, parameters),
		];
	}

	if (host === OLDEST_HOST) {
		test('nothing is paid, since its Data Table node makes no tables', async () => {
			const { payouts, timesFunded } = await addPayouts(1);
			const [workflow] = await publishTwo();

			const items = await workflow.pay(payouts);

			expect(statusesOf(items)).toEqual(['not_sent']);
			expect(Object.values(await timesFunded())).toEqual([0]);
		});
		return;
	}

	test('the first payout makes the ledger, and two workflows pay once', async () => {
		const { payouts, expectPaidOnce } = await addPayouts(PAYOUTS);
		const [one, other] = await publishTwo();

		const first = await one.pay(payouts);
		const again = await other.pay(payouts);

		expect(statusesOf(first)).toEqual(Array(PAYOUTS).fill('funded'));
		expect(statusesOf(again)).toEqual(Array(PAYOUTS).fill('duplicate'));
		expect(tables.names()).toEqual([LEDGER_TABLE]);
		await expectPaidOnce();
	});
}
