import type { ItemParameters } from '../../execution/itemParameters';
import { readMaxResults } from '../../execution/maxResults';
import { itemOperation } from '../../execution/operation';
import type { EntryState } from '../../ledger/ledger';
import { maxResultsFields } from '../../shared/fields';
import { ledgerOnlyFields } from '../../shared/referenceFields';
import { outputOf } from './ledgerOutput';

type Status = EntryState | 'in_doubt';

const STATUSES: Status[] = [
	'approved',
	'awaiting_deposit',
	'claimed',
	'created',
	'creating',
	'funded',
	'funding',
	'in_doubt',
];

export const getMany = itemOperation({
	name: 'Get Many',
	value: 'getMany',
	action: 'Get many payouts',
	description: 'Get what the ledger table knows of payouts, such as all that are in doubt',
	fields: [
		...ledgerOnlyFields,
		...maxResultsFields,
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
						{
							name: 'Approved',
							value: 'approved',
							description: 'Not funded yet. The next run with its reference funds it.',
						},
						{
							name: 'Awaiting Deposit',
							value: 'awaiting_deposit',
							description: 'Funded by an invoice that has to be paid',
						},
						{
							name: 'Claimed',
							value: 'claimed',
							description: 'Begun. No funding was sent, and no payable is known.',
						},
						{
							name: 'Created',
							value: 'created',
							description: 'Its payable was created. No funding was sent.',
						},
						{
							name: 'Creating',
							value: 'creating',
							description:
								'The creation of its payable was sent. In doubt, unless a run works on it.',
						},
						{ name: 'Funded', value: 'funded', description: 'Its funding was made' },
						{
							name: 'Funding',
							value: 'funding',
							description: 'Its funding was sent. In doubt, unless a run works on it.',
						},
						{
							name: 'In Doubt',
							value: 'in_doubt',
							description:
								'Its request was sent, or was about to be, and no answer is known. is_running tells whether a run may wait for it.',
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
		limit: readMaxResults(item),
	}),
	send: async ({ client, ledgerTable }, { status, limit, payee, since }) => {
		const table = await ledgerTable();
		const filter = {
			environment: client.environment,
			states: statesOf(status),
			...(payee !== undefined && { payee }),
			...(since !== undefined && { since }),
		};
		const records = await table.list(filter, limit);
		return records.map((record) => ({ json: outputOf(record) }));
	},
});

/** What is in doubt may be with a run that still waits for its answer, which `is_running` tells. */
function statesOf(status: Status | undefined): EntryState[] {
	if (status === undefined) return [];
	return status === 'in_doubt' ? ['funding', 'creating'] : [status];
}

function readStatus(item: ItemParameters): Status | undefined {
	if (item.optionalText('filters.status', 'Status') === undefined) return undefined;
	return item.choice('filters.status', STATUSES, 'Status');
}
