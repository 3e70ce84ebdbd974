import { getPartner } from '../../service/api/partners';
import { workspaceField } from '../../shared/fields';
import { itemOperation } from '../../execution/operation';

export const get = itemOperation({
	name: 'Get',
	value: 'get',
	action: 'Get partner',
	description: 'Get a vendor as the workspace sees it, with its verification status',
	fields: [
		workspaceField,
		{
			displayName: 'Partner ID',
			name: 'partnerId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. ptr_5f0c2a',
			description: 'ID of the vendor in this workspace',
		},
	],
	read: (item) => ({
		workspaceId: item.workspaceId(),
		partnerId: item.text('partnerId', 'Partner ID'),
	}),
	send: async ({ client }, { workspaceId, partnerId }) => [
		{ json: await getPartner(client, workspaceId, partnerId) },
	],
});
