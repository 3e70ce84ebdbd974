import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagsOf, type Options } from './options';
import type { Ready } from './server';

/** How to start a sandbox; the defaults are those of the command line, on any free ports. */
export interface SandboxOptions extends Partial<Omit<Options, 'readyFile'>> {
	onOutput?: (text: string) => void;
}

const root = join(__dirname, '..');
const START_TIMEOUT_MS = 30_000;

/**
 * Starts a sandbox as a child process and waits until it has written the ready file.
 * @throws with the sandbox's own output when it does not start
 */
export async function launchSandbox(
	options: SandboxOptions,
	readyFile: string,
): Promise<{ ready: Ready; stop: () => Promise<void> }> {
	const child = launch(options, readyFile);
	const stop = async () => {
		await end(child);
	};
	const deadline = Date.now() + START_TIMEOUT_MS;
	while (!existsSync(readyFile)) {
		if (hasEnded(child)) throw new Error(`The sandbox did not start.\n${child.output()}`);
		if (Date.now() > deadline) {
			await stop();
			const seconds = START_TIMEOUT_MS / 1000;
			throw new Error(`The sandbox was not ready in ${seconds} s.\n${child.output()}`);
		}
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	return { ready: JSON.parse(readFileSync(readyFile, 'utf8')) as Ready, stop };
}

interface Child {
	process: ChildProcess;
	exited: Promise<void>;
	output: () => string;
}

function launch(options: SandboxOptions, readyFile: string): Child {
	const { onOutput, ...flags } = options;
	// Small semi-spaces, as requests leave little behind: 80 MB less.
	// The import hook instead of the tsx command: one process, which the channel below can end.
	const args = [
		...[
			'--max-semi-space-size=4',
			'--import',
			require.resolve('tsx'),
			join(root, 'sandbox', 'main.ts'),
		],
		...flagsOf({ port: 0, authPort: 0, ...flags, readyFile }),
	];
	const child = spawn(nodeExecutable(), args, {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		env: environment(),
	});
	let output = '';
	const collect = (text: string): void => {
		output = (output + text).slice(-20_000);
		onOutput?.(text);
	};
	child.stdout?.setEncoding('utf8').on('data', collect);
	child.stderr?.setEncoding('utf8').on('data', collect);
	const exited = new Promise<void>((resolve) => {
		child.once('exit', () => {
			resolve();
		});
		child.once('error', (error) => {
			collect(error.message);
			resolve();
		});
	});
	return { process: child, exited, output: () => output };
}

/** The state lives in node:sqlite, which an older Node that runs this may not have. */
function nodeExecutable(): string {
	const bundled = join(root, 'node_modules', 'node', 'bin', 'node');
	const isRecent = Number(process.versions.node.split('.')[0]) >= 24;
	return isRecent || !existsSync(bundled) ? process.execPath : bundled;
}

/** The child gets no debugger or test runner that is attached to this process. */
function environment(): NodeJS.ProcessEnv {
	const { NODE_OPTIONS: _, ...rest } = process.env;
	return { ...rest, TSX_TSCONFIG_PATH: join(root, 'tsconfig.dev.json') };
}

async function end(child: Child): Promise<void> {
	if (!hasEnded(child)) child.process.kill('SIGTERM');
	await child.exited;
}

/** Also true for a process that could not be started at all. */
const hasEnded = ({ process: { pid, exitCode, signalCode } }: Child): boolean =>
	pid === undefined || exitCode !== null || signalCode !== null;
