import {
	additionalFieldsValue,
	fundingMethodOptions,
	optionsField,
	uniqueReferenceField,
} from '../../shared/fields';
import { InputError } from '../../shared/inputError';
import { inMajorUnits, sum } from '../../shared/money';
import type { ItemParameters } from '../../execution/itemParameters';
import {
	readAll,
	type Entry,
	type Operation,
	type Output,
	type Reject,
} from '../../execution/operation';
import { contentOf, payableFields, readPayable } from '../payable/fields';
import { pay } from './pay';
import type { PayoutRequest } from './payout';

const PER_FUNDING = 50;

const methodOptions = [
	...fundingMethodOptions,
	{
		name: 'None',
		value: 'none',
		description: 'Stop before any money moves, so that a person can say yes first',
	},
];

export const send: Operation = {
	name: 'Send',
	value: 'send',
	action: 'Send a payout',
	description:
		'Create, approve and fund a payable per item. However often it runs, each unique reference is paid once.',
	isNonIdempotent: true,
	fields: [
		...payableFields,
		{
			displayName: 'Funding Method',
			name: 'fundingMethod',
			type: 'options',
			options: methodOptions,
			default: 'balance',
		},
		{ ...uniqueReferenceField, required: true },
		optionsField([
			additionalFieldsValue,
			{
				displayName: 'Funding Description',
				name: 'fundingDescription',
				type: 'string',
				default: '',
				placeholder: 'e.g. February payouts',
			},
			{
				displayName: 'Maximum Amount',
				name: 'maxAmount',
				type: 'string',
				default: '',
				placeholder: 'e.g. 100000',
				description:
					'Nothing is sent when a payout is above it, in the unit that Amount Unit names',
			},
			{
				displayName: 'Maximum Total',
				name: 'maxTotal',
				type: 'string',
				default: '',
				placeholder: 'e.g. 2500000',
				description:
					'Nothing is sent when all payouts of a run are above it, in the unit that Amount Unit names',
			},
			{
				displayName: 'Payables per Funding',
				name: 'payablesPerFunding',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: PER_FUNDING,
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
		]),
	],
	plan: (inputs, rejectWith) => {
		const reject: Reject = (item, error) => {
			rejectWith(item, error, rejected(item));
		};
		const entries = readAll(inputs, readRequest, reject);
		if (entries.length === 0) return [];
		const items = entries.map(({ item }) => item);
		const excess = aboveLimit(entries);
		if (excess === undefined)
			return [{ items, execute: async (context) => await pay(context, entries) }];
		for (const item of items) reject(item, excess);
		return [];
	},
};

function readRequest(item: ItemParameters): PayoutRequest {
	const payable = readPayable(item);
	const reference = item.text('uniqueReference', 'Unique Reference');
	const method = item.choice('fundingMethod', ['balance', 'invoice', 'none'], 'Funding Method');
	const description = item.optionalText('options.fundingDescription', 'Funding Description');
	const poNumber = item.optionalText('options.poNumber', 'PO Number');
	return {
		claim: { reference, content: contentOf(payable) },
		payable,
		method,
		fundingText: {
			...(description !== undefined && { description }),
			...(poNumber !== undefined && method === 'invoice' && { po_number: poNumber }),
		},
		payablesPerFunding: item.count(
			'options.payablesPerFunding',
			'Payables per Funding',
			PER_FUNDING,
		),
		maxAmount: item.limit('options.maxAmount', 'Maximum Amount'),
		maxTotal: item.limit('options.maxTotal', 'Maximum Total'),
	};
}

/** A payout that was rejected comes out like the others, as far as it can be read. */
const rejected = (item: ItemParameters): Output => ({
	json: {
		status: 'failed',
		unique_reference: item.writtenReference(),
		payable_id: null,
		funding_id: null,
	},
});

/** What is wrong with a run that would pay more than it may. Each reference counts once. */
function aboveLimit(entries: Array<Entry<PayoutRequest>>): InputError | undefined {
	const tooLarge = entries.find(({ input }) => input.payable.amount > input.maxAmount);
	if (tooLarge !== undefined) {
		const { payable, maxAmount } = tooLarge.input;
		return new InputError(
			`${inMajorUnits(payable.amount)} in item ${tooLarge.item.index} is above the Maximum Amount, ${inMajorUnits(maxAmount)}`,
			'Correct the amount or the limit.',
		);
	}
	const amounts = new Map(
		entries.map(({ input }) => [input.claim.reference, input.payable.amount]),
	);
	const total = sum([...amounts.values()]);
	const limit = Math.min(...entries.map(({ input }) => input.maxTotal));
	if (total <= limit) return undefined;
	return new InputError(
		`The payouts of this run add up to ${inMajorUnits(total)}, which is above the Maximum Total, ${inMajorUnits(limit)}`,
		'Correct the amounts or the limit.',
	);
}
