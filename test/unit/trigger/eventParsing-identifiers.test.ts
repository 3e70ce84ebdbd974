import type { EventKind } from '../../../nodes/PartnerPayments/api/endpoints';
import {
	namesOtherWorkspace,
	parseEvents,
} from '../../../nodes/PartnerPayments/trigger/eventParsing';
import { kinds, NONE, PARTNER, PAYABLE } from './events';
import { OTHER_WORKSPACE } from './fakeTrigger';

describe('the identifier of an event #event-identifiers', () => {
	test.each<[kind: EventKind, identifiers: string[]]>([
		['payablePaid', ['payable.paid', 'payable_paid', 'payable-paid', 'payable:paid']],
		['payablePaid', ['payable paid', 'PayablePaid', 'payablePaid', 'PAYABLE_PAID']],
		['payablePaid', ['Payable.Paid', 'payables/paid', 'payable.paid.v1', 'webhook.payable.paid']],
		['payablePaid', ['partner_payments.payable.paid']],
		['payableApproved', ['payable.approved', 'PayableApproved', 'PAYABLES_APPROVED']],
		['payableStatusChanged', ['payable.will_pay', 'payable.status_changed', 'payable.status']],
		['payableStatusChanged', ['payable.status.changed', 'PayableStatusChanged', 'payable.change']],
		['payableStatusChanged', ['PAYABLE_STATUS_UPDATED', 'payable.updated', 'payable.update']],
		['payableStatusChanged', ['payable.changed', 'partner-payments.payable.status_changed']],
		['partnerStatusChanged', ['partner.verification', 'partner.tax', 'partner.status_changed']],
		['partnerStatusChanged', ['PartnerStatusChanged', 'partners/updated', 'VENDOR_VERIFIED']],
		['partnerStatusChanged', ['partner.tax_form_updated', 'vendor.verification.updated']],
		['partnerStatusChanged', ['vendors.status_changed']],
	])('means %s: %j', (kind, identifiers) => {
		const data = kind === 'partnerStatusChanged' ? PARTNER : PAYABLE;

		for (const event_type of identifiers) {
			expect([event_type, kinds({ event_type, data })]).toEqual([event_type, [kind]]);
		}
	});

	test.each<[what: string, identifiers: string[]]>([
		['another event', ['payable.created', 'payable.deleted', 'payable.changelog', 'ping', '...']],
		[
			'another status',
			['payable.unpaid', 'payable.prepaid', 'payable.repaid', 'payable.unapproved'],
		],
		['no status yet', ['payable.partially_paid', 'payable.not_paid', 'payable.not_approved']],
		['a failure, or nothing', ['payable.paid_failed', 'payable.unchanged']],
		['no subject', ['paid', 'approved', 'status_changed', 'prepaid']],
		['another subject', ['prepayable.paid', 'deposit.received', 'deposit.paid', 'funding.paid']],
		['another subject', ['invoice.paid', 'partner.created', 'partner.invited']],
		['a name of objects', ['constructor', 'payable.constructor', 'constructor.paid', '__proto__']],
		['a name of objects', ['__proto__.paid', 'hasOwnProperty.paid']],
		['longer than any name', [`payable.paid${'.v1'.repeat(100)}`]],
	])('means nothing where it is %s: %j', (_, identifiers) => {
		for (const type of identifiers) {
			expect([type, kinds({ event_type: type, data: PAYABLE })]).toEqual([type, []]);
			expect([type, kinds({ id: '1', type, data: { payable: PAYABLE } })]).toEqual([type, []]);
		}
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
		['the next name after an empty one', { event_type: '', type: 'payable.paid' }],
	])('is read from %s', (_, property) => {
		const [event] = parseEvents({ id: 'event-1', ...property, data: { id: 'payable-1' } }, NONE);

		expect(event).toMatchObject({
			kind: 'payablePaid',
			type: 'payable.paid',
			id: 'event-1',
			object: { id: 'payable-1' },
		});
	});

	test('takes precedence over the status', () => {
		const [event] = parseEvents({ type: 'payable.approved', data: PAYABLE }, NONE);

		expect(event).toMatchObject({ kind: 'payableApproved', status: 'paid' });
	});

	test('that is unknown means what the user mapped it to, in any case', () => {
		const identifiers = new Map<string, EventKind>([['obligation.settled', 'payablePaid']]);
		const body = { type: 'Obligation.Settled', data: { id: 'payable-1' } };

		expect(kinds(body)).toEqual([]);
		expect(kinds(body, identifiers)).toEqual(['payablePaid']);
		expect(kinds({ type: 'obligation.opened', data: PAYABLE }, identifiers)).toEqual([]);
	});

	test('that is known means something else when the user mapped it', () => {
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

const ID = '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10';

test.each<[where: string, event: object]>([
	['workspace_id', { workspace_id: ID }],
	['workspaceId', { workspaceId: ID }],
	['workspaceID', { workspaceID: ID }],
	['workspace_uuid', { workspace_uuid: ID }],
	['workspace.id', { workspace: { id: ID } }],
	['workspace.uuid beside a number', { workspace: { id: 17, uuid: ID } }],
	['workspace.workspace_id', { workspace: { workspace_id: ID } }],
	['the text workspace', { workspace: ID }],
	['data.workspace_id', { data: { ...PAYABLE, workspace_id: ID } }],
	['data.workspaceId', { data: { ...PAYABLE, workspaceId: ID } }],
	['data.workspace.id', { data: { workspace: { id: ID } } }],
	['data.payable.workspace.id', { data: { payable: { ...PAYABLE, workspace: { id: ID } } } }],
	['meta.context.workspaceId', { meta: { context: { workspaceId: ID } } }],
])('the workspace of an event is found in %s #event-workspace', (_, event) => {
	const named = { type: 'payable.paid', ...event };

	expect(namesOtherWorkspace(named, ID)).toBe(false);
	expect(namesOtherWorkspace(named, OTHER_WORKSPACE)).toBe(true);
});

test.each<[what: string, event: object]>([
	['no workspace', { type: 'payable.paid', data: PAYABLE }],
	[
		'an empty one',
		{ workspace_id: '', workspaceId: ' ', workspace: {}, data: { workspace_id: null } },
	],
	['the name of one', { workspace: 'Northwind', data: { workspace: { name: 'Northwind' } } }],
	['a list of those that a vendor works for', { data: { workspaces: [{ workspace_id: ID }] } }],
])('an event with %s names no workspace', (_, event) => {
	expect(namesOtherWorkspace(event, OTHER_WORKSPACE)).toBe(false);
});

test('an event that names another workspace beside its own is not of this one, at any level', () => {
	const deep = { data: { payable: { workspace: { id: 3 } }, workspace_id: ID } };

	expect(namesOtherWorkspace({ ...deep, workspaceId: ` ${ID.toUpperCase()} ` }, ID)).toBe(true);
	expect(namesOtherWorkspace({ workspaceId: ` ${ID.toUpperCase()} ` }, ID)).toBe(false);
});

test.each([[{ id: ID }], [[ID]], [true], [{}], [3]])(
	'%j in place of an ID is not this workspace',
	(value) => {
		expect(namesOtherWorkspace({ workspace_id: value }, ID)).toBe(true);
		expect(namesOtherWorkspace({ workspace: { id: value } }, ID)).toBe(true);
	},
);
