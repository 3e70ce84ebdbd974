import type { components } from '../../contract/service';
import { envelopes, nameStyles } from '../deliveries/envelopes';
import { faultSchemaOf, type FaultKinds } from './fault-schema';
import { object } from './route';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const count = { type: 'integer', minimum: 1, maximum: 100_000 };
const milliseconds = { type: 'integer', minimum: 0, maximum: 1e9 };
const eventType = {
	type: 'string',
	enum: [
		'partner.status_changed',
		'payable.approved',
		'payable.paid',
		'payable.status_changed',
	] satisfies components['schemas']['EventType'][],
};

/** JSON schema of changes to DeliveryOptions. */
export const deliveryOptionsSchema = object({
	paused: flag,
	envelope: { type: 'string', enum: Object.keys(envelopes) },
	names: { enum: [...Object.keys(nameStyles), null] },
	batchSize: count,
	maxInFlight: count,
	maxInFlightPerSubscription: count,
	maxAttempts: count,
	firstRetryMs: milliseconds,
	maxRetryMs: milliseconds,
	timeoutMs: { ...milliseconds, minimum: 1 },
	seed: { type: 'integer' },
});

const kinds: FaultKinds = [
	['delay', { ms: milliseconds }, ['ms']],
	['reorder', { ms: milliseconds }, ['ms']],
	['drop', {}, []],
	['duplicate', { copies: { type: 'integer', minimum: 2, maximum: 100 } }, ['copies']],
	['forged_signature', {}, []],
	['missing_signature', {}, []],
	['foreign_signature', {}, []],
	['stale', {}, []],
	['malformed', { body: { type: 'string' } }, []],
	['oversized', { bytes: { type: 'integer', minimum: 1, maximum: 2 ** 28 } }, ['bytes']],
];

/** JSON schema of a DeliveryFault. */
export const deliveryFaultSchema = faultSchemaOf(kinds, {
	match: object({ eventType, subscriptionId: text, workspaceId: text }),
});

/** JSON schema of a Redelivery. */
export const redeliverySchema = {
	type: 'object',
	oneOf: [object({ delivery: text }, ['delivery']), object({ event: text }, ['event'])],
};

const anyObject = { type: 'object' };

/** JSON schema of events that are recorded by hand. */
export const eventsSchema = object(
	{
		events: {
			type: 'array',
			items: object(
				{
					event_type: eventType,
					workspaceId: text,
					data: {
						oneOf: [
							object({ partner: anyObject }, ['partner']),
							object({ payable: anyObject }, ['payable']),
						],
					},
				},
				['event_type', 'workspaceId', 'data'],
			),
		},
	},
	['events'],
);
