import { getInviteLink as inviteLink } from '../../service/api/workspaces';
import { workspaceField } from '../../shared/fields';
import { forManyItems } from '../../execution/operation';

export const getInviteLink = forManyItems({
	name: 'Get Invite Link',
	value: 'getInviteLink',
	action: 'Get the invite link of a workspace',
	description:
		'Get the link where vendors sign up for a workspace. It is asked once per workspace.',
	fields: [workspaceField],
	read: (item) => item.workspaceId(),
	key: (workspaceId) => workspaceId,
	join: (workspaceIds) => workspaceIds,
	send: async (service, workspaceIds) => {
		const [id] = workspaceIds;
		const url = await inviteLink(service, id);
		return workspaceIds.map(() => ({ json: { workspace_id: id, vendor_invite_url: url } }));
	},
});
