import { getCurrentUserWorkspaces } from '../../service/api/users';
import { userOnlyNotice } from '../../shared/fields';
import { forEachItem } from '../../execution/operation';

export const getWorkspaces = forEachItem({
	name: 'Get Workspaces',
	value: 'getWorkspaces',
	action: 'Get the workspaces of the connected user',
	description: "Get the workspaces of the connected user, with the user's role in each",
	fields: [userOnlyNotice],
	read: () => undefined,
	send: async (service) => (await getCurrentUserWorkspaces(service)).map((json) => ({ json })),
});
