import { LedgerError } from '../ledger';
import type { Row } from './rows';
import type { DurableResult, ListedAndRun, Step, StoreLimits, TableStore } from './tableStore';

/** A place without a ledger, as a preview sees it: nothing was paid there, and nothing is written. */
export class EmptyStore implements TableStore {
	readonly limits: StoreLimits = {
		page: 1000,
		insert: 1000,
		conditions: 1000,
		steps: 1000,
		isOrdered: () => true,
		fitsOneFind: () => true,
	};

	constructor(readonly place: string) {}

	async list(): Promise<[]> {
		return await Promise.resolve([]);
	}

	async check(): Promise<void> {
		await Promise.resolve();
	}

	async create(): Promise<void> {
		await this.refuse();
	}

	async run(_tableId: string, steps: Step[]): Promise<Row[]> {
		if (steps.some(({ kind }) => kind !== 'find')) {
			await this.refuse();
		}
		return [];
	}

	async listAndRun(tableId: string, steps: Step[]): Promise<ListedAndRun> {
		return { tables: [], result: await this.run(tableId, steps) };
	}

	async runDurably(tableId: string, steps: Step[]): Promise<DurableResult> {
		return { kind: 'done', rows: await this.run(tableId, steps) };
	}

	private async refuse(): Promise<never> {
		const error = new LedgerError(
			'A preview writes into no ledger',
			'Run it again without "Preview".',
		);
		return await Promise.reject(error);
	}
}
