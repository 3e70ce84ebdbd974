import * as fc from 'fast-check';
import type { OperationId } from '../../sandbox/contract/contract';
import { operations, resolve, type Schema } from './contract-checks';
import { asItIs, demo, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

/** IDs and addresses that are there, so that requests get beyond the first check. */
const known = fc.constantFrom(
	demo.workspaceId,
	demo.verifiedVendorEmail,
	demo.verifiedVendorServiceId,
	'pbl_x',
	'',
);

const formats: Record<string, fc.Arbitrary<string>> = {
	email: fc.oneof(fc.emailAddress(), fc.constant(demo.verifiedVendorEmail)),
	uuid: fc.oneof(fc.uuid(), fc.constant(demo.workspaceId)),
	uri: fc.webUrl(),
};

/** What a schema takes; one value in ten is anything instead. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
	return fc.oneof({ weight: 9, arbitrary: goodValueOf(schema) }, fc.jsonValue({ maxDepth: 1 }));
}

function goodValueOf(schema: Schema): fc.Arbitrary<unknown> {
	if (schema.$ref !== undefined) {
		return goodValueOf(resolve(schema));
	}

	if (schema.oneOf !== undefined) {
		return fc.oneof(...schema.oneOf.map(goodValueOf));
	}

	if (schema.const !== undefined) {
		return fc.constant(schema.const);
	}

	if (schema.enum !== undefined) {
		return fc.constantFrom(...schema.enum);
	}

	switch ([schema.type].flat()[0]) {
		case 'boolean':
			return fc.boolean();
		case 'integer':
			return fc.oneof(fc.integer({ min: -5, max: 6000 }), fc.constant(2 ** 53));
		case 'array':
			return fc.array(valueOf(schema.items ?? {}), { maxLength: 3 });
		case 'object': {
			const fields = Object.entries(schema.properties ?? {});
			const values = Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)]));

			return fc.record(values, { requiredKeys: schema.required ?? [] });
		}
		default:
			return formats[schema.format ?? ''] ?? fc.oneof(known, fc.string({ unit: 'binary' }));
	}
}

/** They need sums that agree. */
const NEED_SUMS: OperationId[] = ['createPayable', 'createFunding'];

/** Whether a request can succeed by chance: it needs no record that was made before. */
const canSucceed = (operationId: OperationId, template: string): boolean =>
	!template.replace('/workspace/{id}', '').includes('{') && !NEED_SUMS.includes(operationId);

const operationsOfApi = operations.filter(
	({ operationId }) => !/^(authorize|requestToken)$/.test(operationId),
);

test.each(operationsOfApi)(
	'$operationId answers whatever it is sent as its contract says, and never fails #contract-fuzz',
	async ({ operationId, method, template, schema }) => {
		const clients = [fixture.api, await fixture.userClient()];
		const parts = template
			.split(/(\{\w+\})/)
			.map((part) => (part.startsWith('{') ? known : fc.constant(part)));
		const request = fc.tuple(fc.tuple(...parts), schema ? valueOf(schema) : fc.constant(undefined));
		const headers = { 'content-type': 'application/json' };
		const seen = new Set<number>();

		await fc.assert(
			fc.asyncProperty(request, fc.constantFrom(...clients), async ([names, body], client) => {
				const url = names.map((part, at) => (at % 2 ? encodeURIComponent(part) : part)).join('');
				// The client compares each answer with the contract.
				const data = JSON.stringify(body);

				const { status } = await client.request({ method, url, data, headers, ...asItIs });

				expect(status).toBeLessThan(500);

				seen.add(status);
			}),
			{ numRuns: 60, seed: 26 },
		);

		expect(seen.has(200)).toBe(canSucceed(operationId, template));
	},
);
