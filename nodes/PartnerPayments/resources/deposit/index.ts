import type { Resource } from '../../execution/operation';
import { getAll } from './getAll';
import { simulate } from './simulate';

export const deposit: Resource = {
	name: 'Deposit',
	value: 'deposit',
	operations: [getAll, simulate],
};
