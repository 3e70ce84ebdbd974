import { parseEvents } from '../../../nodes/PartnerPayments/trigger/eventParsing';
import { kinds, NONE, PARTNER, PAYABLE } from './events';

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

describe('the ID of an event', () => {
	test.each<[where: string, event: object, id: string | undefined]>([
		['the envelope', { id: 'event-1', data: PAYABLE }, 'event-1'],
		['a name of its own', { event_id: 'event-1', ...PAYABLE }, 'event-1'],
		[
			'an object called event',
			{ event: { id: 'event-1', type: 'payable.paid' }, data: PAYABLE },
			'event-1',
		],
		['a number', { event_id: 17, data: PAYABLE }, '17'],
		['no number that JSON has rounded', { id: 2 ** 53, data: PAYABLE }, undefined],
		['no bare payable', PAYABLE, undefined],
	])('is read from %s', (_, event, id) => {
		expect(parseEvents(event, NONE).map((parsed) => parsed.id)).toEqual([id]);
	});
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

test('the name of an event that holds nothing but an ID and a status is that of the event', () => {
	const event = { id: 'event-1', name: 'payable.paid', payable_id: 'p', status: 'paid' };
	expect(parseEvents(event, NONE)).toMatchObject([{ kind: 'payablePaid', objectId: 'p' }]);
});
