import { sleep, type IDataObject, type IHttpRequestOptions } from 'n8n-workflow';

import { classify, consequenceOf } from '../../api/http/outcome';
import { isForbidden, networkFailure, type NetworkFailure } from '../../api/http/networkFailure';
import { redactedBody, redactor } from '../../api/http/redact';
import { retryAfterMs, type TextResponse } from '../../api/http/message';
import { serviceMessage } from '../../api/http/serviceMessage';
import { parseJsonOrText } from '../../shared/json';
import { isRecord } from '../../shared/typeGuards';
import { LedgerError } from '../ledger';
import { DAY_MS } from '../../shared/dates';
import { MissingTableError } from './tableStore';

/** One request to the public API of n8n; `path` is under `/api/v1`, with its query. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	path: string;
	body?: IDataObject;
}

interface ApiAnswer {
	status: number;
	body: unknown;
	/** How long n8n asks to wait, in milliseconds, where it does. */
	retryAfterMs?: number | undefined;
}

/** An answer as n8n's request helpers hand it over; the older one has no headers. */
type AnswerWithHeaders = TextResponse & { headers?: Record<string, unknown> };

/** How one attempt to send a request has ended. */
type ApiAttempt =
	| ({ kind: 'answered' } & ApiAnswer)
	| { kind: 'unanswered'; failure: NetworkFailure; thrown: unknown };

export type SendToN8n = (request: ApiRequest) => Promise<ApiAnswer>;

/** The idempotency and the scopes of each method: of tables, and of rows. */
const METHODS = {
	GET: { idempotency: 'safe', scopes: ['dataTable:list', 'dataTableRow:read'] },
	POST: { idempotency: 'nonIdempotent', scopes: ['dataTable:create', 'dataTableRow:create'] },
	PATCH: { idempotency: 'idempotent', scopes: ['dataTable:update', 'dataTableRow:update'] },
	DELETE: { idempotency: 'idempotent', scopes: ['dataTable:delete', 'dataTableRow:delete'] },
} as const;

/** A filter for a query. n8n refuses reserved characters (RFC 3986 §2.2) that JavaScript does not encode. */
export const encodeFilter = (filter: IDataObject): string =>
	encodeURIComponent(JSON.stringify(filter)).replace(
		/[!'()*]/g,
		(character) => `%${character.charCodeAt(0).toString(16)}`,
	);

const MAX_RETRIES = 5;
const FIRST_BACKOFF_MS = 100;
const TIMEOUT_MS = 30_000;
/** Longer than n8n's own limits ask for. */
const MAX_RETRY_AFTER_MS = 90_000;

export class ScopeError extends LedgerError {}

export class N8nApi {
	constructor(
		private readonly send: SendToN8n,
		private readonly host: string,
	) {}

	/**
	 * Sends a request until n8n answers it, a POST only while it had no effect. Returns the body.
	 *
	 * @throws LedgerError when n8n refuses, or does not answer: a POST may have had its effect then
	 */
	async call(request: ApiRequest): Promise<unknown> {
		for (let retries = 0; ; retries += 1) {
			const attempt = await this.attempt(request);
			const meaning = classify(attempt);
			const isAnswered = attempt.kind === 'answered';
			if (isAnswered && meaning === 'success' && typeof attempt.body !== 'string') {
				return attempt.body;
			}

			const error = isAnswered
				? answerError(attempt, request, this.host)
				: unreachableError(attempt.thrown, this.host);
			// A starting n8n, or a proxy, answers everything with a text.
			const kind = meaning === 'success' ? 'ambiguous' : meaning;
			const { retry } = consequenceOf(kind, METHODS[request.method].idempotency);
			if (!retry || retries === MAX_RETRIES) {
				throw error;
			}
			const backoffMs = FIRST_BACKOFF_MS * 2 ** retries * (0.5 + Math.random());
			const askedMs = isAnswered ? (attempt.retryAfterMs ?? 0) : 0;
			await sleep(Math.max(backoffMs, Math.min(askedMs, MAX_RETRY_AFTER_MS)));
		}
	}

	private async attempt(request: ApiRequest): Promise<ApiAttempt> {
		try {
			const answer = await this.send(request);
			return { kind: 'answered', ...answer };
		} catch (thrown) {
			return { kind: 'unanswered', failure: networkFailure(thrown), thrown };
		}
	}

	/** The entries of one page. */
	async list(path: string): Promise<IDataObject[]> {
		return (await this.page(path)).entries;
	}

	/** The entries of all pages; `path` has a query. */
	async listAll(path: string): Promise<IDataObject[]> {
		const all: IDataObject[] = [];
		let cursor: string | undefined;
		do {
			const suffix = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
			const page = await this.page(`${path}${suffix}`);
			all.push(...page.entries);
			cursor = page.nextCursor;
		} while (cursor !== undefined);
		return all;
	}

	private async page(
		path: string,
	): Promise<{ entries: IDataObject[]; nextCursor: string | undefined }> {
		const body = await this.call({ method: 'GET', path });
		if (!isRecord(body) || !Array.isArray(body.data)) {
			throw notAnN8nError();
		}
		const { nextCursor } = body;
		const entries = [...body.data].filter(isRecord);
		return { entries, nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
	}
}

/**
 * Connects to an n8n's public API. Plain http is allowed: n8n's own address often has no certificate.
 *
 * @param send sends a request once, and resolves for every status
 * @throws LedgerError when `baseUrl`, of n8n or of its API, is not a web address
 */
export function connectN8n(
	send: (options: IHttpRequestOptions) => Promise<AnswerWithHeaders>,
	{ baseUrl, apiKey }: { baseUrl: string; apiKey: string },
): N8nApi {
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		throw new LedgerError('The "n8n Base URL" of the credential is not a web address', CHECK_URL);
	}
	const root = url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, '');
	const redact = redactor({}, apiKey);
	const sendApi: SendToN8n = async ({ method, path, body }) => {
		const { status, text, headers } = await send({
			method,
			url: `${url.origin}${root}/api/v1${path}`,
			headers: { Accept: 'application/json', 'X-N8N-API-KEY': apiKey },
			...(body !== undefined && { body, json: true }),
			disableFollowRedirect: true,
			timeout: TIMEOUT_MS,
		});
		const answer = parseJsonOrText(text);
		// A reference may look like a secret, so rows stay as they are.
		return {
			status,
			body: status < 300 ? answer : redactedBody(answer, redact),
			retryAfterMs: retryAfterMs(headers ?? {}),
		};
	};
	return new N8nApi(sendApi, url.host);
}

const CHECK_URL =
	'Check "n8n Base URL" in the credential: the address where this n8n reaches itself, such as http://localhost:5678 or the one of the editor.';

/** n8n sends its requests to itself through a proxy, too, unless told otherwise. */
const CHECK_URL_AND_PROXY = `${CHECK_URL} If this n8n uses a proxy (HTTP_PROXY or HTTPS_PROXY), add that host to NO_PROXY.`;

const notAnN8nError = (): LedgerError =>
	new LedgerError('The server at the address of the ledger is not n8n', CHECK_URL_AND_PROXY);

const unreachableError = (thrown: unknown, host: string): LedgerError =>
	isForbidden(thrown)
		? new LedgerError(
				`n8n does not allow requests to the ledger at ${host}`,
				'Allow it in the settings of this n8n. For a host name, use N8N_SSRF_ALLOWED_HOSTNAMES. For an address such as 127.0.0.1/32, use N8N_SSRF_ALLOWED_IP_RANGES.',
			)
		: new LedgerError(
				`The ledger at ${host} cannot be reached: ${networkFailure(thrown).reason}`,
				CHECK_URL_AND_PROXY,
			);

function answerError(
	{ status, body }: ApiAnswer,
	{ method, path }: ApiRequest,
	host: string,
): LedgerError {
	const reason = serviceMessage(body) ?? '';
	// n8n says in JSON, under "message", why it refuses. Its limit of requests is the exception.
	const isRefusalOfN8n = status === 429 || (isRecord(body) && typeof body.message === 'string');
	if (status < 300 || !isRefusalOfN8n) {
		return notAnN8nError();
	}
	if (status === 401) {
		return new LedgerError(
			`The n8n at ${host} does not accept the API key`,
			'In n8n, open "Settings", then "n8n API". Create a key as the same user as before, and enter it in the credential.',
		);
	}
	if (status === 403) {
		return new ScopeError(
			`The n8n API key of the credential lacks a scope (${METHODS[method].scopes[path.includes('/rows') ? 1 : 0]})`,
			'Give the key dataTable:list, dataTable:create, and all scopes of dataTableRow. Its user needs access to the table.',
		);
	}
	if (status === 404 && reason.includes('data table')) {
		return new MissingTableError(
			'The ledger table no longer exists',
			'Restore it from a backup before you pay anything: a new table does not know what was paid.',
		);
	}
	if (status === 404) {
		return new LedgerError(
			`The n8n at ${host} has no Data Tables in its public API`,
			`${CHECK_URL} If it is right, this n8n is too old, or its public API is off.`,
		);
	}
	return new LedgerError(
		`The ledger at ${host} refused a request (status ${status}${reason && `, ${reason}`})`,
		'Run it again with the same unique references. If it fails again: check the columns of the table, and if the Data Tables are full, raise N8N_DATA_TABLES_MAX_SIZE_BYTES. Never delete rows of the ledger.',
	);
}

/** Below so many days, people are told that the key expires. */
export const EXPIRY_NOTICE_DAYS = 14;

/** How long a key of n8n's public API is valid, in days; infinite when it says nothing about that. */
export function daysUntilExpiry(apiKey: string): number {
	const [, payload = ''] = apiKey.split('.');
	const claims = parseJsonOrText(Buffer.from(payload, 'base64url').toString());
	const expiry = isRecord(claims) ? claims.exp : undefined;
	return typeof expiry === 'number' ? (expiry * 1000 - Date.now()) / DAY_MS : Infinity;
}
