import { join } from 'node:path';

import { launchBrowser } from '../../tools/browser';
import { ANSWERS, signUp } from '../sandbox/pages-visitor';
import {
	NODE_UNDER_TEST,
	successfulItems,
	type Workflow,
	type WorkflowNode,
	workflowWithNode,
} from '../../tools/n8n';
import { useBench } from './setup';

const VENDOR = 'nina@example.com';
const PAY_A_VENDOR = join(__dirname, '../../examples/pay-a-vendor.json');

const bench = useBench();

test('a payable waits until its vendor has signed up by the invite link, and is paid then', async () => {
	const { n8n, sandbox, credentialData } = bench();
	const credential = await n8n.createCredential('Client', 'partnerPaymentsApi', credentialData);
	const workspaceId = { __rl: true, mode: 'id', value: sandbox.workspaceId };
	const forNina = (workflow: Workflow): Workflow => ({
		...workflow,
		nodes: workflow.nodes.map((node) => filledIn(node, workspaceId)),
	});
	const payment = await n8n.importWorkflow(PAY_A_VENDOR, [credential], forNina);
	const execution = await n8n.runManually(payment.id);
	const [payable] = successfulItems(execution, 'Create payable');
	const [funding] = successfulItems(execution, 'Fund from balance');
	expect(await payableNow(payable?.json.id)).toMatchObject({
		status: 'approved',
		funding_id: funding?.json.id,
	});

	const link = await n8n.createWorkflow(
		workflowWithNode({
			credential,
			parameters: { resource: 'workspace', operation: 'getInviteLink', workspaceId },
		}),
	);
	const [invitation] = successfulItems(await n8n.runManually(link.id), NODE_UNDER_TEST);
	const browser = await launchBrowser();
	try {
		const page = await browser.newPage();
		await page.goto(String(invitation?.json.vendor_invite_url));
		await signUp(page, VENDOR);
	} finally {
		await browser.close();
	}

	expect(await payableNow(payable?.json.id)).toMatchObject({ status: 'paid' });
	expect(await sandbox.control.vendor(VENDOR)).toMatchObject({
		status: 'verified',
		businessName: ANSWERS.name,
		balance: 25_000,
	});
	expect((await sandbox.control.ledger()).sum).toBe(0);
});

/** Does what the note in the workflow asks for. */
function filledIn(node: WorkflowNode, workspaceId: unknown): WorkflowNode {
	const text = JSON.stringify(node.parameters).replaceAll('vendor@example.com', VENDOR);
	const parameters = JSON.parse(text) as Record<string, unknown>;
	const named = 'workspaceId' in parameters ? { ...parameters, workspaceId } : parameters;
	return { ...node, parameters: named };
}

async function payableNow(id: unknown) {
	const payables = await bench().sandbox.control.payables();
	return payables.find((payable) => payable.id === id);
}
