import { approvePayable } from '../../api/endpoints';
import { itemOperation } from '../../execution/operation';
import { assertNotTool } from '../../execution/safeguards';
import { payableIdField } from './fields';

export const approve = itemOperation({
	name: 'Approve',
	value: 'approve',
	action: 'Approve payable',
	description: 'Approve a payable, so that it can be funded',
	fields: [{ ...payableIdField, description: 'ID of the payable, from "Create"' }],
	read: (item) => {
		assertNotTool(item, 'Use "Send" of "Payout", which approves what it creates.');
		return item.text('payableId', 'Payable ID');
	},
	run: async ({ client }, payableId) => [{ json: await approvePayable(client, payableId) }],
});
