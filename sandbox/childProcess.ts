import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { flagsOf, type Options } from './options';
import type { Ready } from './server';

/** How to start a sandbox; the defaults are those of the command line, on any free ports. */
export interface SandboxOptions extends Partial<Options> {
	onOutput?: (text: string) => void;
}

const root = join(__dirname, '..');
const START_TIMEOUT_MS = 30_000;
const MOST_OUTPUT = 20_000;

/**
 * Starts a sandbox as a child process and waits until it says that it listens.
 * @throws with the sandbox's own output when it does not start
 */
export async function launchSandbox({ onOutput, ...flags }: SandboxOptions): Promise<{
	ready: Ready;
	stop: () => Promise<void>;
}> {
	const child = spawnSandbox(flags);
	let output = '';
	const collect = (text: string): void => {
		output = (output + text).slice(-MOST_OUTPUT);
		onOutput?.(text);
	};

	child.stdout?.setEncoding('utf8').on('data', collect);
	child.stderr?.setEncoding('utf8').on('data', collect);

	let isRunning = true;
	const ended = new Promise<undefined>((resolve) => {
		const end = (): void => {
			isRunning = false;
			resolve(undefined);
		};

		child.once('close', end);
		child.once('error', (error) => {
			collect(error.message);
			end();
		});
	});

	const stop = async (): Promise<void> => {
		if (isRunning) {
			child.kill('SIGTERM');
		}

		await ended;
	};

	const message = new Promise<unknown>((resolve) => child.once('message', resolve));
	const timeout = sleep(START_TIMEOUT_MS, undefined, { ref: false });
	// Only `main.ts` writes into the channel.
	const ready = (await Promise.race([message, ended, timeout])) as Ready | undefined;
	if (ready === undefined) {
		await stop();
		throw new Error(`The sandbox did not start.\n${output}`);
	}

	return { ready, stop };
}

function spawnSandbox(flags: Partial<Options>): ChildProcess {
	const args = [
		// Requests leave little behind, and small semi-spaces save 80 MB.
		'--max-semi-space-size=4',
		// The hook instead of the tsx command makes it one process, which the channel can end.
		'--import',
		require.resolve('tsx'),
		join(root, 'sandbox', 'main.ts'),
		...flagsOf({ port: 0, authPort: 0, ...flags }),
	];

	// The child gets no debugger or test runner that is attached to this process.
	const { NODE_OPTIONS: _, ...environment } = process.env;
	return spawn(nodeExecutable(), args, {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		env: { ...environment, TSX_TSCONFIG_PATH: join(root, 'tsconfig.dev.json') },
	});
}

/** The state lives in node:sqlite, which an older Node that runs this may not have. */
function nodeExecutable(): string {
	const [major] = process.versions.node.split('.');
	if (Number(major) >= 24) {
		return process.execPath;
	}

	const bundled = join(root, 'node_modules', 'node', 'bin', 'node');
	return existsSync(bundled) ? bundled : process.execPath;
}
