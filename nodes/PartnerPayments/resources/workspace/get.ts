import { getWorkspace } from '../../service/api/workspaces';
import { workspaceField } from '../../shared/fields';
import { forEachItem } from '../../execution/operation';

export const get = forEachItem({
	name: 'Get',
	value: 'get',
	action: 'Get a workspace',
	description: 'Get a workspace',
	fields: [workspaceField],
	read: (item) => item.workspaceId(),
	send: async (service, workspaceId) => [{ json: await getWorkspace(service, workspaceId) }],
});
