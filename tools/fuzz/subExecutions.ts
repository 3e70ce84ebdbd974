import type { INodeExecutionData, IWorkflowBase } from 'n8n-workflow';

import type { ProjectHost } from '../../nodes/PartnerPayments/ledger/table/projectStore';
import type { DataTables } from './dataTables';
import { die, type Faults } from './faults';

const READS: unknown[] = ['get', 'list'];

/** What is done later in this process, or at once when it is asked to. */
export class LateWork {
	private readonly waiting = new Set<() => Promise<void>>();
	private readonly running = new Set<Promise<void>>();

	/** Does work in a while. What it throws is lost, since no one waits for it. */
	add(work: () => Promise<unknown>, delayMs: number): void {
		const start = async (): Promise<void> => {
			if (!this.waiting.delete(start)) {
				return;
			}

			const ending = work().then(
				() => undefined,
				() => undefined,
			);
			this.running.add(ending);
			await ending;
			this.running.delete(ending);
		};
		this.waiting.add(start);
		setTimeout(() => void start(), delayMs);
	}

	async finish(): Promise<void> {
		await Promise.all([...this.waiting].map(async (start) => await start()));
		await Promise.all(this.running);
	}
}

/** The sub-executions of one execution, of which some go wrong. */
export class SubExecutions {
	private isTimedOut = false;

	constructor(
		private readonly tables: DataTables,
		private readonly faults: Faults,
		private readonly late: LateWork,
	) {}

	/** What a node that is executed has of n8n. */
	host(): ProjectHost {
		const execute = async (
			info: { code?: IWorkflowBase },
			items: INodeExecutionData[] = [],
			_connection?: unknown,
			options?: { doNotWaitToFinish?: boolean },
		) => await this.execute(info.code, items, options?.doNotWaitToFinish === true);
		return {
			getWorkflow: () => ({ id: 'workflow-1', name: 'Payouts', active: true }),
			executeWorkflow: execute,
		};
	}

	private async execute(
		workflow: IWorkflowBase | undefined,
		items: INodeExecutionData[],
		isDetached: boolean,
	) {
		const nodes = workflow?.nodes ?? [];
		const run = async (
			before: (index: number) => Promise<void> = async () => await this.faults.breathe(),
		) => await this.tables.execute(nodes, items, before);

		if (isDetached) {
			this.late.add(run, 100);
			return { executionId: 'sub', data: [] };
		}

		if (this.isTimedOut) {
			throw timedOut();
		}

		const operations = nodes.flatMap(({ parameters }) => parameters['operation'] ?? []);
		const fault = await this.faults.ofLedger(operations.every((name) => READS.includes(name)));
		const stopAt = this.faults.below(operations.length);
		switch (fault) {
			case 'failed':
				throw new Error('The database is locked');
			case 'timedOut':
				this.isTimedOut = true;
				throw timedOut();
			case 'late':
				this.late.add(run, 600);
				throw new Error('The database does not answer');
			case 'lost':
				await run();
				throw new Error('The answer of the database is lost');
			case 'partly':
				return await run(async (index) => {
					if (index === stopAt) {
						throw new Error('The sub-execution has failed');
					}
					await this.faults.breathe();
				});
			case 'diesBefore':
				return await die();
			case 'diesDuring':
				return await run(async (index) => {
					await (index === stopAt ? die() : this.faults.breathe());
				});
			case 'diesAfter':
				await run();
				return await die();
			case 'slow':
				return await run(async () => {
					await this.faults.delay();
				});
			default:
				return await run();
		}
	}
}

/** As n8n says it. */
const timedOut = (): Error => new Error('The execution was cancelled because it timed out');
