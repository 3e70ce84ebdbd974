import { itemOperation } from '../../execution/operation';
import { createPayable } from '../../service/api/payables';
import { additionalFieldsOption, uniqueReferenceField } from '../../shared/fields';
import { contentOf, payableFields, readPayable } from './fields';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create a payable',
	description:
		'Create a payable: what a workspace owes a vendor. No money moves until it is funded.',
	isNonIdempotent: true,
	fields: [...payableFields, uniqueReferenceField, additionalFieldsOption],
	read: (item) => ({ payable: readPayable(item), reference: item.reference() }),
	send: async ({ client, references }, { payable, reference }) => {
		if (reference === undefined) return [{ json: await createPayable(client, payable) }];
		const claim = { reference, content: contentOf(payable) };
		const json = await references('payable').sendOnce(
			claim,
			async (beforeSend) => await createPayable(client, payable, beforeSend),
		);
		return [{ json }];
	},
});
