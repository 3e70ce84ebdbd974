import { indexBy, type NonEmpty } from '../../shared/lists';
import { extendedKeyIn, hasOwnNumber } from '../../shared/references';
import { historyOf } from '../messages';
import {
	compareNumbers,
	differentInvoiceText,
	IN_RUN,
	isToldApart,
	keyOf,
	numberKeyOf,
	type Payment,
} from '../payment';
import type { Row } from '../table/rows';
import { contentOf, isLive, isSetAside, isUnconfirmed } from './classifyRows';

/** What a payment may be a second payment of. */
export interface PossibleDuplicate {
	/** The other payment, and what both share, as a part of a message. */
	text: string;
	/** The line, as from `differentInvoiceText`, that tells the two apart; undefined when no line can. */
	line: string | undefined;
	/** Whether the other payment was paid, or may be without a person's word. */
	mayBePaid: boolean;
}

/** What two payments share that may be one invoice. */
type Likeness =
	| 'same payee and amount'
	| 'same invoice number'
	| 'the same number with something added'
	| 'its amount and number, swapped';

/** So many are named: with a line for each, a person can pass all of them at once. */
const MAX_FOUND = 10;

/** Finds what payments of a run may be second payments of: in the ledger since a time, and in the run itself. */
export class DuplicateFinder {
	private readonly rowsByKey: Map<string, NonEmpty<Row>>;
	private readonly rowsByTwin: Map<string, NonEmpty<Row>>;
	private readonly rowsByNumber: Map<string, NonEmpty<Row>>;
	private readonly rowsByExtendedKey: Map<string, NonEmpty<Row>>;
	private readonly inRunByKey: Map<string, NonEmpty<Payment>>;
	private readonly inRunByTwin: Map<string, NonEmpty<Payment>>;
	private readonly inRunByNumber: Map<string, NonEmpty<Payment>>;
	private readonly inRunByExtendedKey: Map<string, NonEmpty<Payment>>;
	private readonly positions: Map<Payment, number>;

	/**
	 * @param rows of this environment, of the payees and of the numbers of the payments, and of what these extend
	 * @param payments all of the run, in their order
	 * @param since ISO 8601
	 */
	constructor(
		rows: Row[],
		payments: Payment[],
		private readonly since: string,
	) {
		this.rowsByKey = indexBy(rows, ({ key }) => key);
		this.rowsByTwin = indexBy(rows, ({ payee, amount_cents: cents }) => twinKey(payee, cents));
		this.rowsByNumber = indexBy(rows, (row) => row.number_key);
		this.rowsByExtendedKey = indexBy(rows, ({ key }) => extendedKeyIn(key) ?? '');
		this.inRunByKey = indexBy(payments, keyOf);
		this.inRunByTwin = indexBy(payments, ({ payee, amount }) => twinKey(payee, amount));
		this.inRunByNumber = indexBy(payments, numberKeyOf);
		this.inRunByExtendedKey = indexBy(payments, (payment) => extendedKeyOf(payment) ?? '');
		this.positions = new Map(payments.map((payment, index) => [payment, index]));
	}

	/** What a payment may be a second payment of, each once. */
	find(payment: Payment): PossibleDuplicate[] {
		const found = new Map<string, PossibleDuplicate>();
		for (const row of this.rowsLike(payment)) {
			const likeness = likenessOf(payment, row);
			const isPossible = likeness !== undefined && this.counts(payment, row);
			const name = paymentNameIn(row);
			// Of several rows of one payment, one that may have been paid comes first.
			if (isPossible && !found.has(name) && found.size < MAX_FOUND) {
				found.set(name, duplicateOfRow(payment, row, likeness));
			}
		}
		if (found.size > 0) {
			return [...found.values()];
		}

		const other = this.earlierInRun(payment);
		return other === undefined ? [] : [other];
	}

	/** The rows that may share something with a payment. */
	private rowsLike(payment: Payment): Row[] {
		const swapped = this.rowsByTwin.get(twinKey(payment.payee, centsIn(payment.reference))) ?? [];
		const twins = this.rowsByTwin.get(twinKey(payment.payee, payment.amount)) ?? [];
		// A month's name is that of many payments.
		if (!hasOwnNumber(payment.reference)) {
			return [...twins, ...swapped];
		}
		const ofNumber = this.rowsByNumber.get(numberKeyOf(payment)) ?? [];
		const extended = this.rowsByKey.get(extendedKeyOf(payment) ?? '') ?? [];
		const extending = this.rowsByExtendedKey.get(keyOf(payment)) ?? [];
		// Those that may have been paid first: a person must see these before those that only wait.
		const all = [...twins, ...ofNumber, ...extended, ...extending, ...swapped];
		return [...all.filter(isLive), ...all.filter((row) => !isLive(row))];
	}

	/** Whether a row that is like a payment counts, although a person may have told them apart. */
	private counts(payment: Payment, row: Row): boolean {
		if (Date.parse(row.createdAt) < Date.parse(this.since)) {
			return false;
		}
		if (isUnconfirmed(row)) {
			return true;
		}
		const mayBePaid = isLive(row) && !isVoidWithoutPayable(row);
		const waitsLonger = isSetAside(row) && this.cameFirst(payment, row);
		return (mayBePaid || waitsLonger) && !isToldApart(payment, contentOf(row));
	}

	/**
	 * Whether another payment waited before this one did. The first of two that wait is not held for the other one,
	 * so that a person can agree to it.
	 */
	private cameFirst(payment: Payment, { id }: Row): boolean {
		const ofInvoice = this.rowsByKey.get(keyOf(payment)) ?? [];
		return !ofInvoice.some((row) => isSetAside(row) && row.payee === payment.payee && row.id < id);
	}

	/** An earlier payment of this run that this one may repeat. The first of two is not held. */
	private earlierInRun(payment: Payment): PossibleDuplicate | undefined {
		const twins = this.inRunByTwin.get(twinKey(payment.payee, payment.amount)) ?? [];
		const ofNumber = this.inRunByNumber.get(numberKeyOf(payment)) ?? [];
		const extended = this.inRunByKey.get(extendedKeyOf(payment) ?? '') ?? [];
		const extending = this.inRunByExtendedKey.get(keyOf(payment)) ?? [];
		const hasNumber = hasOwnNumber(payment.reference);
		const candidates = hasNumber ? [...twins, ...ofNumber, ...extended, ...extending] : twins;

		for (const other of candidates) {
			const likeness = likenessOf(payment, rowLike(other));
			const cameFirst = this.positionOf(other) < this.positionOf(payment);
			const inRun = { ...other, state: IN_RUN };
			if (likeness !== undefined && cameFirst && !isToldApart(payment, inRun)) {
				const text = `"${other.reference}" to ${other.payee}, which is ${IN_RUN}: ${likeness}`;
				return { text, line: differentInvoiceText(payment, inRun), mayBePaid: true };
			}
		}
		return undefined;
	}

	private positionOf(payment: Payment): number {
		return this.positions.get(payment) ?? 0;
	}
}

/** What is compared of a row. */
type Compared = Pick<Row, 'key' | 'reference' | 'payee' | 'amount_cents'>;

const rowLike = (payment: Payment): Compared => ({
	key: keyOf(payment),
	reference: payment.reference,
	payee: payment.payee,
	amount_cents: payment.amount,
});

/** What a payment shares with another one that may be the same invoice; undefined for the same payment, and for others. */
function likenessOf(payment: Payment, other: Compared): Likeness | undefined {
	const isSamePayee = payment.payee === other.payee;
	const isSameAmount = payment.amount === other.amount_cents;
	const number = compareNumbers(keyOf(payment), other.key);
	if (number === 'same') {
		// Of the same payee, it is this payment itself.
		return isSamePayee ? undefined : 'same invoice number';
	}
	if (isSamePayee && isSameAmount) {
		return 'same payee and amount';
	}
	if (number === 'similar') {
		return isSamePayee || isSameAmount ? 'same invoice number' : undefined;
	}

	if (isSamePayee && isSwapped(payment, other)) {
		return 'its amount and number, swapped';
	}

	// The rest of an invoice has such a number, and so has an invoice that was corrected: only a person can tell.
	const isExtended =
		extendedKeyOf(payment) === other.key || extendedKeyIn(other.key) === keyOf(payment);
	return isExtended && (isSamePayee || isSameAmount)
		? 'the same number with something added'
		: undefined;
}

/** Whether a person has once written the amount into the column of the number, and the number into that of the amount. */
const isSwapped = (payment: Payment, other: Compared): boolean =>
	centsIn(payment.reference) === other.amount_cents && centsIn(other.reference) === payment.amount;

/** A reference as an amount of dollars, in cents; null for one that is none. */
function centsIn(reference: string): number | null {
	const [, dollars, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(reference) ?? [];
	return dollars === undefined ? null : Number(dollars + decimals.padEnd(2, '0'));
}

/** The key of the reference that a payment's own reference extends, such as INV-7 for INV-7-2; undefined if none. */
export const extendedKeyOf = (payment: Payment): string | undefined =>
	extendedKeyIn(keyOf(payment));

function duplicateOfRow(payment: Payment, row: Row, likeness: Likeness): PossibleDuplicate {
	const known = contentOf(row);
	const isElsewhere = row.workspace_id !== payment.workspaceId.toLowerCase();
	const place = isElsewhere ? ` in workspace ${row.workspace_id}` : '';
	const text = `"${row.reference}" to ${row.payee}${place}, which ${historyOf(known)}: ${likeness}`;

	// The same invoice in another workspace is no other one, and what is unconfirmed must be found out first.
	const isSameInvoice = known.reference === payment.reference && known.payee === payment.payee;
	const mayBeToldApart = !isUnconfirmed(row) && !isSameInvoice;
	return {
		text,
		line: mayBeToldApart ? differentInvoiceText(payment, known) : undefined,
		mayBePaid: !isSetAside(row),
	};
}

/**
 * One that is void may have been paid, since a person may have been wrong. Without a payable, it was only held:
 * nothing can have been sent for it.
 */
const isVoidWithoutPayable = (row: Row): boolean => row.state === 'void' && row.payable_id === '';

/** Rows with the same name are of one payment. */
const paymentNameIn = ({ key, payee, amount_cents: cents }: Row): string =>
	JSON.stringify([key, payee, cents]);

const twinKey = (payee: string, cents: number | null): string => `${cents} ${payee}`;
