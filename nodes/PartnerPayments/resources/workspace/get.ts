import { getWorkspace } from '../../api/endpoints';
import { workspaceField } from '../../shared/fields';
import { lookUpOperation } from '../../execution/operation';

export const get = lookUpOperation({
	name: 'Get',
	value: 'get',
	action: 'Get workspace',
	description: 'Get a workspace',
	fields: [workspaceField],
	read: (item) => item.workspaceId(),
	run: async ({ client }, workspaceId) => [{ json: await getWorkspace(client, workspaceId) }],
});
