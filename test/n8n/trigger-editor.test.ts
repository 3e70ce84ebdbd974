import { byId, type Credential, START, workflowWithTrigger } from '../../tools/n8n';
import { useFixture } from './support/fixture';
import { payVendor } from './support/trigger';
import { expectToShow, useEditor } from './support/editor';

const fixture = useFixture();
const editor = useEditor(fixture);

let credential: Credential;

beforeAll(async () => {
	credential = await fixture().createClient();
});

test('listening for a test event twice shows each event, with one subscription', async () => {
	const { n8n, sandbox } = fixture();
	const parameters = { workspaceId: byId(sandbox.workspaceId), events: ['payablePaid'] };
	const { id } = await n8n.createWorkflow(workflowWithTrigger(parameters, credential));
	const before = await sandbox.control.subscriptions();
	await editor().openWorkflow(id);
	const node = await editor().openNode(START);

	for (let round = 1; round <= 2; round += 1) {
		await node.listen();
		await node.stopListening();
		await node.listen();
		const payable = await payVendor(fixture(), round * 100);
		await expectToShow(async () => {
			const rows = await node.output();
			return rows.map(({ event, payable_id, verified }) => ({ event, payable_id, verified }));
		}, [{ event: 'payablePaid', payable_id: payable, verified: 'true' }]);
	}

	const made = (await sandbox.control.subscriptions()).slice(before.length);
	expect(made).toMatchObject([{ url: expect.stringContaining('/webhook-test/') }]);
	const modes = (await n8n.executions.allFinished(id)).map(({ mode }) => mode);
	expect(modes).toEqual(['manual', 'manual']);
});
