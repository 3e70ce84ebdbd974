import { approvePayable } from '../../service/api/payables';
import { forEachItem } from '../../execution/operation';

export const approve = forEachItem({
	name: 'Approve',
	value: 'approve',
	action: 'Approve a payable',
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
	send: async (service, payableId) => [{ json: await approvePayable(service, payableId) }],
});
