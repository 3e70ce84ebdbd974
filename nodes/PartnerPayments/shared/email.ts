/** What mail servers take at most (RFC 5321 §4.5.3.1.3, without the brackets). */
const MAX_LENGTH = 254;
/**
 * One "@", and nothing that would make two addresses of it, or a name and an address, or that nobody
 * sees, such as a mark that turns what follows around.
 */
const ADDRESS = /^[^\s@,;<>\p{C}]+@(?<domain>[^\s@,;<>\p{C}]+)$/u;

/** Whether a text is one e-mail address, as far as its form tells. */
export function isEmailAddress(text: string): boolean {
	const domain = ADDRESS.exec(text)?.groups?.domain ?? '';
	return text.length <= MAX_LENGTH && domain.slice(1, -1).includes('.');
}

/**
 * Whether two texts are the same address. Only plain letters are the same in capitals: the Kelvin sign
 * becomes a "k" in small letters, and is part of another address.
 */
export const isSameAddress = (one: string, other: string): boolean => fold(one) === fold(other);

const fold = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
