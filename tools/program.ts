import Table from 'cli-table3';

import { type Environment, type RunningEnvironment, startEnvironment } from './environment';
import { installHost } from './n8n';

/** After this, the process ends without waiting for what it stops. */
const STOP_TIMEOUT_MS = 60_000;

/** A command that measures: it prints one table, stops what it has started, and ends within a limit. */
export class Program {
	private readonly table: Table.Table;

	private environment: RunningEnvironment | undefined;

	/** @param head the names of the columns; none when left out */
	constructor(head: string[] = []) {
		this.table = new Table({ style: { border: [], head: [] }, head });
	}

	/** Adds a row to the table. */
	row(...cells: Array<string | number>): void {
		this.table.push(cells.map(String));
	}

	/** Installs n8n if need be, and starts it with a sandbox; both are stopped at the end. */
	async start(options?: Parameters<typeof startEnvironment>[0]): Promise<Environment> {
		await installHost();
		this.environment = await startEnvironment(options);
		return this.environment;
	}

	/**
	 * Does the work and ends the process: with 0 when the work returns true, and with 1 when it returns
	 * false, throws, or takes longer than `limitMs`.
	 */
	async run(limitMs: number, work: () => Promise<boolean>): Promise<never> {
		setTimeout(() => {
			console.error(`This took longer than ${limitMs / 60_000} minutes, so far:`);
			console.error(this.table.toString());
			void this.end(1);
		}, limitMs).unref();
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.on(signal, () => void this.end(130));
		}
		try {
			const isPassed = await work();
			console.log(this.table.toString());
			return await this.end(isPassed ? 0 : 1);
		} catch (error) {
			console.error(this.table.toString());
			console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
			return await this.end(1);
		}
	}

	private async end(code: number): Promise<never> {
		setTimeout(() => process.exit(code), STOP_TIMEOUT_MS).unref();
		await this.environment?.stop();
		process.exit(code);
	}
}
