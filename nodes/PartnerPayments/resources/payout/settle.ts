import { itemOperation } from '../../execution/operation';
import { ledgerOnlyFields, uniqueReferenceField } from '../../shared/referenceFields';

export const settle = itemOperation({
	name: 'Settle',
	value: 'settle',
	action: 'Settle a payout in doubt',
	description:
		'Close a doubt in the ledger table, when somebody has found out whether it was paid. Sends nothing to the service.',
	fields: [
		...ledgerOnlyFields,
		{
			displayName: 'Find By',
			name: 'findBy',
			type: 'options',
			options: [
				{ name: 'Payable ID', value: 'payableId', description: 'As an event of the trigger names it' },
				{ name: 'Unique Reference', value: 'uniqueReference' },
			],
			default: 'uniqueReference',
		},
		{
			...uniqueReferenceField,
			required: true,
			description: 'The reference that the payout was sent with',
			displayOptions: { show: { findBy: ['uniqueReference'] } },
		},
		{
			displayName: 'Payable ID',
			name: 'payableId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. pay_8d2f61',
			description: 'One that is not in the ledger changes nothing',
			displayOptions: { show: { findBy: ['payableId'] } },
		},
		{
			displayName: 'Outcome',
			name: 'outcome',
			type: 'options',
			options: [
				{
					name: 'Not Paid',
					value: 'notPaid',
					description:
						'The operator has confirmed that no funding was made: the next run pays with the same payable',
				},
				{ name: 'Paid', value: 'paid', description: 'The funding was found: it is never sent again' },
			],
			default: 'paid',
		},
	],
	read: (item) => ({
		by:
			item.choice('findBy', ['uniqueReference', 'payableId'], 'Find By') === 'payableId'
				? { payableId: item.text('payableId', 'Payable ID') }
				: { reference: item.requiredReference() },
		outcome: item.choice('outcome', ['paid', 'notPaid'], 'Outcome'),
	}),
	send: async ({ ledgerTable }, { by, outcome }) => {
		const table = await ledgerTable();
		return [{ json: await table.settle(by, outcome) }];
	},
});
