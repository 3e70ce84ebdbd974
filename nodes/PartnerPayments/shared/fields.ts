import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/** Which credential a node uses. */
export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Client Credentials',
			value: 'clientCredentials',
			description: 'Server to server, for workspaces of your own',
		},
		{
			name: 'OAuth2',
			value: 'oAuth2',
			description: 'Acts for a user who connects their account',
		},
	],
	default: 'clientCredentials',
};

/** The workspace that pays. */
export const workspaceField: INodeProperties = {
	displayName: 'Workspace',
	name: 'workspaceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'id', value: '' },
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
			validation: [
				{
					type: 'regex',
					properties: { regex: `^\\s*${UUID}\\s*$`, errorMessage: 'A workspace ID is a UUID' },
				},
			],
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://app.example.com/signup?invitationId=7d6d4b1e-…',
			hint: "The workspace's vendor invite URL. Its invitationId is the workspace ID.",
			extractValue: { type: 'regex', regex: `[?&]invitationId=(${UUID})` },
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `^https?://.*[?&]invitationId=${UUID}.*$`,
						errorMessage: 'An invite URL has an invitationId in it',
					},
				},
			],
		},
	],
};

/** The vendor by e-mail address. */
export const payeeEmailField: INodeProperties = {
	displayName: 'Payee Email',
	name: 'payeeEmail',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. name@example.com',
	description: "The vendor's e-mail address",
};

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

/** What is paid; the unit follows it. */
export const amountField: INodeProperties = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 1999',
	hint: 'Mind the unit below: 1999 minor units (cents) are 19.99',
	description: 'A plain number without separators or currency sign',
};

export const amountUnitField: INodeProperties = {
	displayName: 'Amount Unit',
	name: 'amountUnit',
	type: 'options',
	options: [
		{ name: 'Major (Dollars)', value: 'major', description: '19.99 is 19 dollars and 99 cents' },
		{ name: 'Minor (Cents)', value: 'minor', description: '1999 is 19 dollars and 99 cents' },
	],
	default: 'minor',
	description: 'Unit of all amounts entered here. The service is always sent minor units.',
};

/** What tells one payment from all others, so that it is made once. */
export const uniqueReferenceField: INodeProperties = {
	displayName: 'Unique Reference',
	name: 'uniqueReference',
	type: 'string',
	default: '',
	placeholder: 'e.g. INV-1042',
	description:
		'Your own name for it, such as an invoice number. However often this node runs, a reference is sent once.',
};

/** An option that lets a user send fields which the node has no field for. */
export const additionalFieldsValue: INodeProperties = {
	displayName: 'Additional Fields (JSON)',
	name: 'additionalFields',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "reference": "PO-1042" }',
	description:
		'Further fields of the request, sent as they are. The fields of this node cannot be replaced.',
};

/** The collection of what few users need. */
export const optionsField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options,
});

/** An options collection that lets a user send fields which the node has no field for. */
export const additionalFieldsOption = optionsField([additionalFieldsValue]);
