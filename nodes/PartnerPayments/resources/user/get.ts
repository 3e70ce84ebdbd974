import { getCurrentUser } from '../../service/api/workspaces';
import { itemOperation } from '../../execution/operation';
import { userOnlyNotice } from './fields';

export const get = itemOperation({
	name: 'Get',
	value: 'get',
	action: 'Get connected user',
	description: 'Get the user who connected the account',
	fields: [userOnlyNotice],
	read: () => undefined,
	send: async ({ client }) => [{ json: await getCurrentUser(client) }],
});
