import { parseEvents } from '../../../nodes/PartnerPayments/trigger/eventParsing';
import { workspacesIn } from '../../../nodes/PartnerPayments/trigger/eventWorkspaces';
import { NONE, PAYABLE } from './events';

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
