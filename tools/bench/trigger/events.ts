import { shuffle } from 'simple-statistics';

import type { Random } from '../../random';
import type { Message } from './sender';

const PAYABLES = 50;
const PARTNERS = 20;
const TIME = '2026-01-01T00:00:00.000Z';
const PAYABLE_STATUSES = ['approved', 'will_pay', 'paid'];
const PARTNER_STATUSES = ['pending', 'verified'];

/** Finds the ids of events in any text. */
export const EVENT_ID = /evt_[a-z]+_\d+/g;

/** Makes distinct events of payables and partners; the name keeps them apart from others. */
export function makeEvents(name: string, count: number, workspaceId: string): Message[] {
	return Array.from({ length: count }, (_, index) => {
		const id = `evt_${name}_${index}`;
		const subject = index % (PAYABLES + PARTNERS);
		const isPayable = subject < PAYABLES;
		const statuses = isPayable ? PAYABLE_STATUSES : PARTNER_STATUSES;
		const status = statuses[index % statuses.length];
		const data = isPayable
			? { payable: payable(subject, status, workspaceId) }
			: { partner: partner(subject - PAYABLES, status) };
		const body = JSON.stringify({
			id,
			event_type: eventType(isPayable, status),
			created_at: TIME,
			workspace_id: workspaceId,
			data,
		});
		return { id, body };
	});
}

function eventType(isPayable: boolean, status: string | undefined): string {
	if (!isPayable) return 'partner.status_changed';
	return status === 'will_pay' ? 'payable.status_changed' : `payable.${status ?? ''}`;
}

const payable = (index: number, status: string | undefined, workspaceId: string): object => ({
	id: `payable-${index}`,
	workspace_id: workspaceId,
	payee_email: `vendor-${index % PARTNERS}@example.com`,
	amount: 10_000 + index,
	currency: 'USD',
	memo: `Invoice ${index}`,
	status,
	created_at: TIME,
});

const partner = (index: number, status: string | undefined): object => ({
	id: `partner-${index}`,
	email: `vendor-${index}@example.com`,
	business_name: `Vendor ${index}`,
	status,
	created_at: TIME,
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
