import fc from 'fast-check';
import { DateTime } from 'luxon';

import {
	startOfDay,
	toCalendarDay,
	toUtcDay,
	toUtcTimestamp,
} from '../../../nodes/PartnerPayments/shared/dates';
import { InputError } from '../../../nodes/PartnerPayments/shared/errors';
import { thrownBy } from '../support';

test.each<[value: unknown, zone: string, utc: string]>([
	// Without a zone: read in the zone of the workflow.
	['2026-03-01T09:00:00', 'UTC', '2026-03-01T09:00:00.000Z'],
	['2026-03-01T09:00:00', 'Europe/Berlin', '2026-03-01T08:00:00.000Z'],
	['2026-07-01T09:00:00', 'Europe/Berlin', '2026-07-01T07:00:00.000Z'],
	['2026-03-01T09:00:00', 'America/New_York', '2026-03-01T14:00:00.000Z'],
	['2026-03-01T09:00', 'UTC', '2026-03-01T09:00:00.000Z'],
	['2026-03-01T09:00:00.123', 'UTC', '2026-03-01T09:00:00.123Z'],
	// An hour that the clocks skip.
	['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
	// With a zone: the zone of the workflow does not matter.
	['2026-03-01T09:00:00Z', 'Asia/Tokyo', '2026-03-01T09:00:00.000Z'],
	['2026-03-01T09:00:00+05:30', 'America/New_York', '2026-03-01T03:30:00.000Z'],
	// Only a date: its midnight.
	['2026-03-01', 'UTC', '2026-03-01T00:00:00.000Z'],
	['2026-03-01', 'America/Los_Angeles', '2026-03-01T08:00:00.000Z'],
	[' 2026-03-01 ', 'UTC', '2026-03-01T00:00:00.000Z'],
	// As databases write it.
	['2026-03-01 09:00:00', 'Europe/Berlin', '2026-03-01T08:00:00.000Z'],
	['2026-03-01 09:00:00.500', 'UTC', '2026-03-01T09:00:00.500Z'],
	['2026-03-01 09:00:00 +02:00', 'UTC', '2026-03-01T07:00:00.000Z'],
	// An instant, as expressions compute it.
	[
		DateTime.fromISO('2026-03-01T09:00:00', { zone: 'Asia/Tokyo' }),
		'UTC',
		'2026-03-01T00:00:00.000Z',
	],
	[new Date('2026-03-01T09:00:00.000Z'), 'Asia/Tokyo', '2026-03-01T09:00:00.000Z'],
])('%p in %s is %s', (value, zone, utc) => {
	expect(toUtcTimestamp(value, zone)).toBe(utc);
});

test.each<[what: string, values: unknown[]]>([
	['empty', ['', '   ', null, undefined]],
	['no date', ['nonsense', 'tomorrow', '12', '10:00', '1999', '20260301', '+002026-03-01']],
	['in another order', ['01.03.2026', '03/01/2026']],
	['a month, a week, or a year', ['2026-12', '2026-W49', '2026-', '2026-12T00:00', '2026-12-1']],
	['no day or hour', ['2026-02-30', '2026-13-01', '2025-02-29', '2026-03-01T25:00:00']],
	['a number', [1772355600, 1772355600000, NaN]],
	['no instant', [new Date(NaN), DateTime.invalid('made so')]],
	['no text', [true, {}, ['2026-03-01']]],
])('what is %s is refused: %p', (_, values) => {
	for (const value of values) {
		const error = thrownBy(() => toUtcTimestamp(value, 'UTC', 'Due Date'));

		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^Due Date .*is not a date$/),
			hint: expect.stringContaining('2026-03-01'),
		});
	}
});

describe('a day', () => {
	const day = (iso: string, zone: string) => DateTime.fromISO(iso, { zone });

	test.each<[value: unknown, zone: string]>([
		['2026-12-01', 'Asia/Tokyo'],
		['2026-12-01', 'America/Los_Angeles'],
		[' 2026-12-01 ', 'UTC'],
		// As the editor writes a day that was chosen, and as databases do.
		['2026-12-01T00:00:00', 'Asia/Tokyo'],
		['2026-12-01 00:00:00', 'America/Los_Angeles'],
		// As expressions compute it.
		[day('2026-12-01', 'Asia/Tokyo'), 'Asia/Tokyo'],
		[day('2026-12-01', 'America/New_York'), 'Asia/Tokyo'],
		// Where the clocks skip midnight.
		['2018-11-04', 'America/Sao_Paulo'],
	])('without a time is that day wherever it is shown: %p in %s #due-day', (value, zone) => {
		const sent = toUtcDay(value, zone);

		const wanted = typeof value === 'string' ? value.trim().slice(0, 10) : '2026-12-01';
		const shown = ['UTC', 'Asia/Tokyo', 'America/New_York', 'Pacific/Honolulu', 'Pacific/Auckland'];
		expect(sent).toMatch(/Z$/);
		expect(shown.map((where) => DateTime.fromISO(sent).setZone(where).toISODate())).toEqual(
			shown.map(() => wanted),
		);
	});

	test.each<[value: unknown, zone: string, utc: string]>([
		['2026-12-01T09:00:00', 'Asia/Tokyo', '2026-12-01T00:00:00.000Z'],
		['2026-12-01T00:00:00Z', 'Asia/Tokyo', '2026-12-01T00:00:00.000Z'],
		['2026-12-01T00:00:00+09:00', 'UTC', '2026-11-30T15:00:00.000Z'],
		// As PostgreSQL writes it.
		['2026-12-01T00:00:00+09', 'Asia/Tokyo', '2026-11-30T15:00:00.000Z'],
		['2026-12-01 00:00:00-08', 'America/Los_Angeles', '2026-12-01T08:00:00.000Z'],
		['2026-12-01 00:00:00.000+00', 'UTC', '2026-12-01T00:00:00.000Z'],
		['2026-12-01T00:00-08', 'America/Los_Angeles', '2026-12-01T08:00:00.000Z'],
		['2026-12-01T00:00:00[Asia/Tokyo]', 'Asia/Tokyo', '2026-11-30T15:00:00.000Z'],
		['2026-12-01 00:00:00 Asia/Tokyo', 'Asia/Tokyo', '2026-11-30T15:00:00.000Z'],
		[new Date('2026-12-01T00:00:00.000Z'), 'UTC', '2026-12-01T00:00:00.000Z'],
	])('with a time, or a zone in its text, is a moment: %p in %s', (value, zone, utc) => {
		expect(toUtcDay(value, zone)).toBe(utc);
	});

	test.each<[value: unknown, day: string]>([
		['1899-12-30', '1899-12-30'],
		['1900-01-01', '1900-01-01'],
		['1904-01-01T00:00:00', '1904-01-01'],
		['1970-01-01', '1970-01-01'],
		['1970-01-01T00:00:00.000Z', '1970-01-01'],
		['0001-01-01', '0001-01-01'],
		['0026-12-01', '0026-12-01'],
		['2126-12-01', '2126-12-01'],
		['9999-12-31', '9999-12-31'],
		[new Date(0), '1970-01-01'],
		[DateTime.fromMillis(0, { zone: 'UTC' }), '1970-01-01'],
	])('on which nothing is due is refused: %p', (value, shown) => {
		const error = thrownBy(() => toUtcDay(value, 'UTC', 'Due Date'));

		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({ message: expect.stringContaining(shown) });
	});

	test.each(['2000-01-01', '2024-02-29', '2099-12-31', '2026-W49-2', '2026-335'])(
		'of %s is sent',
		(value) => {
			expect(toUtcDay(value, 'UTC')).toMatch(/T10:00:00.000Z$/);
		},
	);

	test('that is none is refused', () => {
		expect(thrownBy(() => toUtcDay('01.12.2026', 'UTC', 'Due Date'))).toMatchObject({
			message: 'Due Date "01.12.2026" is not a date',
		});
	});
});

describe('a calendar day', () => {
	const inTokyo = { zone: 'Asia/Tokyo' };

	test.each<[value: unknown, zone: string]>([
		['2026-12-01', 'America/Los_Angeles'],
		[' 2026-12-01 ', 'Asia/Tokyo'],
		['2026-12-01T00:00:00', 'Asia/Tokyo'],
		['2026-12-01T23:59:59', 'America/Los_Angeles'],
		// A day as programs write it, in a zone that is not that of the workflow.
		['2026-12-01T00:00:00.000Z', 'America/Los_Angeles'],
		['2026-12-01T00:00:00+09:00', 'UTC'],
		['2026-12-01 00:00:00-08', 'Asia/Tokyo'],
		[new Date('2026-12-01T00:00:00.000Z'), 'America/Los_Angeles'],
		[DateTime.fromISO('2026-12-01', inTokyo), 'America/Los_Angeles'],
		// A moment, which has this day where the workflow is.
		['2026-12-02T03:00:00Z', 'America/Los_Angeles'],
		['2026-11-30T15:00:00Z', 'Asia/Tokyo'],
		[new Date('2026-11-30T15:00:00.000Z'), 'Asia/Tokyo'],
		[DateTime.fromISO('2026-12-02T12:00:00', inTokyo), 'America/Los_Angeles'],
	])('is the day that a date means: %p in %s #calendar-day', (value, zone) => {
		expect(toCalendarDay(value, zone)).toBe('2026-12-01');
	});

	test.each<[value: unknown, message: string]>([
		['01.12.2026', 'Invoice Date "01.12.2026" is not a date'],
		[46357, "Invoice Date 46357 is a spreadsheet's number for 2026-12-01"],
		['1899-12-30', 'Invoice Date 1899-12-30 is not between 2000 and 2099'],
		[new Date(0), 'Invoice Date 1970-01-01 is not between 2000 and 2099'],
	])('is refused if it is none: %p', (value, message) => {
		expect(thrownBy(() => toCalendarDay(value, 'UTC', 'Invoice Date'))).toMatchObject({ message });
	});
});

test.each<[value: unknown, day: string]>([
	[46357, '2026-12-01'],
	['46357', '2026-12-01'],
	[46357.375, '2026-12-01'],
	[25569, '1970-01-01'],
])('a number of a spreadsheet is refused with its day, and how to convert it: %p', (value, day) => {
	const error = thrownBy(() => toUtcDay(value, 'UTC', 'Due Date')) as InputError;

	expect(error.message).toBe(`Due Date ${String(value)} is a spreadsheet's number for ${day}`);
	expect(error.hint).toContain("DateTime.fromISO('1899-12-30')");
});

test('any text is read or refused', () => {
	fc.assert(
		fc.property(fc.string(), (text) => {
			let written: string;

			try {
				written = toUtcTimestamp(text, 'Europe/Berlin');
			} catch (error) {
				expect(error).toBeInstanceOf(InputError);

				return;
			}

			expect(written).toMatch(/^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		}),
	);
});

describe('when the day began', () => {
	afterEach(() => {
		jest.useRealTimers();
	});

	test.each([
		['America/New_York', '2026-03-01T05:00:00.000Z'],
		['Asia/Kathmandu', '2026-03-01T18:15:00.000Z'],
		['a zone that is none', '2026-03-02T00:00:00.000Z'],
	])('in %s', (zone, start) => {
		jest.useFakeTimers({ now: new Date('2026-03-02T03:30:00Z') });

		expect(startOfDay(zone)).toBe(start);
	});
});
