import type { Resource } from '../../execution/operation';
import { get } from './get';
import { getWorkspaces } from './getWorkspaces';

export const user: Resource = { name: 'User', value: 'user', operations: [get, getWorkspaces] };
