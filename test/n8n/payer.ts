import { randomUUID } from 'node:crypto';

import type { Funding, Sandbox } from '../../sandbox/client';
import {
	type Credential,
	type Execution,
	type Item,
	type N8n,
	NODE_UNDER_TEST,
	type NodeUnderTest,
	outputItems,
	type StoredWorkflow,
	successfulItems,
	workflowWithNode,
} from '../../tools/n8n';
import type { Wish } from '../../tools/payouts/parameters';

/** A workflow in a real n8n that pays what it is given. */
export class Payer {
	private constructor(
		private readonly n8n: N8n,
		readonly workflow: StoredWorkflow,
		private readonly path: string,
	) {}

	/** Stores and activates a workflow with one node, by default one that pays by balance. */
	static async set(
		n8n: N8n,
		credential: Credential,
		parameters: Record<string, unknown>,
		settings: Pick<NodeUnderTest, 'onError' | 'retryOnFail'> = { onError: 'continueRegularOutput' },
	): Promise<Payer> {
		const path = randomUUID();
		const workflow = await n8n.createWorkflow(
			workflowWithNode({ credential, parameters, webhookPath: path, ...settings }),
		);
		await n8n.activate(workflow.id);
		return new Payer(n8n, workflow, path);
	}

	/** Runs in production, and waits for the end. */
	async execute(items: Array<Record<string, unknown>>): Promise<Execution> {
		const runs = this.n8n.database.countEnded(this.workflow.id);
		await this.n8n.client.callWebhook(this.path, { items });
		return await this.n8n.executions.newestOf(this.workflow.id, runs + 1);
	}

	/** Runs in production; returns what came out. */
	async pay(items: Array<Record<string, unknown>>): Promise<Array<Item['json']>> {
		return successfulItems(await this.execute(items), NODE_UNDER_TEST).map(({ json }) => json);
	}

	/** What came out of the run that ended last. */
	async newest(): Promise<Array<Item['json']>> {
		const [execution] = await this.n8n.executions.list(this.workflow.id);
		if (execution === undefined) throw new Error('There was no run');
		return outputItems(execution, NODE_UNDER_TEST).map(({ json }) => json);
	}
}

/** Adds verified vendors who have accepted the workspace's invitation; returns their addresses. */
export async function addVendors(
	{ control, workspaceId }: Sandbox,
	count: number,
	name = randomUUID().slice(0, 8),
): Promise<string[]> {
	const emails = Array.from({ length: count }, (_, index) => `vendor-${name}-${index}@example.com`);
	for (const email of emails) {
		await control.addVendor({ email, status: 'verified' });
		await control.acceptInvitation(workspaceId, email);
	}
	return emails;
}

/** One wish for each payee. */
export function wishesFor(payees: string[], amount = 100): Wish[] {
	return payees.map((payee) => ({ reference: `INV ${payee}`, payee, amount }));
}

/** How often each payee was paid: how many of their payables are in a funding. */
export async function timesFunded(
	{ control }: Sandbox,
	payees: string[],
): Promise<Record<string, number>> {
	const payables = await control.payables();
	const fundings: Funding[] = await control.fundings();
	const funded = fundings.flatMap(({ payable_ids: ids }) => ids);
	return Object.fromEntries(
		payees.map((payee) => {
			const own = payables.filter(({ payee_email: email }) => email === payee);
			return [payee, own.filter(({ id }) => funded.includes(id)).length];
		}),
	);
}
