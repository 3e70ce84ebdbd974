import type { ItemParameters } from '../../execution/itemParameters';
import { readLimit, readMaxAmount, readOption, readSwitch } from '../../execution/safeguards';
import type { Rules } from '../../ledger/ledger';
import type { Payment } from '../../ledger/payment';
import type { PayableCreate } from '../../api/endpoints';
import { isSameAddress } from '../../shared/addresses';
import { DAY_MS } from '../../shared/dates';
import { assertNotComposed } from '../../shared/referenceReader';
import { normalizeReference } from '../../shared/references';
import { InputError, throwInputError } from '../../shared/errors';
import { readText, readTexts } from '../../shared/fieldReaders';
import { paymentOf, readPayable } from '../payable/fields';

const MAX_APPROVER_LENGTH = 200;
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
const ENTER_APPROVER =
	'Enter the name or the email address of the person who agreed, or check the expression that it comes from.';

export interface PayoutRequest {
	/** What is paid, without its payable. */
	payment: Payment;
	/** The body of the request that creates its payable. */
	payableBody: PayableCreate;
	/** `none` stops before the funding. */
	method: 'balance' | 'invoice' | 'none';
	/** Payouts with the same text can share a funding. */
	fundingText: { description?: string; po_number?: string };
	/** Minor units. */
	maxAmount: number;
	rules: Rules;
	isBalanceChecked: boolean;
}

export function readRequest(item: ItemParameters): PayoutRequest {
	// Here the switch is read for its check alone: a model must not set it.
	readSwitch(item, 'preview', 'Preview');
	const payable = readPayable(item);
	const reference = item.reference();
	assertNotComposed(reference, payable.payee_email ?? '');
	checkPayee(item, payable);
	const method = item.choice('fundingMethod', ['balance', 'invoice', 'none'], 'Funding Method');
	const description = item.optionalText('options.fundingDescription', 'Funding Description');
	const poNumber = item.optionalText('options.poNumber', 'PO Number');
	const payment = paymentOf(payable, reference);
	const different = readDifferentInvoices(item);
	if (different.length > 0) {
		payment.differentInvoices = different;
	}
	payment.approvedBy = readApprovedBy(item);
	payment.invoiceDate = readInvoiceDate(item);
	return {
		payment,
		payableBody: { ...payable, description: withReferences(payable.description, [reference]) },
		method,
		fundingText: {
			...(description !== undefined && { description }),
			...(poNumber !== undefined && method === 'invoice' && { po_number: poNumber }),
		},
		maxAmount: readMaxAmount(item),
		rules: readRules(item),
		isBalanceChecked:
			method === 'balance' && item.flag('options.checkBalance', 'Check Balance', true),
	};
}

/** Who agreed to a payout: one name or address, as a column of the ledger holds it. */
function readApprovedBy(item: ItemParameters): string | undefined {
	const label = 'Approved By';
	return readOption(item, 'approvedBy', label, (value) => {
		const text = readText(value, `"${label}"`) ?? '';
		if (text.length > MAX_APPROVER_LENGTH) {
			throwInputError(`"${label}" has more than ${MAX_APPROVER_LENGTH} characters`, ENTER_APPROVER);
		}
		if (LINE_BREAK.test(text)) {
			throwInputError(`"${label}" has more than one line`, ENTER_APPROVER);
		}
		return text === '' ? undefined : text;
	});
}

/** The day that stands on the invoice, as YYYY-MM-DD. */
function readInvoiceDate(item: ItemParameters): string | undefined {
	const read = (): string | undefined => item.calendarDay('options.invoiceDate', 'Invoice Date');
	return readOption(item, 'invoiceDate', 'Invoice Date', read);
}

/** The end of a line, also as n8n's table of an output shows it. */
const LINE_END = /\r?\n|\\n/;
/** People copy a line with the quotation marks that a message has around it. */
const QUOTES_AROUND = /^"|"$/g;

/** The lines with which a person has told invoices apart, as from `differentInvoiceText`. */
function readDifferentInvoices(item: ItemParameters): string[] {
	const label = 'Different Invoice';
	const read = (value: unknown): string[] => {
		const lines = Array.isArray(value) ? value : (readText(value, label) ?? '').split(LINE_END);
		return lines.flatMap((line) => {
			const normalized = normalizeReference(String(line)).replace(QUOTES_AROUND, '');
			return withoutJoins(normalized);
		});
	};
	return readOption(item, 'differentInvoice', label, read) ?? [];
}

/** What stands between the two invoices of a line. */
const IS_NOT = ' is not ';

/** The lines in a line: a form's field of one line makes spaces of line breaks. All lines of a held item begin alike. */
function withoutJoins(line: string): string[] {
	const [invoice = ''] = line.split(IS_NOT);
	const beginning = invoice + IS_NOT;
	const [first = '', ...others] = line.split(` ${beginning}`);
	return [first, ...others.map((other) => beginning + other)];
}

const readRules = (item: ItemParameters): Rules => ({
	maxTotal: readLimit(item, 'maxTotal', 'Limit: Maximum Total'),
	maxPerDay: readLimit(item, 'maxPerDay', 'Limit: Maximum per Day'),
	dayStart: item.dayStart(),
	holdAbove: readLimit(item, 'holdAbove', 'Hold: Above'),
	holdNewPayees: readSwitch(item, 'holdNewPayees', 'Hold: New Payees'),
	holdUnusualTimes: readCount(item, 'holdUnusualAmounts', 'Hold: Unusual (Times)') ?? Infinity,
	holdDuplicatesSince: readDuplicatesSince(item),
});

/** Since when possible duplicates are held, in ISO 8601; undefined without this hold. */
function readDuplicatesSince(item: ItemParameters): string | undefined {
	const days = readCount(item, 'holdDuplicatesDays', 'Hold: Duplicates (Days)');
	return days === undefined ? undefined : new Date(Date.now() - days * DAY_MS).toISOString();
}

/** Reads a number of an option, above zero; undefined when the option is not there. */
const readCount = (item: ItemParameters, name: string, label: string): number | undefined =>
	readOption(item, name, label, () => item.count(`options.${name}`, label, 0));

/** Whether an item asks for a preview, or cannot say so: nothing is sent then. */
export function isPreviewed(item: ItemParameters): boolean {
	try {
		return readSwitch(item, 'preview', 'Preview');
	} catch {
		return true;
	}
}

/** A description with references in brackets, so that a person finds INV-1 and not INV-10. */
export const withReferences = (description: string | undefined, references: string[]): string =>
	[description, ...references.map((reference) => `[${reference}]`)].filter(Boolean).join(' ');

function checkPayee(item: ItemParameters, payable: PayableCreate): void {
	const { payee_email: email, payee_service_id: serviceId } = payable;
	const label = 'Limit: Allowed Payees';
	const read = (value: unknown) => readTexts(value, `"${label}"`);
	const allowed = readOption(item, 'allowedPayees', label, read);
	if (allowed?.length === 0) {
		throwInputError(`"${label}" is empty`, 'Enter at least one, or remove the option.');
	}
	// Capitals may matter in IDs.
	const isPayee = (name: string): boolean =>
		email === undefined ? name === serviceId : isSameAddress(name, email);
	if (allowed === undefined || allowed.some(isPayee)) {
		return;
	}
	throw new InputError(
		`"${email ?? serviceId ?? ''}" is not in "Limit: Allowed Payees"`,
		'Correct the payee, or ask the person responsible for this workflow to add it there.',
	);
}
