import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/client';
import { startSandbox } from '../support/sandbox';

/** A data file for each test, and the sandbox that runs on it; both are gone after the test. */
export class DataFile {
	folder = '';
	#running: Sandbox | undefined;

	constructor() {
		beforeEach(() => {
			this.folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
		});

		afterEach(async () => {
			await this.stop();
			rmSync(this.folder, { recursive: true, force: true });
		});
	}

	get path(): string {
		return join(this.folder, 'state.db');
	}

	/** Starts a sandbox on the file, after the one before has ended. */
	async start(): Promise<Sandbox> {
		await this.stop();
		return (this.#running = await startSandbox({ data: this.path }));
	}

	async stop(): Promise<void> {
		await this.#running?.stop();
		this.#running = undefined;
	}
}

/** The path of a source file of the sandbox. */
export const sandboxFile = (name: string): string => join(__dirname, '..', '..', 'sandbox', name);

/** Runs Node with TypeScript and waits until it ends; gets a file with flags, or `-e` and a program. */
export const runNode = (...args: string[]) =>
	spawnSync(process.execPath, ['--import', require.resolve('tsx'), ...args], {
		encoding: 'utf8',
		timeout: 60_000,
	});
