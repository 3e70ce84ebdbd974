import { getDeposits } from '../../service/api/wallets';
import { workspaceField } from '../../shared/fields';
import { itemOperation } from '../../execution/operation';

export const getAll = itemOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many unlinked deposits',
	description: 'Get many deposits that are not linked to a funding yet',
	fields: [
		workspaceField,
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			description: 'Max number of results to return',
			displayOptions: { show: { returnAll: [false] } },
		},
	],
	read: (item) => ({
		workspaceId: item.workspaceId(),
		limit: item.flag('returnAll') ? Infinity : item.count('limit', 'Limit', 50),
	}),
	send: async ({ client }, { workspaceId, limit }) => {
		const deposits = await getDeposits(client, workspaceId);
		return deposits.slice(0, limit).map((json) => ({ json }));
	},
});
