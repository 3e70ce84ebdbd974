/** Characters that nobody sees and that a copied text may hold: controls, formats, halves of pairs. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;

/**
 * A unique reference in the form in which references are compared; empty when nothing is left of it.
 * Invisible characters go first, since one between a letter and its accent keeps them apart.
 */
export const normalizeReference = (text: string): string =>
	text.replace(INVISIBLE, '').normalize('NFC').trim();
