import { object } from './route';

const text = { type: 'string', minLength: 1 };
const status = { type: 'integer', minimum: 200, maximum: 599 };
const headers = { type: 'object', additionalProperties: { type: 'string' } };

const kinds: [string, Record<string, object>, string[]][] = [
	['latency', { ms: { type: 'integer', minimum: 0, maximum: 600_000 } }, ['ms']],
	['cut_before', {}, []],
	['cut_after', {}, []],
	[
		'status',
		{ status, body: {}, contentType: text, headers, after: { type: 'boolean' } },
		['status'],
	],
	['body', { status, body: {}, contentType: text, headers }, ['body']],
];

/** JSON schema of a Fault: what each kind takes, and nothing else. */
export const faultSchema = {
	type: 'object',
	required: ['kind'],
	discriminator: { propertyName: 'kind' },
	oneOf: kinds.map(([kind, properties, required]) =>
		object(
			{
				kind: { type: 'string', const: kind },
				match: object({ method: text, path: text, operationId: text }),
				times: { type: 'integer', minimum: 1 },
				ratio: { type: 'number', minimum: 0, maximum: 1 },
				seed: { type: 'integer' },
				...properties,
			},
			['kind', ...required],
		),
	),
};
