import { join } from 'node:path';

import { successfulItems } from './driver';
import { useBench } from './setup';

const bench = useBench();

test('examples/pay-a-vendor.json pays a vendor', async () => {
	const { n8n, sandbox, credentialData } = bench();
	const credential = await n8n.createCredential('Client', 'partnerPaymentsApi', credentialData);
	const file = join(__dirname, '../../examples/pay-a-vendor.json');
	const workflow = await n8n.importWorkflow(file, [credential], (imported) => ({
		...imported,
		nodes: imported.nodes.map((node) => ({ ...node, parameters: filledIn(node.parameters) })),
	}));
	const before = await sandbox.control.vendor(sandbox.verifiedVendorEmail);

	const execution = await n8n.runManually(workflow.id);

	const [payable] = successfulItems(execution, 'Create payable');
	const [funding] = successfulItems(execution, 'Fund from balance');
	const state = await sandbox.control.state();
	expect(state.payables).toContainEqual(
		expect.objectContaining({ id: payable?.json.id, status: 'paid', funding_id: funding?.json.id }),
	);
	const after = await sandbox.control.vendor(sandbox.verifiedVendorEmail);
	expect(after.balance - before.balance).toBe(25_000);
	expect((await sandbox.control.ledger()).sum).toBe(0);
});

/** Does what the note in the workflow asks for. */
function filledIn(parameters: Record<string, unknown>): Record<string, unknown> {
	const { workspaceId, verifiedVendorEmail: vendorEmail } = bench().sandbox;
	const text = JSON.stringify(parameters)
		.replaceAll('"mode":"id","value":""', `"mode":"id","value":"${workspaceId}"`)
		.replaceAll('vendor@example.com', vendorEmail);
	return JSON.parse(text) as Record<string, unknown>;
}
