import {
	byId,
	NODE_UNDER_TEST,
	type StoredWorkflow,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import { payoutParameters } from '../../tools/payouts/payout';
import { useFixtureOn, useOwnN8n } from '../n8n/support/fixture';
import {
	addVendors,
	once,
	payoutsFor,
	statusesOf,
	timesFunded,
	usePayouts,
} from '../n8n/support/payouts';
import { deliver, useTrigger } from '../n8n/support/trigger';
import { type Stage, testOverRestarts } from './support/stages';

const n8n = useOwnN8n();
const payouts = usePayouts(useFixtureOn(n8n));
const events = useTrigger(useFixtureOn(n8n));

const CREATE_FUNDING = { match: { operationId: 'createFunding' } };

/** How often a workflow's address was subscribed. */
const subscriptionsTo = async ({ fixture }: typeof events, url: string): Promise<number> =>
	(await fixture().sandbox.control.subscriptions()).filter((one) => one.url === url).length;

testOverRestarts(n8n, {
	'a payout is remembered over a restart of n8n #remembered-over-restart': async () => {
		const { sandbox } = payouts.fixture();
		const payees = await addVendors(sandbox, 2);
		const workflow = await payouts.createWorkflow();
		const paid = await workflow.pay(payoutsFor(payees));
		return async () => {
			const again = await workflow.pay(payoutsFor(payees));
			expect(again.map(({ payable_id: id }) => id)).toEqual(paid.map(({ payable_id: id }) => id));
			expect(statusesOf(again)).toEqual(['duplicate', 'duplicate']);
			expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
			return undefined;
		};
	},

	'a payout is remembered in manual runs too, whose static data n8n does not keep #remembered-in-manual-runs':
		async () => {
			const { sandbox, createClient } = payouts.fixture();
			const payees = await addVendors(sandbox, 2);
			const { id } = await n8n().createWorkflow(
				workflowWithNode({
					credential: await createClient(),
					parameters: payoutParameters(sandbox.workspaceId),
					items: payoutsFor(payees),
				}),
			);
			await n8n().runManually(id);
			return async () => {
				const again = successfulItems(await n8n().runManually(id), NODE_UNDER_TEST);
				const duplicate = { status: 'duplicate', first_status: 'funded', payable_id: null };
				expect(again.map(({ json }) => json)).toMatchObject([duplicate, duplicate]);
				expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
				return undefined;
			};
		},

	'what a node has paid by itself is not paid again when its credential gets a ledger table #node-store-to-table':
		async () => {
			const { sandbox, createClient, ledger } = payouts.fixture();
			const payees = await addVendors(sandbox, 3);
			const [paid, unconfirmed, fresh] = payoutsFor(payees);
			const workflow = await payouts.createWorkflow();
			const [{ payable_id, funding_id } = {}] = await workflow.pay([{ ...paid }]);
			await sandbox.control.addFault({ kind: 'cut_after', ...CREATE_FUNDING });
			expect(await workflow.pay([{ ...unconfirmed }])).toMatchObject([{ status: 'unconfirmed' }]);
			await workflow.useCredential(await createClient(ledger));
			return async () => {
				const items = [paid, unconfirmed, fresh].map((payout) => ({ ...payout }));
				expect(await workflow.pay(items)).toMatchObject([
					{ status: 'duplicate', first_status: 'funded', payable_id, funding_id },
					{ status: 'unconfirmed' },
					{ status: 'funded' },
				]);
				expect(await workflow.pay([{ ...paid, amount: 3 }])).toMatchObject([{ status: 'failed' }]);
				expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
				return undefined;
			};
		},

	'an event starts one execution, however often it comes, and when many come at once': async () => {
		const { listenUnsigned, event, itemsOf } = events;
		const { workflow, url } = await listenUnsigned();
		const known = [event(), event({ id: undefined }), ...Array.from({ length: 20 }, () => event())];
		await Promise.all(known.map(async (body) => await deliver(url, body)));
		return async () => {
			for (const body of known) expect((await deliver(url, body)).status).toBe(200);
			expect(await itemsOf(workflow)).toHaveLength(known.length);
			await deliver(url, event({ id: undefined, created_at: '2026-01-03T00:00:00Z' }));
			await deliver(url, event());
			expect(await itemsOf(workflow)).toHaveLength(known.length + 2);
			return undefined;
		};
	},

	'the subscription is made once, whatever becomes of the workflow #one-subscription': async () => {
		const { sandbox } = events.fixture();
		const { workflow, url } = await events.listen(events.client());
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
			expect(await subscriptionsTo(events, url)).toBe(1);
			const nodes = workflow.nodes.map((node) => ({
				...node,
				parameters: { ...node.parameters, workspaceId: byId(sandbox.secondWorkspaceId) },
			}));
			await republish({ nodes });
			await republish({});
			const made = (await sandbox.control.subscriptions()).filter((one) => one.url === url);
			expect(made).toMatchObject([
				{ workspaceId: sandbox.workspaceId, events: ['payable.paid'] },
				{ workspaceId: sandbox.secondWorkspaceId, events: ['payable.paid'] },
			]);
			const requests = await sandbox.control.requests();
			expect(requests.filter(({ outsideContract }) => outsideContract)).toEqual([]);
			return undefined;
		};
	},
} satisfies Record<string, Stage>);
