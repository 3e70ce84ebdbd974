import { DAY_MS } from '../../shared/dates';
import { isNext } from '../../shared/numberSeries';
import { SERIES_LENGTH } from '../../shared/typedNumbers';
import type { Payment } from '../payment';
import type { Row } from '../table/rows';
import { isPaying } from './rowStates';

/** A vendor is paid regularly if the longest time between two payments is at most so many times the shortest one. */
const MAX_DIFFERENCE = 2;
/** A payment comes too soon after less than this part of the shortest time. */
const SOON = 0.75;
/** So long is the time between two payments of a vendor that got an amount once: most bill each month. */
const MONTH_MS = 30 * DAY_MS;
/** So many payments of any amount tell that a vendor is paid regularly. */
const MIN_PAYMENTS = 4;

/**
 * Whether a payment comes sooner after the last one of its vendor and amount than these come after each other. So an
 * invoice of a vendor that bills each month is seen when it is paid again, whatever its number is.
 *
 * @param ofAmount those payments, from the oldest one on
 * @param time when the payment was first made, in milliseconds
 */
export function comesTooSoon({ reference }: Payment, ofAmount: Row[], time: number): boolean {
	const last = lastPaid(ofAmount, time);
	const [first, ...others] = last;
	if (first !== undefined && others.length === 0) {
		// A vendor that bills each week is paid for the second one without a person.
		return !isNext(reference, first.reference) && isSooner(time, last, MONTH_MS);
	}
	return isSooner(time, last, usualTimeBetween(last));
}

/**
 * Whether a payment comes sooner after the last one of its vendor than these come after each other, whatever their
 * amounts are. Fewer payments are regular by chance.
 *
 * @param ofVendor those payments, from the oldest one on
 */
export function comesTooSoonForVendor(ofVendor: Row[], time: number): boolean {
	const last = lastPaid(ofVendor, time);
	return last.length >= MIN_PAYMENTS && isSooner(time, last, usualTimeBetween(last));
}

/** The last payments that were paid before a time. */
function lastPaid(rows: Row[], time: number): Row[] {
	const before = rows.filter((row) => isPaying(row) && timeOf(row) <= time);
	return before.slice(-SERIES_LENGTH);
}

/** @param usual the time between two payments; undefined if there is none */
function isSooner(time: number, last: Row[], usual: number | undefined): boolean {
	const newest = last.at(-1);
	return newest !== undefined && usual !== undefined && time - timeOf(newest) < usual * SOON;
}

/** The shortest time between payments, in milliseconds; undefined if they are not regular. */
function usualTimeBetween(last: Row[]): number | undefined {
	const times = last.map(timeOf);
	const between = times.slice(1).map((later, index) => later - (times[index] ?? later));
	if (between.length === 0) {
		return undefined;
	}
	const shortest = Math.min(...between);
	// A loop that pays several invoices of a vendor is no rhythm.
	const isRegular = shortest >= DAY_MS && Math.max(...between) <= shortest * MAX_DIFFERENCE;
	return isRegular ? shortest : undefined;
}

const timeOf = ({ createdAt }: Row): number => Date.parse(createdAt);
