import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { type Host, NEWEST_HOST } from './hosts';
import { NODE, ROOT } from './paths';

const PNPM = join(ROOT, 'node_modules/pnpm/bin/pnpm.cjs');

const BUILD_TOOLS =
	'On Debian or Ubuntu: apt-get install build-essential python3 python3-setuptools libnode-dev';

/** Known causes of a failure, by what pnpm writes, with what to do about each. */
const REASONS: Array<[pattern: RegExp, explanation: string]> = [
	[
		/any Python installation|No module named 'distutils'/,
		`n8n's SQLite driver has to be compiled here, and Python (with setuptools) is missing. ${BUILD_TOOLS}`,
	],
	[
		/gyp WARN install got an error/,
		`n8n's SQLite driver has to be compiled here, and the header files of Node.js are neither installed nor in reach. ${BUILD_TOOLS}`,
	],
	[
		/gyp ERR!/,
		`n8n's SQLite driver has to be compiled here, and the C++ compiler or make is missing or failed. ${BUILD_TOOLS}`,
	],
	[/ENOSPC/, 'The disk is full; n8n needs about 2 GB.'],
	[
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|META_FETCH_FAIL|ERR_PNPM_FETCH/,
		'The npm registry cannot be reached. Check the network and the registry and proxy settings of npm.',
	],
];

/**
 * Installs an n8n, the newest unless told otherwise, when it is missing or when its lock file has
 * changed, and shows what pnpm says. Takes two minutes when everything has to be downloaded and compiled,
 * and no time when it is there already.
 */
export async function installHost({ folder, version }: Host = NEWEST_HOST): Promise<void> {
	const wanted = fingerprint(folder);
	const stamp = join(folder, 'node_modules/.installed-from');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
	for (const tool of [NODE, PNPM]) {
		if (!existsSync(tool)) throw new Error(`${tool} is missing. Run "npm ci" first.`);
	}
	console.log(`Installing n8n ${version} (once; about two minutes and 2 GB) ...`);
	rmSync(stamp, { force: true });

	const child = spawn(
		NODE,
		[PNPM, 'install', '--frozen-lockfile', '--ignore-workspace', '--reporter=append-only'],
		{ cwd: folder, env: installEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] },
	);
	const killChild = (): boolean => child.kill();
	process.once('exit', killChild);
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			output += String(chunk);
			process.stdout.write(chunk);
		});
	}
	const code = await new Promise<number | null>((resolve, reject) => {
		child.on('error', reject);
		child.on('close', resolve);
	});
	process.off('exit', killChild);

	if (code !== 0) throw new Error(explain(output));
	writeFileSync(stamp, wanted);
	console.log(`n8n ${version} is installed.`);
}

/** A hash of everything that decides what is installed. */
function fingerprint(folder: string): string {
	const hash = createHash('sha256').update(process.platform + process.arch);
	for (const file of ['package.json', 'pnpm-lock.yaml', '.npmrc']) {
		hash.update(readFileSync(join(folder, file)));
	}
	return hash.digest('hex');
}

/**
 * The environment for the installation. Where the header files of a Node.js lie on this machine, they
 * are used for compiling: otherwise they would be downloaded from nodejs.org, which is often out of
 * reach. Their version does not matter, as the driver uses only the stable Node-API. SQLite is compiled
 * with few optimizations: with all of them, that one file takes three times as long, most of the wait.
 */
function installEnvironment(): NodeJS.ProcessEnv {
	const path = process.env['PATH'] ?? '';
	const headers = path
		.split(delimiter)
		.map((directory) => dirname(directory))
		.find((directory) => existsSync(join(directory, 'include/node/node_api.h')));
	return {
		...(headers !== undefined && { npm_config_nodedir: headers }),
		CFLAGS: '-O1',
		JOBS: 'max',
		...process.env,
		PATH: [dirname(NODE), path].join(delimiter),
		CI: 'true',
	};
}

/** The error message: what is missing, what to do, and the end of pnpm's output. */
function explain(output: string): string {
	const reason = REASONS.find(([pattern]) => pattern.test(output))?.[1] ?? 'pnpm failed.';
	return `n8n could not be installed. ${reason}\n\nThe end of pnpm's output:\n${output.split('\n').slice(-15).join('\n')}`;
}
