import { contractCoverage, missingTests } from '../../tools/contractCoverage';
import { OPERATION_CASES } from './support/operationCases';

test('every endpoint of the contract is driven through a real n8n', () => {
	const coverage = contractCoverage();
	expect(coverage.length).toBeGreaterThan(0);
	expect(coverage.filter(({ tests }) => tests.length === 0)).toEqual([]);
	expect(missingTests(coverage)).toEqual([]);

	// Each operation is tested with the endpoint under which it is listed.
	const listed = coverage.flatMap(({ endpoint, tests }) =>
		tests.map(({ usedBy }) => `${usedBy}: ${endpoint}`),
	);
	const tested = OPERATION_CASES.map(({ name, endpoint }) => `${name}: ${endpoint}`);
	expect(listed).toEqual(expect.arrayContaining(tested));
	// Two credentials and a trigger are listed beside the operations.
	expect(listed).toHaveLength(tested.length + 3);
});
