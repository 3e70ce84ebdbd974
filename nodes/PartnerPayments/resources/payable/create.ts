import { itemOperation } from '../../execution/operation';
import { assertReferenceOfWorkflow } from '../../execution/toolSafeguards';
import { sendOnce } from '../../execution/sendOnce';
import { createPayable } from '../../service/api/payables';
import { additionalFieldsValue, optionsField } from '../../shared/fields';
import { referenceFields } from '../../shared/referenceFields';
import { DENOMINATION } from '../../shared/money';
import {
	dueDateOption,
	lineItemsOption,
	payableDescriptionField,
	requiredPayableFields,
	sendInviteOption,
} from './fields';
import { claimOf, readPayable } from './request';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create payable',
	description:
		'Create a payable: what a workspace owes a vendor. No money moves until it is funded.',
	isNonIdempotent: true,
	fields: [
		...requiredPayableFields,
		...referenceFields,
		payableDescriptionField,
		optionsField([additionalFieldsValue, dueDateOption, lineItemsOption, sendInviteOption]),
	],
	read: (item) => {
		assertReferenceOfWorkflow(item);
		return { payable: readPayable(item), reference: item.reference() };
	},
	claimOf: ({ payable, reference }) =>
		reference === undefined ? undefined : claimOf(payable, reference),
	send: async ({ client, ledger }, { payable, reference }) => {
		if (reference === undefined) return [{ json: await createPayable(client, payable) }];
		const json = await sendOnce(await ledger('payable'), {
			claim: claimOf(payable, reference),
			sending: 'creating',
			settled: 'created',
			send: async (beforeSend) => await createPayable(client, payable, beforeSend),
			factsOf: ({ id }) => ({ payable_id: String(id) }),
			known: ({ payable_id: id }) => ({
				id: id ?? null,
				amount: payable.amount,
				amount_denomination: DENOMINATION,
			}),
		});
		return [{ json }];
	},
});
