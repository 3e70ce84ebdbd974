import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	additionalFieldsValue,
	fundingMethodOptions,
	maxAmountOption,
	optionsField,
} from '../../shared/fields';
import { ledgerFields, requiredReferenceFields } from '../../shared/referenceFields';
import { payoutToolNotice, withToolField } from '../../shared/toolFields';
import {
	dueDateOption,
	lineItemsOption,
	payableDescriptionField,
	requiredPayableFields,
	sendInviteOption,
} from '../payable/fields';

const methodOptions: INodePropertyOptions[] = [
	...fundingMethodOptions,
	{
		name: 'None',
		value: 'none',
		description: 'Stop before any money moves, so that a person can say yes first',
	},
];

/** What few payouts need; a tool has a maximum amount. */
const payoutOptions = optionsField([
	additionalFieldsValue,
	{
		displayName: 'Allowed Payees',
		name: 'allowedPayees',
		type: 'string',
		default: '',
		placeholder: 'e.g. ann@example.com, bob@example.com',
		description:
			'E-mail addresses or service IDs, separated by commas. Nobody else is paid. An expression may give a list.',
	},
	{
		displayName: 'Check Balance',
		name: 'checkBalance',
		type: 'boolean',
		default: true,
		description:
			'Whether to look at the wallet first, and send nothing when it holds less than the run needs',
	},
	dueDateOption,
	{
		displayName: 'Funding Description',
		name: 'fundingDescription',
		type: 'string',
		default: '',
		placeholder: 'e.g. February payouts',
		description: 'What the fundings of this run are for',
	},
	lineItemsOption,
	maxAmountOption,
	{
		displayName: 'Maximum per Day (Dollars)',
		name: 'maxPerDay',
		type: 'string',
		default: '',
		placeholder: 'e.g. 25000.00',
		description:
			'Nothing is sent when the payouts and fundings of the workspace would be above it today, over all workflows that share the ledger table. Needs Remember In: Data Table.',
	},
	{
		displayName: 'Maximum Total (Dollars)',
		name: 'maxTotal',
		type: 'string',
		default: '',
		placeholder: 'e.g. 25000.00',
		description: 'Nothing is sent when all payouts of a run are above it',
	},
	{
		displayName: 'Payables per Funding',
		name: 'payablesPerFunding',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'How many payouts of a workspace share a funding at most',
	},
	{
		displayName: 'PO Number',
		name: 'poNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. PO-1042',
		description: 'Purchase order that an invoice names',
	},
	{
		displayName: 'Reference in Description',
		name: 'referenceInDescription',
		type: 'boolean',
		default: true,
		description:
			'Whether the descriptions of the payable and of the funding name the unique reference, so that a person can find both in the service',
	},
	sendInviteOption,
	{
		displayName: 'When in Doubt',
		name: 'whenInDoubt',
		type: 'options',
		options: [
			{
				name: 'Fund Again',
				value: 'fundAgain',
				description:
					'Only when the operator has confirmed that the service refuses to fund a payable twice',
			},
			{ name: 'Report', value: 'report', description: 'Send nothing, and say what to look for' },
		],
		default: 'report',
		description:
			'What to do with a payout whose funding an earlier run got no answer to. Fund Again needs Remember In: Data Table.',
	},
]);

/** What a payout is made of. */
export const payoutFields: INodeProperties[] = [
	payoutToolNotice,
	...requiredPayableFields,
	...withToolField(
		{
			displayName: 'Funding Method',
			name: 'fundingMethod',
			type: 'options',
			options: methodOptions,
			default: 'balance',
			description: 'Where the money comes from',
		},
		{ default: 'none' },
	),
	...requiredReferenceFields,
	...ledgerFields,
	payableDescriptionField,
	...withToolField(payoutOptions, { default: { maxAmount: '' } }),
];
