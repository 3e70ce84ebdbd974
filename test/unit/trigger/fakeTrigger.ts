import { createHmac } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type {
	IDataObject,
	IHookFunctions,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';

import { DataTables } from '../../support/dataTables';
import { PartnerPaymentsTrigger } from '../../../nodes/PartnerPayments/PartnerPaymentsTrigger.node';

export const WORKSPACE = '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10';
export const OTHER_WORKSPACE = '11111111-1111-4111-8111-111111111111';
/** What signs the deliveries of a subscription. */
export const SECRET = 'whsec_0f3a90b1c2d4e5f607';

/** A request that the trigger has sent to the service. */
interface SentRequest {
	path: string;
	body?: unknown;
}

/** How the service answers, with status 200 unless told otherwise. */
interface Answer {
	status?: number;
	body: unknown;
}

/** What came of a delivery: the status of its answer, and the items that an execution began with. */
export interface Receipt {
	status: number;
	items: IDataObject[];
}

export const CREDENTIALS: IDataObject = {
	environment: 'sandbox',
	apiBaseUrl: 'https://api.example.com/v1',
	authBaseUrl: 'https://auth.example.com',
	clientId: 'client',
	clientSecret: 'client-secret',
	requestsPerMinute: 100_000,
};

const node = new PartnerPaymentsTrigger();
let triggers = 0;

/** A trigger in a workflow of its own, as n8n calls it. */
export class FakeTrigger {
	options: IDataObject = {};
	events = ['payablePaid', 'payableStatusChanged', 'partnerStatusChanged'];
	parameters: IDataObject = { authentication: 'clientCredentials', workspaceId: WORKSPACE };
	credentials = { ...CREDENTIALS };
	node: Partial<INode> = {};
	mode: 'manual' | 'trigger' = 'trigger';
	/** What n8n has stored of the workflow. */
	staticData: Record<string, IDataObject> = {};
	readonly url = 'https://n8n.example.com/webhook/1';
	readonly sent: SentRequest[] = [];
	readonly warnings: string[] = [];
	/** How often its credential was read. */
	credentialReads = 0;
	/** The Data Tables of its project. */
	readonly tables = new DataTables();
	answer: (request: SentRequest) => Answer | Promise<Answer> = () => ({ body: {} });

	workflow = `workflow-${(triggers += 1)}`;

	/** Publishes the workflow. */
	async publish(): Promise<void> {
		const methods = node.webhookMethods.default;
		if (!(await methods.checkExists())) {
			await methods.create.call(this.hooks);
		}
	}

	/** Unpublishes the workflow. */
	async unpublish(): Promise<void> {
		await node.webhookMethods.default.delete.call(this.hooks);
	}

	private get hooks(): IHookFunctions {
		return this.n8n({}) as unknown as IHookFunctions;
	}

	/** Delivers a body, signed with a secret or with other headers, and has n8n answer as it would. */
	async deliver(
		content: unknown,
		by: string | Record<string, string | string[]> = {},
	): Promise<Receipt> {
		const rawBody = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
		const headers =
			typeof by === 'string'
				? { 'x-signature': createHmac('sha256', by).update(rawBody).digest('hex') }
				: by;

		const response = Object.assign(new EventEmitter(), {
			statusCode: 200,
			status: (status: number) => Object.assign(response, { statusCode: status }),
			json: () => response,
		});

		const n8n = this.n8n({
			getRequestObject: () => ({ rawBody }),
			getHeaderData: () => headers,
			getResponseObject: () => response,
		});

		const { workflowData } = await node.webhook.call(n8n as unknown as IWebhookFunctions);
		response.emit('finish');

		return { status: response.statusCode, items: await this.start(workflowData?.flat() ?? []) };
	}

	/** Runs the trigger in the execution that a delivery has started; none without items. */
	private async start(items: INodeExecutionData[]): Promise<IDataObject[]> {
		if (items.length === 0) {
			return [];
		}

		const n8n = this.n8n({
			...this.tables.host(this.workflow),
			getInputData: () => items,
			getMode: () => 'webhook',
			getExecutionId: () => '1',
			getParentNodes: () => [],
			getNodeParameter: (name: string, _: number, fallback: unknown) =>
				this.parameterOf(name, fallback),
		}) as IExecuteFunctions;

		const [begun = []] = await node.execute.call(n8n);

		return begun.map(({ json }) => json);
	}

	private parameterOf(name: string, fallback: unknown): unknown {
		const parameters: IDataObject = { ...this.parameters, events: this.events };
		return (
			(name.startsWith('options.') ? this.options[name.slice(8)] : parameters[name]) ?? fallback
		);
	}

	private n8n(more: object): object {
		return {
			getMode: () => this.mode,
			getWorkflow: () => ({ id: this.workflow }),
			getNode: () => {
				const { parameters } = this;
				return { id: 'node-1', name: 'Trigger', parameters, ...this.node };
			},
			getWorkflowStaticData: (type: string) => (this.staticData[type] ??= {}),
			getNodeWebhookUrl: () => this.url,
			getNodeParameter: (name: string, fallback: unknown) => this.parameterOf(name, fallback),
			getCredentials: async () => {
				this.credentialReads += 1;
				return await Promise.resolve(this.credentials);
			},
			logger: { warn: (text: string) => this.warnings.push(text) },
			helpers: {
				httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) => {
					const request = { path: new URL(options.url).pathname, body: options.body };
					this.sent.push(request);
					const { body, status } = { status: 200, ...(await this.answer(request)) };

					return { statusCode: status, headers: {}, body: JSON.stringify(body) };
				},
			},
			...more,
		};
	}
}

let events = 0;

/** An event with an ID of its own. */
export const paid = (changes: object = {}): object => ({
	id: `event-${(events += 1)}`,
	event_type: 'payable.paid',
	data: { id: 'payable-1', status: 'paid' },
	...changes,
});

/** A trigger that has subscribed in this process, and was told a secret unless the answer has none. */
export async function subscribed(
	options: FakeTrigger['options'] = {},
	answer: unknown = { subscription: { id: '1', secret: SECRET } },
): Promise<FakeTrigger> {
	const trigger = new FakeTrigger();
	trigger.options = options;
	trigger.answer = () => ({ body: answer });
	await trigger.publish();

	return trigger;
}
