/*
 * Dates in the match key of a reference, as from `matchKeyOf`: people write them beside the number of an invoice.
 */

/** The years of today. Others, such as 2001 and 2031, are rather numbers of invoices. */
const YEAR = String.raw`202\d`;
/** A month and a day as numbers: 2026-10-42 is no date. */
const MONTH_NUMBER = String.raw`(?:0?[1-9]|1[0-2])`;
const DAY_NUMBER = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
/** A day with its month and year, whichever of day and month comes first. */
const DAY_FORMS = [
	String.raw`(?:19|20)\d\d-${MONTH_NUMBER}-${DAY_NUMBER}`,
	String.raw`${DAY_NUMBER}-${DAY_NUMBER}-(?:19|20)\d\d`,
	String.raw`(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])`,
];
const DAY = `(?:${DAY_FORMS.join('|')})`;
/** A month with its year: 2026-11, but not 2026-31. */
const MONTH = String.raw`(?:${YEAR}-${MONTH_NUMBER}|${MONTH_NUMBER}-${YEAR})`;

/** A run that is a date. */
const DATE = new RegExp(`^(?:${DAY}|${MONTH}|${YEAR})$`);
const DATE_BEHIND = new RegExp(`-(?:${DAY}|${MONTH})$`);
const DAY_BEFORE = new RegExp(String.raw`^${DAY}-(?=\p{N})`, 'u');
/** The same, where what stands before the number ends. */
const DAY_AT_END = new RegExp(`${DAY}-$`);

/** A year before or behind a number that is no month, as in 2026-1042, 1042-2026, and 31-2026. */
const NO_MONTH = String.raw`(?:\p{N}{3,}|1[3-9]|[2-9]\p{N})`;
const YEAR_BEFORE = new RegExp(String.raw`^${YEAR}-(?=${NO_MONTH}\p{L}?$)`, 'u');
const YEAR_BEHIND = new RegExp(String.raw`^(${NO_MONTH})-${YEAR}$`, 'u');
/** The same, where what stands before the number ends, and where what stands behind it begins. */
const YEAR_AT_END = new RegExp(`${YEAR}-$`);
const YEAR_AT_START = new RegExp(`^-${YEAR}`);
/** A year with no separator before or behind a number of three digits or more, as in 20260037 and 10422026. */
const GLUED_YEAR_BEFORE = new RegExp(String.raw`^${YEAR}(?=\p{N}{3,}\p{L}?$)0*(?=\p{N})`, 'u');
const GLUED_YEAR_BEHIND = new RegExp(String.raw`^(\p{N}{3,})${YEAR}$`, 'u');
const GLUED_YEAR_AT_END = new RegExp(`(${YEAR})0*$`);
const GLUED_YEAR_AT_START = new RegExp(`^(${YEAR})`);
/** A whole date without separators can be a year and a number, too: 20261126 is 1126 of 2026 then. */
const YEAR_OF_DATE = new RegExp(String.raw`^${YEAR}0*(?=\p{N}{3,4}$)`, 'u');
const YEAR_ALONE = new RegExp(`^${YEAR}$`);

/** Months as people write them in the languages of most invoices, whole or shortened. */
const MONTH_NAMES = [
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
].join('|');

/** The day of a month that has a name, before or behind that name. */
const MONTH_DAY = /^(?:[1-9]|[12]\d|3[01])$/u;
const MONTH_DAY_AT_END = /-(?:[1-9]|[12]\d|3[01])$/u;
const MONTH_BEHIND = new RegExp(
	String.raw`^(?:st|nd|rd|th|er)?(?:of|de|d)?(?:${MONTH_NAMES})(?!\p{L})`,
	'u',
);
const MONTH_BEFORE = new RegExp(String.raw`(?<!\p{L})(?:of|de|d|vom)?(?:${MONTH_NAMES})$`, 'u');

/** A day and a month without a year, and what people write before it. */
const DAY_AND_MONTH = /^\d{1,2}-\d{1,2}(?:-\d\d)?$/u;
const DATE_WORD = /(?:dd|dated|date|datum|vom|du|del)$/u;

/** Whether a number is a year of today. */
export const isYear = (number: string): boolean => YEAR_ALONE.test(number);

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

/** A run of digits without the dates at its ends. `start`: how many characters were left out before it. */
export function withoutDates(run: string, behind: string): { start: number; digits: string } {
	const [dateBefore = ''] =
		DAY_BEFORE.exec(run) ?? YEAR_BEFORE.exec(run) ?? GLUED_YEAR_BEFORE.exec(run) ?? [];
	// Where the name of a month is behind a run, the run ends with the day.
	const dayAtEnd = MONTH_BEHIND.test(behind) ? MONTH_DAY_AT_END : DATE_BEHIND;
	const digits = run
		.slice(dateBefore.length)
		.replace(dayAtEnd, '')
		.replace(YEAR_BEHIND, '$1')
		.replace(GLUED_YEAR_BEHIND, '$1');
	return { start: dateBefore.length, digits };
}

/** What follows the year in a whole date without separators; undefined for other digits. */
export const numberBehindYear = (digits: string): string | undefined =>
	YEAR_OF_DATE.test(digits) ? digits.replace(YEAR_OF_DATE, '') : undefined;

/** Whether two dates differ. A year alone is that of each date in it. */
export const areOfTwoDates = (one: string | undefined, other: string | undefined): boolean =>
	one !== undefined &&
	other !== undefined &&
	one !== other &&
	!isYearOf(one, other) &&
	!isYearOf(other, one);

/** Whether a date is a year alone, and that of another date. */
const isYearOf = (year: string, date: string): boolean => isYear(year) && date.includes(year);

/** The date that stands directly beside a number, if one does. */
export function dateBeside({
	before,
	behind,
}: {
	before: string;
	behind: string;
}): string | undefined {
	const [date] =
		DATE_BEHIND.exec(behind) ??
		DAY_AT_END.exec(before) ??
		YEAR_AT_START.exec(behind) ??
		YEAR_AT_END.exec(before) ??
		[];
	if (date !== undefined) {
		return date.replace(/^-|-$/gu, '');
	}
	const glued = GLUED_YEAR_AT_START.exec(behind) ?? GLUED_YEAR_AT_END.exec(before);
	return glued?.[1];
}
