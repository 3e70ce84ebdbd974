import { DateTime } from 'luxon';

import { excerpt, kindOf, throwInputError } from './errors';

export const DAY_MS = 86_400_000;

/** Longer texts are no dates, and take long to read. */
const MAX_LENGTH = 100;

/**
 * Reads a date and time, and writes it as ISO 8601 in UTC, such as 2026-03-01T09:00:00.000Z.
 *
 * @param value a text as the editor gives it, or a Date or a luxon DateTime as expressions give it
 * @param timeZone IANA name; the zone of a text that names none
 * @param subject what a message calls the value, at its beginning
 */
export function toUtcTimestamp(value: unknown, timeZone: string, subject = 'The date'): string {
	const read = readDate(value, timeZone);
	return read.toUTC().toISO() ?? throwNoDate(value, subject);
}

/** Nothing that is paid was due before, or is due after. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2099;

/** At this hour in UTC, a day has begun in Hawaii, and has not ended in New Zealand. */
const HOUR_OF_DAY = 10;

/**
 * The same for a day, such as the one on which something is due. A date without a time is sent as a time at
 * which almost the whole world has this calendar day. Midnight counts as no time, as the editor and date
 * functions write it, unless a text names a zone: then it is a moment, sent as it is.
 */
export function toUtcDay(value: unknown, timeZone: string, subject = 'The date'): string {
	const read = readDate(value, timeZone);
	assertRecent(read, subject);
	if (!isDay(value, read)) {
		return toUtcTimestamp(value, timeZone, subject);
	}
	const { year, month, day } = read;
	return DateTime.utc(year, month, day, HOUR_OF_DAY).toISO() ?? throwNoDate(value, subject);
}

/**
 * Reads a date as the calendar day that it means, as YYYY-MM-DD. Programs write a day as its midnight: in the zone
 * that they name, it is that day. Any other moment is of the day that it has in the given zone.
 *
 * @param timeZone IANA name
 */
export function toCalendarDay(value: unknown, timeZone: string, subject = 'The date'): string {
	const written = asWritten(value, timeZone);
	assertRecent(written, subject);
	const day = isMidnight(written) ? written : written.setZone(timeZone);
	return day.toISODate() ?? throwNoDate(value, subject);
}

/** A date in the zone that it names; a JavaScript Date is in UTC. */
function asWritten(value: unknown, timeZone: string): DateTime {
	return value instanceof Date
		? DateTime.fromJSDate(value, { zone: 'utc' })
		: readDate(value, timeZone, { keepsZone: true });
}

/** Rejects a day that programs and spreadsheets write for nothing, such as the first one that they know. */
function assertRecent(read: DateTime, subject: string): void {
	if (!read.isValid || (read.year >= FIRST_YEAR && read.year <= LAST_YEAR)) {
		return;
	}
	throwInputError(
		`${subject} ${read.toISODate()} is not between ${FIRST_YEAR} and ${LAST_YEAR}`,
		'Programs and spreadsheets write such a day for an empty field. Enter the day, or leave the field empty.',
	);
}

/** What names a zone: a sign, a letter, or a bracket directly behind a time, with a space at most. */
const ZONE = /[T ][\d:.,]+ ?[^\s\d:.,]/iu;

function isDay(value: unknown, read: DateTime): boolean {
	const isWithoutZone = typeof value === 'string' && !ZONE.test(value.trim());
	// What a date function has made is in its own zone, so that its midnight is a day.
	const isDateTime = DateTime.isDateTime(value);
	return isMidnight(read) && (isWithoutZone || isDateTime);
}

const isMidnight = (date: DateTime): boolean => date.toMillis() === date.startOf('day').toMillis();

/** @param keepsZone whether the result is in the zone that a text names, and not in `timeZone` */
function readDate(value: unknown, timeZone: string, { keepsZone = false } = {}): DateTime {
	if (DateTime.isDateTime(value)) {
		return value;
	}
	return value instanceof Date
		? DateTime.fromMillis(value.valueOf())
		: fromText(value, { zone: timeZone, setZone: keepsZone });
}

/**
 * A day in a month, of a week, or of a year. A bare number or time of day would be read as a year, or as
 * today, and a month as its first day.
 */
const WHOLE_DATE = /^\d{4}-(?:\d\d-\d\d|W\d\d-\d|\d{3})(?!\d)/u;

/** @param options `zone` of a text that names none; `setZone`: whether one that a text names is kept */
function fromText(value: unknown, options: { zone: string; setZone: boolean }): DateTime {
	if (typeof value !== 'string') {
		return DateTime.invalid('no text');
	}
	const text = value.trim();
	if (!WHOLE_DATE.test(text) || text.length > MAX_LENGTH) {
		return DateTime.invalid('no date');
	}
	const iso = DateTime.fromISO(text, options);
	return iso.isValid ? iso : DateTime.fromSQL(text, options);
}

function throwNoDate(value: unknown, subject: string): never {
	const day = dayOfSpreadsheet(value);
	if (day !== undefined) {
		throwInputError(
			`${subject} ${String(value)} is a spreadsheet's number for ${day}`,
			`Format the column so that it shows ${day}. Or convert it, where "date" is the field: {{ DateTime.fromISO('1899-12-30').plus({ days: Number($json.date) }) }}.`,
		);
	}
	const shown =
		typeof value === 'string' ? JSON.stringify(excerpt(value)) : `holds ${kindOf(value)}, which`;
	return throwInputError(
		`${subject} ${shown} is not a date`,
		'Write it like 2026-03-01 or 2026-03-01T09:00:00.',
	);
}

/** The days of spreadsheets from 1954 to 2119: other numbers are something else. */
const SPREADSHEET_DAY = /^[2-7]\d{4}(?:\.\d{1,20})?$/;

/** The day that a spreadsheet means by a number, counted from the end of 1899; undefined for anything else. */
function dayOfSpreadsheet(value: unknown): string | undefined {
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string' || !SPREADSHEET_DAY.test(text.trim())) {
		return undefined;
	}
	return (
		DateTime.utc(1899, 12, 30)
			.plus({ days: Math.floor(Number(text)) })
			.toISODate() ?? undefined
	);
}

/** A time in ISO 8601 as messages show it, such as 2026-03-01 09:00 UTC. */
export function timeText(iso: string): string {
	const time = DateTime.fromISO(iso).toUTC();
	return time.isValid ? `${time.toFormat('yyyy-MM-dd HH:mm')} UTC` : 'an unknown day';
}

/** When the current day began in a time zone (IANA name), in ISO 8601 UTC. */
export const startOfDay = (timeZone: string): string =>
	DateTime.now().setZone(timeZone).startOf('day').toUTC().toISO() ??
	DateTime.utc().startOf('day').toISO();
