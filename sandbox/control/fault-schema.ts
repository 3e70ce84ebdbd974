import { object } from './route';

const text = { type: 'string', minLength: 1 };
const status = { type: 'integer', minimum: 200, maximum: 599 };
const headers = { type: 'object', additionalProperties: { type: 'string' } };

const kinds: FaultKinds = [
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

/** The kinds of a fault, with the properties that each takes and those that it needs. */
export type FaultKinds = [kind: string, properties: Record<string, object>, required: string[]][];

/**
 * JSON schema of faults that strike so many times, or a share of what they match: what each kind takes,
 * and nothing else.
 *
 * @param common what every kind takes beside that
 */
export const faultSchemaOf = (kinds: FaultKinds, common: Record<string, object>) => ({
	type: 'object',
	required: ['kind'],
	discriminator: { propertyName: 'kind' },
	oneOf: kinds.map(([kind, properties, required]) =>
		object(
			{
				kind: { type: 'string', const: kind },
				times: { type: 'integer', minimum: 1 },
				ratio: { type: 'number', minimum: 0, maximum: 1 },
				...common,
				...properties,
			},
			['kind', ...required],
		),
	),
});

/** JSON schema of a Fault. */
export const faultSchema = faultSchemaOf(kinds, {
	match: object({ method: text, path: text, operationId: text }),
	seed: { type: 'integer' },
});
