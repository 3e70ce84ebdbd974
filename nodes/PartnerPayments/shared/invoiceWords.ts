import { isYear } from './invoiceDates';

/*
 * References that are words alone, maybe with a year, such as `Retainer May` and `May retainer 2026`.
 */

/** What people write before the number of an invoice. */
const INVOICE_WORDS =
	'(?:invoice|inv|bill|rechnung|facture|factuur|factura|fattura|fatura|faktura)(?:number|no|nr)?';
const INVOICE_WORD_BEFORE = new RegExp(String.raw`^${INVOICE_WORDS}(?=\p{L})`, 'u');
const INVOICE_WORD_ALONE = new RegExp(`^${INVOICE_WORDS}$`, 'u');

const NUMBERS = /\p{N}+/gu;

/** Words without that for an invoice before them, the same for each order in which they follow each other. */
export function inOneOrder(words: string): string {
	const letters = Array.from(words.replace(INVOICE_WORD_BEFORE, ''));
	const orders = letters.map((_, start) => {
		const behind = letters.slice(start);
		return behind.concat(letters.slice(0, start)).join('');
	});
	return orders.reduce((first, order) => (order < first ? order : first), letters.join(''));
}

/** Whether words only say that a number is that of an invoice. */
export const isInvoiceWord = (words: string): boolean => INVOICE_WORD_ALONE.test(words);

/** What a match key consists of that has words, and no number but a year. */
export interface InvoiceWords {
	/** As from `inOneOrder`. */
	words: string;
	year: string | undefined;
}

/** The words of a match key; undefined if it has a number, or no words. */
export function wordsIn(matchKey: string): InvoiceWords | undefined {
	const [year, ...more] = matchKey.match(NUMBERS) ?? [];
	const hasNumber = more.length > 0 || (year !== undefined && !isYear(year));
	const words = matchKey.replace(NUMBERS, '');
	if (hasNumber || words === '') {
		return undefined;
	}
	return { words: inOneOrder(words), year };
}

/** Whether two match keys have the same words, in any order, and no two years. */
export function haveSameWords(one: string, other: string): boolean {
	const first = wordsIn(one);
	const second = wordsIn(other);
	if (first === undefined || first.words !== second?.words) {
		return false;
	}
	return first.year === undefined || second.year === undefined || first.year === second.year;
}
