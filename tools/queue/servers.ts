/** The servers that n8n's queue mode needs, each on a free port with a temporary folder for its data. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, globSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import getPort from 'get-port';

import { poll } from '../n8n/poll';
import { SupervisedProcess } from '../processes/supervised';
import { findMissing } from '../programs';

/** A running server on this machine. */
export interface Server {
	port: number;
	/** Ends it, and removes its data. */
	stop: () => Promise<void>;
}

/** A PostgreSQL, with a user who owns the database `postgres`. */
export interface Postgres extends Server {
	user: string;
	password: string;
	/** Executes a statement, and waits for its end. */
	execute: (statement: string) => void;
}

/** Debian's package has a folder for each version, and puts only a part of it on the path. */
const folders = globSync('/usr/lib/postgresql/*/bin').sort().toReversed();
const env = { ...process.env, PATH: [...folders, process.env['PATH']].join(delimiter) };

/** The user whom Debian's package creates: PostgreSQL refuses to run as root. */
const POSTGRES_USER = 'postgres';
const POSTGRES_LOGIN = 'n8n';

/** n8n has five processes with connections of their own. */
const MAX_CONNECTIONS = 200;

/** Which of the servers this machine does not have. */
export const findMissingServers = (): string[] =>
	findMissing(
		[
			{ name: 'PostgreSQL', programs: ['initdb', 'postgres', 'psql'] },
			{ name: 'Redis', programs: ['redis-server'] },
		],
		env.PATH,
	);

/** Starts a PostgreSQL with an empty database that only its password opens. */
export async function startPostgres(): Promise<Postgres> {
	const port = await getPort();
	const folder = makeFolder('postgres');
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	const password = randomBytes(16).toString('hex');
	writeFileSync(passwordFile, password, { mode: 0o600 });

	const asUser = process.getuid?.() === 0 ? giveAway(folder, passwordFile) : [];
	const initialize = [
		'initdb',
		`--pgdata=${data}`,
		'--no-sync',
		'--encoding=UTF8',
		'--locale=C',
		`--username=${POSTGRES_LOGIN}`,
		`--pwfile=${passwordFile}`,
		'--auth=scram-sha-256',
	];

	const serve = [
		'postgres',
		'-D',
		data,
		`--port=${port}`,
		'--listen_addresses=127.0.0.1',
		'--unix_socket_directories=',
		`--max_connections=${MAX_CONNECTIONS}`,
	];

	const server = new SupervisedProcess({
		folder,
		env,
		commands: [initialize, serve].map((command) => [...asUser, ...command]),
		// SIGTERM waits until every client has gone by itself.
		endSignal: 'SIGINT',
	});

	await whenReady('PostgreSQL', server);

	const url = `postgresql://${POSTGRES_LOGIN}:${password}@127.0.0.1:${port}/postgres`;
	const execute = (statement: string): void => {
		execFileSync('psql', ['--no-psqlrc', '--quiet', '--command', statement, url], { env });
	};

	return { port, user: POSTGRES_LOGIN, password, execute, stop: async () => await server.stop() };
}

/** Starts a Redis that keeps its data in memory. */
export async function startRedis(): Promise<Server> {
	const port = await getPort();
	const folder = makeFolder('redis');
	const settings = {
		port: String(port),
		bind: '127.0.0.1',
		dir: folder,
		save: '',
		appendonly: 'no',
	};

	const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
	const command = ['redis-server', ...flags];

	const server = new SupervisedProcess({ folder, commands: [command] });
	await whenReady('Redis', server);
	return { port, stop: async () => await server.stop() };
}

const makeFolder = (name: string): string =>
	mkdtempSync(join(tmpdir(), `partner-payments-${name}-`));

/** Makes PostgreSQL's user the owner of the paths; returns what begins a command that runs as this user. */
function giveAway(...paths: string[]): string[] {
	const idOf = (flag: string): number =>
		Number(execFileSync('id', [flag, POSTGRES_USER], { encoding: 'utf8' }));

	for (const path of paths) {
		chownSync(path, idOf('-u'), idOf('-g'));
	}

	return ['setpriv', `--reuid=${POSTGRES_USER}`, `--regid=${POSTGRES_USER}`, '--init-groups'];
}

/** Both servers write so. */
const READY = /ready to accept connections/i;

async function whenReady(name: string, server: SupervisedProcess): Promise<void> {
	try {
		await poll(`${name} to start`, () => {
			if (!server.isRunning) {
				throw new Error(`${name} ended before it was ready`);
			}

			return READY.test(server.log) || undefined;
		});
	} catch (error) {
		await server.stop();
		throw new Error(
			`${String(error)}\n\nOn Debian, install postgresql and redis-server. ${name} wrote:\n${server.log}`,
		);
	}
}
