import { itemOperation } from '../../execution/operation';
import { createPayable } from '../../service/api/payables';
import { additionalFieldsValue, optionsField } from '../../shared/fields';
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
		optionsField([additionalFieldsValue, dueDateOption, lineItemsOption, sendInviteOption]),
	],
	read: readPayable,
	send: async ({ client }, payable) => [{ json: await createPayable(client, payable) }],
});
