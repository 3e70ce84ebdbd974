import type { INodeProperties, INodePropertyOptions, NodePropertyTypes } from 'n8n-workflow';

/** Makes a function for fields of a type. Its last argument is all that a field has beside its names. */
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
export const listField = fieldsOf('fixedCollection', {
	default: {},
	typeOptions: { multipleValues: true },
});
export const locatorField = fieldsOf('resourceLocator', { default: {} });
export const hiddenField = fieldsOf('hidden', { default: '' });
/** A notice among the fields: its display name is the text. */
export const notice = fieldsOf('notice', { default: '' });

/**
 * The workspace that is meant. It starts with what works for every credential: n8n's editor fills in the
 * parameters of a new node before it knows its credential, and only a connected user has a list.
 */
export const workspaceField = locatorField('Workspace', 'workspaceId', {
	default: { mode: 'id', value: '' },
	description:
		'The workspace that pays. Leave it empty to use "Default Workspace ID" of the credential.',
	modes: [
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'Empty: default of the credential',
			hint: 'A UUID. Leave it empty for "Default Workspace ID" of the credential.',
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://app.example.com/signup?invitationId=7d6d4b1e-…',
			hint: "The workspace's vendor invite URL. Its invitationId is the workspace ID.",
		},
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchWorkspaces', searchable: true },
		},
	],
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

export const fundingDescriptionOption = (displayName: string, name: string): INodeProperties =>
	textField(displayName, name, {
		placeholder: 'e.g. February payouts',
		description: 'What a funding is for',
	});

/** @param method the name of the field that has to say invoice */
export const poNumberOption = (method: string): INodeProperties =>
	textField('PO Number', 'poNumber', {
		placeholder: 'e.g. PO-1042',
		description: 'Purchase order that the invoice names',
		displayOptions: { show: { [`/${method}`]: ['invoice'] } },
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

/** The name has the unit in it, so that neither a person nor a model mistakes dollars for cents. */
const amountField = (unit: string, more: Partial<INodeProperties>): INodeProperties =>
	textField(`Amount (${unit})`, 'amount', {
		required: true,
		description: `In ${unit}: a plain number without separators or currency sign`,
		...more,
	});

const inCents = { '/options.amountUnit': ['cents'] };

export const amountFields = [
	amountField('USD', { placeholder: 'e.g. 19.99', displayOptions: { hide: inCents } }),
	amountField('Cents', { placeholder: 'e.g. 1999', displayOptions: { show: inCents } }),
];

export const amountUnitOption = choiceField('Amount Unit', 'amountUnit', {
	options: [
		{ name: 'Cents', value: 'cents', description: '1999 is 19 dollars and 99 cents' },
		{ name: 'Dollars', value: 'dollars', description: '19.99 is 19 dollars and 99 cents' },
	],
	default: 'cents',
	description: 'Unit of the amount and of line items. Without this option, they are in dollars.',
});

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

export const maxAmountOption = textField('Limit: Maximum Amount', 'maxAmount', {
	placeholder: 'e.g. 1000.00',
	description: 'In dollars. Nothing is sent when an amount is above it. A tool must have it.',
});

export const additionalFieldsValue = textField('Additional Fields (JSON)', 'additionalFields', {
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "reference": "PO-1042" }',
	description:
		'More fields for the request, sent as they are. They cannot replace fields of this node.',
});

/**
 * The fields, with a hidden field of the same name after each collection, which keeps what was written
 * there. n8n reads a collection field by field: of one expression for all of it, nothing would be left,
 * and a limit in it would vanish silently.
 */
export const withWrittenCollections = (fields: INodeProperties[]): INodeProperties[] =>
	fields.flatMap((field) => (isCollection(field) ? [field, writtenField(field)] : [field]));

/** It comes after the collection, so that n8n takes its value. */
const writtenField = ({
	displayName,
	name,
	default: byDefault,
	displayOptions,
}: INodeProperties): INodeProperties =>
	hiddenField(displayName, name, {
		default: byDefault,
		...(displayOptions !== undefined && { displayOptions }),
	});

const isCollection = ({ type }: INodeProperties): boolean =>
	type === 'collection' || type === 'fixedCollection';

/** Limits and holds come first, and what the node does not check comes last. */
function rankOf({ displayName, name }: INodeProperties): number {
	if (/^(?:Limit|Hold): /.test(displayName)) {
		return displayName.startsWith('Limit') ? 0 : 1;
	}
	return name === 'additionalFields' ? 3 : 2;
}

/** The collection of what few users need: what keeps money safe first, each group in alphabetical order. */
export const optionsField = (options: INodeProperties[]): INodeProperties =>
	collectionField('Options', 'options', {
		placeholder: 'Add option',
		options: [...options].sort(
			(one, other) =>
				rankOf(one) - rankOf(other) || one.displayName.localeCompare(other.displayName),
		),
	});
