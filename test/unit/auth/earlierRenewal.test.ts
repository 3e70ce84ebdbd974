import { type IHttpRequestOptions, type JsonObject, NodeApiError, UserError } from 'n8n-workflow';

import { sendAuthenticated } from '../../../nodes/PartnerPayments/api/auth/authenticatedRequest';
import { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import { errorWithCode, node, rejectionOf, sessionIn } from '../support';
import { renewalError } from '../../../nodes/PartnerPayments/api/auth/renewal';

const { root: ROOT } = sessionIn({});
const USER_URL = `${ROOT}/user/current`;
const REQUEST = {
	method: 'POST',
	path: '/funding',
	task: 'create the funding',
	semantics: 'nonIdempotent',
} as const;

/** How earlier versions of n8n throw: without the cause. */
function bareError(cause: Error): NodeApiError {
	const error = new NodeApiError(node, cause as unknown as JsonObject);
	Object.defineProperty(error, 'cause', { value: undefined });
	return error;
}

/** An n8n 1.x whose credential holds a token that the service takes no longer. */
class EarlierN8n {
	token = 'expired';

	/** The URLs of all requests, with the tokens that they were sent with. */
	readonly sent: string[] = [];

	renewals = 0;

	constructor(private readonly renew: () => Promise<string>) {}

	async send(request = REQUEST, credentials: Record<string, string | object> = ACCOUNT) {
		const n8n = {
			getNode: () => ({
				...node,
				credentials: { partnerPaymentsApi: { id: this.id, name: 'Test' } },
			}),
			helpers: {
				httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
					await this.request(options),
			},
		};
		return await sendAuthenticated(sessionIn(n8n, credentials), request);
	}

	private readonly id = String(Math.random());

	private answer({ url }: IHttpRequestOptions) {
		this.sent.push(`${url} ${this.token}`);
		if (this.token === 'expired') return { statusCode: 401, body: '{"message":"Sign in"}' };
		return url === USER_URL
			? { statusCode: 403, body: '{}' }
			: { statusCode: 200, body: '{"id":"f1"}' };
	}

	private async request(options: IHttpRequestOptions) {
		const answer = this.answer(options);
		await Promise.resolve();
		// An object counts as "true": no status is thrown.
		if (options.ignoreHttpStatusErrors) return { ...answer, headers: {} };
		this.renewals += 1;
		this.token = await this.renew().catch((error: unknown) => {
			throw bareError(error as Error);
		});
		const { statusCode } = this.answer(options);
		throw bareError(Object.assign(new Error(), { status: statusCode }));
	}
}

const ACCOUNT = { oauthTokenData: { access_token: 'expired', refresh_token: 'refresh-token-1' } };

describe('on an n8n that hands over a refused token', () => {
	test('it is renewed, and the request is sent once more', async () => {
		const n8n = new EarlierN8n(async () => await Promise.resolve('new'));
		expect(await n8n.send()).toMatchObject({ status: 200, body: { id: 'f1' } });
		expect(n8n.sent).toEqual([
			`${ROOT}/funding expired`,
			`${USER_URL} expired`,
			`${USER_URL} new`,
			`${ROOT}/funding new`,
		]);
	});

	test('it is renewed once for all requests that met it', async () => {
		const n8n = new EarlierN8n(async () => await Promise.resolve('new'));
		const answers = await Promise.all(Array.from({ length: 20 }, async () => await n8n.send()));
		for (const answer of answers) expect(answer).toMatchObject({ status: 200 });
		expect(n8n.renewals).toBe(1);
	});

	test('a new token that is refused as well is the answer', async () => {
		const n8n = new EarlierN8n(async () => await Promise.resolve('expired'));
		expect(await n8n.send()).toMatchObject({ status: 401, body: { message: 'Sign in' } });
	});

	test.each<[what: string, thrown: Error, message: RegExp, hint: RegExp]>([
		[
			'access that was revoked',
			errorWithCode('EAUTH', 'The grant is invalid'),
			/could not be renewed: the authentication server answered "The grant is invalid"/,
			/connect it again.*did not take this request/,
		],
		[
			'client credentials that are refused',
			new ServiceError({ message: 'No access token: wrong', hint: 'Check both.' }),
			/^No access token: wrong$/,
			/^Check both\.$/,
		],
	])('what keeps it from being renewed is said: %s', async (_, thrown, message, hint) => {
		const n8n = new EarlierN8n(async () => await Promise.reject(thrown));
		const error = await rejectionOf(n8n.send());
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({ message: expect.stringMatching(message), outcome: 'notSent' });
		expect((error as ServiceError).hint).toMatch(hint);
	});

	test.each<[what: string, thrown: Error, result: object]>([
		[
			'a connection that broke',
			errorWithCode('ECONNRESET'),
			{
				failure: {
					reason: 'the connection broke before an answer came',
					neverSent: false,
					isTransient: true,
				},
			},
		],
		[
			'a token that is refused permanently',
			Object.assign(new Error(), { status: 401 }),
			{ status: 401, body: '' },
		],
	])('what n8n throws without its cause is understood: %s', async (_, thrown, result) => {
		expect(await sendThrowing(thrown)).toEqual(result);
	});

	test('a failing authentication server leaves no request unconfirmed', async () => {
		const error = await rejectionOf(sendThrowing(Object.assign(new Error(), { status: 503 })));
		expect(error).toMatchObject({
			message: expect.stringMatching(/could not be renewed: .* \(status 503\)/),
			outcome: 'notSent',
		});
	});
});

/** Sends a request of a connected account, for which n8n throws. */
async function sendThrowing(cause: Error) {
	const n8n = {
		helpers: { httpRequestWithAuthentication: async () => await Promise.reject(bareError(cause)) },
	};
	return await sendAuthenticated(sessionIn(n8n, WITHOUT_REFRESH_TOKEN), REQUEST);
}

/** What n8n throws around an error of its HTTP client or its OAuth2 client. */
const thrown = (cause: Error): Error => new Error('The request failed', { cause });

/** A connected account whose service gives no refresh tokens. */
const WITHOUT_REFRESH_TOKEN = { oauthTokenData: { access_token: 'token-1' } };

describe('an account without a refresh token', () => {
	test.each([
		new Error('OAuth access token expired and no refresh token is available. Please reconnect.'),
		errorWithCode('ERR_ASSERTION', 'refreshToken is required'),
		new Error('Unable to sign without access token'),
	])('has sent nothing when n8n says so: %s', (cause) => {
		expect(renewalError(thrown(cause), WITHOUT_REFRESH_TOKEN)).toMatchObject({
			message: expect.stringMatching(/^The access token has expired and could not be renewed: /),
			outcome: 'notSent',
		});
	});

	test.each([
		new Error('Failed to decompress response'),
		new Error('Stream closed before completing'),
		new Error('Response body timed out after 60000ms without data'),
		new TypeError('terminated'),
	])('may have sent its request when n8n says anything else: %s', (cause) => {
		expect(renewalError(thrown(cause), WITHOUT_REFRESH_TOKEN)).toBeUndefined();
	});
});

test('a request that n8n keeps back is no token that could not be renewed', () => {
	const forbidden = new UserError('The request was blocked because it is restricted');
	forbidden.name = 'SsrfBlockedIpError';
	for (const error of [forbidden, new Error('outer', { cause: forbidden })]) {
		expect(renewalError(error, {})).toBeUndefined();
	}
});
