import { type Dated, isDate, withoutDates } from './invoiceDates';

/*
 * The runs of digits in a match key, as from `matchKeyOf`, and which of them may be the number of an invoice.
 */

/** A run of digits with what separates them, and a single letter behind it, such as in 1042a. */
const RUNS = /\p{N}[\p{N}-]*(?:\p{L}(?![\p{L}\p{N}]))?/gu;

/** Letters that look like digits, between or behind digits. */
const LOOK_ALIKES = /(?<=\p{N})[oil]+(?!\p{L})/gu;

/** Those behind a few digits. Behind more, such as a year, a letter rather begins a number: `2026l444` is L-444. */
const LIKELY_LOOK_ALIKES = /(?<=(?<!\p{N})\p{N}{1,3})[oil]+(?!\p{L})/gu;

/** Those in a number. Zeros may be missing behind them, since the match key of `7O041` is `7o41`. */
const LOOK_ALIKES_INSIDE = /(?<=\p{N})[oil]+(?=\p{N})/gu;

/** What stands before the number of an order, which people write beside that of the invoice. */
const ORDER_WORD =
	/(?<!\p{L})(?:po|purchaseorder|order|bestellung|auftrag|commande|pedido|ordine)(?:no|nr|number)?$/u;

/** What a spreadsheet writes behind a whole number. */
const ZERO_BEHIND = /-0$/u;

/** A run of a match key, without the dates beside its number. */
interface Found extends Dated {
	/** Where the run begins and ends in the match key. */
	start: number;
	end: number;
	/** An order's number counts if there is no other. */
	isOrder: boolean;
}

/** The digits that letters look like. */
const DIGITS_FOR = new Map([
	['o', '0'],
	['i', '1'],
	['l', '1'],
	['z', '2'],
	['s', '5'],
	['b', '8'],
]);

/** The digits that letters look like: of `ol`, 01. */
export const digitsFor = (letters: string): string =>
	Array.from(letters, (letter) => DIGITS_FOR.get(letter) ?? letter).join('');

/** How a match key can be read: its letters that look like digits as digits, also before zeros, or as letters. */
export const spellingsOf = (key: string): Set<string> =>
	new Set([
		key.replace(LOOK_ALIKES, digitsFor),
		key.replace(LOOK_ALIKES_INSIDE, (letters) => `${digitsFor(letters)}-`),
		key,
	]);

/** How a match key is most likely meant. */
export const likelySpellingOf = (key: string): string => key.replace(LIKELY_LOOK_ALIKES, digitsFor);

/** What may be the number of an invoice in a match key, in the order in which it stands there. */
export function findNumbers(matchKey: string): Found[] {
	const found: Found[] = [];
	for (const { 0: run, index: start } of matchKey.matchAll(RUNS)) {
		const end = start + run.length;
		const before = matchKey.slice(0, start);
		const behind = matchKey.slice(end);
		if (!isDate(run, before, behind)) {
			const { digits, date } = withoutDates(run, behind);
			const whole = digits.replace(ZERO_BEHIND, '');
			found.push({ start, end, date, ...withoutOrder(whole, before) });
		}
	}
	const ofInvoices = found.filter(({ isOrder }) => !isOrder);
	return ofInvoices.length > 0 ? ofInvoices : found;
}

/** Behind the word for an order, the first of several numbers is the order's: of `po7-1042`, 1042 is left. */
function withoutOrder(digits: string, before: string): Pick<Found, 'digits' | 'isOrder'> {
	if (!ORDER_WORD.test(before)) {
		return { digits, isOrder: false };
	}

	const separator = digits.indexOf('-');
	if (separator < 0) {
		return { digits, isOrder: true };
	}
	return { digits: digits.slice(separator + 1), isOrder: false };
}

/** The last run of digits; empty in words alone. */
export function lastRun(matchKey: string): string {
	const [run = ''] = [...matchKey.matchAll(RUNS)].at(-1) ?? [];
	return run;
}

/** The first run of digits, which is a date if the match key has no number. */
export function firstRun(matchKey: string): RegExpExecArray | undefined {
	const [run] = matchKey.matchAll(RUNS);
	return run;
}
