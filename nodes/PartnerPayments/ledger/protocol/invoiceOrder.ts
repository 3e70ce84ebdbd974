import { isYear } from '../../shared/invoiceDates';
import {
	isMonth,
	isShort,
	onlyDifferenceOf,
	SERIES_LENGTH,
	typedNumbersOf,
	valueOf,
	wordsOf,
} from '../../shared/typedNumbers';
import type { Row } from '../table/rows';

/*
 * A vendor numbers its invoices one after the other, so their numbers rise with their dates. An invoice of which this does
 * not hold is rather one that was paid, with a slip in its number and another date.
 */

/** What of an invoice cannot be right beside the number and the date of another one. */
type Conflict = 'higher' | 'lower';

const LIKENESS: Record<Conflict, string> = {
	higher: 'same payee, with a higher number and an earlier invoice date',
	lower: 'same payee, with a lower number and a later invoice date',
};

/** A vendor may have thousands of payments, and several series of numbers, so only its newest ones are compared. */
export const MAX_COMPARED = 30;

/** Where numbers begin anew, each earlier one is in conflict. So many show a person that it is so. */
const MAX_NAMED = 3;

/** So few steps between numbers already tell how far they are from each other. */
const MIN_STEPS = 2;
/** A number is too near to another one if it is less than this part of the shortest step away from it. */
const NEAR = 0.5;

/** A payment of the ledger, or of the run: then it is made now. */
export type Numbered = Pick<Row, 'reference' | 'invoice_date'> & Partial<Pick<Row, 'createdAt'>>;

/** A payment whose number and date cannot both be right beside those of another one. */
export interface OutOfOrder<One> {
	other: One;
	likeness: string;
}

/**
 * Those of a vendor's payments that have a higher number than a payment, and an earlier invoice date, or a lower number and
 * a later date; the last three of them. Where others of the vendor are like that, too, the numbers have begun anew since.
 *
 * @param ofVendor from the oldest one on
 */
export function findOutOfOrder<One extends Numbered>(
	payment: Numbered,
	ofVendor: One[],
): OutOfOrder<One>[] {
	const last = distancesTo(payment, ofVendor).map(({ other }) => other);

	const found: OutOfOrder<One>[] = [];
	for (const other of last) {
		const conflict = conflictOf(payment, other);
		if (conflict === undefined) {
			continue;
		}
		const isKnown = last.some((third) => conflictOf(third, other) === conflict);
		if (!isKnown) {
			found.push({ other, likeness: LIKENESS[conflict] });
		}
	}
	return found.slice(-MAX_NAMED);
}

/**
 * The vendor's payment of another date to whose number that of a payment is much nearer than numbers of two dates are to
 * each other, such as AB-77191 after AB-77177, AB-77190, and AB-77204. Payments without an invoice date have the day on
 * which they were made.
 *
 * @param ofVendor from the oldest one on
 */
export function findTooNear<One extends Numbered>(
	payment: Numbered,
	ofVendor: One[],
): One | undefined {
	const ofYear = distancesTo(payment, ofVendor).filter(({ step }) => Number.isFinite(step));
	const byNumber = ofYear.sort((one, other) => one.step - other.step);

	const steps: number[] = [];
	let before: Distance<One> | undefined;
	for (const distance of byNumber) {
		if (before !== undefined && dayOf(before.other) !== dayOf(distance.other)) {
			steps.push(distance.step - before.step);
		}
		before = distance;
	}
	if (steps.length < MIN_STEPS) {
		return undefined;
	}

	const limit = Math.min(...steps) * NEAR;
	const near = byNumber.find(({ step }) => Math.abs(step) < limit);
	return near !== undefined && dayOf(near.other) !== dayOf(payment) ? near.other : undefined;
}

/** How far the number of a payment is above that of another one. */
interface Distance<One> {
	other: One;
	step: number;
}

/** The distances to the last payments whose numbers are of one series with that of a payment. */
function distancesTo<One extends Numbered>(payment: Numbered, ofVendor: One[]): Distance<One>[] {
	const distances: Distance<One>[] = [];
	for (const other of ofVendor.slice(-MAX_COMPARED)) {
		const step = stepBetween(other, payment);
		if (step !== undefined) {
			distances.push({ other, step });
		}
	}
	return distances.slice(-SERIES_LENGTH);
}

/**
 * How the number of another payment of the vendor is in conflict with its date, beside a payment; undefined if both are in
 * order, or do not tell.
 */
function conflictOf(payment: Numbered, other: Numbered): Conflict | undefined {
	const step = stepBetween(payment, other);
	const date = payment.invoice_date;
	const otherDate = other.invoice_date;
	if (step === undefined || date === '' || otherDate === '') {
		return undefined;
	}
	if (step > 0) {
		return otherDate < date ? 'higher' : undefined;
	}
	return otherDate > date ? 'lower' : undefined;
}

/**
 * How far the number of a payment is above that of an earlier one; undefined if they are not of one series, or are the
 * same. That of a later year is infinitely far above.
 */
function stepBetween(
	{ reference: earlier }: Numbered,
	{ reference }: Numbered,
): number | undefined {
	if (wordsOf(reference) !== wordsOf(earlier)) {
		return undefined;
	}
	const year = yearIn(reference);
	const yearOfEarlier = yearIn(earlier);
	const haveYears = year !== undefined && yearOfEarlier !== undefined;
	if (haveYears && year !== yearOfEarlier) {
		return year > yearOfEarlier ? Infinity : -Infinity;
	}

	const difference = onlyDifferenceOf(reference, earlier);
	if (difference === undefined) {
		return undefined;
	}
	const { number, other } = difference;
	// Weeks and months begin anew with a year.
	const beginsAnew = isShort(number) && isShort(other) && (isMonth(number) || isMonth(other));
	if (beginsAnew && !haveYears) {
		return undefined;
	}
	const step = valueOf(number) - valueOf(other);
	return step === 0 ? undefined : step;
}

/** The year in a reference; undefined if it has none. */
function yearIn(reference: string): number | undefined {
	const year = typedNumbersOf(reference).find(({ typed }) => isYear(typed));
	return year === undefined ? undefined : valueOf(year);
}

/** The day of a payment, as YYYY-MM-DD. */
function dayOf({ invoice_date: date, createdAt }: Numbered): string {
	if (date !== '') {
		return date;
	}
	const made = createdAt ?? new Date().toISOString();
	return made.slice(0, 'YYYY-MM-DD'.length);
}
