import fc from 'fast-check';

import type { EventKind } from '../../nodes/PartnerPayments/service/api/webhookSubscriptions';
import { parseEvents } from '../../nodes/PartnerPayments/trigger/eventParsing';

const NONE = new Map<string, EventKind>();
const PAYABLE = { id: 'payable-1', status: 'paid', amount: 1999, payee_email: 'ana@example.com' };
const PARTNER = { id: 'partner-1', status: 'verified', business_name: 'Ana Ltd' };

/** A body as it comes over the wire: only there `__proto__` is a property like any other. */
const overTheWire = (body: string): unknown => JSON.parse(body) as unknown;

/** The kinds of the events in a body. */
const kinds = (body: unknown, identifiers = NONE): EventKind[] =>
	parseEvents(body, identifiers).map(({ kind }) => kind);

describe('the identifier', () => {
	test.each<[identifier: string, kind: EventKind]>([
		['payable.paid', 'payablePaid'],
		['payable_paid', 'payablePaid'],
		['payable-paid', 'payablePaid'],
		['payable:paid', 'payablePaid'],
		['payable paid', 'payablePaid'],
		['PayablePaid', 'payablePaid'],
		['payablePaid', 'payablePaid'],
		['PAYABLE_PAID', 'payablePaid'],
		['Payable.Paid', 'payablePaid'],
		['payables/paid', 'payablePaid'],
		['payable.paid.v1', 'payablePaid'],
		['webhook.payable.paid', 'payablePaid'],
		['partner_payments.payable.paid', 'payablePaid'],
		['payable.approved', 'payableApproved'],
		['payable.will_pay', 'payableStatusChanged'],
		['PayableApproved', 'payableApproved'],
		['PAYABLES_APPROVED', 'payableApproved'],
		['payable.status_changed', 'payableStatusChanged'],
		['payable.status.changed', 'payableStatusChanged'],
		['PayableStatusChanged', 'payableStatusChanged'],
		['PAYABLE_STATUS_UPDATED', 'payableStatusChanged'],
		['payable.updated', 'payableStatusChanged'],
		['partner-payments.payable.status_changed', 'payableStatusChanged'],
		['partner.status_changed', 'partnerStatusChanged'],
		['PartnerStatusChanged', 'partnerStatusChanged'],
		['partners/updated', 'partnerStatusChanged'],
		['partner.tax_form_updated', 'partnerStatusChanged'],
		['vendor.verification.updated', 'partnerStatusChanged'],
		['VENDOR_VERIFIED', 'partnerStatusChanged'],
		['vendors.status_changed', 'partnerStatusChanged'],
	])('%s means %s', (identifier, kind) => {
		const data = kind === 'partnerStatusChanged' ? PARTNER : PAYABLE;
		expect(kinds({ event_type: identifier, data })).toEqual([kind]);
	});

	test.each([
		'payable.created',
		'payable.unpaid',
		'payable.prepaid',
		'payable.repaid',
		'payable.partially_paid',
		'payable.not_paid',
		'payable.paid_failed',
		'payable.unapproved',
		'payable.not_approved',
		'payable.deleted',
		'prepaid',
		'prepayable.paid',
		'paid',
		'approved',
		'status_changed',
		'deposit.received',
		'deposit.paid',
		'funding.paid',
		'invoice.paid',
		'partner.created',
		'partner.invited',
		'ping',
		'constructor',
		'payable.constructor',
		'constructor.paid',
		'__proto__',
		'__proto__.paid',
		'hasOwnProperty.paid',
		'...',
	])('%s means nothing', (identifier) => {
		expect(kinds({ event_type: identifier, data: PAYABLE })).toEqual([]);
		expect(kinds({ id: 'event-1', type: identifier, data: { payable: PAYABLE } })).toEqual([]);
	});

	test.each([
		['event_type', { event_type: 'payable.paid' }],
		['eventType', { eventType: 'payable.paid' }],
		['type', { type: 'payable.paid' }],
		['event', { event: 'payable.paid' }],
		['event_name', { event_name: 'payable.paid' }],
		['an object called event', { event: { type: 'payable.paid' } }],
		['the name in an object called event', { event: { name: 'payable.paid' } }],
		['name', { name: 'payable.paid' }],
		['topic', { topic: 'payable.paid' }],
	])('is read from %s', (_, property) => {
		const [event] = parseEvents({ id: 'event-1', ...property, data: { id: 'payable-1' } }, NONE);
		expect(event).toMatchObject({
			kind: 'payablePaid',
			type: 'payable.paid',
			id: 'event-1',
			object: { id: 'payable-1' },
		});
	});

	test('counts more than the status', () => {
		const [event] = parseEvents({ type: 'payable.approved', data: PAYABLE }, NONE);
		expect(event).toMatchObject({ kind: 'payableApproved', status: 'paid' });
	});

	test('that is unknown means what it was identifiers to, in any case', () => {
		const identifiers = new Map<string, EventKind>([['obligation.settled', 'payablePaid']]);
		const body = { type: 'Obligation.Settled', data: { id: 'payable-1' } };
		expect(kinds(body)).toEqual([]);
		expect(kinds(body, identifiers)).toEqual(['payablePaid']);
		expect(kinds({ type: 'obligation.opened', data: PAYABLE }, identifiers)).toEqual([]);
	});

	test('that is known means something else when it was identifiers', () => {
		const identifiers = new Map<string, EventKind>([['payable.paid', 'payableApproved']]);
		expect(kinds({ type: 'payable.paid', data: PAYABLE }, identifiers)).toEqual([
			'payableApproved',
		]);
	});

	test('that names the subject alone leaves the rest to the status', () => {
		expect(kinds({ type: 'payable', data: PAYABLE })).toEqual(['payablePaid']);
		expect(kinds({ type: 'Payables', data: { id: 'p', status: 'approved' } })).toEqual([
			'payableApproved',
		]);
		expect(kinds({ topic: 'vendor', data: PARTNER })).toEqual(['partnerStatusChanged']);
	});
});

describe('the payable or partner', () => {
	test.each([
		['data', { data: PAYABLE }],
		['payload', { payload: PAYABLE }],
		['object', { object: PAYABLE }],
		['resource', { resource: PAYABLE }],
		['data.object', { data: { object: PAYABLE } }],
		['data.payable', { data: { payable: PAYABLE } }],
		['payload.payable', { payload: { payable: PAYABLE } }],
		['payable', { payable: PAYABLE }],
	])('is found in %s', (_, payload) => {
		const raw = { id: 'event-1', type: 'payable.paid', ...payload };
		expect(parseEvents(raw, NONE)).toMatchObject([
			{ kind: 'payablePaid', subject: 'payable', id: 'event-1', object: PAYABLE, raw },
		]);
		// Without an identifier, its status tells.
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

	test.each<[status: string, kind: EventKind]>([
		['approved', 'payableApproved'],
		['will_pay', 'payableStatusChanged'],
		['paid', 'payablePaid'],
		['PAID', 'payablePaid'],
	])('tells by its status %s what happened', (status, kind) => {
		expect(kinds({ ...PAYABLE, status })).toEqual([kind]);
	});

	test.each(['unknown', 'unpaid', '', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])(
		'tells nothing by the status "%s" of a payable',
		(status) => {
			expect(kinds({ ...PAYABLE, status })).toEqual([]);
		},
	);

	test('tells nothing without an ID or without a status', () => {
		for (const body of [{ status: 'paid', amount: 5 }, { id: 'payable-1', amount: 5 }, {}]) {
			expect(kinds(body)).toEqual([]);
			expect(kinds({ data: { payable: body } })).toEqual([]);
		}
	});
});

describe('what stands around it', () => {
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

	test('the workspace is read from the event, else from its object', () => {
		const data = { ...PAYABLE, workspace_id: 'inner' };
		expect(parseEvents({ type: 'payable.paid', data }, NONE)[0]?.workspaceId).toBe('inner');
		expect(
			parseEvents({ type: 'payable.paid', workspace_id: 'outer', data }, NONE)[0]?.workspaceId,
		).toBe('outer');
		expect(parseEvents({ type: 'payable.paid', data: PAYABLE }, NONE)[0]?.workspaceId).toBe(
			undefined,
		);
	});
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
])('%j is no error', (body) => {
	expect(() => parseEvents(body, NONE)).not.toThrow();
});

test('hostile names stay data', () => {
	const body = overTheWire(
		'{"__proto__":{"kind":"payablePaid","polluted":1},"constructor":{"prototype":{"polluted":1}},' +
			'"type":"payable.paid","data":{"__proto__":{"id":"x"},"payable":{"__proto__":{"status":"paid"}}}}',
	);
	const [event] = parseEvents(body, NONE);
	expect(event).toMatchObject({ kind: 'payablePaid', id: undefined, status: undefined });
	expect(Object.keys(Object.prototype)).toEqual([]);
	expect('polluted' in {}).toBe(false);
});

test('no body makes it fail or touches the prototype of objects', () => {
	const word = fc.constantFrom(
		...['payable', 'partner', 'paid', 'status', 'id', 'type', 'event', 'data', 'payload', 'object'],
		...['events', 'name', 'constructor', '__proto__', 'prototype', 'toString', 'payable.paid'],
		...['payable.constructor', 'constructor.payable', 'hasOwnProperty'],
	);
	const text = fc.oneof(word, fc.string());
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
			for (const { kind, object, raw } of parseEvents(value, NONE)) {
				expect(known).toContain(kind);
				expect(typeof object).toBe('object');
				expect(typeof raw).toBe('object');
			}
		}),
		{ numRuns: 2000 },
	);
	expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
});
