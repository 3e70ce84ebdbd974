import Table from 'cli-table3';

import { type Environment, type RunningEnvironment, startEnvironment } from './environment';
import { installHost } from './n8n';

/** After this, the process ends without waiting for what it stops. */
const STOP_TIMEOUT_MS = 60_000;

/** A command that works with n8n and a sandbox: it prints one table, and stops what it has started. */
export class Program {
	private readonly table: Table.Table;

	private environment: RunningEnvironment | undefined;

	private codeOfInterrupt = 130;

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
		console.log('Starting the sandbox and n8n with the packed package (about 15 seconds) ...');
		this.environment = await startEnvironment(options);
		return this.environment;
	}

	/** Keeps everything up until Ctrl-C, which then is no failure. */
	async stayUp(): Promise<never> {
		console.log('\nEverything stays up. Press Ctrl-C to stop.');
		this.codeOfInterrupt = 0;
		return await new Promise<never>(() => undefined);
	}

	/**
	 * Does the work and ends the process: with 0 when the work returns true, and with 1 when it returns
	 * false, throws, or takes longer than `limitMs`.
	 */
	async run(work: () => Promise<boolean>, limitMs?: number): Promise<never> {
		if (limitMs !== undefined) {
			setTimeout(() => {
				this.print(`This took longer than ${limitMs / 60_000} minutes.`);
				void this.end(1);
			}, limitMs).unref();
		}

		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.on(signal, () => void this.end(this.codeOfInterrupt));
		}

		try {
			const isPassed = await work();
			this.print();
			return await this.end(isPassed ? 0 : 1);
		} catch (error) {
			this.print(error instanceof Error ? (error.stack ?? error.message) : String(error));
			return await this.end(1);
		}
	}

	/** Prints the table, as far as it goes, and what went wrong. */
	private print(failure?: string): void {
		if (this.table.length > 0) {
			console.log(this.table.toString());
		}

		if (failure !== undefined) {
			console.error(failure);
		}
	}

	private async end(code: number): Promise<never> {
		setTimeout(() => process.exit(code), STOP_TIMEOUT_MS).unref();
		if (this.environment !== undefined) {
			console.log('Stopping n8n and the sandbox ...');
		}

		await this.environment?.stop();
		process.exit(code);
	}
}
