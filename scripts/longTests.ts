/**
 * `npm run test:long`: the suites that `npm test` leaves out, at a small scale. A suite whose programs this
 * machine does not have is left out, and named at the beginning and at the end; in CI, that is a failure.
 */
import { spawnSync } from 'node:child_process';

import { findMissingForCompiling, OLDEST_HOST } from '../tools/n8n';
import { ROOT } from '../tools/n8n/paths';
import { findMissingServers } from '../tools/queue/servers';

/** Each runs by itself, so that the number of times that n8n starts is limited for each. */
const RUNS = [
	{
		suites: ['lifecycle', 'browser', 'examples', 'versions', 'faults', 'queue', 'bench'],
		// The benchmarks start it nine times alone, since they measure that. The examples start one for each of
		// their four files, which mostly wait, and so do it at the same time.
		starts: 43,
	},
	{ suites: ['strict', 'loose', 'hostile'], starts: 1 },
];

const INSTALLATION =
	'apt install postgresql redis-server python3 python3-setuptools make g++ libnode-dev';

const incomplete = [
	{ suite: 'queue', missing: findMissingServers() },
	{ suite: 'versions', missing: findMissingForCompiling(OLDEST_HOST) },
].filter(({ missing }) => missing.length > 0);

const leftOut = incomplete.map(({ suite }) => suite);
const reasons = incomplete.map(({ suite, missing }) => `"${suite}" needs ${missing.join(' and ')}`);

function runSuites(): void {
	for (const { suites, starts } of RUNS) {
		const selected = suites.filter((suite) => !leftOut.includes(suite));
		const { status } = spawnSync('jest', ['--selectProjects', ...selected], {
			cwd: ROOT,
			env: { QUEUE_SCALE: '0.1', ...process.env, N8N_STARTS_MAX: String(starts) },
			stdio: 'inherit',
		});

		if (status !== 0) {
			process.exitCode = 1;
			return;
		}
	}
}

function announce(): void {
	if (reasons.length > 0) {
		console.error(
			`NOT TESTED: ${reasons.join(', ')}. On Debian, all of it comes with "${INSTALLATION}".`,
		);
	}
}

const mayLeaveOut = process.env['CI'] === undefined;
announce();
if (reasons.length > 0 && !mayLeaveOut) {
	process.exitCode = 1;
} else {
	runSuites();
	announce();
}
