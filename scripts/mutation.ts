/**
 * `npm run test:mutation`: mutation testing, area by area. Stryker prints the mutants that no test has
 * noticed; this prints the score of each file, and fails where one is too low.
 * `npm run test:mutation -- retries` tests one area alone.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../tools/n8n/paths';

const CONFIG = 'scripts/stryker.config.mjs';

/** As Stryker's configuration names them. */
const AREAS = [
	'amounts',
	'messages',
	'retries',
	'pacing',
	'claims',
	'rows',
	'rules',
	'records',
	'numbers',
	'links',
	'places',
	'payouts',
	'trigger',
];

/** In per cent, for each file. */
const LOWEST_SCORE = 93;

/** What is read of Stryker's report. */
interface Report {
	files: Record<string, { mutants: Array<{ status: string }> }>;
}

const areas = process.argv.length > 2 ? process.argv.slice(2) : AREAS;
for (const { files } of areas.map(mutate)) {
	for (const [file, { mutants }] of Object.entries(files)) {
		const count = (...statuses: string[]): number =>
			mutants.filter(({ status }) => statuses.includes(status)).length;

		const detected = count('Killed', 'Timeout');
		const score = (100 * detected) / (detected + count('Survived', 'NoCoverage'));
		console.log(`${file}: ${score.toFixed(1)} %`);
		if (score < LOWEST_SCORE) {
			console.log(`Too low: at least ${LOWEST_SCORE} % is asked for.`);
			process.exitCode = 1;
		}
	}
}

/** Mutates the modules of an area; returns Stryker's report. */
function mutate(area: string): Report {
	const file = join(ROOT, `coverage/mutation-${area}.json`);
	rmSync(file, { force: true });

	const env = { ...process.env, MUTATION_AREA: area };
	const { status } = spawnSync('stryker', ['run', CONFIG], { cwd: ROOT, env, stdio: 'inherit' });
	if (status !== 0) {
		throw new Error(`Stryker could not test the area ${area}`);
	}

	return JSON.parse(readFileSync(file, 'utf8')) as Report;
}
