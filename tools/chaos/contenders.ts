import type { Sandbox } from '../../sandbox/client';
import { type Execution, type N8n, outputItems, type Workflow } from '../n8n';
import { oAuth2Credential, ourCredential } from '../payouts/credentials';
import { ourPayouts, PARTNER_PAYMENTS } from '../payouts/ours';
import { carefulPeerPayouts, EACH_PAYOUT } from '../payouts/peer';
import type { Setting } from './plan';

/** A real n8n and the sandbox that it pays through. */
export interface Place {
	n8n: N8n;
	sandbox: Sandbox;
}

/** What an execution has said of a payout. */
export interface Said {
	status: string;
	payableId: string | undefined;
	error: string | undefined;
}

/** One way of paying. */
export interface Contender {
	/** Requests that a payout takes, about. */
	requestsPerPayout: number;
	/** The workflow of a setting, which begins with the webhook of the path. */
	workflow: (setting: Setting, path: string) => Workflow;
	/** What an execution has said, by reference; nothing when it gave out nothing. */
	said: (execution: Execution) => Map<string, Said>;
}

/** In one funding, so that both single payouts and groups of different sizes meet faults. */
const PER_FUNDING: Record<Setting, number> = { continue: 5, stop: 20, retry: 1 };

/** Pays with this package's node. */
export async function ours({ n8n, sandbox }: Place): Promise<Contender> {
	const credential = await ourCredential(n8n, sandbox);
	return {
		requestsPerPayout: 2,
		workflow: (setting, path) =>
			ourPayouts({
				path,
				answer: 'started',
				workspaceId: sandbox.workspaceId,
				credential,
				options: { payablesPerFunding: PER_FUNDING[setting] },
				...(setting === 'continue' && { onError: 'continueRegularOutput' }),
				retryOnFail: setting === 'retry',
			}),
		said: (execution) =>
			saidIn(execution, PARTNER_PAYMENTS, ({ unique_reference: reference }) => reference),
	};
}

/** Pays with HTTP Request nodes, as carefully as n8n can; the settings make no difference there. */
export async function peer({ n8n, sandbox }: Place): Promise<Contender> {
	const credential = await oAuth2Credential(n8n, sandbox);
	const { apiUrl, workspaceId } = sandbox;
	return {
		requestsPerPayout: 3,
		workflow: (_, path) =>
			carefulPeerPayouts({ path, answer: 'started', apiUrl, workspaceId, credential }),
		said: (execution) => saidIn(execution, EACH_PAYOUT, ({ reference }) => reference),
	};
}

function saidIn(
	execution: Execution,
	node: string,
	referenceOf: (json: Record<string, unknown>) => unknown,
): Map<string, Said> {
	const items = ENDED.includes(execution.status) ? outputItems(execution, node) : [];
	return new Map(
		items.map(({ json }) => [
			String(referenceOf(json)),
			{
				status: String(json['status']),
				payableId: text(json['payable_id']),
				error: text(json['error']),
			},
		]),
	);
}

/** What was cut off has no data. */
const ENDED: string[] = ['success', 'error', 'canceled'];

const text = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;
