import { getInviteLink as inviteLink } from '../../api/endpoints';
import { workspaceField } from '../../shared/fields';
import { batchOperation } from '../../execution/operation';

export const getInviteLink = batchOperation({
	name: 'Get Invite Link',
	value: 'getInviteLink',
	action: 'Get invite link of workspace',
	description:
		'Get the link where vendors sign up for a workspace. It is asked once per workspace.',
	fields: [workspaceField],
	read: (item) => item.workspaceId(),
	batchKey: (workspaceId) => workspaceId,
	send: async ({ client }, workspaceIds, id) => {
		const url = await inviteLink(client, id);
		return workspaceIds.map(() => ({ json: { workspace_id: id, vendor_invite_url: url } }));
	},
});
