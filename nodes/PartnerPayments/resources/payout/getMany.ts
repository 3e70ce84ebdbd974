import { itemOperation } from '../../execution/operation';
import { STATES } from '../../ledger/ledger';
import {
	choiceField,
	collectionField,
	dateField,
	maxResultsFields,
	textField,
} from '../../shared/fields';
import { recordOutput } from './resolve';

export const getMany = itemOperation({
	name: 'Get Many',
	value: 'getMany',
	action: 'Get many payouts',
	description: 'Get what the ledger table knows of payouts, such as all that are unconfirmed',
	fields: [
		...maxResultsFields,
		collectionField('Filters', 'filters', {
			placeholder: 'Add filter',
			options: [
				textField('Payee', 'payee', {
					placeholder: 'e.g. name@example.com',
					description: 'Email address or service ID of the vendor',
				}),
				dateField('Since', 'since', {
					description: 'Only what was changed at this time or later',
				}),
				choiceField('Status', 'status', {
					default: 'unconfirmed',
					options: [
						{ name: 'Awaiting Deposit', value: 'awaiting_deposit' },
						{ name: 'Funded', value: 'funded', description: 'The service took its funding' },
						{ name: 'Not Paid', value: 'not_paid', description: 'The next run pays it' },
						{ name: 'Paid', value: 'paid', description: 'The money has arrived' },
						{ name: 'Prepared', value: 'prepared', description: 'The next run pays it' },
						{ name: 'Sending', value: 'sending', description: 'An execution works on it' },
						{ name: 'Unconfirmed', value: 'unconfirmed', description: 'No answer is known' },
						{ name: 'Void', value: 'void', description: 'It is never paid' },
					],
				}),
			],
		}),
	],
	read: (item) => ({
		state:
			item.optionalText('filters.status', 'Status') &&
			item.choice('filters.status', STATES, 'Status'),
		payee: item.optionalText('filters.payee', 'Payee'),
		since: item.timestamp('filters.since', 'Since'),
		limit: item.maxResults(),
	}),
	send: async ({ client, records }, { limit, ...filter }) => {
		const { environment } = client;
		const rows = await (await records()).list({ environment, ...filter }, limit);
		return rows.map((row) => ({ json: recordOutput(row) }));
	},
});
