import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installHost, N8n, packPackage, type RunningN8n } from '../../../tools/n8n';
import { poll } from '../../../tools/n8n/poll';
import { expectNoSecrets, PLANTED_SECRET } from './secrets';
import { SUB_WORKFLOWS } from './subWorkflows';

/** Names the file that says how to use the n8n that the test files share. */
const FILE_VARIABLE = 'SHARED_N8N';

/** A first installation of n8n takes two minutes, on a slow machine more. */
const START_TIMEOUT_MS = 15 * 60_000;

/**
 * n8n evaluates expressions as usual, but begins an isolate for them only in an execution that has one, and
 * compiles what is in it once: thousands of executions of the tests have none.
 */
const LAZY_ISOLATES = {
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
};

declare global {
	var sharedN8n: Promise<N8n> | undefined;
}

/** Begins to start the one n8n of all test files, and lets the suites run that need none meanwhile. */
export default function setup(): void {
	const folder = mkdtempSync(join(tmpdir(), 'partner-payments-shared-'));
	const file = join(folder, 'n8n.json');
	process.env[FILE_VARIABLE] = file;
	const logFile = join(folder, 'n8n.log');
	writeFileSync(logFile, '');
	const say = (answer: RunningN8n | { error: string }): void => {
		writeFileSync(`${file}.new`, JSON.stringify(answer), { mode: 0o600 });
		renameSync(`${file}.new`, file);
	};

	globalThis.sharedN8n = start(logFile);
	globalThis.sharedN8n.then(
		({ url, process: { home }, client }) => {
			say({ url, home, logFile, session: client.session });
		},
		(error: unknown) => {
			say({ error: String(error) });
		},
	);
}

async function start(logFile: string): Promise<N8n> {
	await installHost();
	const env = { ...SUB_WORKFLOWS, ...LAZY_ISOLATES };
	return await N8n.start({ tarball: packPackage(), logFile, env });
}

/** The shared n8n, as a test file uses it. */
export async function sharedN8n(): Promise<N8n> {
	const file = process.env[FILE_VARIABLE];
	if (file === undefined) {
		throw new Error('These tests share no n8n: use useOwnFixture');
	}

	const timeout = { intervalMs: 200, timeoutMs: START_TIMEOUT_MS };
	await poll('the shared n8n to start', () => existsSync(file) || undefined, timeout);
	const answer = JSON.parse(readFileSync(file, 'utf8')) as RunningN8n | { error: string };
	if ('error' in answer) {
		throw new Error(answer.error);
	}

	return await N8n.attach(answer);
}

/** Looks for secrets in all that the shared n8n has kept and written, and stops it. */
export async function teardown(): Promise<void> {
	const n8n = await globalThis.sharedN8n;
	if (n8n === undefined) {
		return;
	}

	try {
		await n8n.createCredential('Control', 'partnerPaymentsApi', { clientSecret: PLANTED_SECRET });
		await n8n.createWorkflow({ name: PLANTED_SECRET, nodes: [], connections: {} });

		expectNoSecrets(n8n);
	} finally {
		await n8n.stop();
		rmSync(join(process.env[FILE_VARIABLE] ?? '', '..'), { recursive: true, force: true });
	}
}
