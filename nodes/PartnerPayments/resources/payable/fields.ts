import type { INodeProperties } from 'n8n-workflow';

import type { ItemParameters } from '../../execution/itemParameters';
import type { Payment } from '../../ledger/ledger';
import type { PayableCreate } from '../../api/endpoints';
import {
	additionalFieldsValue,
	amountFields,
	choiceField,
	dateField,
	maxAmountOption,
	payeeEmailField,
	switchField,
	textField,
	workspaceField,
} from '../../shared/fields';
import { DENOMINATION, inMajorUnits, sum, toMinorUnits } from '../../shared/money';
import { isRecord, readText, reject } from '../../shared/values';

export const payableIdField = textField('Payable ID', 'payableId', {
	required: true,
	placeholder: 'e.g. pay_8d2f61',
});

const IN_NETWORK = "The vendor's identifier in the whole network";

export const requiredPayableFields: INodeProperties[] = [
	workspaceField,
	choiceField('Payee Identified By', 'payeeIdentifiedBy', {
		options: [
			{ name: 'Email', value: 'email' },
			{ name: 'Service ID', value: 'serviceId', description: IN_NETWORK },
		],
		default: 'email',
	}),
	{ ...payeeEmailField, displayOptions: { show: { payeeIdentifiedBy: ['email'] } } },
	textField('Payee Service ID', 'payeeServiceId', {
		required: true,
		placeholder: 'e.g. vnd_4c1b7e',
		description: IN_NETWORK,
		displayOptions: { show: { payeeIdentifiedBy: ['serviceId'] } },
	}),
	...amountFields,
];

export const payableDescriptionField = textField('Description', 'payableDescription', {
	placeholder: 'e.g. Video edit, February',
	description: 'What the payment is for',
});

export const payableOptions: INodeProperties[] = [
	additionalFieldsValue,
	dateField('Due Date', 'dueDate', {
		description: "A date without a zone is in the workflow's time zone",
	}),
	{
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
					textField('Amount', 'amount', {
						placeholder: 'e.g. 999',
						description: 'In the unit that Amount Unit names',
					}),
					textField('Description', 'description', { placeholder: 'e.g. Colour grading' }),
				],
			},
		],
	},
	maxAmountOption,
	switchField('Send Invite', 'sendInvite', {
		description: 'Whether to invite the vendor by e-mail when they are not a partner yet',
	}),
];

/**
 * What must not be added to a payable: all that has a field or an option of its own, filled in
 * or not, and other names of who is paid. What limits, checks and the ledger know of it must be all there is.
 */
const OWN_FIELDS =
	'workspace_id payee_email payee_service_id payee payees partner_id amount amount_denomination description due_date send_invite line_items';

/** Reads the payable that an item asks for, with what the user adds to it. */
export function readPayable(item: ItemParameters): PayableCreate {
	const amount = item.amount();
	const description = item.optionalText('payableDescription', 'Description');
	const dueDate = item.timestamp('options.dueDate', 'Due Date');
	const lineItems = readLineItems(item, amount);
	const payable: PayableCreate = {
		workspace_id: item.workspaceId(),
		...readPayee(item),
		amount,
		amount_denomination: DENOMINATION,
		...(description !== undefined && { description }),
		...(dueDate !== undefined && { due_date: dueDate }),
		send_invite: item.flag('options.sendInvite', 'Send Invite'),
		...(lineItems.length > 0 && { line_items: lineItems }),
	};
	return { ...item.additionalFields(OWN_FIELDS), ...payable };
}

/** What is paid once with a payable. An e-mail address is the same however its capitals are written. */
export function paymentOf(payable: PayableCreate, reference: string): Payment {
	const { amount, payee_email: email, payee_service_id: serviceId } = payable;
	const payee = email?.toLowerCase() ?? serviceId ?? '';
	return { reference, workspaceId: payable.workspace_id.toLowerCase(), payee, amount };
}

function readPayee(item: ItemParameters): Pick<PayableCreate, 'payee_email' | 'payee_service_id'> {
	const by = item.choice('payeeIdentifiedBy', ['email', 'serviceId'], 'Payee Identified By');
	return by === 'email'
		? { payee_email: item.email('payeeEmail', 'Payee Email') }
		: { payee_service_id: item.text('payeeServiceId', 'Payee Service ID') };
}

function readLineItems(item: ItemParameters, amount: number) {
	const entries = [item.value('options.lineItems.item') ?? []].flat();
	const lines = entries.filter(isRecord).map((line, position) => ({
		amount: toMinorUnits(line.amount, item.amountUnit(), `The amount of line item ${position + 1}`),
		description: readText(line.description, `The description of line item ${position + 1}`) ?? '',
	}));
	const total = sum(lines.map((line) => line.amount));
	if (lines.length === 0 || total === amount) return lines;
	return reject(
		`The line items add up to ${inMajorUnits(total)}, but the amount is ${inMajorUnits(amount)}`,
		'Correct the line items or the amount.',
	);
}
