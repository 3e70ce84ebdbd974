import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import { ROOT } from './n8n/paths';

/** What the sandbox of a test file was asked: one line of the file that the suites write. */
export interface CoverageRecord {
	/** The test file, from the root of the repository. */
	file: string;
	/** The operations of the contract, each once. */
	operationIds: string[];
}

/** An endpoint of the contract, and the test files in which the sandbox was asked for it. */
export interface EndpointCoverage {
	operationId: string;
	call: string;
	files: string[];
}

interface Contract {
	paths: Record<string, Record<string, { operationId?: string }>>;
}

/**
 * Every endpoint of the contract with its test files.
 *
 * @param file holds one `CoverageRecord` in each line
 * @throws when there is no such file
 */
export function contractCoverage(file: string): EndpointCoverage[] {
	const records = readFileSync(file, 'utf8')
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as CoverageRecord);
	const contract = parse(readFileSync(join(ROOT, 'contract/openapi.yaml'), 'utf8')) as Contract;
	return Object.entries(contract.paths).flatMap(([path, item]) =>
		Object.entries(item).flatMap(([method, { operationId }]) => {
			if (operationId === undefined) return [];
			const asked = records.filter(({ operationIds }) => operationIds.includes(operationId));
			const files = [...new Set(asked.map((record) => record.file))].sort();
			return { operationId, call: `${method.toUpperCase()} ${path}`, files };
		}),
	);
}
