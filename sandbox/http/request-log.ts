import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../store/clock';
import type { Fault } from './faults';
import type { ServiceRequest } from './messages';
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
	/** Client id or user id of the token, once it was verified. */
	account: string | null;
	/** The kinds of the injected faults that struck. */
	faults: Array<Fault['kind']>;
}

const MAX_ENTRIES = 50_000;
const SECRET = /secret|token|password|assertion|authorization|^code$|^code_verifier$/i;
const REDACTED = '[hidden]';

/** The latest requests, in memory, without secrets. */
export class RequestLog {
	#entries: LoggedRequest[] = [];
	#next = 1;
	// Keyed by process, so that a fingerprint says nothing about the token outside of it.
	readonly #key = randomBytes(32);

	constructor(private readonly clock: Clock) {}

	/** Adds an entry; what is known later is written into it. */
	open(host: LoggedRequest['host'], request: ServiceRequest): LoggedRequest {
		const { authorization } = request.headers;
		const entry: LoggedRequest = {
			number: this.#next++,
			at: this.clock.iso(),
			host,
			method: request.method,
			path: request.path,
			query: redactFields(request.query),
			operationId: null,
			outsideContract: false,
			status: null,
			serviceStatus: null,
			errorCode: null,
			body: loggedBody(request),
			contentType: request.headers['content-type'] ?? null,
			userAgent: request.headers['user-agent'] ?? null,
			tokenFingerprint: authorization === undefined ? null : this.#fingerprint(authorization),
			account: null,
			faults: [],
		};
		this.#entries.push(entry);
		if (this.#entries.length > MAX_ENTRIES * 1.2) this.#entries = this.#entries.slice(-MAX_ENTRIES);
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

function loggedBody(request: ServiceRequest): unknown {
	if (request.body.length === 0) return null;
	const read = readers[mediaType(request)];
	try {
		const value = read?.(request.body.toString('utf8'));
		if (typeof value === 'object' && value !== null) return redact(value);
	} catch {
		// Falls through, as a lone text does: what has no names cannot be searched for secrets.
	}
	return `[${request.body.length} bytes that are no readable JSON or form]`;
}

function redact(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(redact);
	if (typeof value !== 'object' || value === null) return value;
	return redactFields(Object.fromEntries(Object.entries(value)));
}

function redactFields<T>(fields: Record<string, T>): Record<string, T> {
	const redacted: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(fields)) {
		redacted[name] = SECRET.test(name) ? REDACTED : redact(value);
	}
	return redacted as Record<string, T>;
}
