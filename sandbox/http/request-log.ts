import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../store/clock';
import type { Call } from './messages';
import { mediaType } from './messages';

/** One request as the log keeps it. Nothing in it can be used to authenticate. */
export interface LoggedRequest {
	number: number;
	at: string;
	host: 'api' | 'authentication';
	method: string;
	path: string;
	query: Record<string, string | string[]>;
	/** The contract's name of the call, or null. */
	operationId: string | null;
	/** True for a request that the contract does not have. */
	outsideContract: boolean;
	/** What was answered; null while it is in work or when either side cut the connection. */
	status: number | null;
	/**
	 * What the service itself has answered, whatever a fault made of it afterwards: a request has
	 * taken its effect when this is 200. Null while it is in work or when a fault came before it.
	 */
	serviceStatus: number | null;
	/** The code of the error that was answered, or null. */
	errorCode: string | null;
	/** The body as sent, secrets replaced; text when it was not JSON or a form; null when empty. */
	body: unknown;
	contentType: string | null;
	userAgent: string | null;
	/** Equal for two requests exactly when they carried the same Authorization header; null without. */
	tokenFingerprint: string | null;
	/** Client id or user id that the token stands for, once it was verified. */
	account: string | null;
	/** The kinds of the injected faults that struck. */
	faults: string[];
}

const KEPT = 50_000;
const SECRET = /secret|token|password|assertion|authorization|^code$|^code_verifier$/i;
const HIDDEN = '[hidden]';

/** The latest requests, in memory, without secrets. */
export class RequestLog {
	#entries: LoggedRequest[] = [];
	#next = 1;
	// Keyed by process, so that a fingerprint says nothing about the token outside of it.
	readonly #key = randomBytes(32);

	constructor(private readonly clock: Clock) {}

	/** Begins an entry; what is learnt later is written into it. */
	open(host: LoggedRequest['host'], call: Call): LoggedRequest {
		const { authorization } = call.headers;
		const entry: LoggedRequest = {
			number: this.#next++,
			at: this.clock.iso(),
			host,
			method: call.method,
			path: call.path,
			query: hideIn(call.query),
			operationId: null,
			outsideContract: false,
			status: null,
			serviceStatus: null,
			errorCode: null,
			body: readable(call),
			contentType: call.headers['content-type'] ?? null,
			userAgent: call.headers['user-agent'] ?? null,
			tokenFingerprint: authorization === undefined ? null : this.#fingerprint(authorization),
			account: null,
			faults: [],
		};
		this.#entries.push(entry);
		if (this.#entries.length > KEPT * 1.2) this.#entries = this.#entries.slice(-KEPT);
		return entry;
	}

	/** The entries, oldest first, of one operation when it is named. */
	read(operationId?: string): LoggedRequest[] {
		if (operationId === undefined) return this.#entries;
		return this.#entries.filter((entry) => entry.operationId === operationId);
	}

	clear(): void {
		this.#entries = [];
	}

	#fingerprint(value: string): string {
		return createHmac('sha256', this.#key).update(value).digest('hex').slice(0, 12);
	}
}

const readers: Record<string, (text: string) => unknown> = {
	'application/json': (text) => JSON.parse(text) as unknown,
	'application/x-www-form-urlencoded': (text) => Object.fromEntries(new URLSearchParams(text)),
};

function readable(call: Call): unknown {
	if (call.body.length === 0) return null;
	const read = readers[mediaType(call)];
	try {
		const value = read?.(call.body.toString('utf8'));
		if (typeof value === 'object' && value !== null) return hide(value);
	} catch {
		// Falls through, as a lone text does: what has no names cannot be searched for secrets.
	}
	return `[${call.body.length} bytes that are no readable JSON or form]`;
}

function hide(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(hide);
	if (typeof value !== 'object' || value === null) return value;
	return hideIn(Object.fromEntries(Object.entries(value)));
}

function hideIn<T>(fields: Record<string, T>): Record<string, T> {
	const hidden: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(fields)) {
		hidden[name] = SECRET.test(name) ? HIDDEN : hide(value);
	}
	return hidden as Record<string, T>;
}
