import { getDeposits } from '../../api/endpoints';
import { maxResultsFields, workspaceField } from '../../shared/fields';
import { lookUpOperation } from '../../execution/operation';

export const getAll = lookUpOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many unlinked deposits',
	description: 'Get many deposits that are not linked to a funding yet',
	fields: [workspaceField, ...maxResultsFields],
	read: (item) => ({
		workspaceId: item.workspaceId(),
		limit: item.maxResults(),
	}),
	run: async ({ client }, { workspaceId, limit }) => {
		const deposits = await getDeposits(client, workspaceId);
		return deposits.slice(0, limit).map((json) => ({ json }));
	},
});
