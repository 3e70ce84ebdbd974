/*
 * Dates in the match key of a reference, as from `matchKeyOf`: people write them beside the number of an invoice.
 */

/** The years of today. Others, such as 2001 and 2031, are rather numbers of invoices. */
const YEAR = String.raw`202\d`;
/** A month of two digits, as it stands where nothing separates it from what is beside it. */
const FULL_MONTH = '(?:0[1-9]|1[0-2])';
/** A month and a day as numbers: 2026-10-42 is no date. */
const MONTH_NUMBER = '(?:0?[1-9]|1[0-2])';
const DAY_NUMBER = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
/** A day with its month and year, whichever of day and month comes first. */
const DAY_FORMS = [
	String.raw`(?:19|20)\d\d-${MONTH_NUMBER}-${DAY_NUMBER}`,
	String.raw`${DAY_NUMBER}-${DAY_NUMBER}-(?:19|20)\d\d`,
	String.raw`(?:19|20)\d\d${FULL_MONTH}(?:0[1-9]|[12]\d|3[01])`,
];
const DAY = `(?:${DAY_FORMS.join('|')})`;
/** A month with its year: 2026-11, but not 2026-31. */
const MONTH = String.raw`(?:${YEAR}-${MONTH_NUMBER}|${MONTH_NUMBER}-${YEAR})`;

/** A year of two digits. That of 2020 is none, since each year of this century begins so. */
const SHORT_YEAR = '2[1-9]';
/** What is no month beside a year: 2026-1042 and 31-2026 are a year and a number. */
const NO_MONTH = String.raw`(?:\p{N}{3,}|1[3-9]|[2-9]\p{N})`;

/** A run that is a date. */
const DATE = new RegExp(`^(?:${DAY}|${MONTH}|${YEAR})$`);

/** A date before a number, as in 20261126-1042, 2026-1042, and 20260037. */
const DATE_BEFORE_FORMS = [
	String.raw`${DAY}-(?=\p{N})`,
	String.raw`${YEAR}-(?=${NO_MONTH}\p{L}?$)`,
	String.raw`${YEAR}(?=\p{N}{3,}\p{L}?$)`,
];
const DATE_BEFORE = new RegExp(`^(?:${DATE_BEFORE_FORMS.join('|')})`, 'u');

/** A day or a month behind a number, as in 1042-2026-11-25 and 1042-11-2026. */
const DATE_BEHIND = new RegExp(`-(?:${DAY}|${MONTH})$`);
/** A year behind a number, as in 1042-2026 and 10422026. */
const YEAR_BEHIND = new RegExp(String.raw`^(?:${NO_MONTH}(?=-)|\p{N}{3,})(-?${YEAR})$`, 'u');

/** A year of two digits before a month and a number, as in 26-11-342, 2611-342, and 2611342. */
const YEAR_BEFORE_MONTH_FORMS = [
	String.raw`${SHORT_YEAR}-(?=${MONTH_NUMBER}-\p{N})`,
	String.raw`${SHORT_YEAR}-?(?=${FULL_MONTH}(?:-\p{N}|\p{N}{2}))`,
];
/** A month alone, or one with number 0, as in 2607 and 260700: they are numbers. */
const MONTH_ALONE = String.raw`${MONTH_NUMBER}-?0*\p{L}?$`;
const YEAR_BEFORE_MONTH = new RegExp(
	`^(?:${YEAR_BEFORE_MONTH_FORMS.join('|')})(?!${MONTH_ALONE})`,
	'u',
);
/** The first two digits of a year before more of a number: 2026-91-2 is 26-91-2, and 202611-342 is 2611-342. */
const CENTURY = new RegExp(String.raw`^20(?=${SHORT_YEAR}${FULL_MONTH}?-)`, 'u');
/** A number, its month, and a year of two digits, as in 377-11-26. */
const NUMBER_MONTH_YEAR = new RegExp(
	String.raw`^(\p{N}{3,})-(${MONTH_NUMBER})-(${SHORT_YEAR})$`,
	'u',
);
/** A year and maybe a month with which a longer number begins, as in 20261207 and 2600431. */
const YEAR_AND_MONTH_BEFORE = new RegExp(
	String.raw`^(?:20)?(${SHORT_YEAR})(?=\p{N}{3})(${FULL_MONTH})?`,
	'u',
);
/** A year of two digits before a number, as in 26-34 and 26034. */
const SHORT_YEAR_BEFORE = new RegExp(
	String.raw`^(${SHORT_YEAR})(?:-|(?=\p{N}{3}))(\p{N}+\p{L}?)$`,
	'u',
);
/** A month with a number behind it and no separator. After 26, that of 1126 is 11; after 2026, it has none. */
const JOINED_MONTH = new RegExp(String.raw`^${FULL_MONTH}(?=\p{N}{2})`, 'u');
const JOINED_MONTH_OF_YEAR = new RegExp(String.raw`^${FULL_MONTH}(?=\p{N}{3})`, 'u');
/** Years of two digits, as they begin a number without its zeros. A month and a number are left. */
const SHORT_YEARS = new RegExp(String.raw`^(?:${SHORT_YEAR})+(?=\p{N}{2})`, 'u');

/** A whole date without separators can be a year and a number, too: 20261126 is 1126 of 2026 then. */
const YEAR_OF_DATE = new RegExp(String.raw`^${YEAR}0*(?=\p{N}{3,4}$)`, 'u');
const YEAR_ALONE = new RegExp(`^${YEAR}$`);
const SHORT_YEAR_ALONE = new RegExp(`^${SHORT_YEAR}$`);
/** A day or a month with a year of two digits, and nothing else beside it: 17-5-26, 5-26, and 260517. */
const DATE_OF_SHORT_YEAR = new RegExp(
	String.raw`(?<![\p{N}-])((?:${DAY_NUMBER}-${DAY_NUMBER}|${MONTH_NUMBER})-)(${SHORT_YEAR})(?![\p{N}-])`,
	'u',
);
const JOINED_DAY_OF_SHORT_YEAR = new RegExp(
	String.raw`(?<![\p{N}-])(${SHORT_YEAR}${FULL_MONTH}(?:0[1-9]|[12]\d|3[01]))(?![\p{N}-])`,
	'u',
);
/** A month without separators, which may be a number of its year, too: 202605. */
const JOINED_MONTH_ALONE = new RegExp(
	String.raw`(?<![\p{N}-])(${YEAR})(${FULL_MONTH})(?![\p{N}-])`,
	'u',
);
/** The year, the month, and the day of a date without separators. */
const JOINED_DAY = /^(\d{4})(\d\d)(\d\d)$/u;

/** The months from January on as people write them in the languages of most invoices, whole or shortened. */
const MONTHS = [
	'jan(?:uary|uar|uari|vier)?|gen(?:naio)?|ene(?:ro)?|janeiro|j[äa]nner',
	'feb(?:ruary|ruar|ruari|braio|rero)?|f[ée]v(?:rier)?|fev(?:ereiro)?',
	'mar(?:ch|s|zo|t|ço)?|m[äa]r(?:z)?|maart|mrz|mrt',
	'apr(?:il|ile)?|avr(?:il)?|abr(?:il)?',
	'may|mai|maio|mei|mag(?:gio)?|mayo',
	'jun(?:e|i|io|ho)?|juin|giu(?:gno)?',
	'jul(?:y|i|io|ho)?|juil(?:let)?|lug(?:lio)?',
	'aug(?:ust|ustus)?|ao[ûu]t|ago(?:sto)?',
	'sept?(?:ember|embre|iembre)?|set(?:tembre|embro)?',
	'oct(?:ober|obre|ubre)?|okt(?:ober)?|ott(?:obre)?|out(?:ubro)?',
	'nov(?:ember|embre|iembre|embro)?',
	'dec(?:ember)?|dez(?:ember|embro)?|d[ée]c(?:embre)?|dic(?:embre|iembre)?',
];
const MONTH_NAMES = MONTHS.join('|');
/** Whole names alone: nothing separates words in a match key, and `marketing` begins as March does. */
const WHOLE_MONTH = new RegExp(MONTHS.join('|').replaceAll(')?', ')'), 'gu');
const MONTH_PATTERNS = MONTHS.map((names) => new RegExp(`^(?:${names})$`, 'u'));
/** A year, maybe with the day before it, as in 2026 and 14-2026. */
const YEAR_WITH_DAY = String.raw`(?:(?<day>${DAY_NUMBER})(?:st|nd|rd|th)?-?)?(?<year>${YEAR})`;
/** A month by its name with what is its year: may2026, may14-2026, or may26, which a spreadsheet makes of 2026-05. */
const NAMED_MONTH = new RegExp(
	String.raw`(?<name>${MONTH_NAMES})(?:of|de|d)?(?:${YEAR_WITH_DAY}|(?<shortYear>${SHORT_YEAR}))(?!\p{N})`,
	'u',
);
/** What people write between a day and the name of its month. */
const BEHIND_DAY = /(?<=\p{N})(?:st|nd|rd|th|er)?(?:of|de|d)?$/u;

/** The day of a month that has a name, before or behind that name. */
const MONTH_DAY = /^(?:[1-9]|[12]\d|3[01])$/u;
const MONTH_DAY_AT_END = /-(?:[1-9]|[12]\d|3[01])$/u;
const MONTH_BEHIND = new RegExp(
	String.raw`^(?:st|nd|rd|th|er)?(?:of|de|d)?(?:${MONTH_NAMES})(?!\p{L})`,
	'u',
);
const MONTH_BEFORE = new RegExp(String.raw`(?<!\p{L})(?:of|de|d|vom)?(?:${MONTH_NAMES})$`, 'u');

/** A day and a month, without a year or with one of two digits, and what people write before it. */
const DAY_AND_MONTH = /^\d{1,2}-\d{1,2}(?:-\d\d)?$/u;
const DATE_WORD = /(?:dd|dated|date|datum|vom|du|del)$/u;

/** Whether a number is a year of today. */
export const isYear = (number: string): boolean => YEAR_ALONE.test(number);

/** A year of today with its last two digits; another number as it is. */
export const withoutCentury = (number: string): string =>
	isYear(number) ? number.slice(2) : number;

/** Whether a number is a year of two digits. */
export const isShortYear = (number: string): boolean => SHORT_YEAR_ALONE.test(number);

/** Whether a number begins with the year or the month after that of another one: what is behind it begins anew. */
export function beginsLater(number: string, other: string): boolean {
	const [, year, month] = YEAR_AND_MONTH_BEFORE.exec(number) ?? [];
	const [, otherYear, otherMonth] = YEAR_AND_MONTH_BEFORE.exec(other) ?? [];
	// Where one has no year or no month, the difference is no number, and so not 1.
	const years = Number(year) - Number(otherYear);
	const months = Number(month) - Number(otherMonth);
	return years === 1 || (years === 0 && months === 1);
}

/**
 * Whether a run of digits is a date, or the day of one whose month has a name.
 *
 * @param before what stands before the run in the match key
 * @param behind what stands behind it
 */
export function isDate(digits: string, before: string, behind: string): boolean {
	if (DATE.test(digits)) {
		return true;
	}
	if (MONTH_DAY.test(digits)) {
		return MONTH_BEHIND.test(behind) || MONTH_BEFORE.test(before);
	}
	return DAY_AND_MONTH.test(digits) && DATE_WORD.test(before);
}

/** Digits, and the date beside them. */
export interface Dated {
	digits: string;
	/** Such as 2026, 11-2026, 2026-11-25, or 20261125. */
	date: string | undefined;
}

/** A run of digits without the dates at its ends: 20261126-1042 is 1042 with the date 20261126. */
export function withoutDates(run: string, behind: string): Dated {
	const [dateBefore = ''] = DATE_BEFORE.exec(run) ?? [];
	const rest = run.slice(dateBefore.length);
	// Where the name of a month is behind a run, the run ends with the day.
	const withoutDay = MONTH_BEHIND.test(behind) ? rest.replace(MONTH_DAY_AT_END, '') : rest;
	const dateBehind = dateAtEndOf(withoutDay);

	const digits = withoutDay.slice(0, withoutDay.length - dateBehind.length);
	const date = dateBehind === '' ? dateBefore : dateBehind;
	return { digits, date: date === '' ? undefined : date.replace(/^-|-$/gu, '') };
}

/** The date at the end of a run, with the separator before it; empty if there is none. */
function dateAtEndOf(run: string): string {
	const [date] = DATE_BEHIND.exec(run) ?? [];
	const [, year] = YEAR_BEHIND.exec(run) ?? [];
	return date ?? year ?? '';
}

/** A number in which a year counts as its last two digits: 2026-91-2 is 26-91-2. */
export const withShortYear = (number: string): string => number.replace(CENTURY, '');

/** A number with the year before the month: 377-11-26 is 26-11-377. */
export const withYearFirst = (number: string): string =>
	number.replace(NUMBER_MONTH_YEAR, '$3-$2-$1');

/**
 * A number, as from `withShortYear`, as its month and what follows: 26-11-342 and 2611342 are 11-342 with the date
 * 2026, and so is 11342 with that date. Other digits are left as they are, unless their date is a year alone.
 */
export function withMonthFirst({ digits, date }: Dated): Dated {
	const [year] = YEAR_BEFORE_MONTH.exec(digits) ?? [];
	if (year !== undefined) {
		const number = digits.slice(year.length).replace(JOINED_MONTH, '$&-');
		return { digits: withZeroOfJanuary(number), date: date ?? `20${year.replace('-', '')}` };
	}
	if (date === undefined || !isYear(date)) {
		return { digits, date };
	}
	return { digits: withZeroOfJanuary(digits.replace(JOINED_MONTH_OF_YEAR, '$&-')), date };
}

/** A number with a year of two digits before it, and nothing else: beside another number of 2026, 26-34 is 34 of 2026. */
export function withoutShortYear({ digits, date }: Dated): Dated {
	const [, year, number] = SHORT_YEAR_BEFORE.exec(digits) ?? [];
	if (date !== undefined || year === undefined || number === undefined) {
		return { digits, date };
	}
	return { digits: number, date: `20${year}` };
}

/** January before a number with its zero, since 1-342 is 01342, but 10342 is one of October. */
const withZeroOfJanuary = (number: string): string => number.replace(/^1-/u, '01-');

/**
 * The digits of a number, without its zeros, from which years of two digits are removed at the beginning. Whether 26
 * is a year, they do not tell: of 26-11-342, 2611342, and 11-342, it is 11342.
 */
export const withoutShortYears = (number: string): string => number.replace(SHORT_YEARS, '');

/**
 * A date as the number of an invoice: 2026-11-7 may be invoice 7 of November 2026. Its last part has three digits
 * then, 11-007: 202611007 is the same one, but 1107 is rather another number.
 */
export function numberOfDate(run: string): Dated {
	if (!DATE.test(run)) {
		return { digits: run, date: undefined };
	}
	const { dayFirst } = readingsOf(run);
	const [year, month, day] = dayFirst.split('-');
	if (month === undefined || day === undefined) {
		return { digits: dayFirst, date: undefined };
	}
	return { digits: withZeroOfJanuary(`${month}-${day.padStart(3, '0')}`), date: year };
}

/** The number of a month, from 1 for January. */
const monthNumberOf = (name: string): number =>
	MONTH_PATTERNS.findIndex((pattern) => pattern.test(name)) + 1;

/**
 * A match key with the number of the month in place of its name, where its year is behind it: `rentmay2026` and
 * `rentmay26` are `rent5-2026`, and `14may2026` is `14-5-2026`. Others are left as they are.
 */
function withMonthNumber(matchKey: string): string {
	const found = NAMED_MONTH.exec(matchKey);
	if (found === null) {
		return matchKey;
	}

	const { name = '', day, shortYear = '', year = `20${shortYear}` } = found.groups ?? {};
	const before = matchKey.slice(0, found.index);
	const behind = matchKey.slice(found.index + found[0].length);
	const month = monthNumberOf(name);
	const date = day === undefined ? `${month}-${year}` : `${day}-${month}-${year}`;
	return before.replace(BEHIND_DAY, '-') + date + behind;
}

/** A match key with each date in figures, and with its whole year: `17may26` and `17-5-26` are `17-5-2026`. */
export const withPlainDate = (matchKey: string): string =>
	withMonthNumber(matchKey)
		.replace(DATE_OF_SHORT_YEAR, '$120$2')
		.replace(JOINED_DAY_OF_SHORT_YEAR, '20$1')
		.replace(JOINED_MONTH_ALONE, '$1-$2');

/** A match key with all dates in figures, and with the number of each month that has no year. */
export const withPlainMonths = (matchKey: string): string =>
	withNumbersOfMonths(withPlainDate(matchKey));

/** A match key with the number of each month in place of its name, and with all other digits as they are. */
export const withMonthNumbers = (matchKey: string): string =>
	withNumbersOfMonths(withMonthNumber(matchKey));

const withNumbersOfMonths = (matchKey: string): string =>
	matchKey.replace(WHOLE_MONTH, (name) => `-${monthNumberOf(name)}-`);

/** What follows the year in a whole date without separators; undefined for other digits. */
export const numberBehindYear = (digits: string): string | undefined =>
	YEAR_OF_DATE.test(digits) ? digits.replace(YEAR_OF_DATE, '') : undefined;

/** Whether two dates differ. A year, or a month with its year, is that of each date in it. */
export function areOfTwoDates(one: string | undefined, other: string | undefined): boolean {
	if (one === undefined || other === undefined) {
		return false;
	}
	const ofOne = readingsOf(one);
	const ofOther = readingsOf(other);
	return (
		!isWithin(ofOne.dayFirst, ofOther.dayFirst) && !isWithin(ofOne.monthFirst, ofOther.monthFirst)
	);
}

/** Whether one of two dates, from year to day, is the other one or its month or year. */
const isWithin = (one: string, other: string): boolean =>
	`${one}-`.startsWith(`${other}-`) || `${other}-`.startsWith(`${one}-`);

/** A date from year to day, as it is read where people write the day before the month, and where they do not. */
interface DateReadings {
	dayFirst: string;
	monthFirst: string;
}

/** How a date can be read: 20261107 is 2026-11-7, and 7-11-2026 is 2026-11-7 or 2026-7-11. */
function readingsOf(date: string): DateReadings {
	const numbers = date.replace(JOINED_DAY, '$1-$2-$3').split('-').map(Number);
	const [first = 0, second = 0, year] = numbers;
	const isYearFirst = first > 31;
	if (isYearFirst) {
		return inOneWay(numbers.join('-'));
	}
	if (year === undefined) {
		return inOneWay(`${second}-${first}`);
	}

	const dayFirst = `${year}-${second}-${first}`;
	const monthFirst = `${year}-${first}-${second}`;
	if (second > 12) {
		return inOneWay(monthFirst);
	}
	return { dayFirst, monthFirst };
}

const inOneWay = (date: string): DateReadings => ({ dayFirst: date, monthFirst: date });
