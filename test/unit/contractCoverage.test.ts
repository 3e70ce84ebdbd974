import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { contractCoverage } from '../../tools/contractCoverage';
import { recordCoverage, uncoveredEndpoints } from '../support/contractCoverage';
import { startSandbox } from '../support/sandbox';

const folder = mkdtempSync(join(tmpdir(), 'contract-coverage-'));
const records = join(folder, 'records.jsonl');
beforeEach(() => {
	delete process.env['CONTRACT_COVERAGE'];
});
afterAll(() => {
	rmSync(folder, { recursive: true });
});

test('endpoints are covered by the files whose sandbox was asked for them', async () => {
	const sandbox = await startSandbox();
	try {
		const api = await sandbox.api();
		await api.get(`/workspace/${sandbox.workspaceId}/wallet`);
		await api.get('/nothing-of-the-contract');
		await recordCoverage(sandbox, __filename);
		expect(existsSync(records)).toBe(false);

		process.env['CONTRACT_COVERAGE'] = records;
		await recordCoverage(sandbox, __filename);
		await recordCoverage(sandbox, __filename);
	} finally {
		await sandbox.stop();
	}
	expect(readFileSync(records, 'utf8').trim().split('\n')).toHaveLength(2);
	const covered = contractCoverage(records).filter(({ files }) => files.length > 0);
	const files = ['test/unit/contractCoverage.test.ts'];
	expect(covered).toMatchObject([
		{ operationId: 'requestToken', files },
		{ operationId: 'getWallet', files },
	]);
	expect(uncoveredEndpoints(records)).toEqual(
		expect.arrayContaining(['createPayable', 'createFunding', 'authorize']),
	);
	expect(uncoveredEndpoints(records)).not.toContain('getWallet');
});
