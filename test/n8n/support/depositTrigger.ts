import { randomUUID } from 'node:crypto';

import {
	byId,
	chain,
	type Credential,
	credentialsOf,
	START,
	type StoredWorkflow,
	successfulItems,
	type WorkflowNode,
} from '../../../tools/n8n';
import { poll } from '../../../tools/n8n/poll';
import type { Fixture } from './fixture';

interface TriggerSetup {
	parameters?: object;
	nodes?: WorkflowNode[];
	polls?: object[];
}

/** Polls once a minute, at the second that comes after this many seconds: n8n polls no more often. */
export const pollIn = (seconds: number): object => ({
	mode: 'custom',
	cronExpression: `${(new Date().getSeconds() + seconds) % 60} * * * * *`,
});

/** Once a year, for tests that poll by publishing. */
const RARELY = { mode: 'custom', cronExpression: '0 0 0 1 1 *' };

/** Returns what the tests need of a fixture. */
export function depositTriggerOf(
	fixture: () => Pick<Fixture, 'n8n' | 'sandbox'>,
	credential: () => Credential,
) {
	const create = async ({
		parameters = {},
		nodes = [],
		polls = [RARELY],
	}: TriggerSetup = {}): Promise<StoredWorkflow> => {
		const { n8n, sandbox } = fixture();
		const trigger: WorkflowNode = {
			id: randomUUID(),
			name: START,
			type: 'n8n-nodes-partner-payments.partnerPaymentsDepositTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {
				pollTimes: { item: polls },
				workspaceId: byId(sandbox.workspaceId),
				...parameters,
			},
			credentials: credentialsOf([credential()]),
		};

		return await n8n.createWorkflow(chain([trigger, ...nodes]));
	};

	/** Publishes a workflow; n8n may say that it is published before its first poll. */
	const activate = async (id: string): Promise<void> => {
		const { n8n, sandbox } = fixture();
		const polls = async () => (await sandbox.control.requests('getDeposits')).length;
		const before = await polls();
		await n8n.activate(id);
		await poll('the first poll', async () => (await polls()) > before || undefined);
	};

	return {
		/** A published workflow that begins with the trigger; it polls once, and when `polls` say. */
		publish: async (setup?: TriggerSetup): Promise<StoredWorkflow> => {
			const workflow = await create(setup);
			await activate(workflow.id);

			return workflow;
		},
		/** Polls by publishing the workflow again. */
		republish: async ({ id }: StoredWorkflow): Promise<void> => {
			await fixture().n8n.deactivate(id);
			await activate(id);
		},
		/** A deposit arrives; returns its ID. */
		deposit: async (amount = 1_999): Promise<string> => {
			const { control, workspaceId } = fixture().sandbox;
			return (await control.deposit(workspaceId, amount)).id;
		},
		/** The IDs of the deposits of each execution, the oldest first, once `count` of them have ended. */
		started: async ({ id }: StoredWorkflow, count: number): Promise<string[][]> => {
			const { executions } = fixture().n8n;
			await executions.newestOf(id, count);

			return (await executions.list(id))
				.toReversed()
				.map((execution) =>
					successfulItems(execution, START).map(({ json }) => String(json['id'])),
				);
		},
	};
}
