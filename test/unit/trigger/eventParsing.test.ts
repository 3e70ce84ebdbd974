import fc from 'fast-check';
import { EVENT_KINDS, type EventKind } from '../../../nodes/PartnerPayments/api/endpoints';
import { parseEvents } from '../../../nodes/PartnerPayments/trigger/eventParsing';
import { kinds, NONE, PARTNER, PAYABLE } from './events';

describe('the payable or partner of an event', () => {
	test.each([
		['data', { data: PAYABLE }],
		['payload', { payload: PAYABLE }],
		['object', { object: PAYABLE }],
		['resource', { resource: PAYABLE }],
		['body', { body: PAYABLE }],
		['payable', { payable: PAYABLE }],
		['data.object', { data: { object: PAYABLE } }],
		['data.payable', { data: { payable: PAYABLE } }],
		['payload.payable', { payload: { payable: PAYABLE } }],
	])('is found in %s', (_, payload) => {
		const raw = { id: 'event-1', type: 'payable.paid', ...payload };

		expect(parseEvents(raw, NONE)).toMatchObject([
			{ kind: 'payablePaid', subject: 'payable', id: 'event-1', object: PAYABLE, raw },
		]);
		// Without an identifier, the status decides.
		expect(kinds({ id: 'event-1', ...payload })).toEqual(['payablePaid']);
	});

	test.each(['partner', 'partners', 'vendor', 'vendors'])('is found under %s', (name) => {
		expect(parseEvents({ data: { [name]: PARTNER } }, NONE)).toMatchObject([
			{ kind: 'partnerStatusChanged', subject: 'partner', object: PARTNER, status: 'verified' },
		]);
	});

	test('is the whole body when it has no envelope, and its ID is not the ID of an event', () => {
		expect(parseEvents(PAYABLE, NONE)).toMatchObject([
			{ kind: 'payablePaid', id: undefined, type: undefined, object: PAYABLE, raw: PAYABLE },
		]);
		expect(parseEvents(PARTNER, NONE)).toMatchObject([
			{ kind: 'partnerStatusChanged', id: undefined, object: PARTNER },
		]);
	});

	test.each(['amount', 'payee_email', 'payee_service_id'])(
		'without a name is a payable when it has the field %s, else a partner',
		(field) => {
			const object = { id: '1', status: 'verified' };

			expect(kinds({ ...object, [field]: 'any' })).toEqual([]);
			expect(kinds({ ...object, status: 'paid', [field]: 'any' })).toEqual(['payablePaid']);
			expect(kinds(object)).toEqual(['partnerStatusChanged']);
		},
	);

	test.each<[status: string, kind: EventKind]>([
		['approved', 'payableApproved'],
		['will_pay', 'payableStatusChanged'],
		['paid', 'payablePaid'],
		['PAID', 'payablePaid'],
	])('with the status %s means %s', (status, kind) => {
		expect(kinds({ ...PAYABLE, status })).toEqual([kind]);
	});

	test.each(['unknown', 'unpaid', '', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])(
		'with the status "%s" means nothing',
		(status) => {
			expect(kinds({ ...PAYABLE, status })).toEqual([]);
		},
	);

	test('means nothing without an ID or without a status', () => {
		for (const body of [{ status: 'paid', amount: 5 }, { id: 'payable-1', amount: 5 }, {}]) {
			expect(kinds(body)).toEqual([]);
			expect(kinds({ data: { payable: body } })).toEqual([]);
		}
	});
});

test.each(['occurred_at', 'created_at', 'occurredAt', 'createdAt', 'timestamp', 'time'])(
	'the time of an event is read from %s',
	(name) => {
		const body = { type: 'payable.paid', [name]: '2026-01-01T00:00:00Z', data: PAYABLE };

		expect(parseEvents(body, NONE)[0]?.occurredAt).toBe('2026-01-01T00:00:00Z');
	},
);

test.each([1_767_225_600, 1_767_225_600_000, '1767225600'])(
	'the time of an event is read from the number %p',
	(timestamp) => {
		const read = parseEvents({ event: { type: 'payable.paid', timestamp }, data: PAYABLE }, NONE);

		expect(read[0]?.occurredAt).toBe('2026-01-01T00:00:00.000Z');
	},
);

describe('a list of events', () => {
	const first = { id: 'event-1', type: 'payable.paid', data: PAYABLE };
	const second = { id: 'event-2', type: 'partner.status_changed', data: PARTNER };

	test.each([
		['the body', [first, second]],
		['events', { events: [first, second] }],
		['data', { data: [first, second] }],
		['items', { items: [first, second] }],
	])('is read from %s', (_, body) => {
		expect(parseEvents(body, NONE)).toMatchObject([
			{ kind: 'payablePaid', id: 'event-1', raw: first },
			{ kind: 'partnerStatusChanged', id: 'event-2', raw: second },
		]);
	});

	test('gives those that are recognised', () => {
		const body = [null, 'payable.paid', 5, [first], { type: 'ping' }, first];

		expect(parseEvents(body, NONE).map(({ id }) => id)).toEqual(['event-1']);
	});

	test('may be empty', () => {
		for (const body of [[], { events: [] }, { data: [] }]) {
			expect(kinds(body)).toEqual([]);
		}
	});
});

test('no body is an error or changes the prototype of objects', () => {
	const name = fc.constantFrom(
		'payable',
		'partner',
		'paid',
		'status',
		'id',
		'type',
		'event',
		'data',
		'payload',
		'object',
		'events',
		'name',
		'constructor',
		'__proto__',
		'prototype',
		'toString',
		'payable.paid',
		'payable.constructor',
		'constructor.payable',
		'hasOwnProperty',
	);

	const text = fc.oneof(name, fc.string());
	const values = [text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)];
	// Only as it comes over the wire, `__proto__` is a property like any other.
	const body = fc
		.anything({ key: text, values, maxDepth: 5 })
		.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
	const before = Object.getOwnPropertyNames(Object.prototype);

	fc.assert(
		fc.property(fc.oneof(body, fc.anything()), (value) => {
			for (const { kind, objectId, object, raw } of parseEvents(value, NONE)) {
				expect(EVENT_KINDS).toContain(kind);
				expect(['string', 'number']).toContain(typeof objectId);
				expect(typeof object).toBe('object');
				expect(typeof raw).toBe('object');
			}
		}),
		{ numRuns: 2000 },
	);

	expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
});

const PAID = { id: 'event-1', event_type: 'payable.paid' };
const CHANGED = { id: 'event-1', event_type: 'partner.status_changed' };

describe('the ID of the payable or partner #event-object-id', () => {
	test.each<[where: string, event: object, id: string | number]>([
		['the object', { ...PAID, data: { id: 'p' } }, 'p'],
		['an object under its name', { ...PAID, data: { payable: { id: 'p' } } }, 'p'],
		['a number', { ...PAID, data: { id: 17 } }, 17],
		['a name of its own', { ...PAID, data: { payable_id: 'p', id: 'change-1' } }, 'p'],
		['a name of its own in capitals', { ...PAID, data: { payableId: 'p' } }, 'p'],
		['a name beside the payload', { ...PAID, payable_id: 'p', data: { status: 'paid' } }, 'p'],
		['a name without a payload', { ...PAID, payable_id: 'p' }, 'p'],
		['the text under its name', { ...PAID, payable: 'p' }, 'p'],
		['the text under its name in the payload', { ...PAID, data: { payable: 'p' } }, 'p'],
		['a bare payable with its status', { ...PAYABLE, event_type: 'payable.paid' }, 'payable-1'],
		['a bare payable', { id: 'p', event_type: 'payable.paid', amount: 5 }, 'p'],
		['a partner', { ...CHANGED, data: { id: 'p' } }, 'p'],
		['the name of a partner', { ...CHANGED, data: { partner_id: 'p' } }, 'p'],
		['the name of a partner in capitals', { ...CHANGED, partnerId: 'p' }, 'p'],
	])('is read from %s', (_, event, id) => {
		expect(parseEvents(event, NONE)).toMatchObject([{ objectId: id }]);
	});

	test.each<[what: string, event: object]>([
		['says nothing else', { type: 'payable_paid' }],
		['has an ID of its own alone', PAID],
		['has an ID of its own alone, for a partner', CHANGED],
		['has an empty payload', { ...PAID, data: {} }],
		['names an empty payable', { ...PAID, data: { payable: {} } }],
		[
			'names a payable without an ID',
			{ ...PAID, data: { payable: { status: 'paid', amount: 5 } } },
		],
		['has an empty ID', { ...PAID, data: { id: '' } }],
		['has a blank ID', { ...PAID, data: { id: '  ' } }],
		['has a list for an ID', { ...PAID, data: { id: ['p'] } }],
		['has a flag for an ID', { ...PAID, data: { id: true } }],
		['has a fraction for an ID', { ...PAID, data: { id: 1.5 } }],
		['has an ID that JSON has rounded', { ...PAID, data: { id: 2 ** 53 } }],
		['is about a payable and holds a partner', { ...PAID, data: { partner: PARTNER } }],
		['is about a partner and holds a payable', { ...CHANGED, data: { payable: PAYABLE } }],
		['is about a partner and names a payable', { ...CHANGED, payable_id: 'p' }],
	])('is missing in an event that %s, which means nothing then', (_, event) => {
		expect(kinds(event)).toEqual([]);
		expect(kinds([event])).toEqual([]);
	});

	test('is that of a payable, not of the partner that it holds', () => {
		const data = { id: 'payable-1', partner: PARTNER };

		expect(parseEvents({ ...PAID, data }, NONE)).toMatchObject([
			{ kind: 'payablePaid', objectId: 'payable-1', object: data },
		]);
		expect(
			parseEvents({ id: 'event-1', data: { ...PAYABLE, partner: PARTNER } }, NONE),
		).toMatchObject([{ kind: 'payablePaid', objectId: 'payable-1' }]);
	});
});

test.each<[where: string, event: object, id: string | undefined]>([
	['the envelope', { id: 'event-1', data: PAYABLE }, 'event-1'],
	['a name of its own', { event_id: 'event-1', ...PAYABLE }, 'event-1'],
	['a name of its own in capitals', { eventId: 'event-1', data: PAYABLE }, 'event-1'],
	['an object called event', { event: { id: 'event-1' }, data: PAYABLE }, 'event-1'],
	['a number in the envelope', { id: 17, data: PAYABLE }, '17'],
	['a number', { event_id: 17, data: PAYABLE }, '17'],
	['no number that JSON has rounded', { id: 2 ** 53, data: PAYABLE }, undefined],
	['no bare payable', PAYABLE, undefined],
])('the ID of an event is read from %s', (_, event, id) => {
	expect(parseEvents(event, NONE).map((parsed) => parsed.id)).toEqual([id]);
});

describe('the status of a payable', () => {
	test.each<[type: string, status: string | undefined]>([
		['payable.paid', 'paid'],
		['PayableApproved', 'approved'],
		['payable.will_pay', 'will_pay'],
		['payable.status_changed', undefined],
	])('follows from %s when the event does not tell it', (type, status) => {
		expect(parseEvents({ type, data: { id: 'p' } }, NONE)).toMatchObject([{ status }]);
	});

	test('follows from the kind that the user mapped the identifier to', () => {
		const identifiers = new Map([['obligation.settled', 'payablePaid']] as const);
		const event = { type: 'obligation.settled', data: { id: 'p' } };

		expect(parseEvents(event, identifiers)).toMatchObject([{ status: 'paid' }]);
	});

	test('is the one that was sent, where one was', () => {
		for (const name of ['status', 'state', 'new_status', 'newStatus']) {
			const event = { type: 'payable.approved', data: { id: 'p', [name]: 'will_pay' } };

			expect(parseEvents(event, NONE)).toMatchObject([{ status: 'will_pay' }]);
		}
	});

	test('is never taken from the envelope, and that of a partner never from the event', () => {
		const data = { id: 'p' };

		expect(
			parseEvents({ type: 'partner.verified', status: 'delivered', data }, NONE)[0]?.status,
		).toBeUndefined();
		expect(parseEvents({ type: 'vendor.verified', data }, NONE)).toMatchObject([
			{ kind: 'partnerStatusChanged', status: undefined },
		]);
	});
});

test.each(['Ana Ruiz', 'Payable Paid', 'payable.paid', 'Vendor Bob', 'partner.created'])(
	'a partner without any envelope that is called %j is a partner',
	(name) => {
		expect(parseEvents({ ...PARTNER, name }, NONE)).toMatchObject([
			{ kind: 'partnerStatusChanged', objectId: 'partner-1', status: 'verified', type: undefined },
		]);
	},
);

test("in an event with only an ID and a status, the name is the event's", () => {
	const event = { id: 'event-1', name: 'payable.paid', payable_id: 'p', status: 'paid' };

	expect(parseEvents(event, NONE)).toMatchObject([{ kind: 'payablePaid', objectId: 'p' }]);
});
