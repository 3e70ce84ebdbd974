/** `npm run coverage:contract`: every endpoint, and the test files in which the sandbox was asked for it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import { parse } from 'yaml';

import { ROOT } from '../tools/n8n/paths';

/** What the sandbox of a test file was asked: one line of the file that the suites write. */
interface CoverageRecord {
	/** The test file, from the root of the repository. */
	file: string;
	/** The operations of the contract, each once. */
	operationIds: string[];
}

interface Contract {
	paths: Record<string, Record<string, { operationId?: string }>>;
}

const records = readFileSync(join(ROOT, 'coverage/contract.jsonl'), 'utf8')
	.split('\n')
	.filter((line) => line !== '')
	.map((line) => JSON.parse(line) as CoverageRecord);
const contract = parse(readFileSync(join(ROOT, 'contract/openapi.yaml'), 'utf8')) as Contract;
const table = new Table({ head: ['endpoint', 'call', 'test files'] });
for (const [path, item] of Object.entries(contract.paths)) {
	for (const [method, { operationId }] of Object.entries(item)) {
		if (operationId === undefined) continue;
		const asked = records.filter(({ operationIds }) => operationIds.includes(operationId));
		const files = [...new Set(asked.map(({ file }) => file))].sort();
		table.push([operationId, `${method.toUpperCase()} ${path}`, files.join('\n') || 'NONE']);
		if (files.length === 0) process.exitCode = 1;
	}
}
console.log(table.toString());
