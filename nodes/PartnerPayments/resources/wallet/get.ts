import { getWallet } from '../../service/api/wallets';
import { workspaceField } from '../../shared/fields';
import { forEachItem } from '../../execution/operation';

export const get = forEachItem({
	name: 'Get',
	value: 'get',
	action: 'Get the wallet of a workspace',
	description: 'Get the balance of a wallet and the account that bank transfers go to',
	fields: [workspaceField],
	read: (item) => item.workspaceId(),
	send: async (service, workspaceId) => [{ json: await getWallet(service, workspaceId) }],
});
