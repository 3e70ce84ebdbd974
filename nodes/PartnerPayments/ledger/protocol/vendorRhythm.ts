import { DAY_MS } from '../../shared/dates';
import { areDays } from '../../shared/numberSeries';
import { SERIES_LENGTH } from '../../shared/typedNumbers';
import type { Payment } from '../payment';
import type { Row } from '../table/rows';
import { isPaying } from './rowStates';

/** A vendor is paid regularly if the longest time between two payments is at most so many times the shortest one. */
const MAX_DIFFERENCE = 2;
/** A payment comes too soon after this part of the shortest time, or less. */
const SOON = 0.75;
/** So long is the time between two payments of a vendor that got an amount once: most bill each month. */
const MONTH_MS = 30 * DAY_MS;
/** So many payments of any amount tell that a vendor is paid regularly. */
const MIN_PAYMENTS = 4;

/*
 * When payments come: by the dates of their invoices if all of them have one, or else by when they were made. An invoice
 * can be paid late, and its date stays what it is.
 */

/**
 * Whether a payment comes sooner than those of its vendor and amount come after each other. So an invoice of a vendor
 * that bills each month is seen when it is paid again, whatever its number is.
 *
 * @param ofAmount those payments, from the oldest one on
 * @param time when the payment was first made, in milliseconds
 */
export function comesTooSoon(payment: Payment, ofAmount: Row[], time: number): boolean {
	const last = lastPaid(ofAmount, time);
	const moments = momentsOf(payment, last, time);
	const [first, ...others] = last;
	if (first !== undefined && others.length === 0) {
		return !areDays(payment.reference, first.reference) && isTooClose(moments, MONTH_MS);
	}
	return isTooClose(moments, usualTimeBetween(moments));
}

/**
 * Whether a payment comes sooner than those of its vendor come after each other, whatever their amounts are. Fewer
 * payments are regular by chance.
 *
 * @param ofVendor those payments, from the oldest one on
 */
export function comesTooSoonForVendor(payment: Payment, ofVendor: Row[], time: number): boolean {
	const last = lastPaid(ofVendor, time);
	const moments = momentsOf(payment, last, time);
	return last.length >= MIN_PAYMENTS && isTooClose(moments, usualTimeBetween(moments));
}

/** When a payment and others of its vendor come, in milliseconds; the others from the earliest one on. */
interface Moments {
	own: number;
	others: number[];
}

/** The last payments that were paid before a time. */
function lastPaid(rows: Row[], time: number): Row[] {
	const before = rows.filter((row) => isPaying(row) && Date.parse(row.createdAt) <= time);
	return before.slice(-SERIES_LENGTH);
}

function momentsOf({ invoiceDate = '' }: Payment, others: Row[], time: number): Moments {
	const own = Date.parse(invoiceDate);
	const dates = others.map((row) => Date.parse(row.invoice_date));
	// A date is missing, or a person has edited it.
	if ([own, ...dates].some(Number.isNaN)) {
		return { own: time, others: others.map(({ createdAt }) => Date.parse(createdAt)) };
	}
	return { own, others: dates.sort((one, other) => one - other) };
}

/** @param usual the time between two payments; undefined if there is none */
function isTooClose({ own, others }: Moments, usual: number | undefined): boolean {
	return usual !== undefined && others.some((other) => Math.abs(own - other) <= usual * SOON);
}

/** The shortest time between payments, in milliseconds; undefined if they are not regular. */
function usualTimeBetween({ others }: Moments): number | undefined {
	const between = others.slice(1).map((later, index) => later - (others[index] ?? later));
	if (between.length === 0) {
		return undefined;
	}
	const shortest = Math.min(...between);
	// A loop that pays several invoices of a vendor is no rhythm.
	const isRegular = shortest >= DAY_MS && Math.max(...between) <= shortest * MAX_DIFFERENCE;
	return isRegular ? shortest : undefined;
}
