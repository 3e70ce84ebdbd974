import { getCurrentUser } from '../../service/api/users';
import { userOnlyNotice } from '../../shared/fields';
import { forEachItem } from '../../execution/operation';

export const get = forEachItem({
	name: 'Get',
	value: 'get',
	action: 'Get the connected user',
	description: 'Get the user who connected the account',
	fields: [userOnlyNotice],
	read: () => undefined,
	send: async (service) => [{ json: await getCurrentUser(service) }],
});
