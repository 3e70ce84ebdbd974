import { getPartner } from '../../api/endpoints';
import { textField, workspaceField } from '../../shared/fields';
import { lookUpOperation } from '../../execution/operation';
import { throwInputError } from '../../shared/errors';

export const get = lookUpOperation({
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
	read: (item) => {
		const partnerId = item.text('partnerId', 'Partner ID');
		if (partnerId.includes('@')) {
			throwInputError(
				`"Partner ID" is an email address: "${partnerId}"`,
				'Enter the ID from "Invite" of "Partner", or from an event of the trigger.',
			);
		}
		return { workspaceId: item.workspaceId(), partnerId };
	},
	run: async ({ client }, { workspaceId, partnerId }) => [
		{ json: await getPartner(client, workspaceId, partnerId) },
	],
});
