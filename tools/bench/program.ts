import Table from 'cli-table3';

/** What stopping may take before the process ends without it, in milliseconds. */
const STOPPING_MS = 60_000;

/** A program that measures: it prints one table, stops what it has started, and ends in time. */
export class Program {
	private readonly table: Table.Table;

	private readonly stops: Array<() => Promise<void>> = [];

	/** @param head the names of the columns; none when left out */
	constructor(head: string[] = []) {
		this.table = new Table({ style: { border: [], head: [] }, head });
	}

	/** Adds a row to the table. */
	row(...cells: Array<string | number>): void {
		this.table.push(cells.map(String));
	}

	/** Lets something be stopped in the end, the last first. */
	stopLater(stop: () => Promise<void>): void {
		this.stops.push(stop);
	}

	/**
	 * Does the work and ends the process: with 0 when the work answers true, and with 1 when it answers
	 * false, throws, or takes longer than so many milliseconds.
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
			const isWell = await work();
			console.log(this.table.toString());
			return await this.end(isWell ? 0 : 1);
		} catch (error) {
			console.error(this.table.toString());
			console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
			return await this.end(1);
		}
	}

	private async end(code: number): Promise<never> {
		setTimeout(() => process.exit(code), STOPPING_MS).unref();
		for (const stop of this.stops.splice(0).reverse()) await stop();
		process.exit(code);
	}
}
