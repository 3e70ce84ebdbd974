import { approvePayable } from '../../service/api/payables';
import { itemOperation } from '../../execution/operation';

export const approve = itemOperation({
	name: 'Approve',
	value: 'approve',
	action: 'Approve payable',
	description: 'Approve a payable, so that it can be funded',
	fields: [
		{
			displayName: 'Payable ID',
			name: 'payableId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. pay_8d2f61',
			description: 'ID of the payable, as Create put it out',
		},
	],
	read: (item) => item.text('payableId', 'Payable ID'),
	send: async ({ client }, payableId) => [{ json: await approvePayable(client, payableId) }],
});
