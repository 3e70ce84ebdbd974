import { contractCoverage } from './coverage';

test('every endpoint of the contract is driven through a real n8n', () => {
	const coverage = contractCoverage();
	expect(coverage.length).toBeGreaterThan(0);
	expect(coverage.filter(({ tests }) => tests.length === 0)).toEqual([]);
});
