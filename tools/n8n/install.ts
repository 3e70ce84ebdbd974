import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { findMissing } from '../programs';
import { type Host, NEWEST_HOST } from './hosts';
import { NODE, ROOT } from './paths';

const PNPM = join(ROOT, 'node_modules/pnpm/bin/pnpm.cjs');

/** Left in the folder of an n8n that is installed, with the hash of what it was installed from. */
const STAMP = 'node_modules/.installed-from';

/**
 * Installs an n8n, the newest unless told otherwise, when it is missing or when its lock file has
 * changed, and shows what pnpm says. Takes two minutes when everything has to be downloaded, and no time
 * when it is there already.
 */
export async function installHost(host: Host = NEWEST_HOST): Promise<void> {
	if (isInstalled(host)) {
		return;
	}

	const { folder, version } = host;
	const stamp = join(folder, STAMP);

	for (const tool of [NODE, PNPM]) {
		if (!existsSync(tool)) {
			throw new Error(`${tool} is missing. Run "npm ci" first.`);
		}
	}

	console.log(`Installing n8n ${version} (once; about two minutes and 2 GB) ...`);
	rmSync(stamp, { force: true });

	const child = spawn(
		NODE,
		[PNPM, 'install', '--frozen-lockfile', '--ignore-workspace', '--reporter=append-only'],
		{ cwd: folder, env: installEnvironment(), stdio: ['ignore', 'inherit', 'inherit'] },
	);

	const killChild = (): boolean => child.kill();
	process.once('exit', killChild);

	const [code] = (await once(child, 'close')) as [number | null];
	process.off('exit', killChild);

	if (code !== 0) {
		throw new Error(
			`n8n could not be installed: see what pnpm says above. It takes 2 GB. The oldest n8n compiles its SQLite driver, which needs what CONTRIBUTING.md lists.`,
		);
	}

	writeFileSync(stamp, fingerprint(folder));
	console.log(`n8n ${version} is installed.`);
}

/**
 * What this machine lacks for compiling the SQLite driver of an n8n that is not installed yet. The newest
 * n8n has a compiled one from the registry instead, so that it installs anywhere.
 */
export function findMissingForCompiling(host: Host): string[] {
	if (isInstalled(host)) {
		return [];
	}

	return findMissing([
		{ name: 'a C++ compiler', programs: ['c++'] },
		{ name: 'make', programs: ['make'] },
		{ name: 'Python', programs: ['python3'] },
	]);
}

function isInstalled({ folder }: Host): boolean {
	const stamp = join(folder, STAMP);
	return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(folder);
}

/** A hash of everything that decides what is installed; the lock file has those of its patches. */
function fingerprint(folder: string): string {
	const hash = createHash('sha256').update(process.platform + process.arch);
	for (const file of ['package.json', 'pnpm-lock.yaml', '.npmrc']) {
		hash.update(readFileSync(join(folder, file)));
	}

	return hash.digest('hex');
}

/**
 * The environment for the installation, in which the oldest n8n compiles its SQLite driver. Where the header
 * files of a Node.js lie on this machine, they are used: otherwise they would be downloaded from nodejs.org,
 * which is often out of reach. Their version does not matter, as the driver uses only the stable Node-API.
 * SQLite is compiled with few optimizations: with all of them, that one file takes three times as long, most
 * of the wait.
 */
function installEnvironment(): NodeJS.ProcessEnv {
	const path = process.env['PATH'] ?? '';
	const headers = path
		.split(delimiter)
		.map((directory) => dirname(directory))
		.find((directory) => existsSync(join(directory, 'include/node/node_api.h')));

	const compiling = headers === undefined ? {} : { npm_config_nodedir: headers };
	return {
		...compiling,
		CFLAGS: '-O1',
		JOBS: 'max',
		...process.env,
		PATH: [dirname(NODE), path].join(delimiter),
		CI: 'true',
	};
}
