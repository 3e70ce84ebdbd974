import { readMaxAmount } from '../../execution/maxAmount';
import type { ItemParameters } from '../../execution/itemParameters';
import { readAllowed, readChoice, readLimit } from '../../execution/safeguards';
import { assertPaymentOfWorkflow } from '../../execution/toolSafeguards';
import type { Claim } from '../../ledger/ledger';
import type { PayableCreate } from '../../service/api/payables';
import { isSameAddress } from '../../shared/email';
import { InputError } from '../../shared/inputError';
import { claimOf, readPayable } from '../payable/request';
import { withReferences } from './description';

const PAYABLES_PER_FUNDING = 50;

/** What an item asks for. */
export interface PayoutRequest {
	claim: Claim;
	payable: PayableCreate;
	/** `none` stops before the funding. */
	method: 'balance' | 'invoice' | 'none';
	/** What the funding says of itself; payouts with the same text can share one. */
	fundingText: { description?: string; po_number?: string };
	/** Whether the descriptions of the payable and of the funding name the reference. */
	isReferenceShown: boolean;
	/** Payouts that share a funding, at most. */
	payablesPerFunding: number;
	/** Minor units; a run with more than that is rejected. */
	maxAmount: number;
	maxTotal: number;
	/** What may be paid since the day of the workflow's time zone began, in ISO 8601. */
	daily: { limit: number; since: string } | undefined;
	/** Where it is remembered. */
	rememberIn: 'node' | 'dataTable';
	/** Whether the wallet is looked at before anything is sent. */
	isBalanceChecked: boolean;
	/** Whether a funding that an earlier run got no answer to is sent once more. */
	isFundedAgain: boolean;
}

/** Reads what an item asks for; throws an InputError that names the field that cannot be used. */
export function readRequest(item: ItemParameters): PayoutRequest {
	assertPaymentOfWorkflow(item, ['fundingMethod', 'Funding Method']);
	const reference = item.requiredReference();
	const isReferenceShown = item.flag(
		'options.referenceInDescription',
		'Reference in Description',
		true,
	);
	const payable = readPayable(item);
	const claim = claimOf(payable, reference);
	checkPayee(item, payable);
	const shown = withReferences(payable.description, isReferenceShown ? [reference] : []);
	const method = item.choice('fundingMethod', ['balance', 'invoice', 'none'], 'Funding Method');
	const description = item.optionalText('options.fundingDescription', 'Funding Description');
	const poNumber = item.optionalText('options.poNumber', 'PO Number');
	return {
		claim,
		payable: { ...payable, ...(shown !== undefined && { description: shown }) },
		method,
		fundingText: {
			...(description !== undefined && { description }),
			...(poNumber !== undefined && method === 'invoice' && { po_number: poNumber }),
		},
		isReferenceShown,
		payablesPerFunding: item.count(
			'options.payablesPerFunding',
			'Payables per Funding',
			PAYABLES_PER_FUNDING,
		),
		maxAmount: readMaxAmount(item),
		maxTotal: readLimit(item, 'maxTotal', 'Maximum Total') ?? Infinity,
		daily: readDailyLimit(item),
		rememberIn: readStore(item),
		isBalanceChecked:
			method === 'balance' && item.flag('options.checkBalance', 'Check Balance', true),
		isFundedAgain: readFundedAgain(item),
	};
}

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
		'Correct the payee, or let the person who is responsible for this workflow add it there.',
	);
}

function readDailyLimit(item: ItemParameters): PayoutRequest['daily'] {
	const limit = readLimit(item, 'maxPerDay', 'Maximum per Day');
	if (limit === undefined) return undefined;
	requireTable(item, 'Maximum per Day');
	return { limit, since: item.dayStart() };
}

function readFundedAgain(item: ItemParameters): boolean {
	const choices = ['report', 'fundAgain'] as const;
	const isAgain = readChoice(item, 'whenInDoubt', choices, 'When in Doubt') === 'fundAgain';
	if (isAgain) requireTable(item, 'When in Doubt: Fund Again');
	return isAgain;
}

const readStore = (item: ItemParameters): PayoutRequest['rememberIn'] =>
	item.choice('rememberIn', ['node', 'dataTable'], 'Remember In');

/** @throws InputError for an option that needs to know what other runs have done */
function requireTable(item: ItemParameters, option: string): void {
	if (readStore(item) === 'dataTable') return;
	throw new InputError(
		`${option} needs a ledger that knows what all runs have paid`,
		'Remove the option, or set Remember In to Data Table. What this node has paid by itself before is refused then.',
	);
}
