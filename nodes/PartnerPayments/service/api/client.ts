import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { paceOf } from '../http/accounts';
import { baseUrl, secureUrl } from '../http/url';
import { persist, type Answer, type Gate, type Surroundings } from '../http/sendWithRetries';
import type { Call } from '../http/request';
import { systemClock } from '../http/clock';
import { ServiceError } from '../http/errors';
import { loadOnce, sendOnce, type Host, type Login } from '../auth/authenticatedRequest';
import { limitOf, UNLIMITED } from '../http/limit';
import type { Pace } from '../http/rateLimiter';
import { oAuth2Tokens } from '../http/redact';
import { Stopwatch } from '../http/waitTimer';

export type { Answer, Gate };

/** The service, as one connected account sees it. */
export interface Service {
	authentication: Authentication;
	environment: 'sandbox' | 'production';
	/** Tells accounts apart: the root of the API. */
	account: string;
	/**
	 * Sends a request and returns the answer to it; throws a ServiceError for anything but a success.
	 *
	 * @param gate passed directly before the request; when it throws, nothing is sent
	 */
	send(call: Call, gate?: Gate): Promise<Answer>;
	/** Loads a document from an address that the service named. No credential is sent along. */
	download(url: string, call: Call): Promise<Buffer>;
	/** Milliseconds in which at least one request of this connection waited for the account's limit. */
	waitedMs(): number;
}

/** The values of the node's Authentication field. */
export type Authentication = 'clientCredentials' | 'oAuth2';

const credentialTypeOf = (authentication: Authentication): string =>
	authentication === 'oAuth2' ? 'partnerPaymentsOAuth2Api' : 'partnerPaymentsApi';

/** The decrypted credential of the node. */
export async function readCredentials(
	host: Host | IWebhookFunctions,
	authentication: Authentication,
): Promise<IDataObject> {
	return await host.getCredentials<IDataObject>(credentialTypeOf(authentication));
}

/**
 * Connects to the service with the credential of the node.
 *
 * @throws ServiceError when the credential cannot work, before any request
 */
export async function connect(host: Host, authentication: Authentication): Promise<Service> {
	const credentialType = credentialTypeOf(authentication);
	const credentials = await readCredentials(host, authentication);
	const root = baseUrl(credentials.apiBaseUrl, 'API Base URL');
	// n8n itself renews the tokens of a connected account there, with the client's secret.
	baseUrl(credentials.authBaseUrl, 'Auth Base URL');
	if (authentication === 'oAuth2' && oAuth2Tokens(credentials).length === 0) {
		throw new ServiceError(
			'The credential is not connected to an account',
			'Open it and connect your account. Nothing was sent.',
		);
	}
	const waiting = new Stopwatch(systemClock);
	const connection: Connection = {
		host,
		credentialType,
		credentials,
		root,
		authorization: undefined,
		around: {
			clock: systemClock,
			waiting,
			signal: 'getExecutionCancelSignal' in host ? host.getExecutionCancelSignal() : undefined,
		},
	};
	return {
		authentication,
		environment: credentials.environment === 'production' ? 'production' : 'sandbox',
		account: root,
		send: async (call, gate) => await send(connection, call, gate),
		download: async (url, call) => await download(connection, url, call),
		waitedMs: () => waiting.elapsed,
	};
}

interface Connection extends Login {
	around: Pick<Surroundings, 'clock' | 'waiting' | 'signal'>;
}

const paceOfApi = ({ credentials, root }: Connection): Pace =>
	paceOf(JSON.stringify([root, credentials.clientId]), limitOf(credentials), systemClock);

async function send(connection: Connection, call: Call, gate?: Gate): Promise<Answer> {
	const around = {
		...connection.around,
		gate,
		pace: () => paceOfApi(connection),
		host: new URL(connection.root).host,
	};
	return await persist(call, around, async () => await sendOnce(connection, call));
}

async function download(connection: Connection, url: string, call: Call): Promise<Buffer> {
	const { href, host: server } = secureUrl(
		url,
		`The address of the document`,
		'Download it by hand, if you trust it.',
	);
	const isOfApi = href.startsWith(`${connection.root}/`);
	const around = {
		...connection.around,
		pace: () => (isOfApi ? paceOfApi(connection) : paceOf(server, UNLIMITED, systemClock)),
		host: server,
	};
	const { body } = await persist(call, around, async () => await loadOnce(connection.host, href));
	return Buffer.isBuffer(body) || body instanceof ArrayBuffer
		? Buffer.from(new Uint8Array(body))
		: Buffer.of();
}
