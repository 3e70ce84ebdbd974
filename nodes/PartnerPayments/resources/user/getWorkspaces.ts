import { getCurrentUserWorkspaces } from '../../api/endpoints';
import { lookUpOperation } from '../../execution/operation';
import { userOnlyNotice } from './get';

export const getWorkspaces = lookUpOperation({
	name: 'Get Workspaces',
	value: 'getWorkspaces',
	action: 'Get workspaces of connected user',
	description: "Get the workspaces of the connected user, with the user's role in each",
	fields: [userOnlyNotice],
	read: () => undefined,
	run: async ({ client }) => (await getCurrentUserWorkspaces(client)).map((json) => ({ json })),
});
