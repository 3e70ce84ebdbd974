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
import type { Fixture } from './fixture';

/** What the tests of the deposit trigger work with. */
export interface DepositTriggerFixture {
	/** A workflow that begins with the trigger; it polls when it is published, and when `polls` say. */
	create: (setup?: {
		parameters?: object;
		nodes?: WorkflowNode[];
		polls?: object[];
	}) => Promise<StoredWorkflow>;
	/** The same, published, which polls once. */
	publish: (setup?: Parameters<DepositTriggerFixture['create']>[0]) => Promise<StoredWorkflow>;
	/** Polls by publishing the workflow again. */
	republish: (workflow: StoredWorkflow) => Promise<void>;
	/** A deposit arrives; returns its ID. */
	deposit: (amount?: number) => Promise<string>;
	/** The IDs of the deposits of each execution, the oldest first, once there are so many that ended. */
	started: (workflow: StoredWorkflow, count: number) => Promise<string[][]>;
}

/** n8n polls once a minute at most: at a second that is so far away. */
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
): DepositTriggerFixture {
	const create: DepositTriggerFixture['create'] = async ({
		parameters = {},
		nodes = [],
		polls = [RARELY],
	} = {}) => {
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
	return {
		create,
		publish: async (setup) => {
			const workflow = await create(setup);
			await fixture().n8n.activate(workflow.id);
			return workflow;
		},
		republish: async ({ id }) => {
			await fixture().n8n.deactivate(id);
			await fixture().n8n.activate(id);
		},
		deposit: async (amount = 1_999) => {
			const { control, workspaceId } = fixture().sandbox;
			return (await control.deposit(workspaceId, amount)).id;
		},
		started: async ({ id }, count) => {
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
