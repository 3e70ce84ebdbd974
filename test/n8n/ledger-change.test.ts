import { createLedgerCredential, ledgerParameters } from '../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../tools/payouts/payout';
import {
	addVendors,
	once,
	payoutsFor,
	PayoutWorkflow,
	timesFunded,
	usePayouts,
} from './support/payouts';

const { fixture } = usePayouts();

test('what a node has paid by itself is not paid again when its Remember In becomes Data Table', async () => {
	const { n8n, sandbox, createClient } = fixture();
	const payees = await addVendors(sandbox, 3);
	const [paid, doubtful, fresh] = payoutsFor(payees);
	const workflow = await PayoutWorkflow.create(
		n8n,
		await createClient(),
		payoutParameters(sandbox.workspaceId),
		{ onError: 'continueRegularOutput', ledgerCredential: await createLedgerCredential(n8n) },
	);
	await workflow.pay([{ ...paid }]);
	await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
	expect(await workflow.pay([{ ...doubtful }])).toMatchObject([{ status: 'in_doubt' }]);

	const { workflow: stored } = workflow;
	const nodes = stored.nodes.map((node) =>
		node.parameters['resource'] === 'payout'
			? { ...node, parameters: { ...node.parameters, ...ledgerParameters('dataTable') } }
			: node,
	);
	await n8n.deactivate(stored.id);
	await n8n.saveWorkflow({ ...stored, nodes });
	await n8n.restart();
	await n8n.activate(stored.id);
	const items = [paid, doubtful, fresh].map((payout) => ({ ...payout }));
	expect(await workflow.pay(items)).toMatchObject([
		{ status: 'failed', error: expect.stringContaining('is paid already: this node knows it') },
		{ status: 'failed', error: expect.stringContaining('is in doubt: this node knows it') },
		{ status: 'funded' },
	]);
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
});
