import type { components } from '../../contract/service';
import type { Deliveries, Redelivery } from '../deliveries/dispatcher';
import type { DeliveryFault } from '../deliveries/faults';
import type { DeliveryOptions } from '../deliveries/options';
import { countDeliveries, readDeliveries } from '../deliveries/views';
import type { Network } from '../network/network';
import { findWorkspace } from '../domain/workspaces';
import { notFound } from '../shared/errors';
import { recordEvent } from '../network/events';
import {
	deliveryFaultSchema,
	deliveryOptionsSchema,
	eventsSchema,
	redeliverySchema,
} from './delivery-schemas';
import { post, route, type ControlRequest, type ControlRoute } from './route';

type Event = components['schemas']['Event'];

/** An event that is recorded by hand, as if it had happened. */
export interface GivenEvent {
	event_type: Event['event_type'];
	workspaceId: string;
	data: Event['data'];
}

/** The routes of the control API that are about deliveries. */
export function deliveryRoutes(network: Network, deliveries: Deliveries): ControlRoute[] {
	const { store } = network;
	const record = ({ event_type, workspaceId, data }: GivenEvent) => {
		const workspace = findWorkspace(network, workspaceId);
		if (workspace === undefined) throw notFound('workspace', workspaceId);
		return recordEvent(network, event_type, workspace.id, data);
	};
	return [
		post<{ events: GivenEvent[] }>(
			'/events',
			'record events as if they had happened; subscribers hear of them',
			eventsSchema,
			({ events }) => store.transaction(() => ({ events: events.map(record) })),
		),
		route(
			'GET',
			'/deliveries',
			'deliveries of events, with ?event=, ?subscription= or ?state= of these',
			({ query }) => ({
				deliveries: readDeliveries(store, {
					event: one(query, 'event'),
					subscription: one(query, 'subscription'),
					state: one(query, 'state'),
				}),
			}),
		),
		route('GET', '/deliveries/counts', 'how many deliveries are in each state', () => ({
			counts: countDeliveries(store),
		})),
		route(
			'GET',
			'/deliveries/attempts',
			'log of the attempts, of one delivery with ?delivery=',
			({ query }) => ({ attempts: deliveries.log.read(one(query, 'delivery')) }),
		),
		post<Redelivery>(
			'/deliveries/redeliver',
			'deliver once more: one delivery, or all of an event',
			redeliverySchema,
			(which) => ({ deliveries: store.transaction(() => deliveries.redeliver(which)) }),
		),
		route('GET', '/deliveries/options', 'how events are delivered', () => deliveries.options),
		post<Partial<DeliveryOptions>>(
			'/deliveries/options',
			'pause, choose the envelope, limit what is in flight and the attempts',
			deliveryOptionsSchema,
			(options) => deliveries.change(options),
		),
		post<DeliveryFault>(
			'/deliveries/faults',
			'order a fault of deliveries',
			deliveryFaultSchema,
			(fault) => ({ fault: deliveries.faults.arm(fault) }),
		),
		route('GET', '/deliveries/faults', 'faults of deliveries that still strike', () => ({
			faults: deliveries.faults.read(),
		})),
		route('DELETE', '/deliveries/faults', 'call all faults of deliveries off', () => {
			deliveries.faults.clear();
			return { ok: true };
		}),
	];
}

const one = (query: ControlRequest['query'], name: string): string | undefined =>
	[query[name]].flat()[0];
