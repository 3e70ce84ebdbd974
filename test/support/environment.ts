import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import { register } from 'tsx/cjs/api';

import type * as sandboxOptions from '../../sandbox/options';
import type * as sandboxServer from '../../sandbox/server';
import type * as engineModule from '../engine/engine';

const ROOT = join(__dirname, '../..');

/** Starts a sandbox in this process, with the defaults of the command line where nothing is said. */
export type StartSandboxServer = (
	options: Partial<sandboxOptions.Options>,
	onOutput: (text: string) => void,
) => Promise<sandboxServer.RunningSandbox>;

declare global {
	var startSandboxServer: StartSandboxServer;
	/** Loads n8n's execution engine with the built node, once for all files of a worker. */
	var loadEngine: () => typeof engineModule;
	/** The character of each sandbox of the suite, where it has one. */
	var sandboxCharacter: sandboxOptions.Options['character'];
	/** Everything that the n8n of the test file has written so far, where it has one. */
	var n8nLog: (() => string) | undefined;
}

/**
 * The environment of a test file. It lies outside of the registry that Jest makes anew for each file, so
 * the sandbox and its libraries are loaded once for all files of a worker.
 */
export default class Environment extends TestEnvironment {
	override async setup(): Promise<void> {
		await super.setup();
		this.global.startSandboxServer = startSandboxServer;
		this.global.loadEngine = loadEngine;
	}

	/** Shows what n8n wrote while a test failed beside the error of the test. */
	handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent): void {
		const log = (): string => this.global.n8nLog?.() ?? '';
		if (event.name === 'test_start') {
			this.logged = log().length;
		}

		if (event.name !== 'test_done' || event.test.errors.length === 0) {
			return;
		}

		const written = log().slice(this.logged);
		if (written !== '') {
			event.test.errors.push([`n8n wrote meanwhile:\n${written}`, undefined]);
		}
	}

	private logged = 0;
}

const startSandboxServer: StartSandboxServer = async (options, onOutput) => {
	const { startServer, readOptions } = loadSandbox();
	const defaults = readOptions(['--port', String(nextPort()), '--auth-port', String(nextPort())]);
	if (defaults === undefined) {
		throw new Error('The sandbox has no options');
	}

	try {
		return await startServer({ ...defaults, ...options }, onOutput);
	} catch (error) {
		// Tests of another run use the same ports.
		const isTaken = options.port === undefined && String(error).includes('EADDRINUSE');
		if (isTaken) {
			return await startSandboxServer(options, onOutput);
		}

		throw error;
	}
};

let engine: typeof engineModule | undefined;

/** Has the next test file load the engine, and with it the built node, anew. */
export function unloadEngine(): void {
	const { cache } = createRequire(__filename);
	const isUnloaded = (file: string): boolean =>
		file.startsWith(join(ROOT, 'dist')) || /engine.(engine|environment)\.ts$/.test(file);
	for (const file of Object.keys(cache).filter(isUnloaded)) {
		Reflect.deleteProperty(cache, file);
	}
	engine = undefined;
}

const loadEngine = (): typeof engineModule =>
	(engine ??= loadSources('../engine/engine.ts') as typeof engineModule);

type Sandbox = typeof sandboxServer & typeof sandboxOptions;
let sandbox: Sandbox | undefined;

function loadSandbox(): Sandbox {
	return (sandbox ??= {
		...(loadSources('../../sandbox/server.ts') as typeof sandboxServer),
		...(loadSources('../../sandbox/options.ts') as typeof sandboxOptions),
	});
}

/** Loads TypeScript as the commands do; Jest's transformer knows nothing of the sandbox's pages. */
function loadSources(path: string): unknown {
	process.env['TSX_TSCONFIG_PATH'] = join(ROOT, 'tsconfig.dev.json');
	const unregister = register();
	try {
		return createRequire(__filename)(path) as unknown;
	} finally {
		unregister();
	}
}

/**
 * Ports below those that the system gives out by itself, other ones for each worker. None is used twice:
 * n8n keeps tokens and rates by address, and has to take each sandbox for another service.
 */
const FIRST_PORT = 20_000;
const PORTS_OF_A_WORKER = 3_000;
let usedPorts = 0;

function nextPort(): number {
	const worker = Number(process.env['JEST_WORKER_ID'] ?? 1) % 4;
	usedPorts += 1;
	if (usedPorts === PORTS_OF_A_WORKER) {
		throw new Error('Every port of this worker was used');
	}

	return FIRST_PORT + worker * PORTS_OF_A_WORKER + usedPorts;
}
