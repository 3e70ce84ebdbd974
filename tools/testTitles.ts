import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './n8n/paths';

/** The titles of a test. */
export interface TestTitle {
	/** The title of the test itself. */
	title: string;
	/** The titles of the `describe` blocks around it, the outermost first. */
	ancestorTitles: string[];
	/** All of them, with blanks between. */
	fullName: string;
}

/** The part of Jest's `--json` output that is used here. */
interface JestOutput {
	testResults: Array<{ name: string; message: string; assertionResults: TestTitle[] }>;
}

/**
 * Lists the tests of files as Jest itself sees them, with the rows of `test.each` filled in. The files are
 * loaded, but no test and no hook is executed.
 *
 * @param files paths from the root of the repository
 * @returns the tests of each file
 * @throws when a file does not exist or cannot be loaded
 */
export function listTests(files: string[]): Map<string, TestTitle[]> {
	const missing = files.filter((file) => !existsSync(join(ROOT, file)));
	if (missing.length > 0) throw new Error(`There is no ${missing.join(', ')}`);
	if (!existsSync(join(ROOT, 'dist'))) {
		throw new Error('The engine tests load the built package: run "npm run build" first.');
	}
	const flags = ['--json', '--silent', '--testNamePattern', '(?!)', '--runTestsByPath'];
	const output = execFileSync(
		process.execPath,
		// The unit project, whichever the files: it has no global set-up.
		[
			join(ROOT, 'node_modules/jest/bin/jest.js'),
			'--selectProjects',
			'unit',
			'--roots',
			join(ROOT, 'test'),
			...flags,
			...files,
		],
		{ cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 26 },
	);
	const { testResults } = JSON.parse(output) as JestOutput;
	return new Map(
		files.map((file) => {
			const result = testResults.find(({ name }) => name === join(ROOT, file));
			if (result === undefined || result.assertionResults.length === 0) {
				throw new Error(`${file} has no tests. ${result?.message ?? ''}`);
			}
			return [file, result.assertionResults];
		}),
	);
}
