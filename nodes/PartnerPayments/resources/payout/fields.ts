import type { INodeProperties } from 'n8n-workflow';

import {
	choiceField,
	countField,
	dateField,
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
	'Start with "Funding Method" set to "None": the agent prepares payouts, and a person pays them. "Limit: Maximum Amount" is required. "Unique Reference" comes from a node before the agent. <a href="https://github.com/partner-payments/n8n-nodes-partner-payments/blob/main/docs/guide/agents.md" target="_blank">Learn more</a>.',
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
		'The number that stands on the invoice, and nothing else. Each invoice of a vendor is paid once, even if this node runs again.',
});

/** Limits and holds have names that keep each group together. */
const payoutOptions = optionsField([
	...payableOptions,
	textField('Limit: Allowed Payees', 'allowedPayees', {
		placeholder: 'e.g. ann@example.com, bob@example.com',
		description:
			'Only these email addresses or service IDs are paid. Separate them by commas. An expression may give a list.',
	}),
	textField('Approved By', 'approvedBy', {
		placeholder: "e.g. {{ $('Ask').item.json.data.responder.email }}",
		description:
			'Who agreed to the payout, such as a name or an email address. The ledger keeps it. Limits and holds stay as they are.',
	}),
	switchField('Check Balance', 'checkBalance', {
		default: true,
		description: 'Whether to send nothing when the wallet holds less than the run needs',
	}),
	textField('Different Invoice', 'differentInvoice', {
		placeholder: 'e.g. INV-2 9.00 name@example.com is not INV-1 9.00 name@example.com',
		description:
			'What an error or a held item says to enter here. Only when a person has compared both invoices, or the operator of the service has stopped a wrong payment. Each in a line of its own.',
		typeOptions: { rows: 2 },
	}),
	fundingDescriptionOption('Funding Description', 'fundingDescription'),
	textField('Hold: Above', 'holdAbove', {
		placeholder: 'e.g. 1000.00',
		description:
			'In dollars. Holds a payout above this amount: nothing is sent, and a person decides.',
	}),
	switchField('Hold: New Payees', 'holdNewPayees', {
		default: true,
		description: 'Whether to hold a payout to a payee that this ledger has never paid.',
	}),
	countField('Hold: Duplicates (Days)', 'holdDuplicatesDays', {
		default: 30,
		description:
			'Holds a payout with the payee and amount of another one of so many days, or with an invoice number that looks like another one. A person compares them.',
	}),
	countField('Hold: Unusual (Times)', 'holdUnusualAmounts', {
		default: 5,
		description:
			'Holds a payout that is more than so many times the highest amount that the payee got, such as 950 typed for 9.50. A payee that was never paid is not held.',
	}),
	textField('Limit: Maximum per Day', 'maxPerDay', {
		placeholder: 'e.g. 25000.00',
		description:
			'In dollars. Nothing is sent when the workspace would pay more today, in all workflows that share the ledger.',
	}),
	textField('Limit: Maximum Total', 'maxTotal', {
		placeholder: 'e.g. 25000.00',
		description: 'In dollars. Nothing is sent when the payouts of a run are more in total.',
	}),
	dateField('Invoice Date', 'invoiceDate', {
		description:
			'The date that stands on the invoice. With "Hold: Duplicates (Days)", it shows an invoice that comes again under another number.',
		typeOptions: { dateOnly: true },
	}),
	poNumberOption('fundingMethod'),
	switchField('Preview', 'preview', {
		default: true,
		description:
			'Whether to only show what a run would do: would_pay, duplicate, held, unconfirmed or refused. Nothing is sent.',
	}),
]);

export const payoutFields: INodeProperties[] = [
	payoutToolNotice,
	...requiredPayableFields,
	...withToolField(uniqueReferenceField, {
		placeholder: "e.g. {{ $('Invoice').item.json.number }}",
		hint: 'From a node before the agent. A model that chooses it can pay twice.',
	}),
	...withToolField(
		choiceField('Funding Method', 'fundingMethod', {
			options: [
				...fundingMethodOptions,
				{
					name: 'None',
					value: 'none',
					description: 'Stop before any money moves, so that a person can agree first',
				},
			],
			default: 'balance',
			description: 'Where the money comes from',
		}),
		{ default: 'none' },
	),
	/*
	 * A new node holds what looks paid in the last days; payments of every week do not. Cents typed as dollars are a
	 * hundred times too much: it holds them after the first payout to a vendor, and refuses them above its limit.
	 */
	{
		...payoutOptions,
		default: {
			maxAmount: '1000.00',
			holdDuplicatesDays: 6,
			holdUnusualAmounts: 50,
			invoiceDate: '',
		},
	},
];
