const TOKEN_SHAPES = [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, /\bBearer\s+[\w.~+/-]{8,}=*/gi];
const SECRET_FIELDS = ['clientSecret', 'accessToken', 'webhookSigningSecret'];
// A shorter one is no real secret, and would take ordinary words out of messages.
const SHORTEST_SECRET = 6;

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/**
 * Makes a function that removes a credential's secrets from texts of the service, so that an answer
 * that repeats them never reaches an item, an error or the stored execution.
 *
 * @param credentials the decrypted credential, of either type
 */
export function redactor(credentials: Record<string, unknown>): Redact {
	const secrets = [
		...SECRET_FIELDS.map((field) => credentials[field]),
		...oAuth2Tokens(credentials),
	]
		.filter(
			(value): value is string => typeof value === 'string' && value.length >= SHORTEST_SECRET,
		)
		.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
		.sort((one, other) => other.length - one.length);
	return (text) => {
		const withoutKnown = secrets.reduce(
			(rest, secret) => rest.replaceAll(secret, '[redacted]'),
			text,
		);
		return TOKEN_SHAPES.reduce((rest, shape) => rest.replace(shape, '[redacted]'), withoutKnown);
	};
}

function oAuth2Tokens(credentials: Record<string, unknown>): unknown[] {
	const tokens = credentials.oauthTokenData;
	if (typeof tokens !== 'object' || tokens === null) return [];
	return Object.entries(tokens)
		.filter(([name]) => name.endsWith('_token'))
		.map(([, value]: [string, unknown]) => value);
}
