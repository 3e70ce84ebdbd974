import type { ServiceEvent } from '../../../nodes/PartnerPayments/trigger/eventParsing';
import type { IDataObject } from 'n8n-workflow';

import {
	Deduplicator,
	eventDigest,
	MAX_EVENTS,
} from '../../../nodes/PartnerPayments/trigger/deduplicator';

const eventOf = (id: string | undefined, raw: object = {}): ServiceEvent => ({
	kind: 'payablePaid',
	type: undefined,
	id,
	occurredAt: undefined,
	status: 'paid',
	subject: 'payable',
	objectId: 'p',
	object: {},
	raw: raw as IDataObject,
});

test.each([
	['with one ID', eventOf('event-1')],
	['with one body', eventOf(undefined, { data: { id: 'p' } })],
])('the digests of two kinds of events %s differ', (_, event) => {
	const other: ServiceEvent = { ...event, kind: 'payableStatusChanged' };

	expect(eventDigest(other)).not.toBe(eventDigest(event));
});

const digest = (index: number): string => eventDigest(eventOf(`event-${index}`));
const digests = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => digest(index));

describe('the deduplicator of a trigger', () => {
	afterEach(() => {
		jest.useRealTimers();
	});

	test('gives an event to one delivery until it is released', () => {
		const deduplicator = new Deduplicator();

		expect(deduplicator.claim(digest(1))).toBe(true);
		expect(deduplicator.claim(digest(1))).toBe(false);

		deduplicator.release([digest(1)]);

		expect(deduplicator.claim(digest(1))).toBe(true);
	});

	test('releases no event that an execution has begun with', () => {
		const deduplicator = new Deduplicator();
		deduplicator.claim(digest(1));
		deduplicator.begin([digest(1)], '1');

		deduplicator.release([digest(1)]);

		expect(deduplicator.claim(digest(1))).toBe(false);
	});

	test('stores the latest five thousand events, and no more #latest-events', () => {
		const deduplicator = new Deduplicator();

		deduplicator.begin(digests(MAX_EVENTS + 2), '1');

		const latest = [0, 1, 2, MAX_EVENTS + 1];

		expect(deduplicator.stored()).toHaveLength(5000 * 8);
		expect(latest.filter((index) => deduplicator.claim(digest(index)))).toEqual([0, 1]);
	});

	test('stores what it has loaded', () => {
		const first = new Deduplicator();
		first.begin(digests(3), '1');
		const second = new Deduplicator();

		second.load(first.stored());

		expect(second.stored()).toBe(first.stored());
	});

	test('keeps a claim for a minute, and for longer once an execution has started', () => {
		jest.useFakeTimers({ now: 0 });
		const deduplicator = new Deduplicator();
		for (const index of [1, 2]) {
			deduplicator.claim(digest(index));
		}

		deduplicator.hold([digest(2)]);
		const known = () => [1, 2].filter((index) => deduplicator.isKnown(digest(index)));
		const pending = () => [1, 2].filter((index) => deduplicator.isPending(digest(index)));

		jest.setSystemTime(59_999);

		expect([known(), pending()]).toEqual([[1, 2], [1]]);

		jest.setSystemTime(60_000);

		expect([known(), pending()]).toEqual([[2], []]);
	});
});
