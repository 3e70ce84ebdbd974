/** Payouts with this package's node. */
import { byId, type NodeSetup, type Workflow, workflowWithNode } from '../n8n';
import { payoutParameters } from './payout';

/** How this package's node is used: its workflow starts with a webhook. */
export interface PartnerPaymentsSetup
	extends
		Required<Pick<NodeSetup, 'webhookPath' | 'answer' | 'credential'>>,
		Pick<NodeSetup, 'onError' | 'retryOnFail'> {
	workspaceId: string;
	/** How many payouts share a funding at most; as many as the node allows unless told otherwise. */
	payoutsPerFunding?: number;
	/** More parameters of the node. */
	parameters?: Record<string, unknown>;
}

const DESCRIPTION = '={{ $json.description }}';

/** A workflow that makes payouts with one node. */
export const partnerPaymentsPayouts = ({
	workspaceId,
	payoutsPerFunding: size,
	parameters = {},
	...setup
}: PartnerPaymentsSetup): Workflow =>
	workflowWithNode({
		...setup,
		parameters: payoutParameters(workspaceId, {
			payableDescription: DESCRIPTION,
			...(size !== undefined && {
				// Payouts whose fundings say the same can share one.
				options: { fundingDescription: `={{ 'Group ' + Math.floor($itemIndex / ${size}) }}` },
			}),
			...parameters,
		}),
	});

/** A workflow that only creates payables. */
export const partnerPaymentsPayables = ({
	workspaceId,
	...setup
}: PartnerPaymentsSetup): Workflow =>
	workflowWithNode({
		...setup,
		parameters: {
			resource: 'payable',
			operation: 'create',
			workspaceId: byId(workspaceId),
			payeeEmail: '={{ $json.payee }}',
			amount: '={{ $json.amount }}',
			payableDescription: DESCRIPTION,
		},
	});
