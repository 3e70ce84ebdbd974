import {
	allNumbersIn,
	hasOwnNumber,
	type NumberComparison,
	sortedPartsIn,
} from '../../shared/invoiceNumbers';
import {
	areToldApart,
	type DistinctNumbers,
	distinctNumbersIn,
} from '../../shared/distinctNumbers';
import { indexBy, type NonEmpty } from '../../shared/lists';
import { contentText, historyOf } from '../messages';
import {
	type ComparedInvoice,
	compareKeys,
	differentInvoiceText,
	isToldApart,
	keyOf,
	matchKeyIn,
	type Payment,
} from '../payment';
import { nameOfRow, type Row } from '../table/rows';
import { contentOf, isLive, isSetAside, isUnconfirmed, wasSentInVain } from './rowStates';

/** Another payment that a payment may repeat. */
export interface PossibleDuplicate {
	/** The other payment, and what both share, as a part of a message. */
	text: string;
	apart: Apart;
	/** Whether the other payment was paid, or may be. A void one counts, too: a person may have paid it by hand. */
	mayBePaid: boolean;
	/** Whether a person has resolved the other payment as void, or as not paid. */
	isResolved: boolean;
}

/** How a person tells two payments apart. */
type Apart =
	/** With this line, as from `differentInvoiceText`. */
	| { kind: 'line'; line: string }
	/** Not before they have found out whether the other one was paid. */
	| { kind: 'unknown' }
	/** It is the same invoice in another workspace. */
	| { kind: 'never' };

/** What two payments share that may be one invoice. */
type Likeness =
	| 'same payee and amount'
	| 'same invoice number'
	| 'almost the same number'
	| 'its amount and number, swapped';

/** What is compared of two payments. */
type Compared = Pick<Row, 'key' | 'reference' | 'payee' | 'amount_cents'>;

/** A payment of the run, in the form in which payments are compared. */
interface PaymentInRun extends Compared {
	payment: Payment;
}

/** So many are named: with a line for each, a person can pass all of them at once. */
const MAX_FOUND = 10;

/** Finds what payments of a run may repeat: in the ledger since a time or at any age, and in the run itself. */
export class DuplicateFinder {
	private readonly rows: LikenessIndex<Row>;
	private readonly rowsByKey: Map<string, NonEmpty<Row>>;
	private readonly inRun: LikenessIndex<PaymentInRun>;
	private readonly positions: Map<Payment, number>;
	private readonly distinctNumbers = new DistinctNumbersOfKeys();
	private readonly namesInRun: Set<string>;
	/** How far back a payment is compared by payee and amount, in milliseconds. */
	private readonly windowMs: number;

	/**
	 * @param rows of the payees and of the numbers of the payments, in this environment or in their workspaces
	 * @param payments all of the run, in their order
	 * @param since ISO 8601
	 */
	constructor(rows: Row[], payments: Payment[], since: string) {
		this.windowMs = Date.now() - Date.parse(since);
		this.rowsByKey = indexBy(rows, ({ key }) => key);
		const earliest = payments.reduce(
			(time, payment) => Math.min(time, this.sinceOf(payment)),
			Date.parse(since),
		);
		const recent = rows.filter(({ createdAt }) => Date.parse(createdAt) >= earliest);
		this.rows = new LikenessIndex(rows, recent, this.distinctNumbers);
		const inRun = payments.map(inRunOf);
		this.inRun = new LikenessIndex(inRun, inRun, this.distinctNumbers);
		this.namesInRun = new Set(inRun.map(nameOfRow));
		this.positions = new Map(payments.map((payment, index) => [payment, index]));
	}

	/** The payments that a payment may repeat, each once. What may have been paid comes first. */
	find(payment: Payment): PossibleDuplicate[] {
		const found = new Map<string, PossibleDuplicate>();
		const since = this.sinceOf(payment);
		const alike = this.rowsAlike(payment);
		for (const { row, likeness } of alike) {
			const isRecent = Date.parse(row.createdAt) >= since;
			const isInTime = isRecent || this.countsAtAnyAge(payment, { row, likeness }, alike);
			if (isInTime && !found.has(nameOfRow(row)) && this.counts(payment, row)) {
				found.set(nameOfRow(row), this.duplicateOfRow(payment, row, likeness));
			}
			if (found.size === MAX_FOUND) {
				return [...found.values()];
			}
		}

		for (const other of this.inRun.candidates(payment)) {
			const likeness = likenessOf(payment, other);
			const isNew = likeness !== undefined && !found.has(nameOfRow(other));
			// What the ledger has of a payment says more of it than the run, also where a person has told it apart.
			if (isNew && !this.isInLedger(other) && this.countsInRun(payment, other)) {
				found.set(nameOfRow(other), duplicateInRun(payment, other, likeness));
			}
			if (found.size === MAX_FOUND) {
				break;
			}
		}
		return [...found.values()];
	}

	/** Whether the ledger has a payment of the run as one that was paid, may be, or waits. */
	private isInLedger(payment: PaymentInRun): boolean {
		const ofPayment = this.rowsOf(payment.key).filter(
			(row) => nameOfRow(row) === nameOfRow(payment),
		);
		return ofPayment.some((row) => isLive(row) || isSetAside(row));
	}

	/** The rows of an invoice, by its key. */
	private rowsOf(key: string): Row[] {
		return this.rowsByKey.get(key) ?? [];
	}

	/** The rows that are like a payment, those first that may have been paid. */
	private rowsAlike(payment: Payment): RowAlike[] {
		const alike: RowAlike[] = [];
		for (const row of this.rows.candidates(payment)) {
			const likeness = likenessOf(payment, row);
			if (likeness !== undefined) {
				alike.push({ row, likeness });
			}
		}
		const order = ({ row }: RowAlike): number => (isLive(row) ? 0 : 1);
		return alike.sort((one, other) => order(one) - order(other));
	}

	/**
	 * The time from which payments of the same payee and amount count. What was held waits for a person, or they have
	 * resolved it as not paid. So for it, the days are those before it was held: no later run pays it only because time
	 * has passed.
	 */
	private sinceOf(payment: Payment): number {
		const ofInvoice = this.rowsOf(keyOf(payment));
		const wasHeld = ofInvoice.filter(
			({ state, payee }) => (state === 'held' || state === 'not_paid') && payee === payment.payee,
		);
		const times = wasHeld.map(({ createdAt }) => Date.parse(createdAt));
		return Math.min(Date.now(), ...times) - this.windowMs;
	}

	/**
	 * Whether a row counts however old it is: if it is like a payment by their numbers, and by their vendor or their
	 * amount. Of one vendor and one amount, it counts if nothing in the two references tells them apart, or if both may
	 * be the rest of one invoice: INV-7-2 and INV-7-3 beside INV-7.
	 *
	 * @param alike all rows that are like the payment
	 */
	private countsAtAnyAge(
		payment: Payment,
		{ row, likeness }: RowAlike,
		alike: RowAlike[],
	): boolean {
		switch (likeness) {
			case 'same invoice number':
			case 'almost the same number':
				return payment.payee === row.payee || payment.amount === row.amount_cents;
			case 'same payee and amount':
				return (
					!this.distinctNumbers.tellApart(keyOf(payment), row.key) ||
					alike.some((other) => isAlsoRestOf(other, row))
				);
			case 'its amount and number, swapped':
				return false;
		}
	}

	/** Whether a row that is like a payment counts. */
	private counts(payment: Payment, row: Row): boolean {
		if (isUnconfirmed(row)) {
			return true;
		}
		// Also a void one: a person may have paid it by hand.
		const mayBePaid = isLive(row);
		const waitsLonger = isSetAside(row) && this.otherWaitedFirst(payment, row);
		const isCounted = mayBePaid || waitsLonger || wasSentInVain(row);
		return isCounted && !this.isToldApartFrom(payment, row);
	}

	/** Whether a person has told a payment apart from a row; from one that waits in this run, also before the run. */
	private isToldApartFrom(payment: Payment, row: Row): boolean {
		if (isToldApart(payment, this.comparedWith(row))) {
			return true;
		}
		// One yes is for both, and the person saw this one as it still is.
		const { reference, payee, amount } = contentOf(row);
		const asItIs = { reference, payee, amount, state: row.state };
		return this.isWaitingInRun(row) && isToldApart(payment, asItIs);
	}

	/**
	 * A row as an invoice to compare with. If it waits and this run sends it, its state is left out: so the line is
	 * the same as for a payment of the run.
	 */
	private comparedWith(row: Row): ComparedInvoice {
		const { reference, payee, amount } = contentOf(row);
		if (this.isWaitingInRun(row)) {
			return { reference, payee, amount };
		}
		return { reference, payee, amount, state: this.decidingRowOf(row).state };
	}

	private isWaitingInRun(row: Row): boolean {
		return isSetAside(row) && this.namesInRun.has(nameOfRow(row));
	}

	private duplicateOfRow(payment: Payment, row: Row, likeness: Likeness): PossibleDuplicate {
		const workspaceText = isElsewhere(payment, row) ? ` in workspace ${row.workspace_id}` : '';
		const deciding = this.decidingRowOf(row);
		const content = contentOf(deciding);
		const history = this.isWaitingInRun(row) ? 'is in this run' : historyOf(content);
		const isSameAmount = deciding.amount_cents === row.amount_cents;
		const otherContent = isSameAmount ? '' : `, with ${contentText(content)}`;
		return {
			text: `"${row.reference}" to ${row.payee}${workspaceText}, which ${history}${otherContent}: ${likeness}`,
			apart: this.apartFrom(payment, row),
			mayBePaid: isLive(deciding) || this.isWaitingInRun(row),
			isResolved: deciding.state === 'void' || wasSentInVain(deciding),
		};
	}

	/**
	 * The row that says what became of the invoice of a row: a live one of the same vendor, since the invoice may have
	 * been paid with another amount, or one that was sent and that a person resolved as not paid, or else the row itself.
	 */
	private decidingRowOf(row: Row): Row {
		if (isLive(row)) {
			return row;
		}
		const ofVendor = this.rowsOf(row.key).filter(({ payee }) => payee === row.payee);
		return ofVendor.find(isLive) ?? ofVendor.find(wasSentInVain) ?? row;
	}

	private apartFrom(payment: Payment, row: Row): Apart {
		if (isUnconfirmed(row)) {
			return { kind: 'unknown' };
		}
		if (isElsewhere(payment, row) && isSameContent(payment, row)) {
			return { kind: 'never' };
		}
		return { kind: 'line', line: differentInvoiceText(payment, this.comparedWith(row)) };
	}

	/**
	 * Whether another payment waited before this one did. The first of two that wait is not held for the other one,
	 * so that a person can agree to it.
	 */
	private otherWaitedFirst(payment: Payment, { id }: Row): boolean {
		const ofInvoice = this.rowsOf(keyOf(payment));
		return !ofInvoice.some((row) => isSetAside(row) && row.payee === payment.payee && row.id < id);
	}

	/** Whether this payment may repeat another one of the run. The first of two is not held. */
	private countsInRun(payment: Payment, other: PaymentInRun): boolean {
		const isOtherFirst = this.positionOf(other.payment) < this.positionOf(payment);
		return isOtherFirst && !isToldApart(payment, other.payment);
	}

	private positionOf(payment: Payment): number {
		return this.positions.get(payment) ?? 0;
	}
}

/** A row that is like a payment. */
interface RowAlike {
	row: Row;
	likeness: Likeness;
}

/** Whether a payment that has almost the number of an invoice shares that with a row. */
const isAlsoRestOf = ({ row: invoice, likeness }: RowAlike, row: Row): boolean =>
	likeness === 'almost the same number' && compareKeys(invoice.key, row.key) === 'extended';

/** A payment, and a number under which it is found. */
interface Numbered<One> {
	number: string;
	one: One;
}

/** Finds payments that may be like another one, without comparing all. */
class LikenessIndex<One extends Compared> {
	private readonly byTwin: Map<string, NonEmpty<One>>;
	private readonly byNumber: Map<string, NonEmpty<Numbered<One>>>;
	private readonly recent: Set<One>;

	/** @param recent those that count by payee and amount alone, whatever their numbers are */
	constructor(
		ones: One[],
		recent: One[],
		private readonly distinctNumbers: DistinctNumbersOfKeys,
	) {
		this.recent = new Set(recent);
		this.byTwin = indexBy(ones, ({ payee, amount_cents: cents }) => twinKey(payee, cents));
		const numbered = ones.flatMap((one) =>
			numberKeysFor(one).map((number): Numbered<One> => ({ number, one })),
		);
		this.byNumber = indexBy(numbered, ({ number }) => number);
	}

	/** All that may be like a payment, each once. Whether one is, `likenessOf` says. */
	candidates(payment: Payment): Set<One> {
		const { reference, payee, amount } = payment;
		const key = keyOf(payment);
		const found = new Set<One>();

		// A vendor may have many of one amount, so those are left out here that count no more.
		for (const one of this.byTwin.get(twinKey(payee, amount)) ?? []) {
			if (this.recent.has(one) || !this.distinctNumbers.tellApart(key, one.key)) {
				found.add(one);
			}
		}

		const numbers = numberKeysFor({ key, payee, amount_cents: amount });
		for (const number of numbers) {
			for (const { one } of this.byNumber.get(number) ?? []) {
				found.add(one);
			}
		}

		// Those whose amount is this reference: a person may have swapped the two columns.
		for (const one of this.byTwin.get(twinKey(payee, centsIn(reference))) ?? []) {
			found.add(one);
		}
		return found;
	}
}

/** What tells keys, as from `keyOf`, apart. Each is read once, since rows can be many. */
class DistinctNumbersOfKeys {
	private readonly read = new Map<string, DistinctNumbers>();

	tellApart(one: string, other: string): boolean {
		return areToldApart(this.of(one), this.of(other));
	}

	private of(key: string): DistinctNumbers {
		const known = this.read.get(key);
		if (known !== undefined) {
			return known;
		}
		const numbers = distinctNumbersIn(matchKeyIn(key));
		this.read.set(key, numbers);
		return numbers;
	}
}

/** The numbers under which a payment is found: its reference, and each number of it beside its vendor and its amount. */
function numberKeysFor({ key, payee, amount_cents: cents }: Omit<Compared, 'reference'>): string[] {
	const matchKey = matchKeyIn(key);
	const numbers = allNumbersIn(matchKey);
	const ofVendor = numbers.concat(sortedPartsIn(matchKey)).map((number) => `${payee} ${number}`);
	const ofAmount = numbers.map((number) => `${cents} ${number}`);
	return [key].concat(ofVendor, ofAmount);
}

const inRunOf = (payment: Payment): PaymentInRun => ({
	key: keyOf(payment),
	reference: payment.reference,
	payee: payment.payee,
	amount_cents: payment.amount,
	payment,
});

/** What a payment shares with another one that may be the same invoice; undefined for the same payment, and for others. */
function likenessOf(payment: Payment, other: Compared): Likeness | undefined {
	const key = keyOf(payment);
	const isSamePayee = payment.payee === other.payee;
	const isSameAmount = payment.amount === other.amount_cents;
	if (key === other.key && isSamePayee && isSameAmount) {
		// It is this payment itself.
		return undefined;
	}

	const byNumber = numberLikenessOf(key, other.key, { isSamePayee, isSameAmount });
	if (byNumber !== undefined) {
		return byNumber;
	}
	if (isSamePayee && isSameAmount) {
		return 'same payee and amount';
	}
	return isSamePayee && isSwapped(payment, other) ? 'its amount and number, swapped' : undefined;
}

const isElsewhere = ({ workspaceId }: Payment, row: Row): boolean =>
	row.workspace_id !== workspaceId.toLowerCase();

/** Whether a row has the reference, the payee, and the amount of a payment, in whichever workspace. */
const isSameContent = ({ reference, payee, amount }: Payment, row: Row): boolean =>
	row.reference === reference && row.payee === payee && row.amount_cents === amount;

/** What two keys, as from `keyOf`, share of their numbers, if that says that both may be one invoice. */
function numberLikenessOf(
	one: string,
	other: string,
	{ isSamePayee, isSameAmount }: { isSamePayee: boolean; isSameAmount: boolean },
): Likeness | undefined {
	if (isSamePayee || isSameAmount) {
		return NUMBER_LIKENESS[compareKeys(one, other)];
	}
	// Several vendors are paid for one month, which is no number of an invoice.
	return one === other && isNumbered(one) ? 'same invoice number' : undefined;
}

const NUMBER_LIKENESS: Record<NumberComparison, Likeness | undefined> = {
	sameReference: 'same invoice number',
	sameNumber: 'same invoice number',
	// The rest of an invoice has such a number, and so has one that was corrected: only a person can tell.
	extended: 'almost the same number',
	different: undefined,
};

/** Whether a key, as from `keyOf`, has the number of an invoice. */
const isNumbered = (key: string): boolean => hasOwnNumber(matchKeyIn(key));

/** Whether a person has once written the amount into the column of the number, and the number into that of the amount. */
const isSwapped = (payment: Payment, other: Compared): boolean =>
	centsIn(payment.reference) === other.amount_cents && centsIn(other.reference) === payment.amount;

/** A reference as an amount of dollars, in cents; undefined if it is no amount. */
function centsIn(reference: string): number | undefined {
	const [, dollars, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(reference) ?? [];
	return dollars === undefined ? undefined : Number(dollars + decimals.padEnd(2, '0'));
}

function duplicateInRun(
	payment: Payment,
	other: PaymentInRun,
	likeness: Likeness,
): PossibleDuplicate {
	return {
		text: `"${other.reference}" to ${other.payee}, which is in this run: ${likeness}`,
		apart: { kind: 'line', line: differentInvoiceText(payment, other.payment) },
		mayBePaid: true,
		isResolved: false,
	};
}

const twinKey = (payee: string, cents: number | null | undefined): string => `${cents} ${payee}`;
