import { isResourceLocatorValue, type INodeProperties } from 'n8n-workflow';

import { assertNoTypedExpression } from '../../execution/expressionParts';
import type { ItemParameters } from '../../execution/itemParameters';
import { assertSetByWorkflow, readAmount, readAmountUnit } from '../../execution/safeguards';
import type { Payment } from '../../ledger/payment';
import type { PayableCreate } from '../../api/endpoints';
import {
	additionalFieldsValue,
	amountFields,
	amountUnitOption,
	dateField,
	listField,
	locatorField,
	maxAmountOption,
	switchField,
	textField,
	workspaceField,
} from '../../shared/fields';
import { DENOMINATION, dollarText, sum, toMinorUnits } from '../../shared/money';
import { foldAddress } from '../../shared/addresses';
import { throwInputError } from '../../shared/errors';
import { readText } from '../../shared/fieldReaders';
import { isRecord } from '../../shared/typeGuards';

export const payableIdField = textField('Payable ID', 'payableId', {
	required: true,
	placeholder: 'e.g. pay_8d2f61',
});

export const requiredPayableFields: INodeProperties[] = [
	workspaceField,
	locatorField('Payee', 'payee', {
		required: true,
		default: { mode: 'email', value: '' },
		description: 'The vendor who is paid',
		modes: [
			{
				displayName: 'By Email',
				name: 'email',
				type: 'string',
				placeholder: 'e.g. name@example.com',
			},
			{
				displayName: 'By Service ID',
				name: 'serviceId',
				type: 'string',
				placeholder: 'e.g. vnd_4c1b7e',
				hint: "The vendor's identifier in the whole network",
			},
		],
	}),
	...amountFields,
];

export const payableOptions: INodeProperties[] = [
	additionalFieldsValue,
	amountUnitOption,
	textField('Description', 'description', {
		placeholder: 'e.g. Video edit, February',
		description: 'What the payment is for',
	}),
	dateField('Due Date', 'dueDate', {
		description:
			"A date without a time is that day, wherever it is shown. A time without a zone is in the workflow's time zone.",
	}),
	listField('Line Items', 'lineItems', {
		placeholder: 'Add line item',
		description: 'Parts of the amount. They must add up to it.',
		options: [
			{
				displayName: 'Item',
				name: 'item',
				values: [
					textField('Amount', 'amount', {
						placeholder: 'e.g. 9.99',
						description: 'In the same unit as the amount of the payable',
					}),
					textField('Description', 'description', { placeholder: 'e.g. Color grading' }),
				],
			},
		],
	}),
	maxAmountOption,
	switchField('Send Invite', 'sendInvite', {
		default: true,
		description: 'Whether to invite a vendor by email who is not a partner yet',
	}),
];

/**
 * Names that must not be added to a payable: those of fields and options, and other names of the payee.
 * Otherwise limits and the ledger would check other values than those that are sent.
 */
const OWN_FIELDS =
	'workspace_id payee_email payee_service_id payee payees partner_id amount amount_denomination description due_date send_invite line_items';

export function readPayable(item: ItemParameters): PayableCreate {
	assertSetByWorkflow(item);
	const amount = readAmount(item);
	const description = item.optionalText('options.description', 'Description');
	const dueDate = item.day('options.dueDate', 'Due Date');
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

/** The payment of a payable. Its email address is as addresses are compared. */
export function paymentOf(payable: PayableCreate, reference: string): Payment {
	const { amount, payee_email: email, payee_service_id: serviceId } = payable;
	const payee = email === undefined ? (serviceId ?? '') : foldAddress(email);
	return { reference, workspaceId: payable.workspace_id.toLowerCase(), payee, amount };
}

/** The node chooses the mode, not the result of an expression. */
function readPayee(item: ItemParameters): Pick<PayableCreate, 'payee_email' | 'payee_service_id'> {
	const { payee } = item.node.parameters;
	return isResourceLocatorValue(payee) && payee.mode === 'serviceId'
		? { payee_service_id: item.text('payee', 'Payee') }
		: { payee_email: item.email('payee', 'Payee') };
}

function readLineItems(item: ItemParameters, amount: number) {
	const unit = readAmountUnit(item);
	const written = [item.written('options.lineItems.item') ?? []].flat();
	for (const line of written.filter(isRecord)) {
		assertNoTypedExpression(line.amount, 'The amount of a line item');
		assertNoTypedExpression(line.description, 'The description of a line item');
	}
	const entries = [item.value('options.lineItems.item') ?? []].flat();
	const lines = entries.filter(isRecord).map((line, position) => ({
		amount: toMinorUnits(line.amount, unit, `The amount of line item ${position + 1}`),
		description: readText(line.description, `The description of line item ${position + 1}`) ?? '',
	}));
	const total = sum(lines.map((line) => line.amount));
	if (lines.length === 0 || total === amount) {
		return lines;
	}
	return throwInputError(
		`The line items add up to ${dollarText(total)}, but the amount is ${dollarText(amount)}`,
		'Correct the line items or the amount.',
	);
}
