/**
 * Lets tests inject faults into what n8n sends to its database.
 *
 * Node.js loads this file into n8n's process before n8n (`--import`). It replaces the methods of the
 * SQLite and PostgreSQL drivers through which TypeORM sends statements, and listens on a port of
 * this machine for the faults that databaseFaults.ts describes.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import fastify from 'fastify';

import type { ActiveStatementFault, StatementFault } from './databaseFaults';

type Method = (this: unknown, ...values: unknown[]) => unknown;
type Callback = (this: unknown, error: Error) => void;

const faults: ActiveStatementFault[] = [];

/** Counts a statement, and returns the faults that strike it. */
function strike(statement: string): ActiveStatementFault[] {
	return faults.filter((fault) => {
		if (!new RegExp(fault.statement, 'i').test(statement)) return false;
		fault.matched += 1;
		if (fault.nth !== undefined && fault.nth !== fault.matched) return false;
		fault.latest = statement;
		return true;
	});
}

const totalDelayMs = (struck: StatementFault[]): number =>
	struck.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0);

/** Replaces a method by one that may act on a statement first. */
function replace(
	prototype: Record<string, Method>,
	name: string,
	act: (struck: ActiveStatementFault[], send: Method, self: unknown, values: unknown[]) => unknown,
): void {
	const send = prototype[name];
	if (send === undefined) throw new Error(`The database driver has no method ${name}`);
	prototype[name] = function (this: unknown, ...values: unknown[]) {
		const [statement] = values;
		const struck = typeof statement === 'string' ? strike(statement) : [];
		return struck.length === 0 ? send.apply(this, values) : act(struck, send, this, values);
	};
}

/** The error of SQLite's driver when another connection writes. */
const sqliteBusy = (): Error =>
	Object.assign(new Error('SQLITE_BUSY: database is locked'), { errno: 5, code: 'SQLITE_BUSY' });

/** SQLite's driver takes a callback last, and returns the database at once. */
function sendToSqlite(
	struck: ActiveStatementFault[],
	send: Method,
	self: unknown,
	values: unknown[],
): unknown {
	void delay(totalDelayMs(struck)).then(() => {
		if (struck.some(({ fail }) => fail)) (values.at(-1) as Callback).call(self, sqliteBusy());
		else send.apply(self, values);
	});
	return self;
}

const SERIALIZATION_FAILURE = `DO $$ BEGIN
	RAISE EXCEPTION 'could not serialize access due to concurrent update' USING ERRCODE = '40001';
END $$`;

/** PostgreSQL's driver returns a promise. The server itself fails, and so ends the transaction. */
async function sendToPostgres(
	struck: ActiveStatementFault[],
	send: Method,
	self: unknown,
	values: unknown[],
): Promise<unknown> {
	await delay(totalDelayMs(struck));
	const isFailure = struck.some(({ fail }) => fail);
	return await send.apply(self, isFailure ? [SERIALIZATION_FAILURE] : values);
}

function replaceDrivers(): void {
	// The drivers are those of n8n's TypeORM, wherever the package manager has put them.
	const n8n = createRequire(realpathSync(process.argv[1] ?? ''));
	const typeorm = createRequire(n8n.resolve('@n8n/typeorm'));
	const sqlite = typeorm('sqlite3') as { Database: { prototype: Record<string, Method> } };
	for (const name of ['run', 'all']) replace(sqlite.Database.prototype, name, sendToSqlite);
	const postgres = typeorm('pg') as { Client: { prototype: Record<string, Method> } };
	replace(postgres.Client.prototype, 'query', sendToPostgres);
}

async function listen(port: number): Promise<void> {
	const app = fastify();
	let count = 0;
	app.post<{ Body: StatementFault }>('/faults', ({ body }) => {
		const fault = { ...body, id: ++count, matched: 0 };
		faults.push(fault);
		return fault;
	});
	app.get('/faults', () => faults);
	app.delete('/faults', () => {
		faults.length = 0;
		return {};
	});
	await app.listen({ host: '127.0.0.1', port });
	app.server.unref();
}

// Worker threads of n8n load this file as well.
if (isMainThread) {
	replaceDrivers();
	await listen(Number(process.env['DATABASE_FAULTS_PORT']));
}
