import { chunk } from '../../nodes/PartnerPayments/shared/lists';
import type { Sandbox } from '../../sandbox/client';
import { byEmail, byId, type NodeSetup, type Workflow, workflowWithNode } from '../n8n';

/**
 * A payout as an item of a workflow requests it. A type alias, since TypeScript assigns these to the
 * records that items are, and interfaces not.
 */
export type PayoutRequest = {
	/** The unique reference. */
	reference: string;
	/** The vendor's email address. */
	payee: string;
	/** Minor units. */
	amount: number;
};

/** The balance is this many times what the payouts cost, so that paying twice succeeds as well. */
const BALANCE_FACTOR = 5;

/** Parameters of the node in place of others, and options beside others. */
export interface ParameterChanges {
	options?: object;
	[name: string]: unknown;
}

/** The parameters of a payout by balance whose payee, amount (cents) and reference come from the item. */
export const payoutParameters = (
	workspaceId: string,
	{ options, ...change }: ParameterChanges = {},
) => ({
	resource: 'payout',
	operation: 'send',
	workspaceId: byId(workspaceId),
	payee: byEmail('={{ $json.payee }}'),
	amount: '={{ $json.amount }}',
	uniqueReference: '={{ $json.reference }}',
	options: { amountUnit: 'cents', ...options },
	...change,
});

/** Payouts of different amounts, each to a vendor of its own; the name keeps them apart from others. */
export const makePayouts = (name: string, count: number): PayoutRequest[] =>
	Array.from({ length: count }, (_, index) => ({
		reference: `${name}-${index}`,
		payee: `${name}-${index}@example.com`,
		amount: 1_000 + (index % 900),
	}));

/** The items of a workflow: each payout with a description. */
export const itemsOf = (payouts: PayoutRequest[]): object[] =>
	payouts.map((payout) => ({ ...payout, description: `Payment ${payout.reference}` }));

/** The sandbox takes no request of more than 1 MB. */
const VENDORS_PER_REQUEST = 2_000;

/** Adds the vendors, verified and attached to a workspace. */
export async function addVendors(
	{ control }: Sandbox,
	workspaceId: string,
	payouts: PayoutRequest[],
): Promise<void> {
	for (const some of chunk(payouts, VENDORS_PER_REQUEST)) {
		await control.seed({
			vendors: some.map(({ payee }) => ({
				email: payee,
				status: 'verified',
				workspaceIds: [workspaceId],
			})),
		});
	}
}

/** Adds the vendors, verified and attached to the workspace, and enough balance to pay them. */
export async function addPayees(sandbox: Sandbox, payouts: PayoutRequest[]): Promise<void> {
	const { control, workspaceId } = sandbox;
	await addVendors(sandbox, workspaceId, payouts);

	const total = payouts.reduce((sum, { amount }) => sum + amount, 0);
	await control.deposit(workspaceId, total * BALANCE_FACTOR);
}

/** How this package's node is used: its workflow starts with a webhook. */
export interface PartnerPaymentsSetup
	extends
		Required<Pick<NodeSetup, 'webhookPath' | 'answer' | 'credential'>>,
		Pick<NodeSetup, 'onError' | 'retryOnFail'> {
	workspaceId: string;
	/** How many payouts share a funding at most; as many as the node allows unless told otherwise. */
	payoutsPerFunding?: number;
	/** Options of the node beside the description. */
	options?: Record<string, unknown>;
}

/** A workflow that makes payouts with one node. */
export function partnerPaymentsPayouts({
	workspaceId,
	payoutsPerFunding,
	options: more,
	...setup
}: PartnerPaymentsSetup): Workflow {
	const options: Record<string, unknown> = { description: '={{ $json.description }}', ...more };
	if (payoutsPerFunding !== undefined) {
		// Payouts whose fundings say the same can share one.
		const group = `Math.floor($itemIndex / ${payoutsPerFunding})`;
		options['fundingDescription'] = `={{ 'Group ' + ${group} }}`;
	}

	return workflowWithNode({ ...setup, parameters: payoutParameters(workspaceId, { options }) });
}
