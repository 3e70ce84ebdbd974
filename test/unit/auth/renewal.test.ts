import { type IHttpRequestOptions, type JsonObject, NodeApiError, UserError } from 'n8n-workflow';

import { sendAuthenticated } from '../../../nodes/PartnerPayments/api/auth/authenticatedRequest';
import { missingTokenError, renewalError } from '../../../nodes/PartnerPayments/api/auth/renewal';
import { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import { errorWithCode, node, rejectionOf, sessionIn } from '../support';

const { root: ROOT } = sessionIn({});
const USER_URL = `${ROOT}/user/current`;
const REQUEST = {
	method: 'POST',
	path: '/funding',
	task: 'create the funding',
	idempotency: 'nonIdempotent',
} as const;

/** How n8n throws. */
type Wrap = (cause: Error) => NodeApiError;

const withCause: Wrap = (cause) => new NodeApiError(node, cause as unknown as JsonObject);

/** As earlier versions do: without the cause. */
const bare: Wrap = (cause) =>
	Object.defineProperty(withCause(cause), 'cause', { value: undefined });

const statusError = (status: number): Error =>
	Object.assign(new Error(), { status, response: { status } });

/** An n8n whose credential holds a token that the service takes no longer. */
class FakeN8n {
	token = 'expired';

	/** The URLs of all requests, with the tokens that they were sent with. */
	readonly sent: string[] = [];

	renewals = 0;

	constructor(
		private readonly wrap: Wrap,
		private readonly renew: () => Promise<string>,
	) {}

	async send(credentials: Record<string, string | object> = ACCOUNT) {
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

		return await sendAuthenticated(sessionIn(n8n, credentials), REQUEST);
	}

	get fundings(): string[] {
		return this.sent.filter((request) => request.includes('/funding'));
	}

	private readonly id = String(Math.random());

	private answer({ url }: IHttpRequestOptions) {
		this.sent.push(`${url} ${this.token}`);
		if (this.token === 'expired') {
			return { statusCode: 401, body: '{"message":"Sign in"}' };
		}

		return url === USER_URL
			? { statusCode: 403, body: '{}' }
			: { statusCode: 200, body: '{"id":"f1"}' };
	}

	/** Renews the token and repeats a request whose 401 is thrown. Before n8n 2.9, any object counts as "true". */
	private async request(options: IHttpRequestOptions) {
		const answer = this.answer(options);
		await Promise.resolve();
		if (options.ignoreHttpStatusErrors) {
			return { ...answer, headers: {} };
		}

		if (answer.statusCode === 401) {
			this.renewals += 1;
			this.token = await this.renew().catch((error: unknown) => {
				throw this.wrap(error as Error);
			});
		}

		const { statusCode } = this.answer(options);
		throw this.wrap(statusError(statusCode));
	}
}

const ACCOUNT = { oauthTokenData: { access_token: 'expired', refresh_token: 'refresh-token-1' } };
const CLIENT = { clientId: 'client-1' };

describe.each([
	['that keeps causes', withCause],
	['of an earlier version', bare],
])('on an n8n %s, a refused token', (_, wrap) => {
	const renewingTo = (token: string) => new FakeN8n(wrap, async () => await Promise.resolve(token));
	const failingWith = (error: Error) => new FakeN8n(wrap, async () => await Promise.reject(error));

	test('is renewed, and the request is sent once more', async () => {
		const n8n = renewingTo('new');

		const answer = await n8n.send();

		expect(answer).toMatchObject({ status: 200, body: { id: 'f1' } });
		expect(n8n.sent).toEqual([
			`${ROOT}/funding expired`,
			`${USER_URL} expired`,
			`${USER_URL} new`,
			`${ROOT}/funding new`,
		]);
	});

	test('is renewed once for all requests that met it', async () => {
		const n8n = renewingTo('new');

		const answers = await Promise.all(Array.from({ length: 20 }, async () => await n8n.send()));

		expect(new Set(answers.map((answer) => answer.kind === 'answered' && answer.status))).toEqual(
			new Set([200]),
		);
		expect(n8n.renewals).toBe(1);
		expect(n8n.fundings).toHaveLength(40);
	});

	test('is the answer when the new one is refused as well', async () => {
		const n8n = renewingTo('expired');

		const answer = await n8n.send();

		expect(answer).toMatchObject({ status: 401, body: { message: 'Sign in' } });
		expect(n8n.fundings).toHaveLength(2);
	});

	test.each<[what: string, thrown: Error, message: RegExp, hint: RegExp]>([
		[
			'access that was revoked',
			errorWithCode('EAUTH', 'The grant is invalid'),
			/could not be renewed: the authentication server answered/,
			/connect it again.*did not take this request/,
		],
		[
			'a failing authentication server',
			Object.assign(statusError(503), { config: { url: 'https://auth.example.com/oauth/token' } }),
			/could not be renewed: the authentication server answered .* \(status 503\)/,
			/connect it again/,
		],
		[
			'an authentication server that is not there',
			errorWithCode('ECONNREFUSED'),
			/could not be renewed: the authentication server cannot be reached, nothing answers/,
			/connect it again/,
		],
		[
			'client credentials that are refused',
			new ServiceError({ message: 'No access token: wrong', hint: 'Check both.' }),
			/^No access token: wrong$/,
			/^The service did not take this request\. Check both\.$/,
		],
	])(
		'that cannot be renewed is reported, and the request was refused: %s',
		async (_what, thrown, message, hint) => {
			const n8n = failingWith(thrown);
			const accessTokenUrl = 'https://auth.example.com/oauth/token';

			const error = await rejectionOf(n8n.send({ ...ACCOUNT, accessTokenUrl }));

			expect(error).toBeInstanceOf(ServiceError);
			expect(error).toMatchObject({ outcome: 'refused', status: 401 });
			expect((error as ServiceError).message).toMatch(message);
			expect((error as ServiceError).hint).toMatch(hint);
			expect(n8n.fundings).toHaveLength(2);
		},
	);

	test('that another process has renewed serves, though n8n could not renew it again', async () => {
		const n8n: FakeN8n = new FakeN8n(wrap, async () => {
			n8n.token = 'new';
			return await Promise.reject(errorWithCode('EAUTH', 'The refresh token was used'));
		});

		const answer = await n8n.send();

		expect(answer).toMatchObject({ status: 200 });
		expect(n8n.fundings).toEqual([`${ROOT}/funding expired`, `${ROOT}/funding new`]);
	});

	test('is the answer when the renewal is lost on its way', async () => {
		const n8n = failingWith(errorWithCode('ECONNRESET'));

		const answer = await n8n.send(CLIENT);

		expect(answer).toMatchObject({ status: 401 });
	});
});

describe.each([
	['that keeps causes', withCause],
	['of an earlier version', bare],
])('what an n8n %s throws for the request itself', (_, wrap) => {
	/** Sends a request, for which n8n throws. */
	const sendThrowing = async (cause: Error) => {
		const httpRequestWithAuthentication = async () => await Promise.reject(wrap(cause));
		const session = sessionIn({ helpers: { httpRequestWithAuthentication } }, ACCOUNT);

		return await sendAuthenticated(session, REQUEST);
	};

	test('is a connection that broke', async () => {
		const reason = 'the connection broke before an answer came';
		const failure = { reason, neverSent: false, isTransient: true };

		const result = await sendThrowing(errorWithCode('ECONNRESET'));

		expect(result).toEqual({ kind: 'unanswered', failure });
	});

	test('is no proof that nothing was sent, even when it has a status', async () => {
		const result = await sendThrowing(statusError(503));

		expect(result).toMatchObject({ failure: { neverSent: false } });
	});

	test('means that there is no token, so nothing was sent', async () => {
		const noToken = new ServiceError({ message: 'No access token: wrong', hint: 'Check both.' });

		const error = await rejectionOf(sendThrowing(noToken));

		expect(error).toMatchObject({
			message: 'No access token: wrong',
			hint: 'This request was not sent. Check both.',
			outcome: 'notSent',
		});
	});
});

/** What n8n throws around an error of its HTTP client or its OAuth2 client. */
const thrown = (cause: Error): Error => new Error('The request failed', { cause });

describe('an account without a refresh token', () => {
	const WITHOUT_REFRESH_TOKEN = { oauthTokenData: { access_token: 'token-1' } };
	const message = /^The access token has expired and could not be renewed: /;

	test.each([
		new Error('OAuth access token expired and no refresh token is available. Please reconnect.'),
		errorWithCode('ERR_ASSERTION', 'refreshToken is required'),
		new Error('Unable to sign without access token'),
	])('is reported when n8n says so: %s', (cause) => {
		const error = thrown(cause);

		expect(missingTokenError(error, WITHOUT_REFRESH_TOKEN)).toMatchObject({
			message: expect.stringMatching(message),
			outcome: 'notSent',
		});
		expect(renewalError(error, WITHOUT_REFRESH_TOKEN)).toMatchObject({
			message: expect.stringMatching(message),
			outcome: 'refused',
		});
	});

	test.each([
		new Error('Failed to decompress response'),
		new Error('Stream closed before completing'),
		new Error('Response body timed out after 60000ms without data'),
		new TypeError('terminated'),
	])('may have sent its request when n8n says anything else: %s', (cause) => {
		expect(missingTokenError(thrown(cause), WITHOUT_REFRESH_TOKEN)).toBeUndefined();
	});
});

test('a request that n8n blocks is not taken for a missing token', () => {
	const forbidden = new UserError('The request was blocked because it is restricted');
	forbidden.name = 'SsrfBlockedIpError';

	for (const error of [forbidden, new Error('outer', { cause: forbidden })]) {
		expect(missingTokenError(error, ACCOUNT)).toBeUndefined();
	}
});
