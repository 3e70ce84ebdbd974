import type { INodeProperties } from 'n8n-workflow';

import { amountFields, payeeEmailField, workspaceField } from '../../shared/fields';

/** The payable of an operation. */
export const payableIdField: INodeProperties = {
	displayName: 'Payable ID',
	name: 'payableId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. pay_8d2f61',
};

/** What every payable needs: who pays whom how much. */
export const requiredPayableFields: INodeProperties[] = [
	workspaceField,
	{
		displayName: 'Payee Identified By',
		name: 'payeeIdentifiedBy',
		type: 'options',
		options: [
			{ name: 'Email', value: 'email' },
			{
				name: 'Service ID',
				value: 'serviceId',
				description: "The vendor's identifier in the whole network",
			},
		],
		default: 'email',
	},
	{ ...payeeEmailField, displayOptions: { show: { payeeIdentifiedBy: ['email'] } } },
	{
		displayName: 'Payee Service ID',
		name: 'payeeServiceId',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. vnd_4c1b7e',
		description: "The vendor's identifier in the whole network",
		displayOptions: { show: { payeeIdentifiedBy: ['serviceId'] } },
	},
	...amountFields,
];

/** What a payable is for. */
export const payableDescriptionField: INodeProperties = {
	displayName: 'Description',
	name: 'payableDescription',
	type: 'string',
	default: '',
	placeholder: 'e.g. Video edit, February',
	description: 'What the payment is for',
};

/** When a payable is due. */
export const dueDateOption: INodeProperties = {
	displayName: 'Due Date',
	name: 'dueDate',
	type: 'dateTime',
	default: '',
	description: "A date without a zone is in the workflow's time zone",
};

/** What the amount of a payable is made of. */
export const lineItemsOption: INodeProperties = {
	displayName: 'Line Items',
	name: 'lineItems',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add line item',
	default: {},
	description: 'What the amount is made of. Their amounts add up to the amount of the payable.',
	options: [
		{
			displayName: 'Item',
			name: 'item',
			values: [
				{
					displayName: 'Amount',
					name: 'amount',
					type: 'string',
					default: '',
					placeholder: 'e.g. 999',
					description: 'In the unit that Amount Unit names',
				},
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					default: '',
					placeholder: 'e.g. Colour grading',
				},
			],
		},
	],
};

/** Whether a vendor who is no partner yet is invited. */
export const sendInviteOption: INodeProperties = {
	displayName: 'Send Invite',
	name: 'sendInvite',
	type: 'boolean',
	default: false,
	description: 'Whether to invite the vendor by e-mail when they are not a partner yet',
};
