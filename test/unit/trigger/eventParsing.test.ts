import type { EventKind } from '../../../nodes/PartnerPayments/service/api/webhookSubscriptions';
import { parseEvents } from '../../../nodes/PartnerPayments/trigger/eventParsing';
import { kinds, NONE, PARTNER, PAYABLE } from './events';

describe('the payable or partner of an event', () => {
	test.each([
		['data', { data: PAYABLE }],
		['payload', { payload: PAYABLE }],
		['object', { object: PAYABLE }],
		['resource', { resource: PAYABLE }],
		['body', { body: PAYABLE }],
		['data.object', { data: { object: PAYABLE } }],
		['data.payable', { data: { payable: PAYABLE } }],
		['payload.payable', { payload: { payable: PAYABLE } }],
		['payable', { payable: PAYABLE }],
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

	test('has its status under another name in some services', () => {
		expect(parseEvents({ id: 'payable-1', amount: 5, state: 'paid' }, NONE)).toMatchObject([
			{ kind: 'payablePaid', status: 'paid' },
		]);
	});

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

describe('the envelope of an event', () => {
	test.each(['event_id', 'eventId', 'id'])('the ID of the event is read from %s', (name) => {
		const [event] = parseEvents({ [name]: 'event-1', type: 'payable.paid', data: PAYABLE }, NONE);
		expect(event?.id).toBe('event-1');
	});

	test('an ID that is a number is one as well', () => {
		const [event] = parseEvents({ id: 17, type: 'payable.paid', data: PAYABLE }, NONE);
		expect(event?.id).toBe('17');
	});

	test.each(['occurred_at', 'created_at', 'occurredAt', 'createdAt', 'timestamp', 'time'])(
		'the time is read from %s',
		(name) => {
			const body = { type: 'payable.paid', [name]: '2026-01-01T00:00:00Z', data: PAYABLE };
			expect(parseEvents(body, NONE)[0]?.occurredAt).toBe('2026-01-01T00:00:00Z');
		},
	);
});

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
		for (const body of [[], { events: [] }, { data: [] }]) expect(kinds(body)).toEqual([]);
	});
});
