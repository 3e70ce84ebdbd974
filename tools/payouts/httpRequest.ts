/** The baseline: payouts with n8n's own nodes, an HTTP Request node for each call of the service. */
import {
	chain,
	type Credential,
	credentialsOf,
	ITEMS,
	itemsFromWebhook,
	type WebhookAnswer,
	type Workflow,
	type WorkflowNode,
} from '../n8n';

/** The names of the nodes that call. */
const CREATE = 'Create payable';
const APPROVE = 'Approve payable';
const FUND = 'Fund payable';

/** The name of the node that puts out the items one by one, and at the end their statuses. */
export const EACH_PAYOUT = 'Each payout';

/** How HTTP Request nodes are used. */
export interface HttpRequestOptions {
	/** Path of the webhook that starts the workflow. */
	webhookPath: string;
	answer: WebhookAnswer;
	apiUrl: string;
	workspaceId: string;
	/** One of n8n's generic ones; its type names itself to the node. */
	credential: Credential;
}

/** n8n's own means of keeping to a rate limit: batches, and Wait nodes between the calls. */
export interface Batches {
	/** Requests per batch. */
	size: number;
	/** Milliseconds between batches. */
	intervalMs: number;
	/** Milliseconds between the last answer of a call and the next call. */
	waitMs: number;
}

/** A workflow that only creates payables: all at once, or in batches. */
export const httpRequestPayables = (workflow: HttpRequestOptions, batches?: Batches): Workflow =>
	chain([
		...itemsFromWebhook(workflow.webhookPath, workflow.answer),
		batched(createNode(workflow), batches),
	]);

/** A workflow of three calls in a row, each for all items: all at once, or in batches. */
export function httpRequestPayouts(workflow: HttpRequestOptions, batches?: Batches): Workflow {
	const calls = [createNode, approveNode, fundNode].map((call) =>
		batched(call(workflow, ITEMS), batches),
	);
	const pause = (index: number): WorkflowNode[] =>
		batches === undefined || index === 0 ? [] : [waitNode(`Wait ${index}`, batches.waitMs)];
	return chain([
		...itemsFromWebhook(workflow.webhookPath, workflow.answer),
		...calls.flatMap((call, index) => [...pause(index), call]),
	]);
}

/**
 * A workflow that handles failures as well as n8n can: each payout goes through the three calls on its
 * own, each call is tried three times, and after a failure the next payout follows. At the end it puts
 * out each payout's `reference` and `status`, `paid` or `failed`.
 */
export function httpRequestPayoutsWithRetries(workflow: HttpRequestOptions): Workflow {
	const start = itemsFromWebhook(workflow.webhookPath, workflow.answer);
	const [create, approve, fund] = [createNode, approveNode, fundNode].map((call): WorkflowNode => ({
		...call(workflow, EACH_PAYOUT),
		onError: 'continueErrorOutput',
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 100,
	}));
	if (!create || !approve || !fund) throw new Error('Three calls are three nodes.');
	const loop = node(EACH_PAYOUT, 'splitInBatches', 3, { batchSize: 1, options: {} });
	const paid = statusNode('paid');
	const failed = statusNode('failed');
	const { connections, ...rest } = chain([...start, loop]);
	const to = (target: WorkflowNode) => [{ node: target.name, type: 'main', index: 0 }];
	return {
		...rest,
		nodes: [...start, loop, create, approve, fund, paid, failed],
		connections: {
			...connections,
			// The first output is taken at the end, the second for each item.
			[loop.name]: { main: [[], to(create)] },
			[create.name]: { main: [to(approve), to(failed)] },
			[approve.name]: { main: [to(fund), to(failed)] },
			[fund.name]: { main: [to(paid), to(failed)] },
			[paid.name]: { main: [to(loop)] },
			[failed.name]: { main: [to(loop)] },
		},
	};
}

/** Makes the node of a call; `items` is the name of the node that puts out the payouts. */
type Call = (workflow: HttpRequestOptions, items?: string) => WorkflowNode;

const createNode: Call = (workflow) =>
	httpRequest(workflow, CREATE, '/payable', [
		`workspace_id: '${workflow.workspaceId}'`,
		'payee_email: $json.payee',
		'amount: $json.amount',
		`amount_denomination: 'us_cents'`,
		'description: $json.description',
	]);

const approveNode: Call = (workflow) =>
	httpRequest(workflow, APPROVE, `/payable/{{ $('${CREATE}').item.json.payable.id }}/approve`);

const fundNode: Call = (workflow, items = ITEMS) =>
	httpRequest(workflow, FUND, '/funding', [
		`workspace_id: '${workflow.workspaceId}'`,
		`method: 'balance'`,
		`amount: $('${items}').item.json.amount`,
		`amount_denomination: 'us_cents'`,
		`payable_ids: [$('${CREATE}').item.json.payable.id]`,
	]);

function httpRequest(
	{ apiUrl, credential }: HttpRequestOptions,
	name: string,
	path: string,
	fields?: string[],
): WorkflowNode {
	const call = node(name, 'httpRequest', 4.5, {
		method: 'POST',
		url: `${path.includes('{{') ? '=' : ''}${apiUrl}${path}`,
		authentication: 'genericCredentialType',
		genericAuthType: credential.type,
		...(fields && {
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ { ${fields.join(', ')} } }}`,
		}),
		options: {},
	});
	return { ...call, credentials: credentialsOf([credential]) };
}

function batched(call: WorkflowNode, batches?: Batches): WorkflowNode {
	if (batches === undefined) return call;
	const batch = { batchSize: batches.size, batchInterval: batches.intervalMs };
	return { ...call, parameters: { ...call.parameters, options: { batching: { batch } } } };
}

const waitNode = (name: string, ms: number): WorkflowNode =>
	node(name, 'wait', 1.1, { resume: 'timeInterval', amount: ms / 1000, unit: 'seconds' });

/** A node that puts out the status of the current payout. */
const statusNode = (status: 'paid' | 'failed'): WorkflowNode =>
	node(`Is ${status}`, 'set', 3.4, {
		mode: 'raw',
		jsonOutput: `={{ { reference: $('${EACH_PAYOUT}').item.json.reference, status: '${status}' } }}`,
		options: {},
	});

const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown>,
): WorkflowNode => ({
	name,
	type: `n8n-nodes-base.${type}`,
	typeVersion,
	position: [480, 0],
	parameters,
});
