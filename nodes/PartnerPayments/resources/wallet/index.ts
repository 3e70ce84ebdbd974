import type { Resource } from '../../execution/operation';
import { get } from './get';

export const wallet: Resource = { name: 'Wallet', value: 'wallet', operations: [get] };
