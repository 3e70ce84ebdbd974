import type { EventKind } from '../../../nodes/PartnerPayments/service/api/webhookSubscriptions';
import { parseEvents } from '../../../nodes/PartnerPayments/trigger/eventParsing';
import { workspacesIn } from '../../../nodes/PartnerPayments/trigger/eventWorkspaces';
import { kinds, NONE, PARTNER, PAYABLE } from './events';

describe('the identifier of an event #event-identifiers', () => {
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
		['payable.update', 'payableStatusChanged'],
		['payable.status', 'payableStatusChanged'],
		['payable.change', 'payableStatusChanged'],
		['payable.changed', 'payableStatusChanged'],
		['partner.verification', 'partnerStatusChanged'],
		['partner.tax', 'partnerStatusChanged'],
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
		'payable.unchanged',
		'payable.changelog',
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
	expect(workspacesIn({ type: 'payable.paid', ...event })).toEqual([ID]);
});

test.each<[what: string, event: object]>([
	['no workspace', { type: 'payable.paid', data: PAYABLE }],
	[
		'an empty one',
		{ workspace_id: '', workspaceId: ' ', workspace: {}, data: { workspace_id: null } },
	],
	['the name of one', { workspace: 'Northwind', data: { workspace: { name: 'Northwind' } } }],
	['a list of those that a vendor works for', { data: { workspaces: [{ workspace_id: ID }] } }],
])('an event with %s names none', (_, event) => {
	expect(workspacesIn({ ...event })).toEqual([]);
});

test('all workspaces that an event names are found, the outermost first, as they were sent', () => {
	expect(
		workspacesIn({
			data: { payable: { workspace: { id: 3 } }, workspace_id: ' two ' },
			workspace_id: 'ONE',
		}),
	).toEqual(['ONE', ' two ', '3']);
});

test.each([[{ id: ID }], [[ID]], [true], [{}]])(
	'%j in place of an ID is none of this workspace',
	(value) => {
		expect(workspacesIn({ workspace_id: value, workspace: { id: value } })).toEqual([
			JSON.stringify(value),
			JSON.stringify(value),
		]);
	},
);

test('a workspace that is named beside a list is that of all events in it', () => {
	const events = [{ data: PAYABLE }, { data: { ...PAYABLE, workspace_id: 'inner' } }];
	expect(
		parseEvents({ workspace_id: 'outer', events }, NONE).map(({ workspaceIds }) => workspaceIds),
	).toEqual([['outer'], ['inner', 'outer']]);
});
