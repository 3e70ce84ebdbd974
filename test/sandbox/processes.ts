import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for each test, which is removed after it. */
export class TemporaryFolder {
	path = '';

	constructor() {
		beforeEach(() => {
			this.path = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
		});
		afterEach(() => {
			rmSync(this.path, { recursive: true, force: true });
		});
	}

	/** The path of a file in it. */
	file(name: string): string {
		return join(this.path, name);
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

/** Lets a server listen on a free port, and answers the port. */
export async function listen(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('It listens nowhere.');
	return address.port;
}

/** Listens on a free port; answers the port and how to stop. */
export async function listenOnFreePort(): Promise<{ port: number; close: () => Promise<void> }> {
	const server = createServer();
	return {
		port: await listen(server),
		close: async () => {
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
