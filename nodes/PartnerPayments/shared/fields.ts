import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** A field for a text; `more` is what it has beside its names. */
export const textField = (
	displayName: string,
	name: string,
	more: Partial<INodeProperties> = {},
): INodeProperties => ({ displayName, name, type: 'string', default: '', ...more });

/** A field that is switched off, unless `value` says otherwise. */
export const switchField = (
	displayName: string,
	name: string,
	description: string,
	value = false,
): INodeProperties =>
	textField(displayName, name, { type: 'boolean', default: value, description });

/** A field with a list to choose from. */
export const choiceField = (
	displayName: string,
	name: string,
	more: Partial<INodeProperties>,
): INodeProperties => ({ displayName, name, type: 'options', default: '', ...more });

/** A field for a whole number above zero. */
export const countField = (
	displayName: string,
	name: string,
	value: number,
	more: Partial<INodeProperties>,
): INodeProperties =>
	textField(displayName, name, {
		type: 'number',
		typeOptions: { minValue: 1 },
		default: value,
		...more,
	});

export const notice = (
	name: string,
	text: string,
	displayOptions: NonNullable<INodeProperties['displayOptions']> = {},
): INodeProperties => ({ displayName: text, name, type: 'notice', default: '', displayOptions });

/**
 * The workspace that pays. A connected user has a list; with client credentials it says how else to name
 * one. n8n's editor fills in the parameters of a new node before it knows its credential, so that the
 * mode cannot follow from the credential.
 */
export const workspaceField: INodeProperties = {
	displayName: 'Workspace',
	name: 'workspaceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The workspace that pays. Its wallet, partners, payables and fundings are its own.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchWorkspaces', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10',
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://app.example.com/signup?invitationId=7d6d4b1e-…',
			hint: "The workspace's vendor invite URL. Its invitationId is the workspace ID.",
		},
	],
};

export const payeeEmailField = textField('Payee Email', 'payeeEmail', {
	required: true,
	placeholder: 'e.g. name@example.com',
	description: "The vendor's e-mail address",
});

/** Where the money of a funding comes from. */
export const fundingMethodOptions: INodePropertyOptions[] = [
	{
		name: 'Balance',
		value: 'balance',
		description: 'Pay from the wallet of the workspace at once',
	},
	{
		name: 'Invoice',
		value: 'invoice',
		description: 'Get an invoice, transfer the money to the wallet, then link the deposit',
	},
];

/** The events of a workspace that can be subscribed to. */
export const eventOptions: INodePropertyOptions[] = [
	{
		name: 'Partner Status Changed',
		value: 'partnerStatusChanged',
		description: "A vendor's verification or tax form has another status",
	},
	{ name: 'Payable Approved', value: 'payableApproved' },
	{
		name: 'Payable Paid',
		value: 'payablePaid',
		description: "The money is in the vendor's wallet",
	},
	{
		name: 'Payable Status Changed',
		value: 'payableStatusChanged',
		description: 'A payable is approved, will be paid, or is paid',
	},
];

/** The field is called by its unit, so that nobody mistakes one for the other, a model that fills it in included. */
const amountField = (unit: string, value: string, placeholder: string): INodeProperties =>
	textField(`Amount (${unit})`, 'amount', {
		required: true,
		placeholder,
		description: 'A plain number without separators or currency sign',
		displayOptions: { show: { amountUnit: [value] } },
	});

/** What is paid, and its unit. */
export const amountFields: INodeProperties[] = [
	choiceField('Amount Unit', 'amountUnit', {
		options: [
			{ name: 'Major (Dollars)', value: 'major', description: '19.99 is 19 dollars and 99 cents' },
			{ name: 'Minor (Cents)', value: 'minor', description: '1999 is 19 dollars and 99 cents' },
		],
		default: 'minor',
		description: 'Unit of the amounts entered here. The service is always sent minor units.',
	}),
	amountField('Cents', 'minor', 'e.g. 1999'),
	amountField('Dollars', 'major', 'e.g. 19.99'),
];

/** How many results an operation puts out, which `maxResults` reads. */
export const maxResultsFields: INodeProperties[] = [
	switchField(
		'Return All',
		'returnAll',
		'Whether to return all results or only up to a given limit',
	),
	countField('Limit', 'limit', 50, {
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	}),
];

/** The option that refuses what is too much at once. */
export const maxAmountOption = textField('Maximum Amount (Dollars)', 'maxAmount', {
	placeholder: 'e.g. 1000.00',
	description: 'Nothing is sent when an amount is above it. An agent cannot pay without it.',
});

/** An option that lets a user send fields which the node has no field for. */
export const additionalFieldsValue = textField('Additional Fields (JSON)', 'additionalFields', {
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "reference": "PO-1042" }',
	description:
		'Further fields of the request, sent as they are. The fields of this node cannot be replaced.',
});

/** The collection of what few users need. */
export const optionsField = (options: INodeProperties[]): INodeProperties =>
	collectionField('Options', 'options', 'Add option', options);

/** A list of fields to add, in alphabetical order. */
export const collectionField = (
	displayName: string,
	name: string,
	placeholder: string,
	options: INodeProperties[],
): INodeProperties =>
	textField(displayName, name, {
		type: 'collection',
		placeholder,
		default: {},
		options: [...options].sort((one, other) => one.displayName.localeCompare(other.displayName)),
	});
