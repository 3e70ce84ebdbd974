import {
	type Credential,
	type Execution,
	type Item,
	NODE_UNDER_TEST,
	outputItems,
	workflowWithNode,
} from '../../../tools/n8n';
import type { Environment } from '../../../tools/environment';
import { payoutParameters, type PayoutRequest } from '../../../tools/payouts/payout';
import { addVendors, payoutsFor, PayoutWorkflow, timesFunded } from './payouts';

/** How payouts are run: n8n keeps the static data of production runs only. */
export type Mode = 'production' | 'manual';

/** What a trial needs: n8n, the sandbox and n8n's credential for it, which says where the ledger is. */
export interface TrialEnvironment extends Environment {
	credential: Credential;
}

const PAYOUTS = 3;

/** Payouts in a workflow of their own, which remembers nothing yet. */
export class PayoutTrial {
	private constructor(
		private readonly environment: Environment,
		private readonly execute: () => Promise<Execution>,
		private readonly payouts: PayoutRequest[],
	) {}

	static async create(environment: TrialEnvironment, mode: Mode): Promise<PayoutTrial> {
		const { n8n, sandbox, credential } = environment;
		const payouts = payoutsFor(await addVendors(sandbox, PAYOUTS));
		const parameters = payoutParameters(sandbox.workspaceId);
		const settings = { onError: 'continueRegularOutput' } as const;
		if (mode === 'production') {
			const workflow = await PayoutWorkflow.create(n8n, credential, parameters, settings);
			return new PayoutTrial(environment, async () => await workflow.execute(payouts), payouts);
		}

		const { id } = await n8n.createWorkflow(
			workflowWithNode({ credential, parameters, items: payouts, ...settings }),
		);

		return new PayoutTrial(environment, async () => await n8n.runManually(id), payouts);
	}

	/** Runs all payouts; returns the status of each, by its payee. */
	async run(): Promise<Map<string, string>> {
		const items = outputItems(await this.execute(), NODE_UNDER_TEST).map(({ json }) => json);
		return new Map(
			this.payouts.map(({ payee, reference }) => [
				payee,
				statusOf(items.find((item) => item['unique_reference'] === reference)),
			]),
		);
	}

	/** Runs all payouts while the service refuses every funding. */
	async runRefused(): Promise<void> {
		const { control } = this.environment.sandbox;
		const match = { operationId: 'createFunding' };
		await control.addFault({ kind: 'status', status: 422, ratio: 1, match });
		await this.run();
		await control.clearFaults();
	}

	/** How often each payee was paid. */
	async timesFunded(): Promise<Map<string, number>> {
		const payees = this.payouts.map(({ payee }) => payee);
		return new Map(Object.entries(await timesFunded(this.environment.sandbox, payees)));
	}
}

/** What n8n reported of a payout. */
const statusOf = (item: Item['json'] | undefined): string =>
	typeof item?.['status'] === 'string' ? item['status'] : 'an error of the node';

const isPaid = (status: string): boolean => status === 'funded' || status === 'duplicate';

/** Where a report contradicts what has happened. A payout that was sent may be unconfirmed. */
export const contradictions = (
	statuses: Map<string, string>,
	timesPaid: Map<string, number>,
): string[] =>
	[...statuses].flatMap(([payee, status]) => {
		const wasPaid = (timesPaid.get(payee) ?? 0) > 0;
		const isTrue = wasPaid ? isPaid(status) || status === 'unconfirmed' : !isPaid(status);
		const isFalseDoubt = !wasPaid && status === 'unconfirmed';
		if (isTrue && !isFalseDoubt) {
			return [];
		}

		return [`${wasPaid ? 'paid' : 'not sent'}, but reported as ${status}`];
	});

/** Everybody who was not paid exactly once. */
export const notPaidOnce = (timesPaid: Map<string, number>): string[] =>
	[...timesPaid.values()].flatMap((times) => (times === 1 ? [] : [`paid ${times} times`]));
