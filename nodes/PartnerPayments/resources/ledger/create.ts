import { itemOperation } from '../../execution/operation';
import { refuseAsTool } from '../../execution/safeguards';
import { createLedger } from '../../ledger/openLedger';

export const create = itemOperation({
	name: 'Create',
	value: 'create',
	action: 'Create ledger',
	description: 'Create the ledger table of the credential once. Sends nothing to the service.',
	fields: [],
	read: (item) => {
		refuseAsTool(item, 'A person creates the ledger once.');
	},
	send: async ({ n8n, client }) => {
		const { table, isNew } = await createLedger(n8n, client.credentials);
		return [{ json: { table, is_new: isNew } }];
	},
});
