import type { Resource } from '../operation';
import { get } from './get';
import { getWorkspaces } from './getWorkspaces';

export const user: Resource = { name: 'User', value: 'user', operations: [get, getWorkspaces] };
