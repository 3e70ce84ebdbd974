/**
 * `npm run test:mutation`: mutation testing, area by area. Prints the score of each file and the mutants
 * that no test has noticed, and fails where a file has too many of them. `npm run test:mutation -- retries`
 * tests one area alone.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../tools/n8n/paths';

/** As stryker.config.mjs names them. */
const AREAS = ['amounts', 'messages', 'retries', 'pacing', 'ledger', 'trigger'];

/** In per cent, for each file. */
const LOWEST_SCORE = 93;

/** What is read of Stryker's report. */
interface Report {
	files: Record<string, { source: string; mutants: Mutant[] }>;
}

interface Mutant {
	status: string;
	mutatorName: string;
	replacement: string;
	location: { start: { line: number } };
}

const areas = process.argv.length > 2 ? process.argv.slice(2) : AREAS;
for (const { files } of areas.map(mutate)) {
	for (const [file, { source, mutants }] of Object.entries(files)) {
		const score = printResult(file, source.split('\n'), mutants);
		if (score < LOWEST_SCORE) {
			console.log(`\nToo low: at least ${LOWEST_SCORE} % is asked for.`);
			process.exitCode = 1;
		}
	}
}

/** Mutates the modules of an area; says how its tests did. */
function mutate(area: string): Report {
	const file = join(ROOT, `coverage/mutation-${area}.json`);
	rmSync(file, { force: true });
	const env = { ...process.env, MUTATION_AREA: area };
	const { status } = spawnSync('stryker', ['run'], { cwd: ROOT, env, stdio: 'inherit' });
	if (status !== 0) throw new Error(`Stryker could not test the area ${area}`);
	return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

/** Prints what came of the mutants of a file; returns its score in per cent. */
function printResult(file: string, lines: string[], mutants: Mutant[]): number {
	const survivors = withStatus(mutants, 'Survived', 'NoCoverage');
	const detected = withStatus(mutants, 'Killed', 'Timeout').length;
	const score = (100 * detected) / (detected + survivors.length);
	console.log(`\n## ${file}: ${score.toFixed(1)} %\n`);
	for (const { location, mutatorName, replacement } of survivors) {
		const { line } = location.start;
		console.log(
			`- line ${line}, ${mutatorName}: \`${lines[line - 1]?.trim() ?? ''}\` with \`${replacement}\``,
		);
	}
	return score;
}

function withStatus(mutants: Mutant[], ...statuses: string[]): Mutant[] {
	return mutants.filter(({ status }) => statuses.includes(status));
}
