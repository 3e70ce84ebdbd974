import { formatDollars } from '../shared/money';
import {
	allNumbersIn,
	compareNumbers,
	type NumberComparison,
	sharedNumberIn,
	sharedNumberOfDateIn,
} from '../shared/invoiceNumbers';
import { matchKeyOf } from '../shared/references';

/*
 * A payment, and which payments may be one invoice.
 */

export interface Payment {
	/** As from `normalizeReference`; empty for a payable that is funded by its ID. */
	reference: string;
	/** A UUID in lower case. The same reference in another workspace is another payment. */
	workspaceId: string;
	/** Email address or service ID; empty when only the payable is known. */
	payee: string;
	/** Minor units. */
	amount: number;
	/** The date on the invoice, as YYYY-MM-DD. */
	invoiceDate?: string | undefined;
	payableId?: string | undefined;
	/** Who agreed to it. It is only written down: it lets nothing pass. */
	approvedBy?: string | undefined;
	/** The lines, as from `differentInvoiceText`, with which a person has told it apart from other invoices. */
	differentInvoices?: readonly string[];
}

/** What a payment asks for under its reference. */
export type Content = Pick<Payment, 'reference' | 'payee' | 'amount'>;

/** Whether a payment, or that of a row, is a payable that is funded by its ID: then it has no reference. */
export const isFundedById = ({ reference }: Pick<Payment, 'reference'>): boolean =>
	reference === '';

/** The key that all spellings of a reference share in one workspace. */
export function keyOf(payment: Payment): string {
	const { reference, workspaceId, payableId = '' } = payment;
	if (isFundedById(payment)) {
		return `payable ${payableId}`;
	}
	return `${workspaceId.toLowerCase()} ${matchKeyOf(reference)}`;
}

/** The key that references with the same invoice number share. */
export function numberKeyOf(payment: Payment): string {
	const { reference, workspaceId } = payment;
	if (isFundedById(payment)) {
		return keyOf(payment);
	}
	return `${workspaceId.toLowerCase()} ${sharedNumberIn(matchKeyOf(reference))}`;
}

/** The key that payments of one amount share if their references have the same number, in whichever workspace. */
export function amountKeyOf(payment: Payment): string {
	const { reference, amount } = payment;
	if (isFundedById(payment)) {
		return keyOf(payment);
	}
	return `${sharedNumberOfDateIn(matchKeyOf(reference))} ${amount}`;
}

/** A UUID has a dozen numbers, and each of them makes the search in a large ledger slower. */
const MAX_AMOUNT_KEYS = 3;

/**
 * The amount keys that a payment has with the numbers in its reference: the invoice's own one, then the longest, which
 * tell most. One of the same amount that is like it has one of them.
 */
export function allAmountKeysOf({ reference, amount }: Payment): string[] {
	const [own = '', ...others] = allNumbersIn(matchKeyOf(reference));
	const longestFirst = others.sort((one, other) => other.length - one.length);
	const numbers = [own, ...longestFirst].slice(0, MAX_AMOUNT_KEYS);
	return numbers.map((number) => `${number} ${amount}`);
}

/** Names a payment in its run: its invoice, vendor and amount. Items with the same name are one payment. */
export const nameOf = (payment: Payment): string =>
	JSON.stringify([keyOf(payment), payment.payee, payment.amount]);

/** How two payments of one workspace compare. */
export interface Comparison {
	/** As from `keyOf`. */
	keys: [one: string, other: string];
	isSamePayee: boolean;
	isSameAmount: boolean;
	/** Whether a person has found that they are two invoices. */
	isToldApart: () => boolean;
}

/**
 * Whether two payments may be one invoice, which has a vendor and a number. With the same reference, the same payee
 * or the same amount is enough, and a person can only tell two payees apart. With other words around the same
 * number, payee and amount both have to be the same, and a person can tell the two apart.
 */
export function mayBeOneInvoice(comparison: Comparison): boolean {
	const { keys, isSamePayee, isSameAmount, isToldApart } = comparison;
	const [one, other] = keys;
	if (one === other) {
		return isSamePayee || (isSameAmount && !isToldApart());
	}
	// Numbers are compared last: in a large ledger, many vendors have one number, and comparing takes long.
	const isSameContent = isSamePayee && isSameAmount;
	return isSameContent && !isToldApart() && compareKeys(one, other) === 'sameNumber';
}

/** Compares the invoice numbers of two keys of one workspace, as from `keyOf`. */
export const compareKeys = (one: string, other: string): NumberComparison =>
	compareNumbers(matchKeyIn(one), matchKeyIn(other));

/** The match key of a reference in a key, as from `keyOf`. */
export const matchKeyIn = (key: string): string => key.slice(key.indexOf(' ') + 1);

/**
 * What a person enters as "Different Invoice" when a payment is another invoice than a known one that looks
 * like it. It names both, so it applies to this payment and to that invoice alone. While the known
 * one is not paid, it says so: once that one is paid, a person must look again.
 */
export function differentInvoiceText(payment: Content, known: ComparedInvoice): string {
	const isUnpaid = UNPAID_STATES.some((state) => state === known.state);
	const stateText = isUnpaid ? `, which is ${known.state}` : '';
	return `${invoiceText(payment)} is not ${invoiceText(known)}${stateText}`;
}

/** A payment in one of these may be paid a moment later. */
const UNPAID_STATES = ['held', 'prepared', 'sending', 'not_paid', 'void'];

/** The other invoice of a comparison. `state`: of its row in the ledger, if it has one. */
export type ComparedInvoice = Content & { state?: string };

const invoiceText = ({ reference, payee, amount }: Content): string =>
	`${reference} ${formatDollars(amount)} ${payee}`;

/** Whether a person has found that a payment is another invoice than a known one, and entered that line. */
export function isToldApart(payment: Payment, known: ComparedInvoice): boolean {
	const { differentInvoices: lines = [] } = payment;
	if (lines.length === 0) {
		return false;
	}
	const text = withoutSigns(differentInvoiceText(payment, known));
	return lines.some((line) => withoutSigns(line) === text);
}

/** People copy amounts from messages, which have a dollar sign. */
const withoutSigns = (text: string): string => text.replaceAll(' $', ' ');
