import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import axios, { type AxiosInstance, type Method } from 'axios';
import { CipherAes256CBC } from 'n8n-core/dist/encryption/aes-256-cbc';

import type { Execution, Item } from './execution';
import { poll } from './poll';
import { N8nProcess, type StartOptions } from './process';
import { type Credential, type Workflow, withCredentials } from './workflow';

/** The tables that hold what executions read and gave out. */
const EXECUTION_TABLES = ['execution_entity', 'execution_data', 'execution_metadata'];

/** The statuses of an execution that goes on. */
const UNFINISHED = ['new', 'running', 'waiting'];
/** The unit of processor times on Linux. */
const TICK_MS = 10;

/** An execution as it stands in n8n's database. */
export interface StoredExecution {
	status: string;
	/** In UTC, with milliseconds. */
	startedAt: string;
	/** What it read and gave out, as n8n's text. */
	data: string;
}

/** A workflow with the id that n8n gave it. */
export interface StoredWorkflow extends Workflow {
	id: string;
}

/**
 * A running n8n with this package installed, and the calls that its users make: those of the
 * editor (`/rest`, with a cookie), and those of the public API (`/api/v1`, with an API key) where
 * both can do the same.
 */
export class N8n {
	/** The login of the one user. */
	readonly owner = { email: 'demo@example.com', password: 'Demo-Login-1' };

	private apiKey = '';

	private readonly http: AxiosInstance;

	private constructor(private readonly process: N8nProcess) {
		this.http = axios.create({
			baseURL: this.url,
			proxy: false,
			validateStatus: () => true,
			headers: { 'browser-id': 'driver' },
		});
	}

	/** Starts n8n, in an empty home unless one is given, with an owner and an API key. */
	static async start(options: StartOptions): Promise<N8n> {
		const n8n = new N8n(await N8nProcess.prepare(options));
		try {
			await n8n.process.launch(options.tarball);
			await n8n.setUpOwner();
			return n8n;
		} catch (error) {
			await n8n.stop();
			throw error;
		}
	}

	/** The address of the editor. */
	get url(): string {
		return this.process.url;
	}

	/** Where the browser returns after an account was connected; it has to be registered. */
	get callbackUrl(): string {
		return `${this.url}/rest/oauth2-credential/callback`;
	}

	/** n8n's user folder, which holds `.n8n`. */
	get homeDirectory(): string {
		return this.process.home;
	}

	/** Everything that n8n has written so far. */
	log(): string {
		return this.process.log();
	}

	/** Stops n8n and removes its home, unless that is to be kept or was given. */
	async stop(options: { keepHome?: boolean } = {}): Promise<void> {
		await this.process.stop(options.keepHome);
	}

	/** Stops n8n and starts it again with the same home and port. */
	async restart(): Promise<void> {
		await this.process.stop(true);
		await this.resume();
	}

	/** Ends n8n as a power cut does, and starts it again with the same home and port. */
	async crash(): Promise<void> {
		await this.process.kill();
		await this.resume();
	}

	/** Stores a credential. */
	async createCredential(name: string, type: string, data: object): Promise<Credential> {
		const { id } = await this.editor<Credential>('POST', '/credentials', { name, type, data });
		return { id, name, type };
	}

	/** Stores a credential and tests it, as the editor does. */
	async testCredential(
		name: string,
		type: string,
		data: object,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		const credential = await this.createCredential(name, type, data);
		return await this.editor('POST', '/credentials/test', { credentials: { ...credential, data } });
	}

	/** The address to which the editor's "Connect" button sends the browser. */
	async authorizationUrl({ id }: Credential): Promise<string> {
		return await this.editor<string>('GET', `/oauth2-credential/auth?id=${id}`);
	}

	/** What the editor shows in the list of a node's Workspace field. */
	async searchWorkspaces(
		{ id, name, type }: Credential,
		authentication: string,
		filter?: string,
	): Promise<Array<{ name: string; value: string }>> {
		const { results } = await this.editor<{ results: Array<{ name: string; value: string }> }>(
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

	/** Stores a workflow. */
	async createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		return await this.editor<StoredWorkflow>('POST', '/workflows', workflow);
	}

	/**
	 * Stores an exported workflow, with the credentials that the user would choose; `adapt` does
	 * what else the user would fill in.
	 */
	async importWorkflow(
		file: string,
		credentials: Credential[],
		adapt: (workflow: Workflow) => Workflow = (workflow) => workflow,
	): Promise<StoredWorkflow> {
		const workflow = JSON.parse(readFileSync(file, 'utf8')) as Workflow;
		return await this.createWorkflow(adapt(withCredentials(workflow, credentials)));
	}

	/** Saves a workflow over the one that is stored, as the editor's button does. */
	async saveWorkflow({ id, name, nodes, connections, settings }: StoredWorkflow): Promise<void> {
		await this.editor('PATCH', `/workflows/${id}`, { name, nodes, connections, settings });
	}

	/** Activates a workflow and waits until its triggers are in place. */
	async activate(workflowId: string): Promise<void> {
		await poll(`the activation of workflow ${workflowId}`, async () => {
			const activated = this.api('POST', `/workflows/${workflowId}/activate`).then(() => true);
			return await activated.catch((error: unknown) => {
				// n8n gives up a regular expression after 250 ms, however simple it is, on a busy machine.
				if (String(error).includes('Error validating node parameters')) return undefined;
				throw error;
			});
		});
		await this.waitForPublication(workflowId, 'published');
	}

	/** Deactivates a workflow and waits until its triggers are gone. */
	async deactivate(workflowId: string): Promise<void> {
		await this.api('POST', `/workflows/${workflowId}/deactivate`);
		await this.waitForPublication(workflowId, 'not_published');
	}

	/** Runs a workflow as the editor's button does, and waits for its end. */
	async runManually(workflowId: string, triggerNodeName?: string): Promise<Execution> {
		const name = triggerNodeName ?? (await this.triggerOf(workflowId));
		const { executionId } = await this.editor<{ executionId: string }>(
			'POST',
			`/workflows/${workflowId}/run`,
			{ triggerToStartFrom: { name } },
		);
		return await this.finished(executionId);
	}

	/** Waits for one event as the editor's "Listen for test event" does, until it came or is stopped. */
	async listenForTest(workflowId: string): Promise<void> {
		const answer = await this.editor<{ waitingForWebhook?: boolean }>(
			'POST',
			`/workflows/${workflowId}/run`,
			{ triggerToStartFrom: { name: await this.triggerOf(workflowId) } },
		);
		if (answer.waitingForWebhook !== true) throw new Error('n8n does not wait for a test event');
	}

	/** Ends {@link listenForTest}. */
	async stopListening(workflowId: string): Promise<void> {
		await this.editor('DELETE', `/test-webhook/${workflowId}`);
	}

	/** Calls a production webhook. Every status is an answer. */
	async callWebhook(
		path: string,
		body: unknown,
		headers: Record<string, string> = {},
	): Promise<{ status: number; data: unknown }> {
		const { status, data } = await this.http.post<unknown>(`/webhook/${path}`, body, { headers });
		return { status, data };
	}

	/** Stops an execution, as the editor's button does. */
	async stopExecution(id: string): Promise<void> {
		await this.editor('POST', `/executions/${id}/stop`);
	}

	/** The ids of the executions of a workflow, finished or not, the oldest first. */
	executionIds(workflowId: string): string[] {
		const query = 'SELECT id FROM execution_entity WHERE workflowId = ? ORDER BY id';
		return this.stored(query, workflowId).map(({ id }) => String(id));
	}

	/** One execution, finished or not. */
	async execution(id: string): Promise<Execution> {
		return await this.api<Execution>('GET', `/executions/${id}?includeData=true`);
	}

	/** The executions of a workflow, the newest first, 250 at most. */
	async executions(workflowId: string): Promise<Execution[]> {
		const query = new URLSearchParams({ workflowId, includeData: 'true', limit: '250' });
		const page = await this.api<{ data: Execution[] }>('GET', `/executions?${query.toString()}`);
		return page.data;
	}

	/** Waits until a workflow has run so many times, and to the end; answers the newest run. */
	async finishedRuns(workflowId: string, count: number): Promise<Execution> {
		return await poll(`run ${count} of workflow ${workflowId}`, async () => {
			const runs = await this.executions(workflowId);
			const areOver = runs.every(({ status }) => !UNFINISHED.includes(status));
			return runs.length >= count && areOver ? runs[0] : undefined;
		});
	}

	/** The executions that a workflow has started so far, those in work as well, once they ended. */
	async allExecutions(workflowId: string): Promise<Execution[]> {
		const ids = this.executionIds(workflowId);
		return await Promise.all(ids.map(async (id) => await this.finished(id)));
	}

	/** Waits for the end of an execution. */
	async finished(id: string): Promise<Execution> {
		return await poll(`the end of execution ${id}`, async () => {
			const { status } = await this.api<Execution>('GET', `/executions/${id}`);
			return UNFINISHED.includes(status) ? undefined : this.execution(id);
		});
	}

	/** The content of a file that an item carries. */
	async binary(item: Item, property = 'data'): Promise<Buffer> {
		const file = item.binary?.[property];
		if (!file) throw new Error(`The item has no file in "${property}"`);
		if (!file.id) return Buffer.from(file.data, 'base64');
		const { data } = await this.http.get<ArrayBuffer>('/rest/binary-data', {
			params: { id: file.id, action: 'download' },
			responseType: 'arraybuffer',
		});
		return Buffer.from(data);
	}

	/** The raw text of all that n8n has stored about executions. */
	storedExecutionData(): string {
		return EXECUTION_TABLES.flatMap((table) => this.stored(`SELECT * FROM ${table}`))
			.map((row) => Object.values(row).join('\n'))
			.join('\n');
	}

	/** How many executions of a workflow have ended. */
	countEnded(workflowId: string): number {
		const [row] = this.stored(
			`SELECT count(*) AS ended FROM execution_entity
			WHERE workflowId = ? AND status NOT IN ('new', 'running', 'waiting')`,
			workflowId,
		);
		return Number(row?.['ended']);
	}

	/** All executions of a workflow, read from the database at once. */
	storedExecutions(workflowId: string): StoredExecution[] {
		const rows = this.stored(
			`SELECT status, startedAt, data FROM execution_entity
			JOIN execution_data ON executionId = id WHERE workflowId = ?`,
			workflowId,
		);
		return rows.map(({ status, startedAt, data }) => ({
			status: String(status),
			startedAt: `${String(startedAt).replace(' ', 'T')}Z`,
			data: String(data),
		}));
	}

	/** The memory that n8n's process holds, in bytes. */
	residentMemory(): number {
		const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
		return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
	}

	/** The time for which n8n's process has kept a processor busy, in milliseconds. */
	processorTime(): number {
		const status = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8');
		// The name of the program, in brackets, may hold blanks; the times are two of what follows.
		const [user, system] = status
			.slice(status.lastIndexOf(')'))
			.split(' ')
			.slice(12, 14)
			.map(Number);
		return ((user ?? NaN) + (system ?? NaN)) * TICK_MS;
	}

	/** The raw text of all that n8n has stored about workflows, with what their triggers remember. */
	storedWorkflowData(): string {
		return this.stored('SELECT * FROM workflow_entity')
			.map((row) => Object.values(row).join('\n'))
			.join('\n');
	}

	/** What n8n has stored in a credential, decrypted, which it shows to no user. */
	storedCredential(name: string): Record<string, unknown> {
		const [row] = this.stored('SELECT data FROM credentials_entity WHERE name = ?', name);
		if (!row) throw new Error(`n8n has no credential "${name}"`);
		const settings = readFileSync(join(this.homeDirectory, '.n8n/config'), 'utf8');
		const { encryptionKey } = JSON.parse(settings) as { encryptionKey: string };
		const text = new CipherAes256CBC().decrypt(String(row['data']), encryptionKey);
		return JSON.parse(text) as Record<string, unknown>;
	}

	/** Rows of n8n's database. */
	private stored(query: string, ...values: string[]): Array<Record<string, SQLOutputValue>> {
		const file = join(this.homeDirectory, '.n8n/database.sqlite');
		const database = new DatabaseSync(file, { readOnly: true });
		try {
			return database.prepare(query).all(...values);
		} finally {
			database.close();
		}
	}

	/** Makes the first user, or logs in as it, and makes an API key that may do everything. */
	private async setUpOwner(): Promise<void> {
		const { userManagement } = await this.editor<{
			userManagement: { showSetupOnFirstLoad?: boolean };
		}>('GET', '/settings');
		if (userManagement.showSetupOnFirstLoad) {
			const name = { firstName: 'Demo', lastName: 'User' };
			await this.editor('POST', '/owner/setup', { ...this.owner, ...name });
		} else {
			await this.logIn();
		}
		const { rawApiKey } = await this.editor<{ rawApiKey: string }>('POST', '/api-keys', {
			label: `driver ${Date.now()}`,
			scopes: await this.editor<string[]>('GET', '/api-keys/scopes'),
			expiresAt: null,
		});
		this.apiKey = rawApiKey;
	}

	private async resume(): Promise<void> {
		await this.process.launch();
		await this.logIn();
	}

	private async logIn(): Promise<void> {
		const { email, password } = this.owner;
		await this.editor('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	/** The name of a workflow's first trigger. */
	private async triggerOf(workflowId: string): Promise<string> {
		const { nodes } = await this.editor<Workflow>('GET', `/workflows/${workflowId}`);
		const trigger = nodes.find(({ type }) => /trigger$|\.webhook$/i.test(type));
		if (!trigger) throw new Error(`Workflow ${workflowId} has no trigger`);
		return trigger.name;
	}

	/** Activation goes on after its answer; the editor asks for its state, and so does this. */
	private async waitForPublication(workflowId: string, wanted: string): Promise<void> {
		await poll(`workflow ${workflowId} to be ${wanted}`, async () => {
			const { status, triggers } = await this.editor<{
				status: string;
				triggers: Array<{ errorMessage: string | null }>;
			}>('GET', `/workflows/${workflowId}/publication-status`);
			if (['failed', 'partial'].includes(status)) {
				throw new Error(triggers.map(({ errorMessage }) => errorMessage ?? '').join(' '));
			}
			return status === wanted ? true : undefined;
		});
	}

	/** A call of the editor's own API. */
	private async editor<Answer>(method: Method, path: string, data?: object): Promise<Answer> {
		const answer = await this.request<{ data: Answer }>(method, `/rest${path}`, data);
		return answer.data;
	}

	/** A call of the public API, which wants a JSON body in every POST. */
	private async api<Answer>(method: 'GET' | 'POST', path: string): Promise<Answer> {
		const body = method === 'POST' ? {} : undefined;
		return await this.request<Answer>(method, `/api/v1${path}`, body);
	}

	private async request<Answer>(method: Method, url: string, data?: object): Promise<Answer> {
		const answer = await this.http.request<Answer & { message?: string }>({
			method,
			url,
			data,
			headers: { 'X-N8N-API-KEY': this.apiKey },
		});
		if (answer.status >= 400) {
			const message = answer.data.message ?? JSON.stringify(answer.data);
			throw new Error(`n8n answered ${answer.status} to ${method} ${url}: ${message}`);
		}
		const [cookie] = answer.headers['set-cookie'] ?? [];
		if (cookie) this.http.defaults.headers.common['Cookie'] = cookie.split(';')[0] ?? '';
		return answer.data;
	}
}
