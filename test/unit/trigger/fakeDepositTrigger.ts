import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import type * as nodeModule from '../../../nodes/PartnerPayments/PartnerPaymentsDepositTrigger.node';
import { PartnerPaymentsDepositTrigger } from '../../../nodes/PartnerPayments/PartnerPaymentsDepositTrigger.node';
import { N8nDatabase } from '../ledger/n8nDatabase';
import { CREDENTIALS, WORKSPACE } from './fakeTrigger';

type StaticData = Record<string, IDataObject>;

/** The node as a process that has just started loads it. */
function nodeOfNewProcess(): PartnerPaymentsDepositTrigger {
	let node = new PartnerPaymentsDepositTrigger();
	jest.isolateModules(() => {
		const loaded = jest.requireActual<typeof nodeModule>(
			'../../../nodes/PartnerPayments/PartnerPaymentsDepositTrigger.node',
		);
		node = new loaded.PartnerPaymentsDepositTrigger();
	});

	return node;
}

/** One activation of the workflow: n8n loads the static data once, and keeps it for all polls. */
export interface Activation {
	/** Polls as n8n does when the time has come; returns the items that it hands over. */
	poll: () => Promise<INodeExecutionData[]>;
	/** Polls, and begins an execution with what was found, up to its end; returns its deposits. */
	run: () => Promise<unknown[]>;
	/** Stores the static data, as n8n does when an activation is done and when it starts an execution. */
	save: () => void;
}

let workflows = 0;

/** The deposit trigger in a workflow of its own, in an n8n that stores static data as n8n does. */
export class FakeDepositTrigger {
	/** What the service lists. */
	deposits: unknown[] = [];
	/** Called before the service answers. */
	onRequest: () => Promise<void> | void = () => undefined;
	status = 200;
	workspaceId = WORKSPACE;
	includeExisting = false;
	/** As they are set up, with expressions. */
	options: unknown = {};
	credentials = CREDENTIALS;
	/** n8n's database. */
	stored = '{}';

	/** Begins with the node as it is loaded now. */
	private node = new PartnerPaymentsDepositTrigger();
	readonly database = new N8nDatabase();
	private executions = 0;
	private readonly id = `deposits-${(workflows += 1)}`;

	/** Publishes the workflow, or starts n8n with it. */
	activate(): Activation {
		const staticData = JSON.parse(this.stored) as StaticData;
		const n8n = this.n8n('trigger', staticData) as unknown as IPollFunctions;
		const save = (): void => {
			this.stored = JSON.stringify(staticData);
		};
		const poll = async (): Promise<INodeExecutionData[]> =>
			(await this.node.poll.call(n8n))?.[0] ?? [];

		const run = async (): Promise<unknown[]> => {
			const items = await poll();
			if (items.length === 0) {
				return [];
			}

			save();

			return await this.execute(items);
		};

		return { poll, run, save };
	}

	/** Runs an execution from its begin to its end; returns its deposits. */
	async execute(items: INodeExecutionData[]): Promise<unknown[]> {
		const staticData = JSON.parse(this.stored) as StaticData;
		const n8n = this.n8n('trigger', staticData, items) as unknown as IExecuteFunctions;
		const [begun = []] = await this.node.execute.call(n8n);
		this.stored = JSON.stringify(staticData);

		return begun.map(({ json }) => json);
	}

	/** Runs an execution on a worker, another process that n8n gives no static data. */
	async executeOnWorker(items: INodeExecutionData[]): Promise<unknown[]> {
		this.executions += 1;
		const n8n = {
			...this.n8n('trigger', {}, items),
			...this.database.host({ process: `worker-${this.executions}`, workflow: this.id }),
			getExecutionId: () => String(this.executions),
			logger: { warn: () => undefined },
		};

		const [begun = []] = await nodeOfNewProcess().execute.call(n8n as unknown as IExecuteFunctions);

		return begun.map(({ json }) => json);
	}

	/** Fetches a test event, as the editor does. */
	async fetchTestEvent(): Promise<unknown[]> {
		const n8n = this.n8n('manual', {}, [{ json: {} }]) as unknown as IExecuteFunctions;
		const [shown = []] = await this.node.execute.call(n8n);

		return shown.map(({ json }) => json);
	}

	/** n8n's process ends, and another one starts: nothing is known but what is stored. */
	restart(): void {
		this.node = nodeOfNewProcess();
	}

	private n8n(mode: string, staticData: StaticData, items: INodeExecutionData[] = []): object {
		return {
			getMode: () => mode,
			getWorkflow: () => ({ id: this.id }),
			getNode: () => ({ id: 'node-1', name: 'Deposit Trigger', parameters: this.parameters }),
			getInputData: () => items,
			getExecutionId: () => String((this.executions += 1)),
			getWorkflowStaticData: (type: string) => (staticData[type] ??= {}),
			getNodeParameter: (name: string) => this.parameters[name] ?? '',
			getCredentials: async () => await Promise.resolve(this.credentials),
			helpers: {
				httpRequestWithAuthentication: async (_: string, { url }: IHttpRequestOptions) => {
					if (!/\/workspace\/[^/]+\/wallet\/deposit$/.test(url)) {
						return { statusCode: 404, headers: {}, body: '{}' };
					}

					const { status: statusCode, deposits } = this;
					await this.onRequest();

					return { statusCode, headers: {}, body: JSON.stringify({ deposits }) };
				},
			},
		};
	}

	private get parameters(): Record<string, unknown> {
		return {
			authentication: 'clientCredentials',
			workspaceId: this.workspaceId,
			options: this.options,
			'options.includeExisting': this.includeExisting,
		};
	}
}
