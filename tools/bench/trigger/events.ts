import { shuffle } from 'simple-statistics';

import type { StoredExecution } from '../../n8n';
import type { Random } from '../../random';
import type { Message } from './sender';

const PAYABLES = 50;
const PARTNERS = 20;
const TIME = '2026-01-01T00:00:00.000Z';
/** The types of the events of payables, and the status that each has come to. */
const PAYABLE_EVENTS = [
	['payable.approved', 'approved'],
	['payable.status_changed', 'will_pay'],
	['payable.paid', 'paid'],
];

/** Finds the ids of events in any text. */
const EVENT_ID = /evt_[a-z]+_\d+/g;

/** Makes distinct events of payables and partners; the name keeps them apart from others. */
export function makeEvents(name: string, count: number, workspaceId: string): Message[] {
	return Array.from({ length: count }, (_, index) => {
		const id = `evt_${name}_${index}`;
		const subject = index % (PAYABLES + PARTNERS);
		const [type, status] = PAYABLE_EVENTS[index % PAYABLE_EVENTS.length] ?? [];
		const common = { id, created_at: TIME, workspace_id: workspaceId };
		const event =
			subject < PAYABLES
				? { ...common, event_type: type, data: { payable: payable(subject, status, workspaceId) } }
				: { ...common, event_type: 'partner.status_changed', data: { partner: partner(subject) } };
		return { id, body: JSON.stringify(event) };
	});
}

const payable = (index: number, status: string | undefined, workspaceId: string): object => ({
	id: `payable-${index}`,
	workspace_id: workspaceId,
	payee_email: `vendor-${index % PARTNERS}@example.com`,
	...{ amount: 10_000 + index, currency: 'USD', memo: `Invoice ${index}` },
	...{ status, created_at: TIME },
});

const partner = (index: number): object => ({
	id: `partner-${index}`,
	email: `vendor-${index}@example.com`,
	...{ business_name: `Vendor ${index}`, status: 'verified', created_at: TIME },
});

/**
 * Shuffles the messages and repeats a share of them: half of the repetitions anywhere, the others right
 * behind the first delivery, so that both are in flight at once.
 */
export function atLeastOnce(messages: Message[], share: number, random: Random): Message[] {
	const repeated = shuffle(messages, random).slice(0, messages.length * share);
	const half = repeated.length / 2;
	const adjacent = new Set(repeated.slice(0, half));
	const sent = shuffle(messages, random).flatMap((message) =>
		adjacent.has(message) ? [message, message] : [message],
	);
	for (const message of repeated.slice(half)) {
		sent.splice(Math.floor(random() * sent.length), 0, message);
	}
	return sent;
}

/** How often events were executed. */
export interface Tally {
	once: number;
	twice: string[];
	/** Events without any execution. */
	lost: string[];
	/** Of those executed once: another execution had been started, and was cut off when n8n ended. */
	repeated: number;
	/** Events whose only execution was cut off or failed. */
	unfinished: string[];
}

/** The ids of an execution's events. */
const idsOf = ({ data }: StoredExecution): Set<string> => new Set(data.match(EVENT_ID));

/** Counts the executions of each event; n8n marks those that were cut off when it ended as crashed. */
export function tallyExecutions(executions: StoredExecution[], ids: string[]): Tally {
	const known = new Map(ids.map((id) => [id, { ended: 0, cutOff: 0 }]));
	for (const execution of executions) {
		for (const id of idsOf(execution)) {
			const count = known.get(id);
			if (count !== undefined) count[execution.status === 'success' ? 'ended' : 'cutOff'] += 1;
		}
	}
	const idsWith = (matches: (ended: number, cutOff: number) => boolean): string[] =>
		[...known].filter(([, { ended, cutOff }]) => matches(ended, cutOff)).map(([id]) => id);
	return {
		once: idsWith((ended) => ended === 1).length,
		twice: idsWith((ended) => ended > 1),
		lost: idsWith((ended, cutOff) => ended + cutOff === 0),
		repeated: idsWith((ended, cutOff) => ended === 1 && cutOff > 0).length,
		unfinished: idsWith((ended, cutOff) => ended === 0 && cutOff > 0),
	};
}
