/**
 * `npm run test:fuzz -- <rounds> [seed]`: the package's own code for payouts, fundings, resolutions, deposits
 * and events in several processes at once, over one ledger in a SQLite file, against a service in this
 * process that keeps the truth. Processes are killed, answers are lost or come late, requests are refused,
 * and persons say what is so, or what is not. After each round: an invoice and a payable are funded at most
 * once, what was answered is in the ledger, and nothing that is said to be paid is unpaid. Only this machine
 * reaches it. A round that has broken a promise names its seed, with which it alone runs again; in which
 * order the processes come, the machine decides each time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildWorker } from '../tools/fuzz/build';
import { DataTables } from '../tools/fuzz/dataTables';
import { Figures } from '../tools/fuzz/figures';
import { violationsOf } from '../tools/fuzz/judge';
import { planRound } from '../tools/fuzz/plan';
import { Round, type Scene } from '../tools/fuzz/round';
import { Service } from '../tools/fuzz/service';
import { Truth } from '../tools/fuzz/truth';
import { Worker } from '../tools/fuzz/workers';
import { Program } from '../tools/program';

const [rounds = 400, seed = 1] = process.argv.slice(2).map(Number).filter(Number.isFinite);
/** Rounds that are played at the same time, each with processes of its own. */
const LANES = 2;
const PROCESSES = 3;
const ROUND_TIMEOUT_MS = 120_000;
const TIMEOUT_MS = 60 * 60_000;

const program = new Program();

async function measure(): Promise<boolean> {
	const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
	process.on('exit', () => {
		rmSync(folder, { recursive: true, force: true });
	});

	const database = join(folder, 'ledger.sqlite');
	const truth = new Truth();
	const service = new Service(truth);
	const tables = new DataTables(database);
	const figures = new Figures();
	const workers: Worker[] = [];

	try {
		const script = await buildWorker(folder);
		const port = await service.listen();
		const scene: Scene = { tables, truth, service };
		console.log(
			`${rounds} rounds from seed ${seed}, ${LANES} at a time with ${PROCESSES} processes each ...`,
		);

		let next = 0;
		const playLane = async (): Promise<void> => {
			const own = Array.from(
				{ length: PROCESSES },
				() =>
					new Worker(script, { database, port }, (name) => {
						figures.addFault(name);
					}),
			);
			workers.push(...own);
			while (next < rounds && !figures.isFull) {
				const index = next;
				next += 1;
				const plan = planRound(index, seed + index);
				const round = new Round(scene, own, index, plan);
				const played = await withTimeout(round.play(), `round ${index} of seed ${plan.seed}`);
				figures.addRound(played, truth, violationsOf(played, truth));
			}
		};
		await Promise.all(Array.from({ length: LANES }, playLane));
		figures.report(truth);
		return figures.isClean;
	} finally {
		for (const worker of workers) {
			worker.kill();
		}

		service.close();
		tables.close();
	}
}

async function withTimeout<Value>(promise: Promise<Value>, what: string): Promise<Value> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<never>((_, reject) => {
		timer = setTimeout(() => {
			reject(new Error(`It takes longer than ${ROUND_TIMEOUT_MS / 1000} seconds: ${what}`));
		}, ROUND_TIMEOUT_MS);
	});
	return await Promise.race([promise, timeout]).finally(() => {
		clearTimeout(timer);
	});
}

void program.run(measure, TIMEOUT_MS);
