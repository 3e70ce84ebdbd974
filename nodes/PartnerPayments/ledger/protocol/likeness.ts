import { areToldApart, distinctNumbersIn } from '../../shared/distinctNumbers';
import {
	allNumbersIn,
	beginningsOf,
	hasOwnNumber,
	type NumberComparison,
	partsWithoutYearIn,
} from '../../shared/invoiceNumbers';
import { indexBy, type NonEmpty } from '../../shared/lists';
import { memoized } from '../../shared/memo';
import { compareKeys, keyOf, matchKeyIn, type Payment } from '../payment';
import type { Row } from '../table/rows';

/** What two payments share that may be one invoice. */
export type Likeness =
	| 'same payee and amount'
	| 'same invoice number'
	| 'almost the same number'
	| 'its amount and number, swapped';

/** A row that is like a payment. */
export interface RowAlike {
	row: Row;
	likeness: Likeness;
}

/** What is compared of two payments. */
export type Compared = Pick<Row, 'key' | 'reference' | 'payee' | 'amount_cents'>;

/** What a payment shares with another one that may be the same invoice; undefined for the same payment, and for others. */
export function likenessOf(payment: Payment, other: Compared): Likeness | undefined {
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

/** Finds payments that may be like another one, without comparing all. */
export class LikenessIndex<One extends Compared> {
	private readonly byTwin: Map<string, NonEmpty<One>>;
	private readonly byNumber: KeyIndex<One>;
	/** By the whole reference, and by what that begins with: one payment may be the rest of another one. */
	private readonly byReference: KeyIndex<One>;
	private readonly byBeginning: KeyIndex<One>;
	private readonly recent: Set<One>;

	/** @param recent those that count by payee and amount alone, whatever their numbers are */
	constructor(ones: One[], recent: One[]) {
		this.recent = new Set(recent);
		this.byTwin = indexBy(ones, ({ payee, amount_cents: cents }) => twinKey(payee, cents));
		this.byNumber = indexByKeys(ones, numberKeysFor);
		this.byReference = indexByKeys(ones, referenceKeysFor);
		this.byBeginning = indexByKeys(ones, beginningKeysFor);
	}

	/** Those of a payee and an amount. */
	private twinsOf(payee: string, cents: number | undefined): One[] {
		return this.byTwin.get(twinKey(payee, cents)) ?? [];
	}

	/** All that may be like a payment, each once. Whether one is, `likenessOf` says. */
	candidates(payment: Payment): Set<One> {
		const { reference, payee, amount } = payment;
		const key = keyOf(payment);
		const found = new Set<One>();

		// A vendor may have many of one amount, so those are left out here that count no more.
		for (const one of this.twinsOf(payee, amount)) {
			const isCounted = this.recent.has(one) || !areKeysToldApart(key, one.key);
			if (isCounted || mayBeRestsOfOne(key, one.key)) {
				found.add(one);
			}
		}

		const compared = { key, payee, amount_cents: amount };
		const byKeys = [
			findByKeys(this.byNumber, numberKeysFor(compared)),
			findByKeys(this.byReference, beginningKeysFor(compared)),
			findByKeys(this.byBeginning, referenceKeysFor(compared)),
		];
		for (const one of byKeys.flat()) {
			found.add(one);
		}

		// Those whose amount is this reference: a person may have swapped the two columns.
		for (const one of this.twinsOf(payee, centsIn(reference))) {
			found.add(one);
		}
		return found;
	}
}

/** Whether the numbers of two keys, as from `keyOf`, tell them apart. */
export const areKeysToldApart = (one: string, other: string): boolean =>
	areToldApart(distinctNumbersOf(one), distinctNumbersOf(other));

/** Whether two keys, as from `keyOf`, differ only in what is behind a number or a word: both may be rests of one invoice. */
function mayBeRestsOfOne(one: string, other: string): boolean {
	const beginning = beginningsOf(matchKeyIn(one)).at(-1);
	return beginning !== undefined && beginning === beginningsOf(matchKeyIn(other)).at(-1);
}

const distinctNumbersOf = memoized((key) => distinctNumbersIn(matchKeyIn(key)));

/** Payments by keys, of which each payment has several. */
type KeyIndex<One> = Map<string, NonEmpty<{ key: string; one: One }>>;

function indexByKeys<One>(ones: One[], keysFor: (one: One) => string[]): KeyIndex<One> {
	const entries = ones.flatMap((one) => keysFor(one).map((key) => ({ key, one })));
	return indexBy(entries, ({ key }) => key);
}

/** Those that have one of some keys. One that has several is found several times. */
const findByKeys = <One>(index: KeyIndex<One>, keys: string[]): One[] =>
	keys.flatMap((key) => index.get(key) ?? []).map(({ one }) => one);

/** What is compared to find a payment. */
type Keyed = Omit<Compared, 'reference'>;

/** The numbers under which a payment is found: its reference, and each number of it beside its vendor and its amount. */
function numberKeysFor({ key, payee, amount_cents: cents }: Keyed): string[] {
	const matchKey = matchKeyIn(key);
	const numbers = allNumbersIn(matchKey);
	const ofVendor = numbers
		.concat(partsWithoutYearIn(matchKey))
		.map((number) => `${payee} ${number}`);
	const ofAmount = numbers.map((number) => `${cents} ${number}`);
	return [key].concat(ofVendor, ofAmount);
}

/** The reference of a payment beside its vendor, and beside its amount. */
const referenceKeysFor = ({ key, payee, amount_cents: cents }: Keyed): string[] =>
	[payee, cents].map((beside) => `${beside} ${matchKeyIn(key)}`);

/** What the reference of a payment begins with, in the same way. */
const beginningKeysFor = ({ key, payee, amount_cents: cents }: Keyed): string[] =>
	beginningsOf(matchKeyIn(key)).flatMap((beginning) => [
		`${payee} ${beginning}`,
		`${cents} ${beginning}`,
	]);

const twinKey = (payee: string, cents: number | null | undefined): string => `${cents} ${payee}`;
