/**
 * Lets tests inject faults into what n8n sends to its database.
 *
 * Node.js loads this file into n8n's process before n8n (`--import`). It replaces the methods of the
 * SQLite driver through which TypeORM sends statements, and listens on a port of this machine for what
 * probe.ts asks.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import fastify from 'fastify';

import type { ActiveStatementFault, StatementFault } from './probe';

type Method = (this: unknown, ...values: unknown[]) => unknown;
type Callback = (this: unknown, error: Error) => void;

let fault: ActiveStatementFault | undefined;

/** Counts a statement; returns whether the fault strikes it. */
function strikes(statement: string): boolean {
	if (fault === undefined || !new RegExp(fault.statement, 'i').test(statement)) {
		return false;
	}

	fault.matched += 1;
	if (fault.nth !== fault.matched) {
		return false;
	}

	fault.struck = statement;
	return true;
}

/** The error of SQLite's driver when another connection writes. */
const sqliteBusy = (): Error =>
	Object.assign(new Error('SQLITE_BUSY: database is locked'), { errno: 5, code: 'SQLITE_BUSY' });

function replaceDriver(): void {
	// The driver is that of n8n's TypeORM, wherever the package manager has put it.
	const n8n = createRequire(realpathSync(process.argv[1] ?? ''));
	const typeorm = createRequire(n8n.resolve('@n8n/typeorm'));
	const { Database } = typeorm('sqlite3') as { Database: { prototype: Record<string, Method> } };
	for (const name of ['run', 'all']) {
		const send = Database.prototype[name];
		if (send === undefined) {
			throw new Error(`The database driver has no method ${name}`);
		}

		Database.prototype[name] = function (this: unknown, ...values: unknown[]) {
			const [statement] = values;
			if (typeof statement !== 'string' || !strikes(statement)) {
				return send.apply(this, values);
			}

			// The driver takes a callback last, and returns the database at once.
			setImmediate(() => {
				(values.at(-1) as Callback).call(this, sqliteBusy());
			});

			return this;
		};
	}
}

async function listen(port: number): Promise<void> {
	const app = fastify();
	app.put<{ Body: StatementFault }>('/fault', ({ body }) => {
		fault = { ...body, matched: 0 };
		return fault;
	});

	app.delete('/fault', () => {
		const cleared = fault;
		fault = undefined;
		return cleared ?? {};
	});

	await app.listen({ host: '127.0.0.1', port });
	app.server.unref();
}

// Worker threads of n8n load this file as well.
if (isMainThread) {
	replaceDriver();
	await listen(Number(process.env['PROBE_PORT']));
}
