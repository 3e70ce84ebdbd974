import type { Resource } from '../../execution/operation';
import { approve } from './approve';
import { create } from './create';

export const payable: Resource = {
	name: 'Payable',
	value: 'payable',
	operations: [approve, create],
};
