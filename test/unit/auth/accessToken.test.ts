import type { IHttpRequestOptions } from 'n8n-workflow';

import type { TextResponse } from '../../../nodes/PartnerPayments/api/http/message';
import { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import {
	requestToken,
	sharedToken,
	type Transport,
} from '../../../nodes/PartnerPayments/api/auth/accessToken';
import { rejectionOf } from '../support';

const SECRET = 'client-secret-value';
let clients = 0;

/** Credentials of an account that no other test uses, since tokens are shared by account. */
function newAccount(changes: Record<string, unknown> = {}): Record<string, unknown> {
	clients += 1;
	return {
		authBaseUrl: 'https://auth.example.com/',
		clientId: `client-${clients}`,
		clientSecret: SECRET,
		audience: 'https://api.example.com',
		...changes,
	};
}

/** A server that issues token-1, token-2, …; paused, it answers only after `resume`. */
function issuer(lifetime: unknown = 86_400) {
	const requests: IHttpRequestOptions[] = [];
	let resume = (): void => undefined;
	let paused = Promise.resolve();
	const transport: Transport = async (request) => {
		requests.push(request);
		const number = requests.length;
		await paused;

		return json(200, { access_token: `token-${number}`, expires_in: lifetime });
	};

	return {
		transport,
		requests,
		pause: () => {
			paused = new Promise((resolve) => {
				resume = resolve;
			});
		},
		resume: () => {
			resume();
		},
	};
}

/** An account that no other test uses, with such a server. */
const newClient = (lifetime?: unknown) => ({ account: newAccount(), ...issuer(lifetime) });

const json = (status: number, body: unknown): TextResponse => ({
	status,
	text: JSON.stringify(body),
});

const answering =
	(answer: TextResponse): Transport =>
	async () =>
		await Promise.resolve(answer);

const failing =
	(code: string): Transport =>
	async () =>
		await Promise.reject(Object.assign(new Error(`it failed: ${code} ${SECRET}`), { code }));

describe('the request', () => {
	test('is the JSON that the service documents #token-request-json', async () => {
		const { transport, requests } = issuer();

		await sharedToken(newAccount({ clientId: ' client-x ', audience: 'aud ' }), '', transport);

		expect(requests).toEqual([
			expect.objectContaining({
				method: 'POST',
				url: 'https://auth.example.com/oauth/token',
				headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
				body: {
					client_id: 'client-x',
					client_secret: SECRET,
					audience: 'aud',
					grant_type: 'client_credentials',
				},
				disableFollowRedirect: true,
			}),
		]);
	});

	test.each([
		[{ clientId: '' }, 'the credential has no "Client ID"'],
		[{ clientSecret: ' ' }, 'the credential has no "Client Secret"'],
		[{ audience: undefined }, 'the credential has no "Audience"'],
		[{ authBaseUrl: 'http://auth.example.com' }, '"Auth Base URL" of the credential must start'],
		[{ authBaseUrl: '' }, '"Auth Base URL" of the credential is empty'],
	])('is not sent for %j', async (changes, message) => {
		const { transport, requests } = issuer();

		const error = await rejectionOf(sharedToken(newAccount(changes), '', transport));

		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toHaveProperty('message', expect.stringContaining(message));
		expect(requests).toHaveLength(0);
	});
});

describe('sharing', () => {
	test('callers at the same time share one request', async () => {
		const { account, transport, requests, pause, resume } = newClient();
		pause();
		const tokens = Array.from({ length: 20 }, () => sharedToken({ ...account }, '', transport));
		resume();

		expect(new Set(await Promise.all(tokens))).toEqual(new Set(['token-1']));
		expect(requests).toHaveLength(1);
	});

	test.each(['clientId', 'clientSecret', 'audience', 'authBaseUrl'])(
		'credentials that differ in %s share no token #token-of-no-other',
		async (field) => {
			const account = newAccount();
			const { transport, requests } = issuer();
			await sharedToken(account, '', transport);
			const other = { ...account, [field]: `https://other-${clients}.example.com` };

			expect(await sharedToken(other, '', transport)).toBe('token-2');
			expect(requests).toHaveLength(2);
		},
	);

	test('a caller with an older token gets the newest without a request', async () => {
		const { account, transport, requests } = newClient();
		const old = await sharedToken(account, '', transport);
		await sharedToken(account, old, transport);

		expect(await sharedToken(account, old, transport)).toBe('token-2');
		expect(await sharedToken(account, 'token-0', transport)).toBe('token-2');
		expect(requests).toHaveLength(2);
	});

	test('a refused token is not handed out while it is being renewed', async () => {
		const { account, transport, pause, resume } = newClient();
		const old = await sharedToken(account, '', transport);
		pause();
		const renewal = sharedToken(account, old, transport);
		const newcomer = sharedToken(account, '', transport);
		resume();

		expect(await renewal).toBe('token-2');
		expect(await newcomer).toBe('token-2');
	});

	test('a refused token is not handed out after its renewal failed', async () => {
		const { account, transport } = newClient();
		const old = await sharedToken(account, '', transport);
		await rejectionOf(sharedToken(account, old, failing('ECONNREFUSED')));

		expect(await sharedToken(account, '', transport)).toBe('token-2');
	});

	test('a failure is reported to all who waited', async () => {
		const account = newAccount();
		const refusal = answering(json(503, {}));
		const waiting = [sharedToken(account, '', refusal), sharedToken(account, '', refusal)];

		const errors = await Promise.all(waiting.map(rejectionOf));

		expect(errors).toEqual([expect.any(ServiceError), expect.any(ServiceError)]);
	});

	test('a failure is not kept', async () => {
		const { account, transport } = newClient();
		await rejectionOf(sharedToken(account, '', answering(json(503, {}))));

		expect(await sharedToken(account, '', transport)).toBe('token-1');
	});

	test('an expired token is replaced by a new one #expired-token-replaced', async () => {
		const { account, transport, requests } = newClient(0);
		await sharedToken(account, '', transport);

		expect(await sharedToken(account, '', transport)).toBe('token-2');
		expect(requests).toHaveLength(2);
	});

	test.each([86_400, 'unknown'])('a token is kept, with a lifetime of %p', async (lifetime) => {
		const { account, transport, requests } = newClient(lifetime);
		await sharedToken(account, '', transport);

		expect(await sharedToken(account, '', transport)).toBe('token-1');
		expect(requests).toHaveLength(1);
	});
});

describe('failures #token-refusals', () => {
	const REFUSED = 'the server refused (status';
	const NOT_REACHED = 'auth.example.com cannot be reached';
	const NO_TOKEN = 'the server answered, but not with a token';

	test.each<[what: string, transport: Transport, message: string]>([
		['401', answering(json(401, { error: 'invalid_client' })), REFUSED],
		[
			'400 that names the audience',
			answering(json(400, { error: 'x', error_description: 'Unknown audience' })),
			REFUSED,
		],
		['404', answering(json(404, { message: 'Not found' })), REFUSED],
		['a redirect', answering({ status: 302, text: '' }), REFUSED],
		['200 HTML', answering({ status: 200, text: '<title>Welcome</title>' }), NO_TOKEN],
		['200 without a token', answering(json(200, { token: SECRET })), NO_TOKEN],
		['200 with an empty token', answering(json(200, { access_token: '' })), NO_TOKEN],
		[
			'502 HTML',
			answering({ status: 502, text: '<title>Bad</title>' }),
			'the server has a problem (status 502',
		],
		['429', answering(json(429, { message: 'Slow down' })), REFUSED],
		['no connection', failing('ECONNREFUSED'), NOT_REACHED],
	])('%s', async (_, transport, message) => {
		const error = await rejectionOf(requestToken(newAccount(), transport));

		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({ outcome: 'notSent', hint: expect.stringMatching(/\w.*\.$/) });
		expect(error).toHaveProperty('message', expect.stringMatching(/^No access token: /));
		expect(error).toHaveProperty('message', expect.stringContaining(message));
	});

	test('a connection error that repeats the secret does not show it', async () => {
		const error = await rejectionOf(requestToken(newAccount(), failing('ECONNRESET')));

		expect(JSON.stringify([error, (error as Error).message])).not.toContain(SECRET);
	});
});
