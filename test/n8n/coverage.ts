import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import { CASES } from './cases';

/** An endpoint of the contract, what uses it, and the tests that drive it through a real n8n. */
export interface Coverage {
	endpoint: string;
	call: string;
	usedBy: string[];
	tests: string[];
}

/** What n8n itself calls for a credential, and the test of it. */
const CREDENTIAL_ENDPOINTS: Record<string, { usedBy: string; test: string }> = {
	requestToken: { usedBy: 'credential partnerPaymentsApi', test: 'credential.test.ts' },
	authorize: { usedBy: 'credential partnerPaymentsOAuth2Api', test: 'oauth2.test.ts' },
};

interface Contract {
	paths: Record<string, Record<string, { operationId?: string }>>;
}

/** Reads the contract and says for each endpoint what covers it. */
export function contractCoverage(): Coverage[] {
	const file = join(__dirname, '../../contract/openapi.yaml');
	const contract = parse(readFileSync(file, 'utf8')) as Contract;
	return Object.entries(contract.paths).flatMap(([path, item]) =>
		Object.entries(item).flatMap(([method, { operationId }]) =>
			operationId === undefined
				? []
				: {
						endpoint: operationId,
						call: `${method.toUpperCase()} ${path}`,
						...coveredBy(operationId),
					},
		),
	);
}

function coveredBy(endpoint: string): Pick<Coverage, 'usedBy' | 'tests'> {
	const credential = CREDENTIAL_ENDPOINTS[endpoint];
	if (credential !== undefined) return { usedBy: [credential.usedBy], tests: [credential.test] };
	const operations = CASES.filter((candidate) => candidate.endpoint === endpoint);
	const names = operations.map(({ resource, operation }) => `${resource}.${operation}`);
	return { usedBy: names, tests: names.length > 0 ? ['operations.test.ts'] : [] };
}
