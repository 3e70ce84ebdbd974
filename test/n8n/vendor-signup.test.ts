import { launchBrowser } from '../../tools/browser';
import { examplePath, fillIn } from '../../tools/examples';
import { byId, NODE_UNDER_TEST, successfulItems, workflowWithNode } from '../../tools/n8n';
import { ANSWERS, signUp } from '../sandbox/pages-visitor';
import { useFixture } from './support/fixture';

const VENDOR = 'nina@example.com';

const fixture = useFixture();

test('a payable waits until its vendor has signed up by the invite link, and is paid then', async () => {
	const { n8n, sandbox, createClient } = fixture();
	const credential = await createClient();
	const workspaceId = byId(sandbox.workspaceId);
	const payment = await n8n.importWorkflow(
		examplePath('pay-step-by-step.json'),
		[credential],
		(workflow) => fillIn(workflow, sandbox.workspaceId, VENDOR),
	);
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

async function payableNow(id: unknown) {
	const payables = await fixture().sandbox.control.payables();
	return payables.find((payable) => payable.id === id);
}
