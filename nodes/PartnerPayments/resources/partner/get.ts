import { getPartner } from '../../api/endpoints';
import { textField, workspaceField } from '../../shared/fields';
import type { ItemParameters } from '../../execution/itemParameters';
import { itemOperation } from '../../execution/operation';
import { InputError } from '../../shared/values';

export const get = itemOperation({
	name: 'Get',
	value: 'get',
	action: 'Get partner',
	description: 'Get a vendor as the workspace sees it, with its verification status',
	fields: [
		workspaceField,
		textField('Partner ID', 'partnerId', {
			required: true,
			placeholder: 'e.g. ptr_5f0c2a',
			description: 'ID of the vendor in this workspace',
		}),
	],
	read: (item) => ({ workspaceId: item.workspaceId(), partnerId: readPartnerId(item) }),
	send: async ({ client }, { workspaceId, partnerId }) => [
		{ json: await getPartner(client, workspaceId, partnerId) },
	],
});

/** @throws InputError for an e-mail address, which the service would not find */
function readPartnerId(item: ItemParameters): string {
	const partnerId = item.text('partnerId', 'Partner ID');
	if (!partnerId.includes('@')) return partnerId;
	throw new InputError(
		`Partner ID "${partnerId}" is an e-mail address`,
		'Enter the ID that Partner: Invite puts out, or that an event of the trigger names.',
	);
}
