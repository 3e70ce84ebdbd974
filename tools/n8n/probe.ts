import { join } from 'node:path';
import axios, { type AxiosInstance } from 'axios';
import getPort from 'get-port';

import type { StartOptions } from './process';

/** Names the port on which n8n's process listens. */
const PORT_VARIABLE = 'PROBE_PORT';

/** A statement of n8n to its database that fails as when another writer is in the way: SQLITE_BUSY. */
export interface StatementFault {
	/** Regular expression over the text of the statement, whatever its case. */
	statement: string;
	/** Strikes the one with this number among those that match, from 1. */
	nth: number;
}

/** A fault that was injected. */
export interface ActiveStatementFault extends StatementFault {
	/** How many statements have matched so far, struck or not. */
	matched: number;
	/** The text of the statement that was struck. */
	struck?: string;
}

/** The pattern of the statements that write to a table whose name begins like this. */
export const writesTo = (table: string): string =>
	`^\\s*(INSERT INTO|UPDATE|DELETE FROM)\\s+"?${table}`;

/** Injects faults into what an n8n sends to its database. It has to be started with `startOptions`. */
export class Probe {
	private readonly http: AxiosInstance;

	private constructor(private readonly port: number) {
		this.http = axios.create({ baseURL: `http://127.0.0.1:${port}`, proxy: false });
	}

	/** Chooses a port. */
	static async prepare(): Promise<Probe> {
		return new Probe(await getPort());
	}

	/** How n8n is started, so that it listens. */
	get startOptions(): Required<Pick<StartOptions, 'env' | 'nodeFlags'>> {
		return {
			env: { [PORT_VARIABLE]: String(this.port) },
			nodeFlags: ['--import', join(__dirname, 'probePreload.mts')],
		};
	}

	/** Injects a fault, in place of one before. */
	async inject(fault: StatementFault): Promise<void> {
		await this.http.put('/fault', fault);
	}

	/** Removes the fault; returns what it has done. */
	async clear(): Promise<ActiveStatementFault> {
		const { data } = await this.http.delete<ActiveStatementFault>('/fault');
		return data;
	}
}
