/**
 * A text with its ASCII letters in lower case. Letters of other alphabets stay as they are:
 * `toLowerCase` would make a "k" of the Kelvin sign, and so one address of two.
 */
export const lowerAscii = (text: string): string =>
	text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
