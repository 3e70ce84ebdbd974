import { itemOperation } from '../../execution/operation';
import { refuseAsTool } from '../../execution/safeguards';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create ledger',
	description:
		'Make the ledger table that the credential names, once. Sends nothing to the service.',
	fields: [],
	read: (item) => {
		refuseAsTool(item, 'A person makes the ledger, once.');
	},
	send: async ({ createLedger }) => {
		const { table, isNew } = await createLedger();
		return [{ json: { table, is_new: isNew } }];
	},
});
