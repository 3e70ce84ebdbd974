// A JWT inside an address is left alone: it opens a document that the service means to show.
const TOKEN_PATTERNS = [
	/(?<![\w=/&?.%-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g,
	/\bBearer\s+(?=\S*\d)[\w.~+/-]{8,}=*/gi,
];
const SECRET_FIELDS = ['clientSecret', 'accessToken', 'webhookSigningSecret', 'n8nApiKey'];

const SECRET_WORD = String.raw`(?:secret|signing|signature|hmac|token|password|passphrase|credential|authorization|(?:api|private|shared|access|webhook|encryption)[_-]?key|(?<![\w-])key(?![\w-]))`;
const SECRET_NAME = new RegExp(SECRET_WORD, 'i');
/** A name with a value in quotes, as in JSON, or in JSON inside a JSON text. */
const QUOTED_SECRET = new RegExp(
	String.raw`(${SECRET_WORD}[\w-]{0,40}\\*["']?\s*[:=]\s*\\*(["']))(?:\\.|(?!\2)[^\\])*`,
	'gis',
);
const UNQUOTED_SECRET = new RegExp(String.raw`(${SECRET_WORD}[\w-]{0,40}=)[^\s"'&;,<>#]+`, 'gi');

// A shorter one is no real secret, and would take ordinary words out of messages.
const MIN_SECRET_LENGTH = 6;
const MAX_DEPTH = 100;
const REDACTED = '[redacted]';
const TOO_DEEP = '[too deep]';
/**
 * No honest body names more secrets. To search the body for each of more would take too long, so all of
 * it is removed.
 */
const MAX_NAMED = 200;

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

type Redact = (text: string) => string;

/**
 * Makes a function that removes a credential's secrets from texts of the service, so that an answer
 * that repeats them never reaches an item, an error or the stored execution.
 *
 * @param newer tokens that may be newer than the credential's, and headers with such tokens
 */
export function redactor(credentials: Record<string, unknown>, ...newer: unknown[]): Redact {
	const secrets = [
		...SECRET_FIELDS.map((field) => credentials[field]),
		// As HTTP Basic Authentication writes a client (RFC 7617).
		[credentials.clientId, credentials.clientSecret].join(':'),
		...oAuth2Tokens(credentials),
		...newer.map((value) => (typeof value === 'string' ? value.replace(/^Bearer\s+/i, '') : value)),
	]
		.filter(
			(value): value is string => typeof value === 'string' && value.length >= MIN_SECRET_LENGTH,
		)
		.flatMap(spellings)
		.sort((one, other) => other.length - one.length);
	return (text) => {
		const withoutKnown = secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
		return TOKEN_PATTERNS.reduce((rest, shape) => rest.replace(shape, REDACTED), withoutKnown);
	};
}

/**
 * How answers may write a secret: in JSON, in JSON inside a JSON text, in a URL, a form, a page or
 * base64; each once.
 */
function spellings(secret: string): string[] {
	const inJson = JSON.stringify(secret).slice(1, -1);
	// Half of a surrogate pair cannot be encoded, which is no reason to throw away an answer.
	const inUrl = encodeURIComponent(secret.replace(/\p{Cs}/gu, '\ufffd'));
	const inLowerCase = inUrl.replace(/%../g, (code) => code.toLowerCase());
	const inPage = secret.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
	const inBase64 = Buffer.from(secret)
		.toString('base64')
		.replace(/={1,2}$/, '');
	const inBase64Url = Buffer.from(secret).toString('base64url');
	const inPath = inJson.replaceAll('/', '\\/');
	const inTexts = [inJson, inPath, inUrl, inLowerCase, inPage, inBase64, inBase64Url];
	return [...new Set([secret, ...inTexts])];
}

/**
 * Takes secrets out of every text and every name of a parsed body, however the JSON wrote them.
 *
 * @param body parsed JSON, or the text of a body that is none
 * @param isHidden whether the whole value of a name is removed
 * @param depth levels that are kept: deeper ones would exhaust the stack
 */
export function redactedBody(
	body: unknown,
	redact: Redact,
	isHidden: (name: string) => boolean = () => false,
	depth = MAX_DEPTH,
): unknown {
	if (typeof body === 'string') {
		return redact(body);
	}

	if (typeof body !== 'object' || body === null) {
		return body;
	}

	if (depth === 0) {
		return TOO_DEEP;
	}

	const inner = (value: unknown): unknown => redactedBody(value, redact, isHidden, depth - 1);
	if (Array.isArray(body)) {
		return body.map(inner);
	}

	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => [
			redact(name),
			isHidden(name) && value !== null ? REDACTED : inner(value),
		]),
	);
}

/**
 * Takes out of a parsed body what is called a secret, at any depth, and its value wherever else the
 * body repeats it.
 */
export function redactNamed(body: unknown): unknown {
	return redactedBody(body, redactorOfNamed(body), (name) => SECRET_NAME.test(name));
}

/** Makes a function that takes the values out of a text that a parsed body calls secrets. */
export function redactorOfNamed(body: unknown): Redact {
	const secrets = namedSecrets(body);
	return secrets.length > MAX_NAMED ? () => REDACTED : redactor({}, ...secrets);
}

/** Takes out of a text what is called a secret: `"secret":"..."` and `secret=...`. */
export const redactNamedInText = (text: string): string =>
	text.replace(QUOTED_SECRET, '$1[redacted]').replace(UNQUOTED_SECRET, '$1[redacted]');

/** The texts of a parsed body that are called a secret, or are inside something that is; each once. */
export function namedSecrets(body: unknown): string[] {
	const found = new Set<string>();
	const search = (value: unknown, isSecret: boolean, depth: number): void => {
		if (typeof value === 'string' && isSecret) {
			found.add(value);
		}

		if (typeof value !== 'object' || value === null || depth === 0) {
			return;
		}

		for (const [name, inner] of Object.entries(value)) {
			search(inner, isSecret || SECRET_NAME.test(name), depth - 1);
		}
	};
	search(body, false, MAX_DEPTH);
	return [...found];
}

/** The tokens that a connected account left in a credential; none before it is connected. */
export function oAuth2Tokens(credentials: Record<string, unknown>): unknown[] {
	const tokens = credentials.oauthTokenData;
	if (typeof tokens !== 'object' || tokens === null) {
		return [];
	}

	return Object.entries(tokens)
		.filter(([name]) => name.endsWith('_token'))
		.map(([, value]: [string, unknown]) => value);
}
