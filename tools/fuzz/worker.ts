/**
 * One process of the fuzz: it does tasks, several at a time, over the ledger's file and against the
 * service, and ends with the coordinator.
 */
import { DataTables } from './dataTables';
import { execute } from './execution';
import { Faults } from './faults';
import type { Order, Report, Task, WorkerSettings } from './messages';
import { LateWork, SubExecutions } from './subExecutions';

const settings = JSON.parse(process.argv[2] ?? '') as WorkerSettings;
const tables = new DataTables(settings.database);
const late = new LateWork();

/** Resolves when the coordinator has it, so that it is not lost when this process dies. */
async function tell(report: Report): Promise<void> {
	await new Promise<void>((resolve) => {
		process.send?.(report, () => {
			resolve();
		});
	});
}

async function perform(task: Task): Promise<void> {
	const faults = new Faults(task, tell);
	const host = new SubExecutions(tables, faults, late).host();
	const items = await execute(task, settings.port, host, faults).catch((error: unknown) => [
		{ error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
	]);
	await tell({ kind: 'ended', taskId: task.id, items, at: Date.now() });
}

process.on('message', (order: Order) => {
	if (order.kind === 'task') {
		void perform(order.task);
		return;
	}

	void late.finish().then(async () => {
		await tell({ kind: 'flushed' });
	});
});

process.on('disconnect', () => process.exit());

void tell({ kind: 'ready' });
