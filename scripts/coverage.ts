/** `npm run coverage:contract`: every endpoint, the operation that uses it, and its test in a real n8n. */
import Table from 'cli-table3';

import { contractCoverage, missingTests } from '../tools/contractCoverage';

const coverage = contractCoverage();
const missing = missingTests(coverage);
const table = new Table({ head: ['endpoint', 'call', 'used by', 'test in a real n8n'] });
for (const { endpoint, call, tests } of coverage) {
	const names = tests.map((test) => (missing.includes(test) ? `MISSING ${test.file}` : test.file));
	const usedBy = tests.map((test) => test.usedBy);
	table.push([
		endpoint,
		call,
		usedBy.join('\n'),
		names.join('\n') || 'NONE: add it to COVERING_TESTS in tools/contractCoverage.ts',
	]);
}
const uncovered = coverage.filter(({ tests }) => tests.length === 0).length;
console.log(table.toString());
console.log(
	`${coverage.length} endpoints, ${uncovered} without a test, ${missing.length} tests missing`,
);
process.exitCode = uncovered + missing.length === 0 ? 0 : 1;
