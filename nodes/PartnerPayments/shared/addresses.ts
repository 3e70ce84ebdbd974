/** What mail servers take at most (RFC 5321 §4.5.3.1, without the brackets). */
const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** The characters before the "@" of an address that is not in quotes (RFC 5321 §4.1.2, RFC 6531 §3.3), and dots. */
const LOCAL_CHARACTER = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]$/u;
/** The characters of a host, and dots. */
const DOMAIN_CHARACTER = /^[\p{L}\p{M}\p{N}.-]$/u;
/** One part of a host (RFC 1123 §2.1, RFC 5890 §2.3.1). */
const LABEL = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62}$/u;

const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;
/** An accent that belongs to no letter, or to the last part of a host, where it is overlooked. */
const STRAY_ACCENT = /^\p{M}|@\p{M}|[\u0300-\u036f](?=[^\u0300-\u036f.]*$)/u;
/** A character as web addresses write it. */
const ENCODED = /%[0-7][\dA-F]|(?:%[89A-F][\dA-F]){2,4}/iu;
const WHITE_SPACE = /\s/u;

const ENTER_ADDRESS = 'Enter an address such as name@example.com.';

/**
 * What to do with a text that is no email address as mail servers take it, in sentences; undefined for an
 * address. An address in quotes, which is legal and never used, is refused.
 */
export function addressAdvice(text: string): string | undefined {
	const count = text.split('@').length - 1;
	if (count === 0) {
		return ENTER_ADDRESS;
	}
	if (count > 1) {
		const [, ...betweenAndAfter] = text.split('@');
		const between = betweenAndAfter.slice(0, -1);
		return between.some((part) => part.includes('.'))
			? 'Remove all addresses but one. Each item pays one vendor.'
			: 'Remove all "@" but one.';
	}
	if (INVISIBLE.test(text)) {
		return 'Remove its invisible characters: delete the address, and type it.';
	}
	// Shorter when an accent becomes part of its letter. A look-alike such as the Kelvin sign is no accent.
	if (text.normalize('NFC').length < text.length || STRAY_ACCENT.test(text)) {
		return 'Delete the address, and type it: an accent in it is not part of its letter.';
	}
	const [encoded] = ENCODED.exec(text) ?? [];
	if (encoded !== undefined) {
		return `"${encoded}" is the code of another character. Enter the address as its owner writes it.`;
	}
	return isWhole(text) ? partAdvice(text) : (surroundingAdvice(text) ?? characterAdvice(text));
}

/** Whether a text has the characters of an address alone. */
function isWhole(text: string): boolean {
	const { local, domain } = partsOf(text);
	return (
		Array.from(local).every((one) => LOCAL_CHARACTER.test(one)) &&
		Array.from(domain).every((one) => DOMAIN_CHARACTER.test(one))
	);
}

function partsOf(text: string): { local: string; domain: string } {
	const at = text.indexOf('@');
	return { local: text.slice(0, at), domain: text.slice(at + 1) };
}

/** For a text that has the characters of an address alone. */
function partAdvice(text: string): string | undefined {
	const { local, domain } = partsOf(text);
	const advice = punctuationAdvice(text) ?? nameAdvice(text);
	if (advice !== undefined) {
		return advice;
	}
	if (local.length > MAX_LOCAL_LENGTH || text.length > MAX_EMAIL_LENGTH) {
		return `It is too long: remove what does not belong to it. ${ENTER_ADDRESS}`;
	}
	const labels = domain.split('.');
	const isHost = labels.length > 1 && labels.every((label) => LABEL.test(label));
	const hasName = !/^\p{N}+$/u.test(labels.at(-1) ?? '');
	return local !== '' && isHost && hasName ? undefined : ENTER_ADDRESS;
}

/** For dots and hyphens where an address has none. */
function punctuationAdvice(text: string): string | undefined {
	const { local, domain } = partsOf(text);
	const labels = domain.split('.');
	if (text.includes('..')) {
		return 'Remove one of the two dots in a row.';
	}
	if (domain.endsWith('.')) {
		return 'Remove the dot at the end.';
	}
	if (local.startsWith('.') || local.endsWith('.') || domain.startsWith('.')) {
		return 'Remove the dot at the beginning, or beside the "@".';
	}
	if (labels.some((label) => label.startsWith('-') || label.endsWith('-'))) {
		return 'Remove the hyphen at the beginning or the end of a part of the host.';
	}
	return undefined;
}

/** What a program writes in place of a name that it does not have. In other capitals, some are names. */
const NO_NAMES = new Set(['undefined', 'null', 'NULL', 'NaN', 'None', '#N/A', 'N/A', 'n/a']);

/** A field of a form or a header, as a web address or a file has it. */
const FIELD = /^(?:e-?mail|mailto|to|address|payee|vendor)=/iu;
/** What is legal at the beginning of an address, and never there. */
const MARKS_BEFORE = new Set("!#$%&'*/=?^`{|}~");

/** For what stands before the "@" and is legal, but no name. */
function nameAdvice(text: string): string | undefined {
	const { local } = partsOf(text);
	const parts = local.split(/[.+_-]/u);
	if (parts.includes('undefined') || parts.every((part) => NO_NAMES.has(part))) {
		return 'A program wrote a word for the name that is missing. Correct the field or expression that the address comes from.';
	}
	const added = FIELD.exec(local)?.[0] ?? local.slice(0, countMarks(local, MARKS_BEFORE));
	if (added === '') {
		return undefined;
	}
	const isAddress = addressAdvice(text.slice(added.length)) === undefined;
	return isAddress ? `Remove ${quoted(added)} at the beginning.` : ENTER_ADDRESS;
}

/** What opens before an address, such as a bracket, a quotation mark, or the colon of "mailto:". */
const OPENING = /(?:^|[<([{:"'\u2018\u201c\u201e\u00ab*_~`|])[/=]*\s*$/u;
/** What closes it. A comma or a full stop between letters may stand for a dot of the address. */
const CLOSING = /^\s*(?:[<>()[\]{}"'\u2019\u201c\u201d\u00bb*_~`|?/:\\]|[.,;!](?:\s|$))/u;
/** What may be a mark around an address, and may be a part of it, too. */
const MARKS = new Set(['_', ...MARKS_BEFORE]);

/** For a text that holds an address and something around it, such as a name, quotation marks, or a query. */
function surroundingAdvice(text: string): string | undefined {
	const { local, domain } = partsOf(text);
	const name = runAtEnd(local);
	const host = withoutFinalDots(runAtStart(domain));
	const address = `${name}@${host}`;
	const start = local.length - name.length;
	const marks = countMarks(address, MARKS);
	const inner = address.slice(marks);

	const before = text.slice(0, start + marks);
	const after = text.slice(before.length + inner.length);
	const isAround = (before === '' || OPENING.test(before)) && (after === '' || CLOSING.test(after));
	// What is left of the path of a web address would be another address.
	const isPath = before.includes('/') && inner.includes('/');
	if (!isAround || isPath || addressAdvice(inner) !== undefined) {
		return undefined;
	}
	const rest = [before, after].filter((part) => part !== '').map((part) => quoted(part));
	return `Remove ${rest.join(' and ')}. Enter the address alone.`;
}

function withoutFinalDots(host: string): string {
	let end = host.length;
	while (host.charAt(end - 1) === '.') {
		end -= 1;
	}
	return host.slice(0, end);
}

function countMarks(text: string, among: Set<string>): number {
	let marks = 0;
	while (among.has(text.charAt(marks))) {
		marks += 1;
	}
	return marks;
}

/** The characters of an address that end a text. */
function runAtEnd(local: string): string {
	const characters = Array.from(local);
	const others = characters.map((one) => !LOCAL_CHARACTER.test(one));
	return characters.slice(others.lastIndexOf(true) + 1).join('');
}

/** The characters of a host that begin a text. */
function runAtStart(domain: string): string {
	const characters = Array.from(domain);
	const end = characters.findIndex((one) => !DOMAIN_CHARACTER.test(one));
	return characters.slice(0, end < 0 ? characters.length : end).join('');
}

/** For a text with a character in it that no address has. */
function characterAdvice(text: string): string {
	if (WHITE_SPACE.test(text)) {
		return 'Remove the white space, and all that is not the address.';
	}
	const { local, domain } = partsOf(text);
	const wrong =
		Array.from(local).find((one) => !LOCAL_CHARACTER.test(one)) ??
		Array.from(domain).find((one) => !DOMAIN_CHARACTER.test(one)) ??
		'';
	return `Remove ${quoted(wrong)}, or correct it. ${ENTER_ADDRESS}`;
}

const MAX_QUOTED = 30;

const quoted = (text: string): string =>
	text.length > MAX_QUOTED ? `"${text.slice(0, MAX_QUOTED)}…"` : `"${text}"`;

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

/** Where people of many companies have their addresses. */
const PUBLIC_DOMAIN =
	/^(?:gmail|googlemail|outlook|hotmail|live|msn|yahoo|icloud|me|aol|gmx|mail|proton|protonmail|web|fastmail|zoho|yandex|qq|163)\.(?:[a-z]{2,3}|com?\.[a-z]{2})$/u;

/** Whether two addresses are of one company, such as billing@example.com and office@example.com. */
export function areOfOneCompany(one: string, other: string): boolean {
	const domain = domainOf(one);
	return domain !== '' && domain === domainOf(other) && !PUBLIC_DOMAIN.test(domain);
}

/** The host of an address; empty for the ID of a vendor. */
const domainOf = (address: string): string =>
	address.includes('@') ? partsOf(foldAddress(address)).domain : '';
