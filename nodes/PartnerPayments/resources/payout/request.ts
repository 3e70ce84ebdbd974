import type { ItemParameters } from '../../execution/itemParameters';
import {
	assertPaymentOfWorkflow,
	readAllowed,
	readLimit,
	readMaxAmount,
} from '../../execution/safeguards';
import type { DailyLimit, Payment } from '../../ledger/ledger';
import type { PayableCreate } from '../../service/api/payables';
import { isSameAddress } from '../../shared/email';
import { InputError } from '../../shared/inputError';
import { paymentOf, readPayable } from '../payable/request';

/** What an item asks for. */
export interface PayoutRequest {
	payment: Payment;
	payable: PayableCreate;
	/** `none` stops before the funding. */
	method: 'balance' | 'invoice' | 'none';
	/** What the funding says of itself; payouts with the same text can share one. */
	fundingText: { description?: string; po_number?: string };
	/** Minor units; a run with more than that is rejected. */
	maxAmount: number;
	maxTotal: number;
	/** What may be paid since the day of the workflow's time zone began. */
	daily: DailyLimit | undefined;
	/** Whether the wallet is looked at before anything is sent. */
	isBalanceChecked: boolean;
}

/** Reads what an item asks for; throws an InputError that names the field that cannot be used. */
export function readRequest(item: ItemParameters): PayoutRequest {
	assertPaymentOfWorkflow(item);
	const reference = item.requiredReference();
	const payable = readPayable(item);
	checkPayee(item, payable);
	const method = item.choice('fundingMethod', ['balance', 'invoice', 'none'], 'Funding Method');
	const description = item.optionalText('options.fundingDescription', 'Funding Description');
	const poNumber = item.optionalText('options.poNumber', 'PO Number');
	const limit = readLimit(item, 'maxPerDay', 'Maximum per Day');
	return {
		payment: paymentOf(payable, reference),
		payable: { ...payable, description: withReferences(payable.description, [reference]) },
		method,
		fundingText: {
			...(description !== undefined && { description }),
			...(poNumber !== undefined && method === 'invoice' && { po_number: poNumber }),
		},
		maxAmount: readMaxAmount(item),
		maxTotal: readLimit(item, 'maxTotal', 'Maximum Total') ?? Infinity,
		daily: limit === undefined ? undefined : { limit, since: item.dayStart() },
		isBalanceChecked:
			method === 'balance' && item.flag('options.checkBalance', 'Check Balance', true),
	};
}

/**
 * A description by which a person finds what was paid under references. They stand in brackets, so that
 * INV-1 is not found in INV-10.
 */
export const withReferences = (description: string | undefined, references: string[]): string =>
	[description, ...references.map((reference) => `[${reference}]`)]
		.filter((text) => text !== undefined)
		.join(' ');

/** @throws InputError when the option Allowed Payees is there and does not name the payee */
function checkPayee(item: ItemParameters, payable: PayableCreate): void {
	const { payee_email: email, payee_service_id: serviceId } = payable;
	const allowed = readAllowed(item, 'allowedPayees', 'Allowed Payees');
	// Of IDs, nobody knows whether capitals matter.
	const isPayee = (name: string): boolean =>
		email === undefined ? name === serviceId : isSameAddress(name, email);
	if (allowed === undefined || allowed.some(isPayee)) return;
	throw new InputError(
		`"${email ?? serviceId ?? ''}" is not among the Allowed Payees`,
		'Correct the payee, or let the person responsible for this workflow add it there.',
	);
}
