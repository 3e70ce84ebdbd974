import type { INodeParameters } from 'n8n-workflow';

import { type Changes, jsonOf, sent, type startScriptedService } from './support';

/** One execution of an operation that works. */
interface OperationCase {
	operation: string;
	/** What is special about it. */
	detail?: string;
	parameters: INodeParameters;
	answer: unknown;
	/** The one request. */
	request: [method: string, url: string, body?: object];
	output: object[];
	changes?: Changes;
}

/** Defines a test for each case: what is sent, and which items come out. */
export function testOperations(
	service: ReturnType<typeof startScriptedService>,
	cases: OperationCase[],
): void {
	test.each(cases.map((one) => ({ detail: 'as usual', ...one })))(
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
}
