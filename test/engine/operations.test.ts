import { resources } from '../../nodes/PartnerPayments/resources';
import { operations as endpoints } from '../sandbox/contract-checks';
import {
	endpointOf,
	OPERATION_CASES,
	requestingOperations,
	type OperationCase,
} from './operationCases';
import { jsonOf, sent, startScriptedService } from './support';

const service = startScriptedService();

/** These send several requests or none, and have tests of their own. */
const OF_THE_LEDGER = ['ledger.create', 'payout.getMany', 'payout.resolve', 'payout.send'];
/** These give tokens, which is no operation of the node. */
const OF_AUTHENTICATION = ['requestToken', 'authorize'];

const cases = requestingOperations.flatMap((operation) => {
	const ofOperation: OperationCase[] = OPERATION_CASES[operation];
	return ofOperation.map((one) => ({ operation, detail: 'as usual', ...one }));
});

test.each(cases)(
	'$operation: $detail #operation-output',
	async ({ operation, parameters, answer, request, output, changes }) => {
		service.useScript(() => ({ body: answer }));

		const { items, error } = await service.execute(operation, parameters, changes);

		const inputs = changes?.items?.length ?? 1;
		const pairs = items.map((_, position) => ({ item: inputs === 1 ? 0 : position }));

		expect(error).toBeUndefined();
		expect(sent(service.requests)).toEqual([request]);
		expect(service.requests[0]?.authorization).toBe('Bearer token-1-opaque');
		expect(jsonOf(items)).toEqual(output);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(pairs);
	},
);

test('every operation has a case', () => {
	const operations = resources.flatMap(({ value: resource, operations: own }) =>
		own.map(({ value }) => `${resource}.${value}`),
	);

	const tested = [...requestingOperations, ...OF_THE_LEDGER];

	expect(tested.sort()).toEqual(operations.sort());
});

test('every endpoint of the contract is that of an operation', () => {
	const asked = cases.map((one) => endpointOf(one).operationId);

	const endpointIds = endpoints.map(({ operationId }) => operationId);
	expect(new Set([...asked, ...OF_AUTHENTICATION])).toEqual(new Set(endpointIds));
});
