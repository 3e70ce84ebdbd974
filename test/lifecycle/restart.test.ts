import { randomUUID } from 'node:crypto';

import {
	byId,
	NODE_UNDER_TEST,
	type StoredWorkflow,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { projectLedgerFields } from '../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../tools/payouts/payout';
import { useFixtureOn, useOwnN8n } from '../n8n/support/fixture';
import { PayoutWorkflow, statusesOf, usePayouts } from '../n8n/support/payouts';
import { useTrigger } from '../n8n/support/trigger';
import { ProjectTables } from '../n8n/support/projectTables';

const n8n = useOwnN8n();
const { fixture, addPayouts, createWorkflow } = usePayouts(useFixtureOn(n8n));
const events = useTrigger(useFixtureOn(n8n));

/** What is expected after the one restart of n8n, by the name of what was done before. */
const afterRestart = new Map<string, () => Promise<void>>();

/** Does something before the restart; the test is what it returns, which is done after it. */
function testOverRestart(title: string, prepare: () => Promise<() => Promise<void>>): void {
	beforeAll(async () => {
		afterRestart.set(title, await prepare());
	});

	test(title, async () => {
		await afterRestart.get(title)?.();

		expect.hasAssertions();
	});
}

testOverRestart(
	'a payout is remembered over a restart of n8n #remembered-over-restart',
	async () => {
		const { payouts, expectPaidOnce } = await addPayouts(2);
		const workflow = await createWorkflow();
		const paid = await workflow.pay(payouts);

		return async () => {
			const again = await workflow.pay(payouts);

			expect(again.map(({ payable_id: id }) => id)).toEqual(paid.map(({ payable_id: id }) => id));
			expect(statusesOf(again)).toEqual(['duplicate', 'duplicate']);
			await expectPaidOnce();
		};
	},
);

testOverRestart(
	'a payout is remembered in manual runs too #remembered-in-manual-runs',
	async () => {
		const { sandbox, createClient } = fixture();
		const { payouts: items, expectPaidOnce } = await addPayouts(2);
		const credential = await createClient();
		const parameters = payoutParameters(sandbox.workspaceId);
		const { id } = await n8n().createWorkflow(workflowWithNode({ credential, parameters, items }));
		await n8n().runManually(id);

		return async () => {
			const again = successfulItems(await n8n().runManually(id), NODE_UNDER_TEST);
			const duplicate = { status: 'duplicate', first_status: 'funded' };

			expect(again.map(({ json }) => json)).toMatchObject([duplicate, duplicate]);
			await expectPaidOnce();
		};
	},
);

testOverRestart(
	'what a node has paid in its project is not paid again when its credential reaches the same table by a key #project-to-shared',
	async () => {
		const { sandbox, createClient, sharedLedger } = fixture();
		const { payouts, expectPaidOnce } = await addPayouts(3);
		const [paid, unconfirmed, fresh] = payouts;
		const workflow = await createWorkflow();
		const [{ payable_id, funding_id } = {}] = await workflow.pay([{ ...paid }]);
		await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });

		expect(await workflow.pay([{ ...unconfirmed }])).toMatchObject([{ status: 'unconfirmed' }]);

		await workflow.useCredential(await createClient(sharedLedger));

		return async () => {
			const items = [paid, unconfirmed, fresh].map((payout) => ({ ...payout }));

			expect(await workflow.pay(items)).toMatchObject([
				{ status: 'duplicate', first_status: 'funded', payable_id, funding_id },
				{ status: 'unconfirmed' },
				{ status: 'funded' },
			]);
			expect(await workflow.pay([{ ...paid, amount: 3 }])).toMatchObject([{ status: 'failed' }]);
			await expectPaidOnce();
		};
	},
);

testOverRestart(
	'a node knows after a restart of n8n which table it has paid with, and uses no other one #table-remembered-over-restart',
	async () => {
		const { createClient, sandbox } = fixture();
		const { payouts, expectPaidOnce } = await addPayouts(1);
		const tables = new ProjectTables(n8n());
		const name = `Ledger ${randomUUID()}`;
		await tables.restore([], name);
		const credential = await createClient(projectLedgerFields(name));
		const parameters = payoutParameters(sandbox.workspaceId);
		const workflow = await PayoutWorkflow.create(n8n(), credential, parameters);

		expect(await workflow.pay(payouts)).toMatchObject([{ status: 'funded' }]);

		await tables.remove(name);
		await tables.restore([], name);

		return async () => {
			expect(await workflow.pay(payouts)).toMatchObject([
				{ status: 'not_sent', error: expect.stringContaining(name) },
			]);
			await expectPaidOnce();
		};
	},
);

testOverRestart(
	'the subscription is made once, whatever becomes of the workflow #one-subscription',
	async () => {
		const { control, workspaceId, secondWorkspaceId } = events.fixture().sandbox;
		const { workflow, url } = await events.listen(events.client());
		const made = async () => (await control.subscriptions()).filter((one) => one.url === url);
		const republish = async (changes: Partial<StoredWorkflow>): Promise<void> => {
			await n8n().saveWorkflow({ ...workflow, ...changes });
			await n8n().activate(workflow.id);
		};

		for (let round = 0; round < 3; round += 1) {
			await n8n().deactivate(workflow.id);
			await n8n().activate(workflow.id);
			await republish({ settings: { ...workflow.settings, callerPolicy: 'any' } });
		}

		return async () => {
			expect(await made()).toHaveLength(1);

			const nodes = workflow.nodes.map((node) => ({
				...node,
				parameters: { ...node.parameters, workspaceId: byId(secondWorkspaceId) },
			}));

			await republish({ nodes });
			await republish({});

			const requests = await control.requests();
			expect(await made()).toMatchObject([
				{ workspaceId, events: ['payable.paid'] },
				{ workspaceId: secondWorkspaceId, events: ['payable.paid'] },
			]);
			expect(requests.filter(({ outsideContract }) => outsideContract)).toEqual([]);
		};
	},
);

beforeAll(async () => {
	await n8n().restart();
});
