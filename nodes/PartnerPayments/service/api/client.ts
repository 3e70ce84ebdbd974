import { sendAuthenticated, SAFE_TIMEOUT_MS } from '../auth/authenticatedRequest';
import {
	credentialTypeOf,
	readCredentials,
	type Authentication,
	type N8nFunctions,
	type Session,
} from '../auth/credentials';
import type { AttemptResult } from '../http/classify';
import { systemClock, WaitTimer } from '../http/clock';
import { ServiceError, unreadableError } from '../http/errors';
import { networkFailure } from '../http/networkFailure';
import { rateLimiterFor, rateLimitOf, UNLIMITED, type RateLimiter } from '../http/rateLimiter';
import { oAuth2Tokens } from '../http/redact';
import type { BeforeSend, ServiceRequest } from '../http/request';
import { fullResponse } from '../http/response';
import { retryAfterMs } from '../http/retryPolicy';
import { sendWithRetries } from '../http/sendWithRetries';
import { baseUrl, secureUrl } from '../http/url';
import type { ResponseReader } from './responseReaders';

/** The service, as one connected account sees it. */
export class Client {
	/** Measures how long requests of this client wait for the account's limit. */
	readonly waitTimer = new WaitTimer(systemClock);

	private constructor(
		readonly authentication: Authentication,
		private readonly session: Session,
	) {}

	/**
	 * Connects to the service with the credential of the node.
	 *
	 * @throws ServiceError when the credential cannot work, before any request
	 */
	static async connect(n8n: N8nFunctions, authentication: Authentication): Promise<Client> {
		const credentialType = credentialTypeOf(authentication);
		const credentials = await readCredentials(n8n, authentication);
		const root = baseUrl(credentials.apiBaseUrl, 'API Base URL');
		// n8n itself renews the tokens of a connected account there, with the client's secret.
		baseUrl(credentials.authBaseUrl, 'Auth Base URL');
		if (authentication === 'oAuth2' && oAuth2Tokens(credentials).length === 0) {
			throw new ServiceError({
				message: 'The credential is not connected to an account',
				hint: 'Open it and connect your account. Nothing was sent.',
			});
		}
		return new Client(authentication, { n8n, credentialType, credentials, root });
	}

	get environment(): 'sandbox' | 'production' {
		return this.session.credentials.environment === 'production' ? 'production' : 'sandbox';
	}

	/** Tells accounts apart: the root of the API. */
	get account(): string {
		return this.session.root;
	}

	/**
	 * Sends a request, and reads what it is about from the answer.
	 *
	 * @throws ServiceError for anything but a success that holds it
	 */
	async send<Value>(
		request: ServiceRequest,
		reader: ResponseReader<Value>,
		beforeSend?: BeforeSend,
	): Promise<Value> {
		const { root } = this.session;
		const context = this.contextFor(new URL(root).host, () => this.apiLimiter(), beforeSend);
		const { body, status } = await sendWithRetries(
			request,
			context,
			async () => await sendAuthenticated(this.session, request),
		);
		const value = reader.read(body);
		if (value === undefined) throw unreadableError(request, reader.expected, status);
		return value;
	}

	/** Downloads a document from an address that the service named. No credential is sent along. */
	async download(url: string, request: ServiceRequest): Promise<Buffer> {
		const name = 'The address of the document';
		const { href, host } = secureUrl(url, name, 'Download it by hand, if you trust it.');
		const isOfApi = href.startsWith(`${this.session.root}/`);
		const limiter = (): RateLimiter =>
			isOfApi ? this.apiLimiter() : rateLimiterFor(host, UNLIMITED, systemClock);
		const { body } = await sendWithRetries(
			request,
			this.contextFor(host, limiter),
			async () => await downloadOnce(this.session.n8n, href),
		);
		return Buffer.isBuffer(body) || body instanceof ArrayBuffer
			? Buffer.from(new Uint8Array(body))
			: Buffer.of();
	}

	private apiLimiter(): RateLimiter {
		const { root, credentials } = this.session;
		const account = JSON.stringify([root, credentials.clientId]);
		return rateLimiterFor(account, rateLimitOf(credentials), systemClock);
	}

	private contextFor(host: string, rateLimiter: () => RateLimiter, beforeSend?: BeforeSend) {
		const { n8n } = this.session;
		const signal = 'getExecutionCancelSignal' in n8n ? n8n.getExecutionCancelSignal() : undefined;
		return { clock: systemClock, waitTimer: this.waitTimer, signal, host, rateLimiter, beforeSend };
	}
}

/** Downloads a document through n8n, once, without a credential. Its body is binary. */
async function downloadOnce({ helpers }: N8nFunctions, url: string): Promise<AttemptResult> {
	try {
		const response: unknown = await helpers.httpRequest({
			url,
			encoding: 'arraybuffer',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: SAFE_TIMEOUT_MS,
		});
		const { statusCode: status, body, headers } = fullResponse(response);
		return {
			status,
			body: status === 200 ? body : undefined,
			retryAfterMs: retryAfterMs(headers),
		};
	} catch (error) {
		return { failure: networkFailure(error) };
	}
}
