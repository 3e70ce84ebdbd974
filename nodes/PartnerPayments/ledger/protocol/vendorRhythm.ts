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

/**
 * Whether a payment comes sooner after the last one of its vendor and amount than these come after each other. So an
 * invoice of a vendor that bills each month is seen when it is paid again, whatever its number is.
 *
 * @param ofAmount those payments, from the oldest one on
 * @param time when the payment was first made, in milliseconds
 */
export function comesTooSoon({ reference }: Payment, ofAmount: Row[], time: number): boolean {
	const before = ofAmount.filter((row) => isPaying(row) && Date.parse(row.createdAt) <= time);
	const last = before.slice(-SERIES_LENGTH);
	const newest = last.at(-1);
	if (newest === undefined) {
		return false;
	}
	const hasRhythm = last.length > 1;
	if (!hasRhythm && isNext(reference, newest.reference)) {
		// A vendor that bills each week is paid for the second one without a person.
		return false;
	}

	const usual = usualTimeBetween(last.map(({ createdAt }) => Date.parse(createdAt)));
	return usual !== undefined && time - Date.parse(newest.createdAt) < usual * SOON;
}

/** The shortest time between payments, in milliseconds; undefined if they are not regular. */
function usualTimeBetween(times: number[]): number | undefined {
	const between = times.slice(1).map((later, index) => later - (times[index] ?? later));
	if (between.length === 0) {
		return MONTH_MS;
	}
	const shortest = Math.min(...between);
	const isRegular = Math.max(...between) <= shortest * MAX_DIFFERENCE;
	return isRegular ? shortest : undefined;
}
