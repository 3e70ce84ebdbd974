import type { components } from '../../contract/service';
import type { Network } from './network';
import { newId } from '../shared/ids';
import { object } from '../shared/jsonSchema';

type Event = components['schemas']['Event'];

/** The kinds of events, as the contract names them. */
export const eventTypes = [
	'partner.status_changed',
	'payable.approved',
	'payable.paid',
	'payable.status_changed',
] as const satisfies components['schemas']['EventType'][];

/** JSON schema of the data of an event that is made by hand: any partner or payable, whatever it lacks. */
export const eventDataSchema = {
	oneOf: [
		object({ partner: { type: 'object' } }, ['partner']),
		object({ payable: { type: 'object' } }, ['payable']),
	],
} as const;

/** Records an event and its deliveries in the transaction in which it happened. */
export function recordEvent(
	network: Network,
	type: Event['event_type'],
	workspaceId: string,
	data: Event['data'],
): Event {
	const event: Event = {
		id: newId('event'),
		event_type: type,
		created_at: network.clock.iso(),
		workspace_id: workspaceId,
		data,
	};

	const row = { ...event, subject_id: subjectId(data), data: JSON.stringify(data) };
	network.store.insert('events', row);
	network.enqueueDeliveries(event);
	return event;
}

/** The ID of what the event is about; an event that was made by hand need not have one. */
function subjectId(data: Event['data']): string | null {
	const subject: { id?: unknown } = 'partner' in data ? data.partner : data.payable;
	return typeof subject.id === 'string' ? subject.id : null;
}

export type EventRow = {
	id: string;
	event_type: Event['event_type'];
	workspace_id: string;
	data: string;
	created_at: string;
};

export const presentEvent = (row: EventRow): Event => ({
	id: row.id,
	event_type: row.event_type,
	created_at: row.created_at,
	workspace_id: row.workspace_id,
	data: JSON.parse(row.data) as Event['data'],
});

export function readEvents(network: Network): Event[] {
	return network.store
		.all<EventRow>(
			'SELECT id, event_type, workspace_id, data, created_at FROM events ORDER BY sequence',
		)
		.map(presentEvent);
}
