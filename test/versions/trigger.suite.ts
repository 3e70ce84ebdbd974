import type { Fixture } from '../n8n/support/fixture';
import { usePayouts } from '../n8n/support/payouts';
import { deliverSigned, payVendor, SECRET, useTrigger } from '../n8n/support/trigger';
import { START, successfulItems } from '../../tools/n8n';

/** Tests a workflow that events of the service start, from its activation on. */
export function testTrigger(fixture: () => Fixture): void {
	const { client, event, listen, signing } = useTrigger(fixture);
	const { addPayouts, createWorkflow } = usePayouts(fixture);

	test('an event of the service starts the workflow once, with what the event says', async () => {
		const { n8n, sandbox } = fixture();
		const { workflow } = await listen(client());
		const id = await payVendor(fixture(), 1_234);

		const execution = await n8n.executions.newestOf(workflow.id, 1);

		expect(successfulItems(execution, START).map(({ json }) => json)).toMatchObject([
			{
				event: 'payablePaid',
				payable_id: id,
				workspace_id: sandbox.workspaceId,
				verified: true,
			},
		]);

		await n8n.deactivate(workflow.id);
	});

	test('an event that is listened for in the editor starts the workflow', async () => {
		const { n8n, sandbox } = fixture();
		const { workflow } = await listen(signing());
		await n8n.deactivate(workflow.id);
		await n8n.listenForTest(workflow.id);

		const url = (await sandbox.control.subscriptions()).at(-1)?.url ?? '';

		expect(url).toContain('/webhook-test/');
		expect((await deliverSigned(url, event(), SECRET)).status).toBe(200);

		const { mode } = await n8n.executions.newestOf(workflow.id, 1);

		expect(mode).toBe('manual');
	});

	test('an event of the service marks a payout as paid', async () => {
		const { n8n } = fixture();
		const { payouts, expectPaidOnce } = await addPayouts(1);
		const workflow = await createWorkflow();
		const [{ payable_id: id } = {}] = await workflow.pay(payouts);
		const { workflow: listening, url } = await listen(signing());
		const payable = { id, status: 'paid', amount: 100 };

		const { status } = await deliverSigned(url, event({ data: { payable } }), SECRET);
		await n8n.executions.newestOf(listening.id, 1);
		await n8n.deactivate(listening.id);

		expect(status).toBe(200);
		expect(await workflow.pay(payouts)).toMatchObject([
			{ status: 'duplicate', first_status: 'paid' },
		]);
		await expectPaidOnce();
	});
}
