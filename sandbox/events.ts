import type { components } from '../contract/service';
import type { Network } from './domain/network';
import { newId } from './ids';

type Event = components['schemas']['Event'];

/**
 * Records that something happened in a workspace, in the transaction in which it happened. Nothing
 * is sent from here: deliveries belong behind this table, reading it by `sequence`, so that an
 * event is neither lost nor sent for a change that was undone.
 */
export function recordEvent(
	network: Network,
	type: Event['event_type'],
	workspaceId: string,
	data: Event['data'],
): void {
	network.store.run(
		`INSERT INTO events (id, event_type, workspace_id, data, created_at)
		VALUES ($id, $type, $workspaceId, $data, $at)`,
		{
			id: newId('event'),
			type,
			workspaceId,
			data: JSON.stringify(data),
			at: network.clock.iso(),
		},
	);
}

type EventRow = {
	id: string;
	event_type: Event['event_type'];
	workspace_id: string;
	data: string;
	created_at: string;
};

/** Every recorded event in the order in which things happened. */
export function readEvents(network: Network): Event[] {
	return network.store
		.all<EventRow>(
			'SELECT id, event_type, workspace_id, data, created_at FROM events ORDER BY sequence',
		)
		.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) as Event['data'] }));
}
