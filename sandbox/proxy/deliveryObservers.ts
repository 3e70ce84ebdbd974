import { createHmac } from 'node:crypto';
import { OTHER, type Observation } from './answerObservers';
import { fieldsAt, isFields, readText, type DeliveredPost, type Fields } from './exchange';

const envelopes: [name: string, isIt: (event: Fields) => boolean][] = [
	['default', (event) => 'event_type' in event && 'created_at' in event && 'data' in event],
	['typed', (event) => 'type' in event && 'payload' in event],
	['thin', (event) => 'event_type' in event],
	['bare', (event) => 'id' in event && !('type' in event)],
];

const styles: [name: string, pattern: RegExp][] = [
	['dotted', /^[a-z_]+\.[a-z_]+$/],
	['pascal', /^[A-Z][A-Za-z]+$/],
	['snake', /^[a-z]+(_[a-z]+)+$/],
];

/** How event types are written in each envelope unless a setting says otherwise. */
const OWN_STYLES: Record<string, string> = {
	default: 'dotted',
	typed: 'pascal',
	list: 'snake',
	thin: 'dotted',
};

/** What a delivery shows of the open points. */
export function observeDelivery(post: DeliveredPost): Observation[] {
	const content = readText(post.body);
	const isList = Array.isArray(content);
	const event = fieldsAt({ event: isList ? (content as unknown[])[0] : content }, 'event');
	const found = envelopes.find(([, isIt]) => isIt(event))?.[0] ?? OTHER;
	const envelope = isList ? 'list' : found;
	return [
		{ point: 'envelope', seen: envelope },
		...observeNames(event, envelope),
		...observeSignature(post),
	];
}

/** The type of an event as it is written; undefined in an envelope that has none. */
export const typeOf = (event: Fields): string | undefined => {
	const type = event['event_type'] ?? event['type'];
	return typeof type === 'string' ? type : undefined;
};

function observeNames(event: Fields, envelope: string): Observation[] {
	const type = typeOf(event);
	if (type === undefined) {
		return [];
	}

	const style = styles.find(([, pattern]) => pattern.test(type))?.[0] ?? OTHER;
	return [{ point: 'names', seen: style === OWN_STYLES[envelope] ? 'envelope' : style }];
}

const encodings: Record<string, (hmac: Buffer) => string> = {
	hex: (hmac) => hmac.toString('hex'),
	base64: (hmac) => hmac.toString('base64'),
	prefixed: (hmac) => `sha256=${hmac.toString('hex')}`,
};

function observeSignature({ headers, body, secrets }: DeliveredPost): Observation[] {
	for (const [name, value] of headers) {
		const timed = /^t=(\d+),v1=(.+)$/.exec(value);
		const signed = timed === null ? body : `${String(timed[1])}.${body}`;
		const encoding = encodingOf(timed?.[2] ?? value, signed, secrets);
		if (encoding !== undefined) {
			return [
				{ point: 'signatureHeader', seen: name },
				{ point: 'signatureScheme', seen: timed === null ? 'body' : 'timestamped' },
				{ point: 'signatureEncoding', seen: encoding },
			];
		}
	}

	// Without a secret nothing can be said about a header that looks like a signature.
	const isSigned = headers.some(([name]) => /sign|hmac/i.test(name));
	return isSigned && secrets.length > 0
		? [{ point: 'signatureScheme', seen: OTHER }]
		: [{ point: 'signatureScheme', seen: isSigned ? 'body' : 'none' }];
}

function encodingOf(value: string, signed: string, secrets: string[]): string | undefined {
	for (const secret of secrets) {
		const hmac = createHmac('sha256', secret).update(signed).digest();
		const found = Object.entries(encodings).find(([, encode]) => encode(hmac) === value);
		if (found !== undefined) {
			return found[0];
		}
	}

	return undefined;
}

const SHORTEST_SECRET = 16;

/** Every text in an answer that is long enough for a secret. */
export function secretsIn(answer: unknown): string[] {
	if (typeof answer === 'string') {
		return answer.length >= SHORTEST_SECRET ? [answer] : [];
	}

	if (Array.isArray(answer)) {
		return answer.flatMap(secretsIn);
	}

	return isFields(answer) ? Object.values(answer).flatMap(secretsIn) : [];
}
