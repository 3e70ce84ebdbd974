import { getInviteLink as inviteLink } from '../../api/endpoints';
import { lookUpOperation } from '../../execution/operation';
import { workspaceField } from '../../shared/fields';

export const getInviteLink = lookUpOperation({
	name: 'Get Invite Link',
	value: 'getInviteLink',
	action: 'Get invite link of workspace',
	description: 'Get the link where vendors sign up for a workspace',
	fields: [workspaceField],
	read: (item) => item.workspaceId(),
	run: async ({ client }, id) => [
		{ json: { workspace_id: id, vendor_invite_url: await inviteLink(client, id) } },
	],
});
