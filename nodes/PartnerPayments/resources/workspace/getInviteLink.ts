import { getInviteLink as inviteLink } from '../../api/endpoints';
import { workspaceField } from '../../shared/fields';
import { readAll, type Operation } from '../../execution/operation';
import { indexBy } from '../../shared/lists';

export const getInviteLink: Operation = {
	name: 'Get Invite Link',
	value: 'getInviteLink',
	action: 'Get invite link of workspace',
	description:
		'Get the link where vendors sign up for a workspace. It is asked once per workspace.',
	fields: [workspaceField],
	plan: async (items, reject) => {
		const entries = await readAll(items, (item) => item.workspaceId(), reject);
		return [...indexBy(entries, ({ input }) => input)].map(([workspaceId, group]) => ({
			items: group.map(({ item }) => item),
			execute: async ({ client }) => {
				const url = await inviteLink(client, workspaceId);
				const json = { workspace_id: workspaceId, vendor_invite_url: url };
				return group.map(({ item }) => ({ item, output: { json: { ...json } } }));
			},
		}));
	},
};
