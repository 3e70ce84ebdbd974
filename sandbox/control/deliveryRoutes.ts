import type { components } from '../../contract/service';
import { deliveryFaultSchema } from '../deliveries/deliveryFaults';
import { countDeliveries, readDeliveries } from '../deliveries/deliveryViews';
import { requireWorkspace } from '../domain/workspaces';
import { eventDataSchema, eventTypes, recordEvent } from '../network/events';
import { object, text } from '../shared/jsonSchema';
import { get, post, remove, type ControlContext } from './routeTypes';

type EventData = components['schemas']['Event']['data'];

const eventsBody = object(
	{
		events: {
			type: 'array',
			items: object(
				{
					event_type: { type: 'string', enum: eventTypes },
					workspaceId: text,
					data: eventDataSchema,
				},
				['event_type', 'workspaceId', 'data'],
			),
		},
	},
	['events'],
);

const target = {
	type: 'object',
	oneOf: [object({ delivery: text }, ['delivery']), object({ event: text }, ['event'])],
} as const;

export const deliveryRoutes = ({ network, deliveries }: ControlContext) => ({
	emitEvents: post(
		'/events',
		'Record events as if they had happened, with their deliveries',
		eventsBody,
		({ events }) =>
			network.store.transaction(() => ({
				events: events.map(({ event_type, workspaceId, data }) => {
					const { id } = requireWorkspace(network, workspaceId);
					// Any partner or payable is recorded as it was given, whatever it lacks.
					return recordEvent(network, event_type, id, data as EventData);
				}),
			})),
		{ args: ['events'], result: 'events' },
	),
	deliveries: get(
		'/deliveries',
		'Deliveries of events, with ?event=, ?subscription= or ?state= of these',
		(filter) => ({ deliveries: readDeliveries(network.store, filter) }),
		{ query: ['event', 'subscription', 'state'], result: 'deliveries' },
	),
	deliveryCounts: get(
		'/deliveries/counts',
		'How many deliveries are in each state',
		() => ({ counts: countDeliveries(network.store) }),
		{ result: 'counts' },
	),
	deliveryAttempts: get(
		'/deliveries/attempts',
		'Log of the attempts, of one delivery with ?delivery=',
		({ delivery: subject }) => ({
			attempts: deliveries.log.read(subject === undefined ? {} : { subject }),
		}),
		{ query: ['delivery'], args: ['delivery'], result: 'attempts' },
	),
	redeliver: post(
		'/deliveries/redeliver',
		'Deliver again',
		target,
		(wanted) => ({ deliveries: network.store.transaction(() => deliveries.redeliver(wanted)) }),
		{ result: 'deliveries' },
	),
	addDeliveryFault: post(
		'/deliveries/faults',
		'Inject a fault of deliveries',
		deliveryFaultSchema,
		(fault) => ({ fault: deliveries.faults.inject(fault) }),
		{ result: 'fault' },
	),
	deliveryFaults: get(
		'/deliveries/faults',
		'Faults of deliveries that still strike',
		() => ({ faults: deliveries.faults.list() }),
		{ result: 'faults' },
	),
	clearDeliveryFaults: remove('/deliveries/faults', 'Clear all faults of deliveries', () => {
		deliveries.faults.clear();
	}),
});
