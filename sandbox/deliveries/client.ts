import type { AxiosInstance } from 'axios';
import type { components } from '../../contract/service';
import type { GivenEvent } from '../control/delivery-routes';
import type { Redelivery } from './dispatcher';
import type { ArmedDeliveryFault, DeliveryFault } from './faults';
import type { LoggedAttempt } from './attempt-log';
import type { DeliveryOptions } from './options';
import type { DeliveryState } from './queue';
import type { DeliveryChoice, DeliveryView } from './views';

type Event = components['schemas']['Event'];

/** The control API of deliveries. Every method throws axios' error when the sandbox refuses. */
export interface DeliveryControl {
	/** The chosen deliveries, or all, in the order in which they were made. */
	deliveries: (choice?: Omit<DeliveryChoice, 'id'>) => Promise<DeliveryView[]>;
	/** How many deliveries are in each state. */
	deliveryCounts: () => Promise<Record<DeliveryState, number>>;
	/** The latest attempts in the order in which they ended, of one delivery when it is named. */
	deliveryAttempts: (deliveryId?: string) => Promise<LoggedAttempt[]>;
	/** Delivers once more: one delivery, or every delivery of an event. */
	redeliver: (which: Redelivery) => Promise<DeliveryView[]>;
	/** Events are recorded and wait; nothing is sent. */
	pauseDeliveries: () => Promise<void>;
	resumeDeliveries: () => Promise<void>;
	deliveryOptions: () => Promise<DeliveryOptions>;
	/** Changes some options; answers all. */
	setDeliveryOptions: (options: Partial<DeliveryOptions>) => Promise<DeliveryOptions>;
	addDeliveryFault: (fault: DeliveryFault) => Promise<ArmedDeliveryFault>;
	deliveryFaults: () => Promise<ArmedDeliveryFault[]>;
	clearDeliveryFaults: () => Promise<void>;
	/** Records events as if they had happened, many at a time; answers them as recorded. */
	emitEvents: (events: GivenEvent[]) => Promise<Event[]>;
}

/** So many events of usual size fit into one request. */
const EVENTS_PER_REQUEST = 500;

/** The control API of deliveries through a client of the control API. */
export function deliveryControl(http: AxiosInstance): DeliveryControl {
	const get = async <T>(path: string, params: object = {}): Promise<T> =>
		(await http.get<T>(`/deliveries${path}`, { params })).data;
	const post = async <T>(path: string, body: object): Promise<T> =>
		(await http.post<T>(path, body)).data;
	const change = async (options: Partial<DeliveryOptions>) =>
		await post<DeliveryOptions>('/deliveries/options', options);
	return {
		deliveries: async (choice) =>
			(await get<{ deliveries: DeliveryView[] }>('', choice)).deliveries,
		deliveryCounts: async () =>
			(await get<{ counts: Record<DeliveryState, number> }>('/counts')).counts,
		deliveryAttempts: async (delivery) =>
			(await get<{ attempts: LoggedAttempt[] }>('/attempts', { delivery })).attempts,
		redeliver: async (which) =>
			(await post<{ deliveries: DeliveryView[] }>('/deliveries/redeliver', which)).deliveries,
		pauseDeliveries: async () => {
			await change({ paused: true });
		},
		resumeDeliveries: async () => {
			await change({ paused: false });
		},
		deliveryOptions: async () => await get<DeliveryOptions>('/options'),
		setDeliveryOptions: change,
		addDeliveryFault: async (fault) =>
			(await post<{ fault: ArmedDeliveryFault }>('/deliveries/faults', fault)).fault,
		deliveryFaults: async () => (await get<{ faults: ArmedDeliveryFault[] }>('/faults')).faults,
		clearDeliveryFaults: async () => {
			await http.delete('/deliveries/faults');
		},
		emitEvents: async (events) => {
			const recorded: Event[] = [];
			for (let at = 0; at < events.length; at += EVENTS_PER_REQUEST) {
				const some = events.slice(at, at + EVENTS_PER_REQUEST);
				recorded.push(...(await post<{ events: Event[] }>('/events', { events: some })).events);
			}
			return recorded;
		},
	};
}
