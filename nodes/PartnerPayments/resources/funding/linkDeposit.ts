import { linkDeposit as link } from '../../service/api/fundings';
import { itemOperation } from '../../execution/operation';
import { fundingIdField } from './fields';

export const linkDeposit = itemOperation({
	name: 'Link Deposit',
	value: 'linkDeposit',
	action: 'Link deposit to funding',
	description: 'Link a deposit to the invoice funding that it pays for. This moves money.',
	fields: [
		fundingIdField,
		{
			displayName: 'Deposit ID',
			name: 'depositId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. dep_91e2c4',
			description: 'ID of an unlinked deposit with the amount of the funding',
		},
	],
	read: (item) => ({
		fundingId: item.text('fundingId', 'Funding ID'),
		depositId: item.text('depositId', 'Deposit ID'),
	}),
	send: async ({ client }, { fundingId, depositId }) => [
		{ json: await link(client, fundingId, depositId) },
	],
});
