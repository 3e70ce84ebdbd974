import { randomUUID } from 'node:crypto';

import type { Sandbox } from '../../../sandbox/client';
import {
	type Credential,
	type Execution,
	type Item,
	type N8n,
	NODE_UNDER_TEST,
	type NodeSetup,
	type StoredWorkflow,
	successfulItems,
	withCredentials,
	workflowWithNode,
} from '../../../tools/n8n';
import {
	payoutParameters,
	type ParameterChanges,
	type PayoutRequest,
} from '../../../tools/payouts/payout';
import { countValues } from '../../../tools/statistics';
import { useFixture } from './fixture';

type ItemData = Item['json'];
type PayoutSettings = Pick<NodeSetup, 'onError' | 'retryOnFail'>;

/** A workflow in a real n8n that pays what it is given. */
export class PayoutWorkflow {
	private constructor(
		private readonly n8n: N8n,
		readonly workflow: StoredWorkflow,
		private readonly path: string,
	) {}

	/** Stores and activates a workflow with one node. */
	static async create(
		n8n: N8n,
		credential: Credential,
		parameters: Record<string, unknown>,
		settings: PayoutSettings = { onError: 'continueRegularOutput' },
	): Promise<PayoutWorkflow> {
		const { workflow, path } = await n8n.publish((webhookPath) =>
			workflowWithNode({ credential, parameters, webhookPath, ...settings }),
		);
		return new PayoutWorkflow(n8n, workflow, path);
	}

	/** Gives its node another credential. */
	async useCredential(credential: Credential): Promise<void> {
		await this.n8n.deactivate(this.workflow.id);
		await this.n8n.saveWorkflow({
			...this.workflow,
			nodes: withCredentials(this.workflow, [credential]).nodes,
		});

		await this.n8n.activate(this.workflow.id);
	}

	/** Executes it in production, and waits for the end. */
	async execute(items: ItemData[]): Promise<Execution> {
		const ended = this.n8n.database.countEnded(this.workflow.id);
		await this.n8n.client.callWebhook(this.path, { items });

		return await this.n8n.executions.newestOf(this.workflow.id, ended + 1);
	}

	/** Executes it in production; returns what the node put out. */
	async pay(items: ItemData[]): Promise<ItemData[]> {
		return successfulItems(await this.execute(items), NODE_UNDER_TEST).map(({ json }) => json);
	}
}

/**
 * Prepares a fixture, one of its own unless one is given, with a large balance, and without faults in each
 * test.
 */
export function usePayouts(fixture = useFixture()) {
	let credential: Credential;
	let sharedCredential: Credential;

	beforeAll(async () => {
		const { sandbox, createClient, sharedLedger } = fixture();
		credential = await createClient();
		sharedCredential = await createClient(sharedLedger, 'With a shared ledger');
		await sandbox.control.deposit(sandbox.workspaceId, 100_000_000);
	});

	beforeEach(async () => {
		await fixture().sandbox.control.clearFaults();
		await fixture().sandbox.control.clearRequests();
	});

	const create = async (used: Credential, change: ParameterChanges, settings?: PayoutSettings) => {
		const { n8n, sandbox } = fixture();
		const parameters = payoutParameters(sandbox.workspaceId, change);

		return await PayoutWorkflow.create(n8n, used, parameters, settings);
	};

	return {
		fixture,
		/** Stores a workflow that pays by balance, unless the changes of the parameters say otherwise. */
		createWorkflow: async (change: ParameterChanges = {}, settings?: PayoutSettings) =>
			await create(credential, change, settings),
		/** The same with a credential that shares the ledger by n8n's public API. */
		createSharedWorkflow: async (change: ParameterChanges = {}) =>
			await create(sharedCredential, change),
		/** New vendors, and a payout for each. */
		addPayouts: async (count: number, amount?: number) => {
			const { sandbox } = fixture();
			const payees = await addVendors(sandbox, count);

			return {
				payees,
				payouts: payoutsFor(payees, amount),
				/** How often each was paid. */
				timesFunded: async () => await timesFunded(sandbox, payees),
				expectPaidOnce: async () =>
					expect(await timesFunded(sandbox, payees)).toEqual(once(payees)),
			};
		},
		/** How many requests of each operation the sandbox has got in a test, tokens left out. */
		requestCounts: async (): Promise<Record<string, number>> => {
			const operations = (await fixture().sandbox.control.requests()).flatMap(({ operationId }) =>
				operationId === null || operationId === 'requestToken' ? [] : [operationId],
			);
			return Object.fromEntries(countValues(operations));
		},
	};
}

/** What the output of a run tells beside its items. */
export const hintsOf = ({ data }: Execution): string[] | undefined =>
	data.resultData.runData[NODE_UNDER_TEST]?.[0]?.hints?.map(({ message }) => message);

/** Letters that are neither digits of a number nor the name of a month, whatever their order. */
const CONSONANTS = 'bcdfghjkmnpqrstv';

/** A random name of consonants, since a year or a month among random digits is part of an invoice's number. */
const randomName = (): string =>
	randomUUID()
		.slice(0, 8)
		.replace(/./g, (digit) => CONSONANTS.charAt(parseInt(digit, 16)));

/** Adds verified vendors who have accepted the workspace's invitation; returns their addresses. */
export async function addVendors(
	sandbox: Sandbox,
	count: number,
	name = randomName(),
): Promise<string[]> {
	// From one, since a zero behind a number is what a spreadsheet adds to it.
	const emails = Array.from(
		{ length: count },
		(_, index) => `vendor-${name}-${index + 1}@example.com`,
	);
	for (const email of emails) {
		await addVendor(sandbox, email);
	}

	return emails;
}

/** Adds a verified vendor who has accepted the workspace's invitation. */
export async function addVendor({ control, workspaceId }: Sandbox, email: string): Promise<void> {
	await control.addVendor({ email, status: 'verified' });
	await control.acceptInvitation(workspaceId, email);
}

/** One payout request for each payee. */
export const payoutsFor = (payees: string[], amount = 100): PayoutRequest[] =>
	payees.map((payee) => ({ reference: `INV ${payee.split('@')[0] ?? ''}`, payee, amount }));

/** The statuses of items. */
export const statusesOf = (items: ItemData[]): unknown[] => items.map(({ status }) => status);

/** Each payee with the number 1, to compare with {@link timesFunded}. */
export const once = (payees: string[]): Record<string, number> =>
	Object.fromEntries(payees.map((payee) => [payee, 1]));

/** How often each payee was paid: how often payables of theirs were funded. */
export async function timesFunded(
	{ control }: Sandbox,
	payees: string[],
): Promise<Record<string, number>> {
	const counts = countValues((await control.allocations()).map(({ payee }) => payee));
	return Object.fromEntries(payees.map((payee) => [payee, counts.get(payee) ?? 0]));
}
