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

const { fixture, createTableWorkflow } = usePayouts();

let payees: string[];

beforeEach(async () => {
	payees = await addVendors(fixture().sandbox, 3);
});

/** A workflow that remembers in one store, and changes to the other, with a restart of n8n. */
async function changingWorkflow(from: 'node' | 'dataTable') {
	const { n8n, sandbox, createClient } = fixture();
	const workflow = await PayoutWorkflow.create(
		n8n,
		await createClient(),
		payoutParameters(sandbox.workspaceId, ledgerParameters(from)),
		{ onError: 'continueRegularOutput', ledgerCredential: await createLedgerCredential(n8n) },
	);
	const change = async (): Promise<void> => {
		const { workflow: stored } = workflow;
		const store = {
			...ledgerParameters('dataTable'),
			rememberIn: from === 'node' ? 'dataTable' : 'node',
		};
		const nodes = stored.nodes.map((node) =>
			node.parameters['resource'] === 'payout'
				? { ...node, parameters: { ...node.parameters, ...store } }
				: node,
		);
		await n8n.deactivate(stored.id);
		await n8n.saveWorkflow({ ...stored, nodes });
		await n8n.restart();
		await n8n.activate(stored.id);
	};
	return { workflow, change };
}

test('what a node has paid by itself is not paid again when its Remember In becomes Data Table #node-store-to-table', async () => {
	const { sandbox } = fixture();
	const [paid, doubtful, fresh] = payoutsFor(payees);
	const { workflow, change } = await changingWorkflow('node');
	const [{ payable_id, funding_id } = {}] = await workflow.pay([{ ...paid }]);
	await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
	expect(await workflow.pay([{ ...doubtful }])).toMatchObject([{ status: 'in_doubt' }]);
	await change();
	const items = [paid, doubtful, fresh].map((payout) => ({ ...payout }));
	expect(await workflow.pay(items)).toMatchObject([
		{ status: 'duplicate', first_status: 'funded', payable_id, funding_id },
		{ status: 'in_doubt', error: expect.stringContaining('when Remember In was This Node') },
		{ status: 'funded' },
	]);
	expect(await (await createTableWorkflow()).pay([{ ...paid }])).toMatchObject([
		{ status: 'duplicate', first_status: 'funded', payable_id, funding_id },
	]);
	expect(await workflow.pay([{ ...paid, amount: 3 }])).toMatchObject([
		{ status: 'failed', error: expect.stringContaining('may have gone through already') },
	]);
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
});

test('what is in a table is not paid again when Remember In becomes This Node #table-to-node-store', async () => {
	const { sandbox } = fixture();
	const [paid, ...others] = payoutsFor(payees);
	const { workflow, change } = await changingWorkflow('dataTable');
	expect(await workflow.pay([{ ...paid }])).toMatchObject([{ status: 'funded' }]);
	await change();
	const items = [paid, ...others].map((payout) => ({ ...payout }));
	const refusal = {
		status: 'failed',
		error: expect.stringContaining('keeps its references in a Data Table'),
	};
	expect(await workflow.pay(items)).toMatchObject([refusal, refusal, refusal]);
	const [payee = '', ...unpaid] = payees;
	expect(await timesFunded(sandbox, payees)).toEqual({
		[payee]: 1,
		...Object.fromEntries(unpaid.map((name) => [name, 0])),
	});
});
