import type { INodeProperties, INodePropertyOptions, NodePropertyTypes } from 'n8n-workflow';

/** Makes a function for fields of a type, whose last argument is what a field has beside its names. */
const fieldsOf =
	(type: NodePropertyTypes, common: Pick<INodeProperties, 'default' | 'typeOptions'>) =>
	(displayName: string, name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
		displayName,
		name,
		type,
		...common,
		...more,
	});

export const textField = fieldsOf('string', { default: '' });
export const secretField = fieldsOf('string', { default: '', typeOptions: { password: true } });
export const switchField = fieldsOf('boolean', { default: false });
/** A whole number above zero. */
export const countField = fieldsOf('number', { default: 1, typeOptions: { minValue: 1 } });
export const dateField = fieldsOf('dateTime', { default: '' });
export const choiceField = fieldsOf('options', { default: '' });
export const choicesField = fieldsOf('multiOptions', { default: [] });
export const collectionField = fieldsOf('collection', { default: {} });
export const hiddenField = fieldsOf('hidden', { default: '' });
/** A text among the fields, in place of a display name. */
export const notice = fieldsOf('notice', { default: '' });

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

export const fundingDescriptionField = textField('Funding Description', 'fundingDescription', {
	placeholder: 'e.g. February payouts',
	description: 'What a funding is for',
});

export const poNumberField = textField('PO Number', 'poNumber', {
	placeholder: 'e.g. PO-1042',
	description: 'Purchase order that an invoice names',
});

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

export const maxResultsFields: INodeProperties[] = [
	switchField('Return All', 'returnAll', {
		description: 'Whether to return all results or only up to a given limit',
	}),
	countField('Limit', 'limit', {
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	}),
];

export const maxAmountOption = textField('Maximum Amount (Dollars)', 'maxAmount', {
	placeholder: 'e.g. 1000.00',
	description: 'Nothing is sent when an amount is above it. An agent cannot pay without it.',
});

export const additionalFieldsValue = textField('Additional Fields (JSON)', 'additionalFields', {
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "reference": "PO-1042" }',
	description:
		'Further fields of the request, sent as they are. The fields of this node cannot be replaced.',
});

/** The collection of what few users need, in alphabetical order. */
export const optionsField = (options: INodeProperties[]): INodeProperties =>
	collectionField('Options', 'options', {
		placeholder: 'Add option',
		options: [...options].sort((one, other) => one.displayName.localeCompare(other.displayName)),
	});
