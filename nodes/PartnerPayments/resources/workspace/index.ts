import type { Resource } from '../../execution/operation';
import { get } from './get';
import { getInviteLink } from './getInviteLink';

export const workspace: Resource = {
	name: 'Workspace',
	value: 'workspace',
	operations: [get, getInviteLink],
};
