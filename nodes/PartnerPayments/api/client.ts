import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { sendAuthenticated } from './auth/authenticatedRequest';
import {
	readEnvironment,
	stopSignal,
	type CredentialType,
	type Environment,
	type N8nFunctions,
	type Session,
} from './auth/credentials';
import { systemClock, WaitTimer } from './http/clock';
import { documentAddress, requestPdf } from './http/document';
import { ServiceError, unreadableError } from './http/errors';
import { rateLimiterFor, rateLimitOf, type RateLimiter } from './http/rateLimiter';
import { oAuth2Tokens } from './http/redact';
import type { Idempotency, ServiceRequest } from './http/message';
import { sendWithRetries, RetryableRequest, type RequestContext } from './http/retryableRequest';
import { assertBaseUrl, baseUrl } from './http/url';
import type { ResponseReader } from './responseReaders';

/**
 * The service, as one connected account sees it. Each function for an endpoint throws what `send`
 * throws.
 */
export class Client {
	readonly waitTimer = new WaitTimer(systemClock);

	private constructor(
		readonly credentialType: CredentialType,
		readonly environment: Environment,
		private readonly session: Session,
		private readonly signal: AbortSignal | undefined,
	) {}

	/**
	 * Connects to the service with the credential of the node. All waiting ends when the execution stops.
	 *
	 * @throws ServiceError when the credential cannot work, before any request
	 */
	static async connect(n8n: N8nFunctions, credentialType: CredentialType): Promise<Client> {
		const credentials = await n8n.getCredentials<IDataObject>(credentialType);
		const environment = readEnvironment(credentials);
		const root = baseUrl(credentials.apiBaseUrl, 'API Base URL');
		// Only checked here: n8n sends the client secret there when it renews a token.
		assertBaseUrl(credentials.authBaseUrl, 'Auth Base URL');
		if (credentialType === 'partnerPaymentsOAuth2Api' && oAuth2Tokens(credentials).length === 0) {
			throw new ServiceError({
				message: 'The credential is not connected to an account',
				hint: 'Open it and connect your account. Nothing was sent.',
			});
		}

		const session = { n8n, credentialType, credentials, root };
		return new Client(credentialType, environment, session, stopSignal(n8n));
	}

	get credentials(): IDataObject {
		return this.session.credentials;
	}

	/** Sends a request and reads the answer; throws a ServiceError for anything but a success that can be read. */
	async send<Value>(request: ServiceRequest, reader: ResponseReader<Value>): Promise<Value> {
		return await sendWithRetries(this.retryableRequest(request, reader));
	}

	/** The same request, for a caller that sends it step by step. */
	retryableRequest<Value>(
		request: ServiceRequest,
		{ read, expected }: ResponseReader<Value>,
	): RetryableRequest<Value> {
		const context = this.contextFor(this.session.root);
		const attempt = async () => await sendAuthenticated(this.session, request);
		return new RetryableRequest(request, context, attempt, ({ body, status }) => {
			const value = read(body);
			if (value === undefined) {
				throw unreadableError(request, expected, status);
			}

			return value;
		});
	}

	/** Downloads a PDF file from an address that the service named. No credential is sent along. */
	async downloadPdf(url: string, request: ServiceRequest): Promise<Buffer> {
		const { n8n, root } = this.session;
		const address = documentAddress(url, root);
		const context = this.contextFor(address.href.startsWith(`${root}/`) ? root : address.origin);
		const attempt = async () => await requestPdf(n8n, address, request, context.signal);
		return await sendWithRetries(
			new RetryableRequest(request, context, attempt, ({ body }) =>
				Buffer.isBuffer(body) ? body : Buffer.of(),
			),
		);
	}

	/**
	 * What a request to a server needs: the clock, and the limit of the account. The limits are kept by client ID
	 * and secret, so that a credential with a wrong secret cannot slow the real one down.
	 */
	private contextFor(server: string): RequestContext {
		const { waitTimer, signal, credentials } = this;
		const parts = JSON.stringify([server, credentials.clientId, credentials.clientSecret]);
		const account = createHash('sha256').update(parts).digest('hex');
		const rateLimiter = (): RateLimiter =>
			rateLimiterFor(account, rateLimitOf(credentials), systemClock);
		const { host } = new URL(server);
		return { clock: systemClock, waitTimer, signal, host, rateLimiter };
	}
}

export const requestOf = (
	idempotency: Idempotency,
	task: string,
	path: string,
	body?: IDataObject,
): ServiceRequest => ({
	method: idempotency === 'safe' ? 'GET' : 'POST',
	path,
	task,
	idempotency,
	...(body !== undefined && { body }),
});

/**
 * Builds the path of a request. Encodes each ID, and throws for one that is empty or only dots, since a
 * URL drops such a segment.
 */
export const path = ({ raw }: TemplateStringsArray, ...ids: string[]): string =>
	String.raw({ raw }, ...ids.map(segment));

function segment(id: string): string {
	const isEmptyOrDots = /^\.{0,2}$/.test(id);
	if (isEmptyOrDots) {
		throw new ServiceError({
			message: `"${id}" is not an ID`,
			hint: 'Correct it in the item. Nothing was sent.',
		});
	}

	return encodeURIComponent(id);
}
