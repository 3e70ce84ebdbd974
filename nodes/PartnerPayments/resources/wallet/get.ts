import { getWallet } from '../../api/endpoints';
import { workspaceField } from '../../shared/fields';
import { lookUpOperation } from '../../execution/operation';

export const get = lookUpOperation({
	name: 'Get',
	value: 'get',
	action: 'Get wallet of workspace',
	description: 'Get the balance of a wallet and the account that bank transfers go to',
	fields: [workspaceField],
	read: (item) => item.workspaceId(),
	run: async ({ client }, workspaceId) => [{ json: await getWallet(client, workspaceId) }],
});
