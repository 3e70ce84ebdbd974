import fc from 'fast-check';

import {
	EventMemory,
	fingerprint,
	memoryOf,
} from '../../nodes/PartnerPayments/trigger/deduplicator';

const REMEMBERED = 5000;

describe('what an event is remembered as', () => {
	test('is its own ID, whatever else the event says', () => {
		expect(fingerprint('event-1', { attempt: 1 })).toBe(fingerprint('event-1', { attempt: 2 }));
		expect(fingerprint('event-1', {})).not.toBe(fingerprint('event-2', {}));
	});

	test('is all of it when it has no ID', () => {
		const event = { type: 'payable.paid', data: { id: 'p' } };
		expect(fingerprint(undefined, event)).toBe(fingerprint(undefined, { ...event }));
		expect(fingerprint(undefined, event)).not.toBe(
			fingerprint(undefined, { ...event, data: { id: 'q' } }),
		);
	});

	test('is never the same for an ID and for an event without one', () => {
		expect(fingerprint('{}', {})).not.toBe(fingerprint(undefined, {}));
		expect(fingerprint('body:{}', {})).not.toBe(fingerprint(undefined, {}));
	});

	test('has one length, so that many can be stored behind each other', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (id, event) => {
				expect(fingerprint(id, event)).toHaveLength(8);
				expect(fingerprint(undefined, event)).toHaveLength(8);
			}),
		);
	});

	test('differs for ten thousand IDs', () => {
		const ids = Array.from({ length: 10_000 }, (_, index) => fingerprint(`event-${index}`, {}));
		expect(new Set(ids).size).toBe(ids.length);
	});
});

const identity = (index: number): string => fingerprint(`event-${index}`, {});
const identities = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => identity(index));

describe('the memory of a trigger', () => {
	test('gives an event to one delivery until it is kept or released', () => {
		const memory = new EventMemory();
		expect(memory.claim(identity(1))).toBe(true);
		expect(memory.claim(identity(1))).toBe(false);
		memory.release([identity(1)]);
		expect(memory.claim(identity(1))).toBe(true);
		memory.keep([identity(1)]);
		expect(memory.claim(identity(1))).toBe(false);
	});

	test('does not forget an event that is released after it was kept', () => {
		const memory = new EventMemory();
		memory.claim(identity(1));
		memory.keep([identity(1)]);
		memory.release([identity(1)]);
		expect(memory.claim(identity(1))).toBe(false);
	});

	test('outlives the process in what keep returns', () => {
		const before = new EventMemory();
		before.keep([identity(1)]);
		const stored = before.keep([identity(2), identity(3)]);
		const after = new EventMemory();
		after.load(stored);
		expect([1, 2, 3, 4].map((index) => after.claim(identity(index)))).toEqual([
			false,
			false,
			false,
			true,
		]);
	});

	test('takes in what another process has stored, and keeps what it knew', () => {
		const one = new EventMemory();
		const other = new EventMemory();
		one.keep([identity(1)]);
		one.load(other.keep([identity(2)]));
		expect(one.claim(identity(1))).toBe(false);
		expect(one.claim(identity(2))).toBe(false);
		expect(one.keep([])).toHaveLength(16);
	});

	test('holds the latest five thousand events, and no more', () => {
		const memory = new EventMemory();
		const stored = memory.keep(identities(REMEMBERED + 2));
		expect(stored).toHaveLength(REMEMBERED * 8);
		expect([0, 1, 2, REMEMBERED + 1].map((index) => memory.claim(identity(index)))).toEqual([
			true,
			true,
			false,
			false,
		]);
	});

	test('survives a restart when it is full', () => {
		const before = new EventMemory();
		const stored = before.keep(identities(REMEMBERED + 100));
		const after = new EventMemory();
		after.load(stored);
		expect(after.keep([])).toBe(stored);
	});

	test.each([undefined, null, 5, {}, [], true, ''])('is empty when %j is stored', (stored) => {
		const memory = new EventMemory();
		memory.load(stored);
		expect(memory.keep([])).toBe('');
	});

	test('is one for all deliveries to a trigger, and another for another trigger', () => {
		memoryOf('workflow-1 node-1').claim(identity(1));
		expect(memoryOf('workflow-1 node-1').claim(identity(1))).toBe(false);
		expect(memoryOf('workflow-1 node-2').claim(identity(1))).toBe(true);
	});

	test('keeps the newest event when older static data is read after it', () => {
		const memory = new EventMemory();
		const events = identities(REMEMBERED + 1);
		const newest = events.at(-1) ?? '';
		const before = memory.keep(events.slice(0, REMEMBERED));
		memory.keep([newest]);
		memory.load(before);
		expect(memory.claim(newest)).toBe(false);
	});

	test('holds an event for a minute when nothing is heard of its start', () => {
		jest.useFakeTimers({ now: 0 });
		const memory = new EventMemory();
		memory.claim(identity(1));
		jest.setSystemTime(59_999);
		expect([memory.isInWork(identity(1)), memory.claim(identity(1))]).toEqual([true, false]);
		jest.setSystemTime(60_000);
		expect([memory.isInWork(identity(1)), memory.claim(identity(1))]).toEqual([false, true]);
		jest.useRealTimers();
	});
});
