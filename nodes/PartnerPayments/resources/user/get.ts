import { getCurrentUser } from '../../api/endpoints';
import { lookUpOperation } from '../../execution/operation';
import { notice } from '../../shared/fields';

export const userOnlyNotice = notice(
	'Needs an OAuth2 credential: client credentials belong to no user.',
	'userOnlyNotice',
	{ displayOptions: { show: { '/authentication': ['clientCredentials'] } } },
);

export const get = lookUpOperation({
	name: 'Get',
	value: 'get',
	action: 'Get connected user',
	description: 'Get the user who connected the account',
	fields: [userOnlyNotice],
	read: () => undefined,
	run: async ({ client }) => [{ json: await getCurrentUser(client) }],
});
