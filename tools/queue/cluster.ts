import { randomBytes } from 'node:crypto';

import { N8n } from '../n8n';
import { N8nClient } from '../n8n/client';
import { N8nProcess } from '../n8n/process';
import { LEDGER_TABLE, LEFT_BY_KILLED } from '../payouts/ledgerStore';
import { type Postgres, type Server, startPostgres, startRedis } from './servers';

/** A worker that was killed is noticed so soon; by default only after more than a minute. */
const WORKER_LOCK = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

/**
 * n8n in queue mode: a main process, workers and two webhook processors, with PostgreSQL and Redis. The
 * first payment makes the ledger.
 */
export class QueueCluster {
	private constructor(
		/** The main process: it has the editor and the public API, and serves no production webhook. */
		readonly n8n: N8n,
		/** They run the executions. */
		readonly workers: [N8nProcess, N8nProcess, ...N8nProcess[]],
		/** They serve the production webhooks. */
		readonly webhooks: N8nClient[],
		/** Makes what a killed worker has left in the ledger's table older, so that no run waits for it. */
		readonly ageLedger: () => void,
		/** Stops everything and removes all data. */
		readonly stop: () => Promise<void>,
	) {}

	/** Starts everything, with two workers at least; n8n, PostgreSQL and Redis have to be installed. */
	static async start(tarball: string, workerCount: number): Promise<QueueCluster> {
		const stops: Array<() => Promise<void>> = [];
		/** The last that was started is the first to be stopped. */
		const stopAll = async (): Promise<void> => {
			for (const stop of stops.splice(0).toReversed()) {
				await stop();
			}
		};

		try {
			const { n8n, workers, webhooks, ageLedger } = await startAll(tarball, workerCount, stops);
			return new QueueCluster(n8n, workers, webhooks, ageLedger, stopAll);
		} catch (error) {
			await stopAll();
			throw error;
		}
	}

	/** How many executions each worker has ended so far. */
	executionsByWorker(): number[] {
		const line = /Worker finished execution/g;
		return this.workers.map((worker) => worker.log().match(line)?.length ?? 0);
	}
}

async function startAll(tarball: string, workerCount: number, stops: Array<() => Promise<void>>) {
	const [postgres, redis] = await Promise.all([
		startPostgres().then((server) => keep(server, stops)),
		startRedis().then((server) => keep(server, stops)),
	]);

	const env = environmentOf(postgres, redis);
	const n8n = await N8n.start({ tarball, env });
	stops.push(async () => await n8n.stop());

	const launch = async (command: 'worker' | 'webhook'): Promise<N8nProcess> => {
		// They find the installed package in the main process's home.
		const process = await N8nProcess.prepare({ command, env, home: n8n.process.home });
		stops.push(async () => await process.stop());
		await process.launch();
		return process;
	};

	const startWorker = async (): Promise<N8nProcess> => await launch('worker');
	const startWebhook = async (): Promise<N8nClient> => {
		const { url } = await launch('webhook');
		return new N8nClient(url);
	};

	const more = Array.from({ length: workerCount - 2 }, startWorker);
	const workers = await Promise.all([startWorker(), startWorker(), ...more] as const);
	const webhooks = await Promise.all([startWebhook(), startWebhook()]);
	const ageLedger = (): void => {
		// The name of the ledger's table has an ID in it, which n8n chooses when the first payment makes it.
		const update = `UPDATE %I SET "updatedAt" = "updatedAt" - interval '1 hour' WHERE ${LEFT_BY_KILLED}`;
		const query = `SELECT format($text$${update}$text$, 'data_table_user_' || id)
			FROM data_table WHERE name = '${LEDGER_TABLE}'`;

		postgres.execute(`DO $do$ BEGIN EXECUTE (${query}); END $do$`);
	};

	return { n8n, workers, webhooks, ageLedger };
}

function keep<Kept extends Server>(server: Kept, stops: Array<() => Promise<void>>): Kept {
	stops.push(server.stop);
	return server;
}

const environmentOf = (postgres: Postgres, redis: Server): Record<string, string> => ({
	...WORKER_LOCK,
	EXECUTIONS_MODE: 'queue',
	N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: String(redis.port),
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(postgres.port),
	DB_POSTGRESDB_DATABASE: 'postgres',
	DB_POSTGRESDB_USER: postgres.user,
	DB_POSTGRESDB_PASSWORD: postgres.password,
});
