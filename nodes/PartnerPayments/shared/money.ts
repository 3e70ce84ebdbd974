import { ENTER_IT, excerpt, InputError } from './errors';
import { readText } from './fieldReaders';

/** The unit that a user gave an amount in. */
export type AmountUnit = 'dollars' | 'cents';

/** The one denomination that the service shows, and the digits of its minor unit. */
export const DENOMINATION = 'us_cents';
const MINOR_DIGITS = 2;

const MAX_AMOUNT = BigInt(Number.MAX_SAFE_INTEGER);

const ABOVE_ZERO = 'Enter an amount above zero.';
/** Without its sign, a credit note would be paid. */
const DEDUCT_IT =
	'A credit note is never paid, so do not remove the sign. Deduct it from an invoice of the same vendor that is not paid yet.';
const PLAIN_DIGITS =
	'Write digits with a point before the decimals, such as 1234.50, without separators, exponent or currency sign.';
const WHOLE_CENTS =
	'Write digits alone, as whole cents without a point, separators, exponent or currency sign: 25000 for 250.00 dollars.';
const CHECK_IT = 'It is more than 90 trillion dollars. Check the field that it comes from.';

/** Longer texts are no amounts, and take long to read. */
const MAX_LENGTH = 1000;

const PLAIN_DECIMAL = /^(?<sign>[+-]?)(?<whole>\d+)(?:\.(?<fraction>\d+))?$/;

/**
 * Converts an amount to minor units, a whole number from 1 to 2^53-1: digit by digit, so that no
 * floating-point arithmetic can change it.
 *
 * @throws InputError that begins with `subject`, which is what a message calls the value
 */
export function toMinorUnits(value: unknown, unit: AmountUnit, subject = 'The amount'): number {
	const fail = (reason: string, hint: string): never => {
		throw new InputError(`${subject} ${reason}`, hint);
	};
	const isCents = unit === 'cents';

	// A number is written out as JavaScript holds it, so that what arithmetic did to it shows.
	const given = typeof value === 'number' ? String(value) : value;
	const text = readText(given, subject, 'a number');
	if (text === undefined) {
		return fail('is empty', ENTER_IT);
	}

	const shown = excerpt(text);
	const digits = digitsOf(text);
	if (digits === undefined) {
		return fail(`"${shown}" is not a plain number`, isCents ? WHOLE_CENTS : PLAIN_DIGITS);
	}

	// 250.00 is never taken for cents.
	const decimals = isCents ? 0 : MINOR_DIGITS;
	const { isNegative, whole, fraction } = digits;
	if (fraction.length > decimals) {
		const excess = `has ${fraction.length} decimals, and ${unit} have ${decimals} at most`;
		return fail(`"${shown}" ${excess}`, decimalsAdvice(unit, whole, fraction));
	}

	const minor = BigInt(whole + fraction.padEnd(decimals, '0'));
	if (minor === 0n) {
		return fail('is zero', ABOVE_ZERO);
	}
	if (isNegative) {
		return fail(`"${shown}" is negative`, DEDUCT_IT);
	}
	if (minor > MAX_AMOUNT) {
		return fail(`"${shown}" is too large to be sent exactly`, CHECK_IT);
	}
	return Number(minor);
}

/**
 * What to do about more decimals than a unit has. It never proposes the other unit: that would be a
 * hundred times as much, or as little.
 */
function decimalsAdvice(unit: AmountUnit, whole: string, fraction: string): string {
	const isCents = unit === 'cents';
	const round = isCents ? 'Math.round(…)' : '.toFixed(2)';
	const roundInSheet = isCents ? 'ROUND(…, 0)' : 'ROUND(…, 2)';
	const roundIt = `If it is calculated, round it: ${round} in the expression, or ${roundInSheet} in the spreadsheet.`;

	// As some countries write it, 1.000 is a thousand. No thousands begin with zero.
	if (fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)) {
		return `Is it ${whole}${fraction}, with a point between thousands? Then write it without the point. ${roundIt}`;
	}
	if (isCents && fraction.length < 3) {
		return WHOLE_CENTS;
	}
	return roundIt;
}

/** The digits before and after the decimal point; undefined for what is no plain number. */
function digitsOf(
	text: string,
): { isNegative: boolean; whole: string; fraction: string } | undefined {
	const groups = text.length > MAX_LENGTH ? undefined : PLAIN_DECIMAL.exec(text)?.groups;
	if (groups === undefined) {
		return undefined;
	}
	const { sign, whole = '', fraction = '' } = groups;
	return { isNegative: sign === '-', whole, fraction };
}

/** Adds up amounts in minor units; throws an InputError when the sum is too large to be exact. */
export function sum(amounts: number[]): number {
	const total = amounts.reduce((rest, amount) => rest + BigInt(amount), 0n);
	if (total <= MAX_AMOUNT) {
		return Number(total);
	}
	throw new InputError('The sum of the amounts is too large to be sent exactly', CHECK_IT);
}

/** An amount in minor units as messages show it: 1999 is $19.99. */
export const dollarText = (minor: number): string => `$${formatDollars(minor)}`;

/** An amount in minor units as data holds it: 1999 is 19.99. */
export function formatDollars(minor: number): string {
	const digits = String(minor).padStart(MINOR_DIGITS + 1, '0');
	return `${digits.slice(0, -MINOR_DIGITS)}.${digits.slice(-MINOR_DIGITS)}`;
}
