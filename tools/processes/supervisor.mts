/**
 * Process supervisor: runs commands one after the other, and removes their folder at the end.
 *
 * Servers are started through this small process because nothing else ends them reliably: exit
 * handlers do not run in a process that is killed, and none of them run inside Jest. The standard
 * input is a pipe from the process that started the supervisor. When it closes, for whatever reason,
 * the running command is ended with all its children and the folder is removed. "keep" on the pipe
 * keeps the folder, "kill" kills the command at once.
 *
 * Usage: node supervisor.mts FOLDER SIGNAL '[["command", "argument"], ...]'
 * SIGNAL is the one that asks a command to end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/** How long a command may take to end: n8n's own grace period for its executions, and a margin. */
const SHUTDOWN_TIMEOUT_MS =
	Number(process.env['N8N_GRACEFUL_SHUTDOWN_TIMEOUT'] ?? 0) * 1_000 + 10_000;

const [folder = '', endSignal = 'SIGTERM', commands = '[]'] = process.argv.slice(2);
const state: { running?: ChildProcess; ending: boolean; keep: boolean } = {
	ending: false,
	keep: false,
};

/** Sends a signal to the running command and everything it started. */
function signalGroup(signal: NodeJS.Signals): void {
	try {
		if (state.running?.pid) {
			process.kill(-state.running.pid, signal);
		}
	} catch {
		// No process of the group is left.
	}
}

/** Ends the running command: its own signal, and SIGKILL after the timeout. */
function end(): void {
	if (state.ending) {
		return;
	}

	state.ending = true;
	state.running?.kill(endSignal as NodeJS.Signals);
	setTimeout(signalGroup, SHUTDOWN_TIMEOUT_MS, 'SIGKILL').unref();
}

/** Runs one command in a process group of its own; returns its exit code. */
async function run([command = '', ...commandArguments]: string[]): Promise<number> {
	const child = spawn(command, commandArguments, {
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});

	state.running = child;

	// Read here even when the reader of this process is gone: n8n loops forever on a broken pipe.
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => process.stdout.write(chunk));
	}

	child.on('exit', () => {
		signalGroup('SIGKILL');
	});

	return await new Promise<number>((resolve) => {
		child.on('close', (exitCode) => {
			resolve(exitCode ?? 1);
		});

		child.on('error', (error) => {
			console.error(error.message);
			resolve(1);
		});
	});
}

process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
process.stdin.on('close', end).on('data', (command: Buffer) => {
	state.keep ||= command.includes('keep');
	if (command.includes('kill')) {
		signalGroup('SIGKILL');
	}
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, end);
}

for (const command of JSON.parse(commands) as string[][]) {
	process.exitCode = state.ending ? 1 : await run(command);
	if (process.exitCode !== 0) {
		break;
	}
}

if (!state.keep && folder) {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

process.exit();
