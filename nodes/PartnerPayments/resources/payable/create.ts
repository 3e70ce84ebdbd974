import { itemOperation } from '../../execution/operation';
import { assertAtMost, readMaxAmount } from '../../execution/safeguards';
import { createPayable } from '../../api/endpoints';
import { optionsField } from '../../shared/fields';
import { payableOptions, readPayable, requiredPayableFields } from './fields';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create payable',
	description:
		'Create a payable: what a workspace owes a vendor. No money moves until it is funded.',
	isNonIdempotent: true,
	fields: [...requiredPayableFields, optionsField(payableOptions)],
	read: (item) => {
		const payable = readPayable(item);
		assertAtMost(readMaxAmount(item), payable.amount);
		return payable;
	},
	run: async ({ client }, payable) => [{ json: await createPayable(client, payable) }],
});
