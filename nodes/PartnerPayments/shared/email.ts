/** What mail servers take at most (RFC 5321 §4.5.3.1.3, without the brackets). */
const MAX_LENGTH = 254;
/** One "@", and nothing that would make two addresses of it, or a name and an address. */
const ADDRESS = /^[^\s@,;<>]+@(?<domain>[^\s@,;<>]+)$/;

/** Whether a text is one e-mail address, as far as its form tells. */
export function isEmailAddress(text: string): boolean {
	const domain = ADDRESS.exec(text)?.groups?.domain ?? '';
	return text.length <= MAX_LENGTH && domain.slice(1, -1).includes('.');
}
