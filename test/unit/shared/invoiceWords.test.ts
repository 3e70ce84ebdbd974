import {
	haveSameWords,
	inOneOrder,
	type InvoiceWords,
	wordsIn,
} from '../../../nodes/PartnerPayments/shared/invoiceWords';

test.each([
	['retainermay', 'mayretainer'],
	['invoiceabc', 'abc'],
	['billno\u00e9t\u00e9', '\u00e9t\u00e9'],
	['abc', 'bca'],
	['a', 'a'],
])('%p and %p are the same words in one order', (one, other) => {
	expect(inOneOrder(one)).toBe(inOneOrder(other));
});

test.each([
	['abc', 'acb'],
	['retainermay', 'retainerjune'],
	['myinvoiceabc', 'myabc'],
	['invoice', ''],
])('%p and %p are other words', (one, other) => {
	expect(inOneOrder(one)).not.toBe(inOneOrder(other));
});

test.each<[matchKey: string, words: InvoiceWords | undefined]>([
	['may', { words: 'aym', year: undefined }],
	['may2026', { words: 'aym', year: '2026' }],
	['rent2026may', { words: 'ayrentm', year: '2026' }],
	['may2019', undefined],
	['may2026-7', undefined],
	['may7', undefined],
	['2026', undefined],
	['1042', undefined],
	['', undefined],
])('of %p, the words are %j', (matchKey, words) => {
	expect(wordsIn(matchKey)).toEqual(words);
});

test.each([
	['rentmay', 'mayrent', true],
	['rentmay2026', 'mayrent', true],
	['rentmay2026', 'mayrent2026', true],
	['rentmay2026', 'mayrent2025', false],
	['rentmay', 'rentjune', false],
	['rentmay', 'rentmay7', false],
	['7', '8', false],
])('%p and %p have the same words: %p', (one, other, expected) => {
	expect(haveSameWords(one, other)).toBe(expected);
	expect(haveSameWords(other, one)).toBe(expected);
});
