/**
 * The end of `npm run test:mutation`: lists the mutants that no test has noticed, and fails where a
 * file has too many. Stryker itself only looks at the sum of all files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In per cent, for each file. */
const LOWEST_SCORE = 95;

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

const report = JSON.parse(
	readFileSync(join(__dirname, '../coverage/mutation.json'), 'utf8'),
) as Report;

for (const [file, { source, mutants }] of Object.entries(report.files)) {
	const survivors = withStatus(mutants, 'Survived', 'NoCoverage');
	const detected = withStatus(mutants, 'Killed', 'Timeout').length;
	const score = (100 * detected) / (detected + survivors.length);
	console.log(`\n## ${file}: ${score.toFixed(1)} %\n`);
	for (const { location, mutatorName, replacement } of survivors) {
		const line = source.split('\n')[location.start.line - 1]?.trim();
		console.log(
			`- line ${location.start.line}, ${mutatorName}: \`${line}\` with \`${replacement}\``,
		);
	}
	if (score < LOWEST_SCORE) {
		console.log(`\nToo low: at least ${LOWEST_SCORE} % is asked for.`);
		process.exitCode = 1;
	}
}

function withStatus(mutants: Mutant[], ...statuses: string[]): Mutant[] {
	return mutants.filter(({ status }) => statuses.includes(status));
}
