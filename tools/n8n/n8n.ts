import { randomUUID } from 'node:crypto';

import { N8nClient, type Session } from './client';
import { N8nDatabase } from './database';
import { dialectOf, type Dialect } from './dialects';
import type { Execution } from './execution';
import { Executions } from './executions';
import { N8nProcess, type StartOptions } from './process';
import type { Credential, PinnedItem, Workflow } from './workflow';

/** A workflow with the id that n8n gave it. */
export interface StoredWorkflow extends Workflow {
	id: string;
}

/** What another process needs to use an n8n that runs. */
export interface RunningN8n {
	url: string;
	/** n8n's user folder, which holds `.n8n`. */
	home: string;
	/** The file that takes what n8n writes. */
	logFile: string;
	session: Session;
}

/** A running n8n with this package installed, and what its users do in it. */
export class N8n {
	/** n8n's database. */
	readonly database: N8nDatabase;

	readonly executions: Executions;

	/** Its HTTP interfaces. */
	readonly client: N8nClient;

	private readonly dialect: Dialect;

	private constructor(
		/** n8n's process. */
		readonly process: N8nProcess,
		session?: Session,
	) {
		this.dialect = dialectOf(process.host);
		this.client = new N8nClient(this.url, session);
		this.database = new N8nDatabase(process.home);
		this.executions = new Executions(this.client, this.database);
	}

	/** Starts n8n in an empty home, with an owner and an API key. */
	static async start(options: StartOptions): Promise<N8n> {
		const n8n = new N8n(await N8nProcess.prepare(options));
		try {
			await n8n.process.launch(options.tarball);
			await n8n.client.setUpOwner();
			return n8n;
		} catch (error) {
			await n8n.stop();
			throw error;
		}
	}

	/** An n8n that another process has started, which alone can stop it. */
	static async attach({ url, home, logFile, session }: RunningN8n): Promise<N8n> {
		const port = Number(new URL(url).port);
		return new N8n(await N8nProcess.prepare({ home, port, logFile }), session);
	}

	/** The login of the one user. */
	get owner(): Session['owner'] {
		return this.client.session.owner;
	}

	/** The address of the editor. */
	get url(): string {
		return this.process.url;
	}

	/** Where the browser returns after an account was connected; it has to be registered. */
	get callbackUrl(): string {
		return `${this.url}/rest/oauth2-credential/callback`;
	}

	/** Stops n8n and removes its home, unless that was given. */
	async stop(): Promise<void> {
		await this.process.stop();
	}

	/** Stops n8n, does something meanwhile, and starts it again with the same home and port. */
	async restart(meanwhile: () => void = () => undefined): Promise<void> {
		await this.process.stop(true);
		meanwhile();
		await this.resume();
	}

	/** Kills n8n at once, and starts it again with the same home and port. */
	async crash(): Promise<void> {
		await this.process.kill();
		await this.resume();
	}

	/** Stores a credential. */
	async createCredential(name: string, type: string, data: object): Promise<Credential> {
		const { id } = await this.client.rest<Credential>('POST', '/credentials', { name, type, data });
		return { id, name, type };
	}

	/** Stores a credential and tests it, as the editor does. */
	async testCredential(
		name: string,
		type: string,
		data: object,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		const credential = await this.createCredential(name, type, data);
		return await this.client.rest('POST', '/credentials/test', {
			credentials: { ...credential, data },
		});
	}

	/** The address to which the editor's "Connect" button sends the browser. */
	async authorizationUrl({ id }: Credential): Promise<string> {
		return await this.client.rest<string>('GET', `/oauth2-credential/auth?id=${id}`);
	}

	/** Ends a connection, as the browser does that the service sends back with these parameters. */
	async finishAuthorization(parameters: Record<string, string>): Promise<void> {
		const query = new URLSearchParams(parameters).toString();
		await this.client.rest('GET', `/oauth2-credential/callback?${query}`);
	}

	/** What the editor shows in the list of a node's Workspace field. */
	async searchWorkspaces(
		{ id, name, type }: Credential,
		authentication: string,
		filter?: string,
	): Promise<Array<{ name: string; value: string }>> {
		const { results } = await this.client.rest<{ results: Array<{ name: string; value: string }> }>(
			'POST',
			'/dynamic-node-parameters/resource-locator-results',
			{
				path: 'parameters.workspaceId',
				methodName: 'searchWorkspaces',
				filter,
				nodeTypeAndVersion: { name: 'n8n-nodes-partner-payments.partnerPayments', version: 1 },
				currentNodeParameters: { authentication, resource: 'payable', operation: 'create' },
				credentials: { [type]: { id, name } },
			},
		);

		return results;
	}

	/** Stores a workflow, which does not start on its own yet. */
	async createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		const inactive = { ...workflow, active: false };
		return await this.client.rest<StoredWorkflow>('POST', '/workflows', inactive);
	}

	/** Saves a workflow over the one that is stored, as the editor's button does. */
	async saveWorkflow({ id, name, nodes, connections, settings }: StoredWorkflow): Promise<void> {
		await this.client.rest('PATCH', `/workflows/${id}`, { name, nodes, connections, settings });
	}

	/** Pins what a node puts out when its workflow is run by hand, as the editor does. */
	async pin(workflowId: string, nodeName: string, items: PinnedItem[]): Promise<void> {
		await this.client.rest('PATCH', `/workflows/${workflowId}`, { pinData: { [nodeName]: items } });
	}

	/** Activates a workflow and waits until its triggers are in place. */
	async activate(workflowId: string): Promise<void> {
		await this.client.publicApi('POST', `/workflows/${workflowId}/activate`);
		await this.dialect.awaitActivation(this.client, workflowId, 'active');
	}

	/** Stores and activates the workflow that `make` returns for the path of a new webhook. */
	async publish(
		make: (webhookPath: string) => Workflow,
	): Promise<{ workflow: StoredWorkflow; path: string }> {
		const path = randomUUID();
		const workflow = await this.createWorkflow(make(path));
		await this.activate(workflow.id);
		return { workflow, path };
	}

	/** Deactivates a workflow and waits until its triggers are gone. */
	async deactivate(workflowId: string): Promise<void> {
		await this.client.publicApi('POST', `/workflows/${workflowId}/deactivate`);
		await this.dialect.awaitActivation(this.client, workflowId, 'inactive');
	}

	/** Runs a workflow as the editor's button does, and waits for its end. */
	async runManually(workflowId: string, triggerNodeName?: string): Promise<Execution> {
		const { executionId } = await this.startManually(workflowId, triggerNodeName);
		if (executionId === undefined) {
			throw new Error('n8n waits for an event');
		}

		return await this.executions.finished(executionId);
	}

	/** Waits for one event as the editor's "Listen for test event" does, until it came or is stopped. */
	async listenForTest(workflowId: string): Promise<void> {
		const { waitingForWebhook } = await this.startManually(workflowId);
		if (waitingForWebhook !== true) {
			throw new Error('n8n does not wait for a test event');
		}
	}

	private async resume(): Promise<void> {
		await this.process.launch();
		await this.client.logIn();
	}

	/** Presses the editor's button, which starts a workflow or waits for its event. */
	private async startManually(
		workflowId: string,
		triggerNodeName?: string,
	): Promise<{ executionId?: string; waitingForWebhook?: boolean }> {
		const workflow = await this.client.rest<Workflow>('GET', `/workflows/${workflowId}`);
		return await this.client.rest('POST', `/workflows/${workflowId}/run`, {
			...this.dialect.manualRun(workflow),
			triggerToStartFrom: { name: triggerNodeName ?? triggerOf(workflow) },
		});
	}
}

/** The name of a workflow's first trigger. */
function triggerOf({ nodes, name }: Workflow): string {
	const trigger = nodes.find(({ type }) => /trigger$|\.webhook$/i.test(type));
	if (!trigger) {
		throw new Error(`The workflow "${name}" has no trigger`);
	}

	return trigger.name;
}
