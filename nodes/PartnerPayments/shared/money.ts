import { assertResolved, ENTER_IT, excerpt, InputError, isEmpty, rejectKind } from './values';

/** The unit that a user gave an amount in: the minor unit (cents) or the major one (dollars). */
export type AmountUnit = 'minor' | 'major';

/** The one denomination that the service shows, and the digits of its minor unit. */
export const DENOMINATION = 'us_cents';
const MINOR_DIGITS = 2;

const MAX_AMOUNT = BigInt(Number.MAX_SAFE_INTEGER);

const ABOVE_ZERO = 'Enter an amount above zero.';
const PLAIN_DIGITS =
	'Write digits with a point before the decimals, such as 1234.50, without separators, exponent or currency sign.';
const WHOLE_CENTS =
	'Write digits alone, as whole cents without a point, separators, exponent or currency sign: 25000 for 250.00 dollars. Or set Amount Unit to Major (Dollars).';
const ROUND_IT =
	'Enter at most two. If it comes from a calculation, round it in the expression with .toFixed(2).';
const SPLIT_IT = 'Split it into smaller ones.';

/** Longer texts are no amounts, and take long to read. */
const MAX_LENGTH = 1000;

const PLAIN_DECIMAL = /^(?<sign>[+-]?)(?<whole>\d+)(?:\.(?<fraction>\d+))?$/;

/**
 * Converts an amount to minor units, a whole number from 1 to 2^53-1: digit by digit, so that no
 * floating-point arithmetic can change it.
 */
export function toMinorUnits(value: unknown, unit: AmountUnit, subject = 'The amount'): number {
	const reject = (reason: string, hint: string): never => {
		throw new InputError(`${subject} ${reason}`, hint);
	};
	const written = amountText(value, subject);
	if (written === '') return reject('is empty', ENTER_IT);
	const text = excerpt(written);
	const digits = written.length > MAX_LENGTH ? undefined : PLAIN_DECIMAL.exec(written)?.groups;
	if (digits === undefined)
		return reject(`"${text}" is not a plain number`, unit === 'minor' ? WHOLE_CENTS : PLAIN_DIGITS);
	const { sign, whole = '', fraction = '' } = digits;
	// An amount such as 250.00 means dollars.
	if (fraction !== '' && unit === 'minor')
		return reject(`"${text}" has decimals, but its unit is minor (cents)`, WHOLE_CENTS);
	const excess = `has ${fraction.length} decimals, but the unit has only ${MINOR_DIGITS}`;
	if (fraction.length > MINOR_DIGITS) return reject(`"${text}" ${excess}`, ROUND_IT);
	const minor = BigInt(whole + (unit === 'major' ? fraction.padEnd(MINOR_DIGITS, '0') : ''));
	if (minor === 0n) return reject('is zero', ABOVE_ZERO);
	if (sign === '-') return reject(`"${text}" is negative`, ABOVE_ZERO);
	if (minor > MAX_AMOUNT) return reject(`"${text}" is too large to be sent exactly`, SPLIT_IT);
	return Number(minor);
}

/** Adds up amounts in minor units; throws an InputError when the sum is too large to be exact. */
export function sum(amounts: number[]): number {
	const total = amounts.reduce((rest, amount) => rest + BigInt(amount), 0n);
	if (total <= MAX_AMOUNT) return Number(total);
	throw new InputError('The sum of the amounts is too large to be sent exactly', SPLIT_IT);
}

/** An amount in minor units as people read it: 1999 is 19.99. */
export function inMajorUnits(minor: number): string {
	const digits = String(minor).padStart(MINOR_DIGITS + 1, '0');
	return `${digits.slice(0, -MINOR_DIGITS)}.${digits.slice(-MINOR_DIGITS)}`;
}

/** A number is written out as JavaScript holds it, so that what arithmetic did to it shows. */
function amountText(value: unknown, subject: string): string {
	if (isEmpty(value)) return '';
	assertResolved(value, subject);
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') return value.trim();
	return rejectKind(value, subject, 'a number');
}
