import type { components } from '../../../contract/service';
import type { LoggedAttempt } from '../../deliveries/attempt-log';
import { deliveryFaultSchema, eventTypes, type ActiveDeliveryFault } from '../../deliveries/faults';
import { deliveryOptionsSchema, type DeliveryOptions } from '../../deliveries/options';
import type { DeliveryState } from '../../deliveries/queue';
import type { DeliveryView } from '../../deliveries/views';
import { object, text } from '../../shared/json-schema';
import { reply, type Route } from '../route';

type Event = components['schemas']['Event'];

/** Routes about events and their deliveries. */
export const deliveryRoutes = {
	emitEvents: {
		method: 'POST',
		path: '/events',
		summary: 'record events as if they had happened; subscribers hear of them',
		body: object(
			{
				events: {
					type: 'array',
					items: object(
						{
							event_type: { type: 'string', enum: eventTypes },
							workspaceId: text,
							data: {
								oneOf: [
									object({ partner: { type: 'object' } }, ['partner']),
									object({ payable: { type: 'object' } }, ['payable']),
								],
							},
						},
						['event_type', 'workspaceId', 'data'],
					),
				},
			},
			['events'],
		),
		response: reply<{ events: Event[] }>(),
		arguments: ['events'],
		result: 'events',
	},
	deliveries: {
		method: 'GET',
		path: '/deliveries',
		summary: 'deliveries of events, with ?event=, ?subscription= or ?state= of these',
		query: ['event', 'subscription', 'state'],
		response: reply<{ deliveries: DeliveryView[] }>(),
		result: 'deliveries',
	},
	deliveryCounts: {
		method: 'GET',
		path: '/deliveries/counts',
		summary: 'how many deliveries are in each state',
		response: reply<{ counts: Record<DeliveryState, number> }>(),
		result: 'counts',
	},
	deliveryAttempts: {
		method: 'GET',
		path: '/deliveries/attempts',
		summary: 'log of the attempts, of one delivery with ?delivery=',
		query: ['delivery'],
		response: reply<{ attempts: LoggedAttempt[] }>(),
		arguments: ['delivery'],
		result: 'attempts',
	},
	redeliver: {
		method: 'POST',
		path: '/deliveries/redeliver',
		summary: 'deliver once more: one delivery, or all of an event',
		body: {
			type: 'object',
			oneOf: [object({ delivery: text }, ['delivery']), object({ event: text }, ['event'])],
		},
		response: reply<{ deliveries: DeliveryView[] }>(),
		result: 'deliveries',
	},
	deliveryOptions: {
		method: 'GET',
		path: '/deliveries/options',
		summary: 'how events are delivered',
		response: reply<DeliveryOptions>(),
	},
	setDeliveryOptions: {
		method: 'POST',
		path: '/deliveries/options',
		summary: 'pause, choose the envelope, limit what is in flight and the attempts',
		body: deliveryOptionsSchema,
		response: reply<DeliveryOptions>(),
	},
	addDeliveryFault: {
		method: 'POST',
		path: '/deliveries/faults',
		summary: 'inject a fault of deliveries',
		body: deliveryFaultSchema,
		response: reply<{ fault: ActiveDeliveryFault }>(),
		result: 'fault',
	},
	deliveryFaults: {
		method: 'GET',
		path: '/deliveries/faults',
		summary: 'faults of deliveries that still strike',
		response: reply<{ faults: ActiveDeliveryFault[] }>(),
		result: 'faults',
	},
	clearDeliveryFaults: {
		method: 'DELETE',
		path: '/deliveries/faults',
		summary: 'clear all faults of deliveries',
	},
} as const satisfies Record<string, Route>;
