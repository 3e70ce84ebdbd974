import type { INodeProperties, NodeHint } from 'n8n-workflow';

import { STANDARD_LIMIT } from '../../api/http/rateLimiter';
import {
	choiceField,
	fundingDescriptionOption,
	fundingMethodOptions,
	notice,
	optionsField,
	poNumberOption,
	switchField,
	textField,
} from '../../shared/fields';
import { payableOptions, requiredPayableFields } from '../payable/fields';

/** Shows a field in n8n's twin of the node alone, which agents call as a tool. */
const inTools = { show: { '@tool': [true] } };

const payoutToolNotice = notice(
	'With Funding Method None, the agent prepares payouts and a person pays them: start with that. Maximum Amount is required; Maximum per Day and Allowed Payees are recommended. Unique Reference comes from a node before the agent, never from the agent. <a href="https://github.com/partner-payments/n8n-nodes-partner-payments/blob/main/docs/guide/agents.md" target="_blank">Learn more</a>.',
	'payoutToolNotice',
	{ displayOptions: inTools },
);

const withToolField = (
	field: INodeProperties,
	changes: Partial<INodeProperties>,
): INodeProperties[] => [
	{ ...field, displayOptions: { hide: { '@tool': [true] } } },
	{ ...field, displayOptions: inTools, ...changes },
];

export const uniqueReferenceField = textField('Unique Reference', 'uniqueReference', {
	required: true,
	placeholder: 'e.g. INV-1042',
	description:
		'Your own name for the payment, such as an invoice number. However often this node runs, a reference is paid once. Another reference is another payment.',
});

/** The names of limits begin alike, so that they stand together. */
const payoutOptions = optionsField([
	...payableOptions,
	textField('Limit: Allowed Payees', 'allowedPayees', {
		placeholder: 'e.g. ann@example.com, bob@example.com',
		description:
			'E-mail addresses or service IDs, separated by commas. Nobody else is paid. An expression may give a list.',
	}),
	switchField('Check Balance', 'checkBalance', {
		default: true,
		description:
			'Whether to look at the wallet first, and send nothing when it holds less than the run needs',
	}),
	fundingDescriptionOption('Funding Description', 'fundingDescription'),
	textField('Limit: Maximum per Day', 'maxPerDay', {
		placeholder: 'e.g. 25000.00',
		description:
			'In dollars. Nothing is sent when the payouts and fundings of the workspace would be above it today, over all workflows that share the ledger table. Needs a ledger table.',
	}),
	textField('Limit: Maximum Total', 'maxTotal', {
		placeholder: 'e.g. 25000.00',
		description: 'In dollars. Nothing is sent when all payouts of a run are above it.',
	}),
	poNumberOption('fundingMethod'),
]);

export const payoutFields: INodeProperties[] = [
	payoutToolNotice,
	...requiredPayableFields,
	...withToolField(uniqueReferenceField, {
		placeholder: "e.g. {{ $('Invoice').item.json.number }}",
		hint: 'From a node before the agent. A model that chooses it can pay the same thing twice.',
	}),
	...withToolField(
		choiceField('Funding Method', 'fundingMethod', {
			options: [
				...fundingMethodOptions,
				{
					name: 'None',
					value: 'none',
					description: 'Stop before any money moves, so that a person can say yes first',
				},
			],
			default: 'balance',
			description: 'Where the money comes from',
		}),
		{ default: 'none' },
	),
	...withToolField(payoutOptions, { default: { maxAmount: '' } }),
];

/** Two requests each: a payable is created and approved. So many payouts need not wait for the limit. */
const PAYOUTS_PER_MINUTE = STANDARD_LIMIT.requests / 2;

/**
 * What the editor says of a run that will wait for the account's limit, once it knows the input. n8n's
 * hints cannot work out a number, nor read the credential: the text names the standard limit.
 */
export const payoutHints: NodeHint[] = [
	{
		message: `Each ${PAYOUTS_PER_MINUTE} payouts take about a minute at ${STANDARD_LIMIT.requests} requests a minute. The credential may state another limit. A ledger table shows how far the run is.`,
		displayCondition: `={{ $parameter.resource === "payout" && $parameter.operation === "send" && $input.all().length > ${PAYOUTS_PER_MINUTE} }}`,
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
	},
];
