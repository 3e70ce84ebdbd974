/** `npm run coverage:contract`: every endpoint, and the test files in which the sandbox was asked for it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';

import { contractCoverage } from '../tools/contractCoverage';
import { ROOT } from '../tools/n8n/paths';

const records = process.env['CONTRACT_COVERAGE'] ?? join(ROOT, 'coverage/contract.jsonl');
if (existsSync(records)) {
	const coverage = contractCoverage(records);
	const table = new Table({ head: ['endpoint', 'call', 'test files'] });
	for (const { operationId, call, files } of coverage) {
		table.push([operationId, call, files.join('\n') || 'NONE']);
	}
	const uncovered = coverage.filter(({ files }) => files.length === 0).length;
	console.log(`${table.toString()}\n${coverage.length} endpoints, ${uncovered} without a test`);
	process.exitCode = uncovered === 0 ? 0 : 1;
} else {
	console.error(`There is no ${records}: run the tests with CONTRACT_COVERAGE=${records} before.`);
	process.exitCode = 1;
}
