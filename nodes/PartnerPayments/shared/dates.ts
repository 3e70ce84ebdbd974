import { DateTime } from 'luxon';

import { excerpt, kindOf, throwInputError } from './errors';

/** Longer texts are no dates, and take long to read. */
const MAX_LENGTH = 100;

/**
 * Reads a date and time, and writes it as ISO 8601 in UTC, such as 2026-03-01T09:00:00.000Z.
 *
 * @param value a text as the editor gives it, or a Date or a luxon DateTime as expressions give it
 * @param timeZone IANA name; the zone of a text that names none
 */
export function toUtcTimestamp(value: unknown, timeZone: string, subject = 'The date'): string {
	const read =
		value instanceof Date || DateTime.isDateTime(value)
			? DateTime.fromMillis(value.valueOf())
			: fromText(value, timeZone);
	const shown =
		typeof value === 'string' ? JSON.stringify(excerpt(value)) : `holds ${kindOf(value)}, which`;
	return (
		read.toUTC().toISO() ??
		throwInputError(
			`${subject} ${shown} is not a date`,
			'Write it like 2026-03-01 or 2026-03-01T09:00:00.',
		)
	);
}

function fromText(value: unknown, zone: string): DateTime {
	if (typeof value !== 'string') {
		return DateTime.invalid('no text');
	}
	const text = value.trim();
	// A bare number or time of day would be read as a year, or as today.
	if (!/^\d{4}-/.test(text) || text.length > MAX_LENGTH) {
		return DateTime.invalid('no date');
	}
	const iso = DateTime.fromISO(text, { zone });
	return iso.isValid ? iso : DateTime.fromSQL(text, { zone });
}

/** When the current day began in a time zone (IANA name), in ISO 8601 UTC. */
export const startOfDay = (timeZone: string): string =>
	DateTime.now().setZone(timeZone).startOf('day').toUTC().toISO() ??
	DateTime.utc().startOf('day').toISO();
