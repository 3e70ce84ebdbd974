import { type Credential, NODE_UNDER_TEST, START, workflowWithNode } from '../../tools/n8n';
import type { NodePanel } from '../../tools/n8n/editor';
import { payoutParameters } from '../../tools/payouts/payout';
import { useEditor } from './support/editor';
import { useFixture } from './support/fixture';

const fixture = useFixture();
const editor = useEditor(fixture);

const BEFORE = 'Before';

let credential: Credential;

beforeAll(async () => {
	credential = await fixture().createClient();
});

/** Opens a node whose input is known and which has not run: so many payouts. */
async function openWith(count: number): Promise<NodePanel> {
	const { n8n, sandbox } = fixture();
	const items = Array.from({ length: count }, (_, index) => ({
		reference: `INV-${count}-${index}`,
		payee: sandbox.verifiedVendorEmail,
		amount: 1,
	}));
	const parameters = payoutParameters(sandbox.workspaceId);
	const workflow = workflowWithNode({ credential, parameters, items });
	const { id } = await n8n.createWorkflow({
		...workflow,
		nodes: [
			...workflow.nodes,
			{
				name: BEFORE,
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [240, 0],
				parameters: {},
			},
		],
		connections: {
			[START]: { main: [[{ node: BEFORE, type: 'main', index: 0 }]] },
			[BEFORE]: { main: [[{ node: NODE_UNDER_TEST, type: 'main', index: 0 }]] },
		},
	});
	await editor().openWorkflow(id);
	const before = await editor().openNode(BEFORE);
	await before.execute();
	await before.close();
	const panel = await editor().openNode(NODE_UNDER_TEST);
	await panel.panel.getByText(`INV-${count}-0`).first().waitFor();
	return panel;
}

const hints = async (panel: NodePanel): Promise<string[]> =>
	await panel.panel.getByTestId('node-hint').allInnerTexts();

test('before a run, the editor says how long it takes at the limit, and after it no more', async () => {
	const panel = await openWith(60);
	expect(await hints(panel)).toEqual([
		expect.stringMatching(/^Up to 100 payouts take about 2 minutes at 100 requests a minute\./),
	]);
	await panel.execute();
	await panel.output();
	expect((await hints(panel)).join()).not.toContain('100 payouts');
	await panel.close();
});

test('a run that fits into a minute is told nothing', async () => {
	const panel = await openWith(50);
	expect(await hints(panel)).toEqual([]);
	await panel.close();
});
