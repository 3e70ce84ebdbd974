import type { ItemParameters } from '../../execution/itemParameters';
import type { Entry } from '../../execution/operation';
import {
	readAllowedPayees,
	readDays,
	readLimit,
	readMaxAmount,
	readSwitch,
} from '../../execution/safeguards';
import { keyOf, type Payment, type Rules } from '../../ledger/ledger';
import type { PayableCreate } from '../../api/endpoints';
import { groupBy, indexBy, listed } from '../../shared/lists';
import { foldReference, InputError, isSameAddress } from '../../shared/values';
import { paymentOf, readPayable } from '../payable/fields';

const DAY_MS = 86_400_000;

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
	rules: Rules;
	/** Whether the wallet is looked at before anything is sent. */
	isBalanceChecked: boolean;
}

export function readRequest(item: ItemParameters): PayoutRequest {
	// Refuses one that a model fills in.
	readSwitch(item, 'preview', 'Preview');
	const payable = readPayable(item);
	const reference = item.reference();
	checkPayee(item, payable);
	const method = item.choice('fundingMethod', ['balance', 'invoice', 'none'], 'Funding Method');
	const description = item.optionalText('options.fundingDescription', 'Funding Description');
	const poNumber = item.optionalText('options.poNumber', 'PO Number');
	const payment = paymentOf(payable, reference);
	return {
		payment,
		payable: { ...payable, description: withReferences(payable.description, [reference]) },
		method,
		fundingText: {
			...(description !== undefined && { description }),
			...(poNumber !== undefined && method === 'invoice' && { po_number: poNumber }),
		},
		maxAmount: readMaxAmount(item),
		maxTotal: readLimit(item, 'maxTotal', 'Maximum Total') ?? Infinity,
		rules: readRules(item),
		isBalanceChecked:
			method === 'balance' && item.flag('options.checkBalance', 'Check Balance', true),
	};
}

const readRules = (item: ItemParameters): Rules => {
	const days = readDays(item, 'holdDuplicatesDays', 'Hold: Duplicates (Days)');
	const since = days === undefined ? undefined : new Date(Date.now() - days * DAY_MS);
	return {
		maxPerDay: readLimit(item, 'maxPerDay', 'Maximum per Day') ?? Infinity,
		dayStart: item.dayStart(),
		holdAbove: readLimit(item, 'holdAbove', 'Hold: Above') ?? Infinity,
		holdNewPayees: readSwitch(item, 'holdNewPayees', 'Hold: New Payees'),
		holdDuplicatesSince: since?.toISOString(),
	};
};

/** Whether an item asks for a preview, or cannot say so: nothing is sent then. */
export function isPreviewed(item: ItemParameters): boolean {
	try {
		return readSwitch(item, 'preview', 'Preview');
	} catch {
		return true;
	}
}

/**
 * A description by which a person finds what was paid under references. They stand in brackets, so that
 * INV-1 is not found in INV-10.
 */
export const withReferences = (description: string | undefined, references: string[]): string =>
	[description, ...references.map((reference) => `[${reference}]`)].filter(Boolean).join(' ');

function checkPayee(item: ItemParameters, payable: PayableCreate): void {
	const { payee_email: email, payee_service_id: serviceId } = payable;
	const allowed = readAllowedPayees(item);
	// Of IDs, nobody knows whether capitals matter.
	const isPayee = (name: string): boolean =>
		email === undefined ? name === serviceId : isSameAddress(name, email);
	if (allowed === undefined || allowed.some(isPayee)) return;
	throw new InputError(
		`"${email ?? serviceId ?? ''}" is not among the Allowed Payees`,
		'Correct the payee, or let the person responsible for this workflow add it there.',
	);
}

/**
 * Rejects all items of which several ask for different things under one reference, or write it with
 * different capitals or dashes, or of which one cannot be read. Were the first of them done, whoever then gives
 * all of them references of their own would have it done twice.
 */
export function rejectShared(
	entries: Array<Entry<PayoutRequest>>,
	unread: ItemParameters[],
	reject: (item: ItemParameters, error: InputError) => void,
): Array<Entry<PayoutRequest>> {
	const unreadByReference = indexBy(unread, (item) => foldReference(item.writtenReference()));
	const rejected = new Set<Entry<PayoutRequest>>();
	for (const alike of groupBy(entries, ({ input }) => keyOf(input.payment))) {
		const payments = alike.map(({ input }) => input.payment);
		const unreadAlike = unreadByReference.get(foldReference(payments[0]?.reference ?? '')) ?? [];
		const contents = payments.map(({ reference, payee, amount }) => [reference, amount, payee]);
		if (new Set(contents.map(String)).size === 1 && unreadAlike.length === 0) continue;
		const items = [...alike.map(({ item }) => item), ...unreadAlike];
		const error = sharedError(payments, items);
		for (const entry of alike) {
			rejected.add(entry);
			reject(entry.item, error);
		}
	}
	return entries.filter((entry) => !rejected.has(entry));
}

function sharedError(payments: Payment[], items: ItemParameters[]): InputError {
	const names = [...new Set(payments.map(({ reference }) => `"${reference}"`))];
	const indexes = items.map(({ index }) => index).sort((one, two) => one - two);
	const fault =
		names.length > 1
			? `unique references that differ only in capitals or dashes, ${names.join(' and ')}`
			: `the same unique reference, ${names.join()}, and differ or cannot all be used`;
	return new InputError(
		`Items ${listed(indexes)} have ${fault}, so nothing was sent for any of them`,
		`If they are one payment, correct what differs. If not, give each its own reference, such as the number of its invoice: empty the field before you drag a value onto it. If an earlier run has used ${names.join(' or ')}, find out what was done under it, and leave that out: under another reference it is done twice.`,
	);
}
