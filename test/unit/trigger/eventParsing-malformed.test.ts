import fc from 'fast-check';

import type { EventKind } from '../../../nodes/PartnerPayments/service/api/webhookSubscriptions';
import { parseEvents } from '../../../nodes/PartnerPayments/trigger/eventParsing';
import { NONE } from './events';

/** A body as it comes over the wire: only there `__proto__` is a property like any other. */
const overTheWire = (body: string): unknown => JSON.parse(body) as unknown;

test.each([
	undefined,
	null,
	true,
	0,
	'payable.paid',
	'',
	{ event_type: { toString: 'payable.paid' } },
	{ event_type: ['payable.paid'], data: [] },
	{ type: 'payable.paid', id: {}, data: { id: [], status: {} } },
	{ event: { type: { type: 'payable.paid' } } },
	{ data: null, payable: 5, partner: [] },
])('the body %j is no error', (body) => {
	expect(() => parseEvents(body, NONE)).not.toThrow();
});

test('names of object prototypes are data like any other', () => {
	const body = overTheWire(
		'{"__proto__":{"kind":"payablePaid","polluted":1},"constructor":{"prototype":{"polluted":1}},' +
			'"type":"payable.paid","data":{"__proto__":{"id":"x"},"payable":{"id":"p","__proto__":{"status":"draft"}}}}',
	);
	const [event] = parseEvents(body, NONE);
	expect(event).toMatchObject({ kind: 'payablePaid', id: undefined, status: 'paid' });
	expect(Object.keys(Object.prototype)).toEqual([]);
	expect('polluted' in {}).toBe(false);
});

test('no body is an error or changes the prototype of objects', () => {
	const name = fc.constantFrom(
		...['payable', 'partner', 'paid', 'status', 'id', 'type', 'event', 'data', 'payload', 'object'],
		...['events', 'name', 'constructor', '__proto__', 'prototype', 'toString', 'payable.paid'],
		...['payable.constructor', 'constructor.payable', 'hasOwnProperty'],
	);
	const text = fc.oneof(name, fc.string());
	const { body } = fc.letrec<{ body: unknown; leaf: unknown; dictionary: unknown }>((tie) => ({
		leaf: fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
		dictionary: fc
			.array(fc.tuple(text, tie('body')), { maxLength: 6 })
			.map((entries) =>
				overTheWire(
					`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`,
				),
			),
		body: fc.oneof(
			{ maxDepth: 5 },
			tie('leaf'),
			tie('dictionary'),
			fc.array(tie('body'), { maxLength: 4 }),
		),
	}));
	const known: EventKind[] = [
		'partnerStatusChanged',
		'payableApproved',
		'payablePaid',
		'payableStatusChanged',
	];
	const before = Object.getOwnPropertyNames(Object.prototype);
	fc.assert(
		fc.property(fc.oneof(body, fc.anything()), (value) => {
			for (const { kind, objectId, object, raw } of parseEvents(value, NONE)) {
				expect(known).toContain(kind);
				expect(['string', 'number']).toContain(typeof objectId);
				expect(typeof object).toBe('object');
				expect(typeof raw).toBe('object');
			}
		}),
		{ numRuns: 2000 },
	);
	expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
});
