/** What mail servers take at most (RFC 5321 §4.5.3.1.3, without the brackets). */
const MAX_EMAIL_LENGTH = 254;
/**
 * One "@", and nothing that would make it two addresses or a name with an address, and nothing
 * invisible, such as a mark that reverses the text after it.
 */
const EMAIL_ADDRESS = /^[^\s@,;<>\p{C}]+@(?<domain>[^\s@,;<>\p{C}]+)$/u;

export function isEmailAddress(text: string): boolean {
	const domain = EMAIL_ADDRESS.exec(text)?.groups?.domain ?? '';
	if (text.length > MAX_EMAIL_LENGTH || domain.includes('..')) {
		return false;
	}
	return domain.slice(1, -1).includes('.');
}

/**
 * An email address in the form in which addresses are compared: plain letters in lower case, the domain
 * without its final dot. Nothing else is changed: the Kelvin sign would become a "k", and the address that
 * of somebody else.
 */
export function foldAddress(address: string): string {
	const withoutDot = address.includes('@') ? address.replace(/\.$/, '') : address;
	return withoutDot.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export const isSameAddress = (one: string, other: string): boolean =>
	foldAddress(one) === foldAddress(other);
