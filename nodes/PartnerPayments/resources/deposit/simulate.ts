import { simulateDeposit } from '../../api/endpoints';
import {
	additionalFieldsValue,
	amountFields,
	amountUnitOption,
	optionsField,
	workspaceField,
} from '../../shared/fields';
import { DENOMINATION } from '../../shared/money';
import { throwInputError } from '../../shared/errors';
import { itemOperation } from '../../execution/operation';
import { readAmount } from '../../execution/safeguards';

export const simulate = itemOperation({
	name: 'Simulate',
	value: 'simulate',
	action: 'Simulate deposit',
	description: 'Simulate an incoming bank transfer. Works in the sandbox environment only.',
	isNonIdempotent: true,
	fields: [
		workspaceField,
		...amountFields,
		optionsField([additionalFieldsValue, amountUnitOption]),
	],
	read: (item) => {
		const more = item.additionalFields('amount amount_denomination');
		const deposit = { ...more, amount: readAmount(item), amount_denomination: DENOMINATION };
		return { workspaceId: item.workspaceId(), deposit };
	},
	run: async ({ client }, { workspaceId, deposit }) => {
		if (client.environment !== 'sandbox') {
			throwInputError(
				'Production has no simulated deposits',
				'Use a credential of the sandbox environment.',
			);
		}
		return [{ json: await simulateDeposit(client, workspaceId, deposit) }];
	},
});
