import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import {
	additionalFieldsValue,
	fundingMethodOptions,
	maxAmountOption,
	optionsField,
} from '../../shared/fields';
import { payoutToolNotice, referenceInTools, withToolField } from '../../shared/toolFields';
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

/** What tells one payment from all others, so that it is made once. */
export const uniqueReferenceField: INodeProperties = {
	displayName: 'Unique Reference',
	name: 'uniqueReference',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. INV-1042',
	description:
		'Your own name for the payment, such as an invoice number. However often this node runs, a reference is paid once. Another reference is another payment.',
};

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
			'Nothing is sent when the payouts and fundings of the workspace would be above it today, over all workflows that share the ledger table. Needs a ledger table.',
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
		displayName: 'PO Number',
		name: 'poNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. PO-1042',
		description: 'Purchase order that an invoice names',
	},
	sendInviteOption,
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
	...withToolField(uniqueReferenceField, referenceInTools),
	payableDescriptionField,
	...withToolField(payoutOptions, { default: { maxAmount: '' } }),
];
