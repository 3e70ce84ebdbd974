import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../store/clock';
import { Log } from '../store/log';
import type { Store } from '../store/store';
import { readBody } from './body';
import type { ServiceRequest } from './messages';
import { outcomeOf, RequestRates } from './requestRates';

/** One request as the log keeps it. Nothing in it can be used to authenticate. */
export interface LoggedRequest {
	number: number;
	at: string;
	host: 'api' | 'authentication';
	method: string;
	path: string;
	query: Record<string, string | string[]>;
	operationId: string | null;
	/** True for a request that the contract does not have. */
	outsideContract: boolean;
	/** What was answered; null while it is in work or when either side cut the connection. */
	status: number | null;
	/**
	 * What the service itself has answered, whatever a fault made of it afterwards: a request has
	 * taken its effect when this is a 2xx. Null while it is in work or when a fault came before it.
	 */
	serviceStatus: number | null;
	errorCode: string | null;
	/** Milliseconds from the whole request to its answer; null while it is in work. */
	durationMs: number | null;
	/** The body as sent, secrets replaced; text when it was not JSON or a form; null when empty. */
	body: unknown;
	/** What was answered, in the same way; cut off when it is long. */
	answer: string | null;
	contentType: string | null;
	userAgent: string | null;
	/** Equal for two requests exactly when they carried the same Authorization header; null without. */
	tokenFingerprint: string | null;
	/** Client id or user id of the token, once it was verified. */
	account: string | null;
	faults: string[];
}

const LONGEST_ANSWER = 4_000;
const SECRET = /secret|token|password|assertion|authorization|hmac|^code$|^code_verifier$/i;
const REDACTED = '[hidden]';
/** IDs of records, by which the requests about a record are found. */
const RECORD_ID = /\b(?:pbl|fnd|dep|prt|ven|whs)_\w+/g;
const MAX_MENTIONS = 200;

/** By which requests are found that a fault has struck. */
export const STRUCK = 'fault';

/** What is known of a request while the process runs. */
interface Measured {
	startedAt: number;
	/** Takes back how it was counted. */
	uncount?: () => void;
}

export class RequestLog {
	readonly rates = new RequestRates();
	private readonly measured = new WeakMap<LoggedRequest, Measured>();
	private readonly log: Log<LoggedRequest>;
	// Keyed by process, so that a fingerprint says nothing about the token outside of it.
	private readonly key = randomBytes(32);

	constructor(
		store: Store,
		private readonly clock: Clock,
	) {
		this.log = new Log(store, 'request');
	}

	/** Adds an entry. What is known later is written into it, and kept by `update`. */
	open(host: LoggedRequest['host'], request: ServiceRequest): LoggedRequest {
		const { authorization } = request.headers;
		const entry: LoggedRequest = {
			number: this.log.nextNumber(),
			at: this.clock.iso(),
			host,
			method: request.method,
			path: request.path,
			query: redact(request.query),
			operationId: null,
			outsideContract: false,
			status: null,
			serviceStatus: null,
			errorCode: null,
			durationMs: null,
			body: loggedBody(request),
			answer: null,
			contentType: request.headers['content-type'] ?? null,
			userAgent: request.headers['user-agent'] ?? null,
			tokenFingerprint: authorization === undefined ? null : this.fingerprint(authorization),
			account: null,
			faults: [],
		};

		this.measured.set(entry, { startedAt: performance.now() });
		this.log.write(entry, { status: null });
		return entry;
	}

	/** Keeps what has been written into an entry, and what was answered. */
	update(entry: LoggedRequest, answer?: string): void {
		if (answer !== undefined) {
			entry.answer = redactText(answer).slice(0, LONGEST_ANSWER);
			this.measure(entry);
		}

		if (entry.durationMs !== null) {
			this.count(entry);
		}

		const texts = `${entry.path} ${JSON.stringify(entry.body)} ${entry.answer ?? ''}`;
		const found = answer === undefined ? [] : texts.match(RECORD_ID);
		const subjects: string[] = found?.slice(0, MAX_MENTIONS) ?? [];
		if (entry.faults.length > 0) {
			subjects.push(STRUCK);
		}

		const { operationId: name, status } = entry;
		this.log.write(entry, { name, status, subjects: new Set(subjects) });
	}

	private measure(entry: LoggedRequest): void {
		const { startedAt = performance.now() } = this.measured.get(entry) ?? {};
		entry.durationMs = Math.round(10 * (performance.now() - startedAt)) / 10;
	}

	/** Counts how it has ended; an answer that did not arrive ends it another way than it seemed. */
	private count(entry: LoggedRequest): void {
		const measured = this.measured.get(entry);
		if (measured === undefined) {
			return;
		}

		measured.uncount?.();
		measured.uncount = this.rates.count(outcomeOf(entry.status));
	}

	/** The entries, oldest first, of one operation or about one record. */
	read(filter: { name?: string | undefined; subject?: string } = {}): LoggedRequest[] {
		return this.log.read(filter);
	}

	find(number: number): LoggedRequest | undefined {
		return this.log.find(number);
	}

	clear(): void {
		this.rates.clear();
		this.log.clear();
	}

	private fingerprint(value: string): string {
		return createHmac('sha256', this.key).update(value).digest('hex').slice(0, 12);
	}
}

function loggedBody(request: ServiceRequest): unknown {
	if (request.body.length === 0) {
		return null;
	}

	try {
		return redact(readBody(request, 'application/json', 'application/x-www-form-urlencoded'));
	} catch {
		// What has no names cannot be searched for secrets.
	}

	return `[${request.body.length} bytes that are no readable JSON or form]`;
}

/** An answer without its secrets, which only JSON of the service has. */
function redactText(text: string): string {
	if (!text.startsWith('{') || !SECRET.test(text)) {
		return text;
	}

	try {
		return JSON.stringify(redact(JSON.parse(text)));
	} catch {
		return REDACTED;
	}
}

const redact = <T>(value: T): T => {
	const hide = (name: string, each: unknown): unknown => (SECRET.test(name) ? REDACTED : each);
	return JSON.parse(JSON.stringify(value, hide)) as T;
};
