/** `npm run coverage:contract`: every endpoint, the operation that uses it, and its test in a real n8n. */
import Table from 'cli-table3';

import { contractCoverage } from '../test/n8n/coverage';

const coverage = contractCoverage();
const table = new Table({ head: ['endpoint', 'call', 'used by', 'test in a real n8n'] });
for (const { endpoint, call, usedBy, tests } of coverage) {
	table.push([endpoint, call, usedBy.join('\n'), tests.join('\n') || 'MISSING']);
}
const missing = coverage.filter(({ tests }) => tests.length === 0).length;
console.log(table.toString());
console.log(`${coverage.length} endpoints, ${missing} missing`);
process.exitCode = missing === 0 ? 0 : 1;
