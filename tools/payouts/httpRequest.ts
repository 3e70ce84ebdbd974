/** The baseline: payouts with n8n's own nodes, an HTTP Request node for each call of the service. */
import {
	chain,
	type Credential,
	credentialsOf,
	ITEMS,
	itemsFromWebhook,
	type OnError,
	type Workflow,
	type WorkflowNode,
} from '../n8n';

/** The names of the nodes that call. */
const CREATE = 'Create payable';
const APPROVE = 'Approve payable';
const FUND = 'Fund payable';

/** How HTTP Request nodes are used. */
export interface HttpRequestOptions {
	/** Path of the webhook that starts the workflow. */
	webhookPath: string;
	apiUrl: string;
	workspaceId: string;
	/** One of n8n's generic ones; its type names itself to the node. */
	credential: Credential;
	/** What a node does when one of its requests is refused; n8n's default when left out. */
	onError?: OnError;
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

/** A workflow of three calls in a row, each for all items: all at once, or in batches. */
export function httpRequestPayouts(workflow: HttpRequestOptions, batches?: Batches): Workflow {
	const start = itemsFromWebhook(workflow.webhookPath, 'firstEntryJson');
	const create = createNode(workflow);
	const approve = approveNode(workflow);
	const fund = fundNode(workflow);
	if (batches === undefined) {
		return chain([...start, create, approve, fund]);
	}

	return chain([
		...start,
		batched(create, batches),
		waitNode('Wait 1', batches.waitMs),
		batched(approve, batches),
		waitNode('Wait 2', batches.waitMs),
		batched(fund, batches),
	]);
}

const createNode = (workflow: HttpRequestOptions): WorkflowNode =>
	httpRequest(workflow, CREATE, '/payable', [
		`workspace_id: '${workflow.workspaceId}'`,
		'payee_email: $json.payee',
		'amount: $json.amount',
		`amount_denomination: 'us_cents'`,
		'description: $json.description',
	]);

const approveNode = (workflow: HttpRequestOptions): WorkflowNode =>
	httpRequest(workflow, APPROVE, `/payable/{{ $('${CREATE}').item.json.payable.id }}/approve`);

const fundNode = (workflow: HttpRequestOptions): WorkflowNode =>
	httpRequest(workflow, FUND, '/funding', [
		`workspace_id: '${workflow.workspaceId}'`,
		`method: 'balance'`,
		`amount: $('${ITEMS}').item.json.amount`,
		`amount_denomination: 'us_cents'`,
		`payable_ids: [$('${CREATE}').item.json.payable.id]`,
	]);

function httpRequest(
	{ apiUrl, credential, onError }: HttpRequestOptions,
	name: string,
	path: string,
	fields?: string[],
): WorkflowNode {
	const url = `${apiUrl}${path}`;
	const isExpression = path.includes('{{');
	const call = node(name, 'httpRequest', 4.5, {
		method: 'POST',
		url: isExpression ? `=${url}` : url,
		authentication: 'genericCredentialType',
		genericAuthType: credential.type,
		...bodyOf(fields),
		options: {},
	});

	call.credentials = credentialsOf([credential]);
	if (onError !== undefined) {
		call.onError = onError;
	}

	return call;
}

function bodyOf(fields: string[] | undefined): Record<string, unknown> {
	if (fields === undefined) {
		return {};
	}

	return { sendBody: true, specifyBody: 'json', jsonBody: `={{ { ${fields.join(', ')} } }}` };
}

function batched(call: WorkflowNode, batches: Batches): WorkflowNode {
	const batch = { batchSize: batches.size, batchInterval: batches.intervalMs };
	return { ...call, parameters: { ...call.parameters, options: { batching: { batch } } } };
}

const waitNode = (name: string, ms: number): WorkflowNode =>
	node(name, 'wait', 1.1, { resume: 'timeInterval', amount: ms / 1000, unit: 'seconds' });

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
