/**
 * Runs commands one after the other and removes their folder when the work is over.
 *
 * n8n is started through this small process because nothing else ends it reliably: exit handlers
 * do not run in a process that is killed, and none of them run inside Jest. The standard input is
 * a pipe to whoever started the keeper. When it closes, for whatever reason, the running command
 * is ended with all its children and the folder is removed; "keep" on the pipe spares the folder, and
 * "kill" ends the command without asking it.
 *
 * Usage: node keeper.mts FOLDER '[["command", "argument"], ...]'
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

/** n8n that was given longer to end its executions needs some time more to end itself. */
const PATIENCE_MS = Number(process.env['N8N_GRACEFUL_SHUTDOWN_TIMEOUT'] ?? 0) * 1_000 + 10_000;

const [folder = '', commands = '[]'] = process.argv.slice(2);
const state: { running?: ChildProcess; ending: boolean; keep: boolean } = {
	ending: false,
	keep: false,
};

/** Sends a signal to the running command and everything it started. */
function signalGroup(signal: NodeJS.Signals): void {
	try {
		if (state.running?.pid) process.kill(-state.running.pid, signal);
	} catch {
		// Nothing of it is left.
	}
}

/** Asks the running command to end, and makes it end when it takes too long. */
function end(): void {
	if (state.ending) return;
	state.ending = true;
	state.running?.kill('SIGTERM');
	setTimeout(signalGroup, PATIENCE_MS, 'SIGKILL').unref();
}

/** Runs one command in a process group of its own; the answer is its exit code. */
async function run([command = '', ...commandArguments]: string[]): Promise<number> {
	const child = spawn(command, commandArguments, {
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	state.running = child;
	// Handed on here, because n8n spins for ever when nobody reads its output any more.
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
process.stdin.on('close', end).on('data', (word: Buffer) => {
	state.keep ||= word.includes('keep');
	if (word.includes('kill')) signalGroup('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);

for (const command of JSON.parse(commands) as string[][]) {
	process.exitCode = state.ending ? 1 : await run(command);
	if (process.exitCode !== 0) break;
}
if (!state.keep && folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit();
