import { getWorkspace } from '../../api/endpoints';
import { workspaceField } from '../../shared/fields';
import { itemOperation } from '../../execution/operation';

export const get = itemOperation({
	name: 'Get',
	value: 'get',
	action: 'Get workspace',
	description: 'Get a workspace',
	fields: [workspaceField],
	read: (item) => item.workspaceId(),
	run: async ({ client }, workspaceId) => [{ json: await getWorkspace(client, workspaceId) }],
});
