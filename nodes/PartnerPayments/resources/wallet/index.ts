import type { Resource } from '../operation';
import { get } from './get';

export const wallet: Resource = { name: 'Wallet', value: 'wallet', operations: [get] };
