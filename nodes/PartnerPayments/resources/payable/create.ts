import { itemOperation } from '../../execution/operation';
import { assertPayableOfWorkflow, maxAmountError, readMaxAmount } from '../../execution/safeguards';
import { createPayable } from '../../api/endpoints';
import { additionalFieldsValue, maxAmountOption, optionsField } from '../../shared/fields';
import {
	dueDateOption,
	lineItemsOption,
	payableDescriptionField,
	readPayable,
	requiredPayableFields,
	sendInviteOption,
} from './fields';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create payable',
	description:
		'Create a payable: what a workspace owes a vendor. No money moves until it is funded.',
	isNonIdempotent: true,
	fields: [
		...requiredPayableFields,
		payableDescriptionField,
		optionsField([
			additionalFieldsValue,
			dueDateOption,
			lineItemsOption,
			maxAmountOption,
			sendInviteOption,
		]),
	],
	read: (item) => {
		assertPayableOfWorkflow(item);
		const payable = readPayable(item);
		const excess = maxAmountError(payable.amount, readMaxAmount(item));
		if (excess !== undefined) throw excess;
		return payable;
	},
	send: async ({ client }, payable) => [{ json: await createPayable(client, payable) }],
});
