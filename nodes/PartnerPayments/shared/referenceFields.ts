import type { INodeProperties } from 'n8n-workflow';

import { withToolField } from './toolFields';

/** What tells one payment from all others, so that it is made once. */
export const uniqueReferenceField: INodeProperties = {
	displayName: 'Unique Reference',
	name: 'uniqueReference',
	type: 'string',
	default: '',
	placeholder: 'e.g. INV-1042',
	description:
		'Your own name for it, such as an invoice number. However often this node runs, a reference is sent once. Another reference is another payment. Capitals count, blanks around it do not.',
};

/** How a reference is asked for where an agent calls the node. */
const IN_TOOLS: Partial<INodeProperties> = {
	placeholder: "e.g. {{ $('Invoice').item.json.number }}",
	hint: 'From a node before the agent. A model that chooses it can pay the same thing twice.',
};

/** A unique reference that has to be entered. */
export const requiredReferenceFields = withToolField(
	{ ...uniqueReferenceField, required: true },
	IN_TOOLS,
);

/** The data table that remembers references. */
const ledgerTableField: INodeProperties = {
	displayName: 'Ledger Table',
	name: 'ledgerTable',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'name', value: 'Payout Ledger' },
	description:
		'The data table of this n8n that remembers unique references. The first one is made for you, by the name that you enter. Another table knows nothing of what was paid.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchLedgerTables', searchable: true },
		},
		{
			displayName: 'By name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. Payout Ledger',
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 3nLkWqYcVtXbPa9d',
		},
	],
};

/** Where references are remembered. */
export const ledgerFields: INodeProperties[] = [
	{
		displayName: 'Remember In',
		name: 'rememberIn',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Data Table',
				value: 'dataTable',
				description:
					'Shared by all nodes, workflows and workers of this n8n, visible and editable. Needs a ledger credential.',
			},
			{
				name: 'This Node',
				value: 'node',
				description:
					'No set-up. For an n8n of one process: nobody else knows what this node has paid.',
			},
		],
		default: 'node',
		description:
			'Where it is remembered which references were sent. Choose before you pay: a node that has used a Data Table refuses new payments with This Node.',
	},
	{ ...ledgerTableField, displayOptions: { show: { rememberIn: ['dataTable'] } } },
];

const WITH_REFERENCE = { uniqueReference: [{ _cnd: { not: '' } }] };

/** A unique reference that may be left empty, and where it is remembered. */
export const referenceFields: INodeProperties[] = [
	...withToolField(uniqueReferenceField, IN_TOOLS),
	...ledgerFields.map((field) => ({
		...field,
		displayOptions: { show: { ...WITH_REFERENCE, ...field.displayOptions?.show } },
	})),
];

/** The ledger table, for operations that work on nothing else. */
export const ledgerOnlyFields: INodeProperties[] = [
	{
		displayName: 'Remember In',
		name: 'rememberIn',
		type: 'hidden',
		default: 'dataTable',
	},
	ledgerTableField,
];
