import { itemOperation } from '../../execution/operation';
import type { ItemParameters } from '../../execution/itemParameters';
import { STATES, type State } from '../../ledger/states';
import { openRecords } from '../../ledger/openLedger';
import { attentionOf } from '../../ledger/protocol/attention';
import { RECORD_ORDERS, type RecordOrder, type Wanted } from '../../ledger/protocol/records';
import {
	choiceField,
	collectionField,
	dateField,
	maxResultsFields,
	optionsField,
	textField,
	workspaceField,
} from '../../shared/fields';
import { readReference } from '../../shared/referenceReader';
import { recordOutput } from './output';

/** The states of a chosen status: for both of these, the money is sent. */
const statesOf = (status: State): State[] => (status === 'paid' ? ['paid', 'funded'] : [status]);

/** The status of payouts of which each says why it needs a person. */
const NEEDS_ATTENTION = 'needs_attention';

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
						{
							name: 'Needs Attention',
							value: NEEDS_ATTENTION,
							description:
								'Unconfirmed, held, prepared for more than a day, or with an answer that was never recorded',
						},
						{
							name: 'Not Paid',
							value: 'not_paid',
							description: 'A person resolved it so; a run with its reference can pay it',
						},
						{ name: 'Paid', value: 'paid', description: 'Funded, or the money has arrived' },
						{ name: 'Prepared', value: 'prepared', description: 'Ready to be paid by a run' },
						{ name: 'Surplus', value: 'surplus', description: 'Its payable is not needed' },
						{ name: 'Unconfirmed', value: 'unconfirmed', description: 'No answer is known' },
						{ name: 'Void', value: 'void', description: 'It is never paid' },
					],
				}),
				dateField('Until', 'until', {
					description: 'Only payouts that were sent before this time',
				}),
			],
		}),
		optionsField([
			choiceField('Sort', 'sort', {
				default: 'newest',
				description: 'What comes first',
				options: [
					{ name: 'Amount', value: 'amount', description: 'The highest amount first' },
					{ name: 'Newest', value: 'newest', description: 'As without this option' },
					{ name: 'Oldest', value: 'oldest' },
					{ name: 'Payee', value: 'payee', description: 'From A to Z' },
				],
			}),
		]),
	],
	read: (item) => ({
		workspaceId: item.workspaceId(),
		wanted: readWanted(item),
		payee: item.optionalText('filters.payee', 'Payee'),
		reference: readReference(item.checkedValue('filters.reference', '"Reference"'), '"Reference"'),
		since: item.timestamp('filters.since', 'Since'),
		until: item.timestamp('filters.until', 'Until'),
		order: readOrder(item),
		limit: item.maxResults(),
	}),
	run: async ({ n8n, client }, { limit, order, ...filter }) => {
		const { credentials, environment } = client;
		const records = openRecords(n8n, credentials);
		const rows = await records.list({ environment, ...filter }, limit, order);
		return rows.map((row) => ({
			json: { ...recordOutput(row), attention: attentionOf(row) ?? null },
		}));
	},
});

function readWanted(item: ItemParameters): Wanted {
	if (item.optionalText('filters.status', 'Status') === undefined) {
		return { kind: 'all' };
	}
	const status = item.choice('filters.status', [...STATES, NEEDS_ATTENTION], 'Status');
	if (status === NEEDS_ATTENTION) {
		return { kind: 'needsAttention' };
	}
	return { kind: 'states', states: statesOf(status) };
}

function readOrder(item: ItemParameters): RecordOrder {
	const isGiven = item.optionalText('options.sort', 'Sort') !== undefined;
	return isGiven ? item.choice('options.sort', RECORD_ORDERS, 'Sort') : 'newest';
}
