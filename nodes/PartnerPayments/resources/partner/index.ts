import type { Resource } from '../../execution/operation';
import { get } from './get';
import { invite } from './invite';

export const partner: Resource = { name: 'Partner', value: 'partner', operations: [get, invite] };
