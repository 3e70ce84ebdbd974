import { SERIES_LENGTH } from '../../shared/typedNumbers';
import type { Row } from '../table/rows';
import { isPaying } from './rowStates';

/** A vendor is paid regularly if the longest time between two payments is at most so many times the shortest one. */
const MAX_DIFFERENCE = 2;
/** A payment comes too soon after less than this part of the shortest time. */
const SOON = 0.75;

/**
 * Whether a payment comes sooner after the last one of its vendor and amount than these come after each other. So an
 * invoice of a vendor that bills each month is seen when it is paid again, whatever its number is.
 *
 * @param ofAmount those payments, from the oldest one on
 * @param time when the payment was first made, in milliseconds
 */
export function comesTooSoon(ofAmount: Row[], time: number): boolean {
	const times = ofAmount.filter(isPaying).map(({ createdAt }) => Date.parse(createdAt));
	const last = times.filter((before) => before <= time).slice(-SERIES_LENGTH);
	if (last.length < 2) {
		return false;
	}

	const between = last.slice(1).map((later, index) => later - (last[index] ?? later));
	const shortest = Math.min(...between);
	const isRegular = Math.max(...between) <= shortest * MAX_DIFFERENCE;
	const newest = Math.max(...last);
	return isRegular && time - newest < shortest * SOON;
}
