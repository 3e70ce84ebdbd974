import { approvePayable } from '../../api/endpoints';
import { itemOperation } from '../../execution/operation';
import { refuseAsTool } from '../../execution/safeguards';
import { payableIdField } from './fields';

export const approve = itemOperation({
	name: 'Approve',
	value: 'approve',
	action: 'Approve payable',
	description: 'Approve a payable, so that it can be funded',
	fields: [{ ...payableIdField, description: 'ID of the payable, as Create put it out' }],
	read: (item) => {
		refuseAsTool(item, 'Use Payout: Send, which approves what it has created.');
		return item.text('payableId', 'Payable ID');
	},
	send: async ({ client }, payableId) => [{ json: await approvePayable(client, payableId) }],
});
