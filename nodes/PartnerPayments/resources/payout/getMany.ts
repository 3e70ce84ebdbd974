import { itemOperation } from '../../execution/operation';
import { STATES, type State } from '../../ledger/ledger';
import { openRecords } from '../../ledger/openLedger';
import {
	choiceField,
	collectionField,
	dateField,
	maxResultsFields,
	textField,
	workspaceField,
} from '../../shared/fields';
import { readReference } from '../../shared/references';
import { recordOutput } from './resolve';

/** What a status is chosen for as well: the money is sent, or the next run pays it. */
const ALSO: Partial<Record<State, State>> = { paid: 'funded', prepared: 'not_paid' };

export const getMany = itemOperation({
	name: 'Get Many',
	value: 'getMany',
	action: 'Get many payouts',
	description: 'Get payouts from the ledger table, such as all that are unconfirmed',
	fields: [
		workspaceField,
		...maxResultsFields,
		collectionField('Filters', 'filters', {
			placeholder: 'Add filter',
			options: [
				textField('Payee', 'payee', {
					placeholder: 'e.g. name@example.com',
					description: 'Email address or service ID of the vendor',
				}),
				textField('Reference', 'reference', {
					placeholder: 'e.g. INV-1042',
					description: 'Unique reference of the payout, capitals included',
				}),
				dateField('Since', 'since', {
					description: 'Only payouts that were sent at this time or later',
				}),
				choiceField('Status', 'status', {
					default: 'unconfirmed',
					options: [
						{ name: 'Awaiting Deposit', value: 'awaiting_deposit', description: 'By invoice' },
						{ name: 'Held', value: 'held', description: 'A rule held it, and a person decides' },
						{ name: 'In Progress', value: 'sending', description: 'An execution works on it' },
						{ name: 'Paid', value: 'paid', description: 'Funded, or the money has arrived' },
						{ name: 'Prepared', value: 'prepared', description: 'The next run pays it' },
						{ name: 'Surplus', value: 'surplus', description: 'Its reference has another payable' },
						{ name: 'Unconfirmed', value: 'unconfirmed', description: 'No answer is known' },
						{ name: 'Void', value: 'void', description: 'It is never paid' },
					],
				}),
				dateField('Until', 'until', {
					description: 'Only payouts that were sent before this time',
				}),
			],
		}),
	],
	read: (item) => {
		const status =
			item.optionalText('filters.status', 'Status') &&
			item.choice('filters.status', STATES, 'Status');
		return {
			workspaceId: item.workspaceId(),
			states: status ? [status, ALSO[status]] : undefined,
			payee: item.optionalText('filters.payee', 'Payee'),
			reference: readReference(item.resolved('filters.reference', '"Reference"'), '"Reference"'),
			since: item.timestamp('filters.since', 'Since'),
			until: item.timestamp('filters.until', 'Until'),
			limit: item.maxResults(),
		};
	},
	run: async ({ n8n, client }, { limit, ...filter }) => {
		const { credentials, environment } = client;
		const records = openRecords(n8n, credentials);
		const rows = await records.list({ environment, ...filter }, limit);
		return rows.map((row) => ({ json: recordOutput(row) }));
	},
});
