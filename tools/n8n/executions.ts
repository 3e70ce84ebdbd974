import type { N8nClient } from './client';
import type { N8nDatabase } from './database';
import type { Execution } from './execution';
import { poll, TWO_WAITS } from './poll';

/** The longest run pays 10,000 rows, which takes seven minutes where it has a processor of its own. */
const LONG_MS = 1_200_000;
const UNFINISHED: Array<Execution['status']> = ['new', 'running', 'waiting'];

/** The executions of an n8n, as its public API shows them. */
export class Executions {
	constructor(
		private readonly client: N8nClient,
		private readonly database: N8nDatabase,
	) {}

	/** One execution, finished or not. */
	async get(id: string): Promise<Execution> {
		return await this.client.publicApi<Execution>('GET', `/executions/${id}?includeData=true`);
	}

	/** The executions of a workflow, the newest first, 250 at most. */
	async list(workflowId: string, includeData = true): Promise<Execution[]> {
		const query = `workflowId=${workflowId}&includeData=${includeData}&limit=250`;
		const page = await this.client.publicApi<{ data: Execution[] }>('GET', `/executions?${query}`);
		return page.data;
	}

	/** Stops an execution, as the editor's button does. */
	async stop(id: string): Promise<void> {
		await this.client.rest('POST', `/executions/${id}/stop`);
	}

	/** Waits for the end of an execution. Allows for long runs. */
	async finished(id: string): Promise<Execution> {
		return await poll(
			`the end of execution ${id}`,
			async () => {
				const { status } = await this.client.publicApi<Execution>('GET', `/executions/${id}`);
				return UNFINISHED.includes(status) ? undefined : this.get(id);
			},
			{ timeoutMs: LONG_MS },
		);
	}

	/** All executions that a workflow has started so far, once they have ended. */
	async allFinished(workflowId: string): Promise<Execution[]> {
		const ids = this.database.executionIds(workflowId);
		return await Promise.all(ids.map(async (id) => await this.finished(id)));
	}

	/** Waits until so many executions of a workflow have ended. Asks often, and allows for long runs. */
	async untilEnded(workflowId: string, count: number): Promise<void> {
		await poll(
			`${count} executions of workflow ${workflowId}`,
			() => this.database.countEnded(workflowId) >= count || undefined,
			{ intervalMs: 10, timeoutMs: LONG_MS },
		);
	}

	/** Waits until a workflow has so many executions, all of them ended; returns the newest. */
	async newestOf(workflowId: string, count: number): Promise<Execution> {
		return await poll(
			`execution ${count} of workflow ${workflowId}`,
			async () => {
				// Without their data, which may be large.
				const executions = await this.list(workflowId, false);
				const areFinished = executions.every(({ status }) => !UNFINISHED.includes(status));
				const [newest] = executions;
				if (newest === undefined || executions.length < count || !areFinished) {
					return undefined;
				}

				return await this.get(newest.id);
			},
			TWO_WAITS,
		);
	}
}
