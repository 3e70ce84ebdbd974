import type { IDataObject } from 'n8n-workflow';

import type { ItemParameters } from '../../execution/itemParameters';
import { itemOperation } from '../../execution/operation';
import type { EntryState } from '../../ledger/ledger';
import { ledgerOnlyFields } from '../../shared/referenceFields';

const STATUSES: EntryState[] = [
	'approved',
	'awaiting_deposit',
	'claimed',
	'created',
	'creating',
	'funded',
	'funding',
];
const LIMIT = 50;

export const getMany = itemOperation({
	name: 'Get Many',
	value: 'getMany',
	action: 'Get many payouts of the ledger',
	description: 'Get what the ledger table knows of payouts, such as all that are in doubt',
	fields: [
		...ledgerOnlyFields,
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: LIMIT,
			description: 'Max number of results to return',
			displayOptions: { show: { returnAll: [false] } },
		},
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'Payee',
					name: 'payee',
					type: 'string',
					default: '',
					placeholder: 'e.g. name@example.com',
					description: 'E-mail address or service ID of who is paid',
				},
				{
					displayName: 'Since',
					name: 'since',
					type: 'dateTime',
					default: '',
					description: 'Only what was changed at this time or later',
				},
				{
					displayName: 'Status',
					name: 'status',
					type: 'options',
					options: [
						{ name: 'Approved', value: 'approved', description: 'Ready to be funded' },
						{
							name: 'Awaiting Deposit',
							value: 'awaiting_deposit',
							description: 'Funded by an invoice that has to be paid',
						},
						{ name: 'Claimed', value: 'claimed', description: 'Begun, nothing is known of a payable' },
						{ name: 'Created', value: 'created', description: 'Its payable was created' },
						{
							name: 'Creating',
							value: 'creating',
							description: 'Its payable was being created: in doubt when no run works on it',
						},
						{ name: 'Funded', value: 'funded', description: 'Paid' },
						{
							name: 'Funding',
							value: 'funding',
							description: 'Its funding was sent: in doubt when no run works on it',
						},
						{
							name: 'In Doubt',
							value: 'in_doubt',
							description: 'Its funding was sent, no run works on it any more, and no answer is known',
						},
					],
					default: 'in_doubt',
				},
			],
		},
	],
	read: (item) => ({
		status: readStatus(item),
		payee: item.optionalText('filters.payee', 'Payee'),
		since: item.timestamp('filters.since', 'Since'),
		limit: item.flag('returnAll') ? Infinity : item.count('limit', 'Limit', LIMIT),
	}),
	send: async ({ ledgerTable }, { status, limit, ...filter }) => {
		const table = await ledgerTable();
		const states: EntryState[] =
			status === 'in_doubt' ? ['funding', 'creating'] : status === undefined ? [] : [status];
		const rows = await table.list({ ...filter, states, isIdle: status === 'in_doubt' }, limit);
		return rows.map((json: IDataObject) => ({ json }));
	},
});

function readStatus(item: ItemParameters): EntryState | 'in_doubt' | undefined {
	if (item.optionalText('filters.status', 'Status') === undefined) return undefined;
	return item.choice('filters.status', ['in_doubt', ...STATUSES], 'Status');
}
