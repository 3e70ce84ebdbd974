/** Characters that nobody sees and that a copied text may hold: controls and formats. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/gu;

/** A unique reference in the form in which references are compared; empty when nothing is left of it. */
export const normalizeReference = (text: string): string =>
	text.normalize('NFC').replace(INVISIBLE, '').trim();
