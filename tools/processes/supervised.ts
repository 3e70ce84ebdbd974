import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NODE } from '../n8n/paths';

/** How to start a {@link SupervisedProcess}. */
export interface SupervisedOptions {
	/** The commands run in it, and it is removed at the end. */
	folder: string;
	/** The folder is kept, however the process ends. */
	keepFolder?: boolean;
	/** Run one after the other, each when the one before has succeeded. */
	commands: string[][];
	env?: NodeJS.ProcessEnv;
	/** What asks the running command to end; SIGTERM when left out. */
	endSignal?: NodeJS.Signals;
	/** A file that takes what the commands write, for other processes to read. */
	logFile?: string | undefined;
}

/** Commands that end with this process, however that ends, and then remove their folder. */
export class SupervisedProcess {
	/** Everything that the commands have written so far. */
	log = '';

	/** Whether a command is still running. */
	isRunning = true;

	private readonly supervisor: ChildProcess;

	private readonly ended: Promise<void>;

	constructor({
		folder,
		keepFolder = false,
		commands,
		env,
		endSignal = 'SIGTERM',
		logFile,
	}: SupervisedOptions) {
		const supervisor = spawn(
			NODE,
			[join(__dirname, 'supervisor.mts'), folder, endSignal, JSON.stringify(commands)],
			{ cwd: folder, env, detached: true },
		);
		if (keepFolder) {
			supervisor.stdin.write('keep');
		}

		for (const stream of [supervisor.stdout, supervisor.stderr]) {
			stream.on('data', (chunk) => {
				this.log += String(chunk);
				if (logFile !== undefined) {
					appendFileSync(logFile, String(chunk));
				}
			});
		}

		this.supervisor = supervisor;
		this.ended = new Promise((resolve) => {
			supervisor.on('close', () => {
				this.isRunning = false;
				resolve();
			});
		});
	}

	/** The id of the running command, the only child of its supervisor. Works on Linux. */
	get pid(): number {
		const supervisor = String(this.supervisor.pid);
		return Number(readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8').trim());
	}

	/** Asks the running command to end, waits until it has, and removes the folder unless it is kept. */
	async stop(keepFolder = false): Promise<void> {
		this.supervisor.stdin?.end(keepFolder ? 'keep' : undefined);
		await this.ended;
	}

	/** Kills the running command with all that it has started. The folder is kept. */
	async kill(): Promise<void> {
		this.supervisor.stdin?.end('keep kill');
		await this.ended;
	}
}
