import type { Answer } from './scriptedService';
import {
	account,
	byId,
	execute,
	funding,
	jsonOf,
	payable,
	startScriptedService,
	WORKSPACE,
} from './support';

const service = startScriptedService();

/** The requests that were to change something, without those that renew a token. */
const changes = () => service.requests.filter(({ method }) => method === 'POST');

describe('an access token', () => {
	test('is requested once when those of this and another process are refused', async () => {
		service.useScript(() => ({ body: { id: 'p1' } }));
		const credentials = { clientId: 'client-of-two-processes' };
		await service.execute('payable.create', payable(), { credentials });

		const revoked = ['Bearer token-1-opaque', 'Bearer token-of-other-process'];
		service.script = ({ authorization = '' }) =>
			revoked.includes(authorization)
				? { status: 401, body: { message: 'Revoked' } }
				: { body: { id: 'p2' } };

		const { items, error } = await service.execute('payable.create', payable(), {
			credentials: { ...credentials, accessToken: 'token-of-other-process' },
		});

		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([{ id: 'p2' }]);
		expect(service.tokensIssued).toBe(2);
		expect(changes().slice(1)).toEqual([
			expect.objectContaining({ authorization: 'Bearer token-of-other-process' }),
			expect.objectContaining({ authorization: 'Bearer token-2-opaque' }),
		]);
	});

	test('that is refused again is an error that names the credential', async () => {
		service.useScript(() => ({ status: 401, body: { message: 'Who are you' } }));

		const { error } = await service.execute('funding.create', funding());

		expect(error?.message).toContain('"Who are you" (status 401) [item 0]');
		expect(error?.description).toContain('credential');
	});
});

describe.each([
	['clientCredentials', { accessToken: 'revoked' }],
	[
		'oAuth2',
		{
			grantType: 'authorizationCode',
			authentication: 'body',
			oauthTokenData: { access_token: 'revoked', refresh_token: 'r-1', token_type: 'Bearer' },
		},
	],
])(
	'a funding whose token is refused, with %s #unauthorized-sent-twice',
	(authentication, token) => {
		/** Sends fundings at once, each in an execution of its own, all with one stored credential. */
		const fund = async (...payables: string[]) => {
			const credentials = account(service.url, token);
			const executions = payables.map(async (payableIds) => {
				const operation = { authentication, resource: 'funding', operation: 'create' };
				const parameters = { ...operation, ...funding({ payableIds }) };

				return await execute({ parameters, credentials });
			});

			return await Promise.all(executions);
		};

		const FIVE = ['p1', 'p2', 'p3', 'p4', 'p5'];

		/** The tokens that each payable was sent with, in their order. */
		const tokensByPayable = () => {
			const tokens: Record<string, string[]> = {};
			for (const { body, authorization = '' } of changes()) {
				const [payableId = ''] = (body as { payable_ids: string[] }).payable_ids;
				tokens[payableId] = [...(tokens[payableId] ?? []), authorization];
			}

			return tokens;
		};

		const refuseAll = () => {
			service.useScript(() => ({ status: 401, body: { message: 'Revoked' } }));
		};

		const refuseRevoked = () => {
			service.useScript(({ authorization }) =>
				authorization === 'Bearer revoked'
					? { status: 401, body: { message: 'Revoked' } }
					: { body: { id: 'f1' } },
			);
		};

		test('is sent twice when the new one is refused as well, and has failed then', async () => {
			refuseAll();

			const [result] = await fund('p1');

			expect(result?.error?.message).toContain('"Revoked" (status 401)');
			expect(tokensByPayable()).toEqual({ p1: ['Bearer revoked', 'Bearer token-1-opaque'] });
			expect(service.tokensIssued).toBe(1);
		});

		test('is sent twice when the new one is accepted', async () => {
			refuseRevoked();

			const [result] = await fund('p1');

			expect(result?.error).toBeUndefined();
			expect(jsonOf(result?.items ?? [])).toMatchObject([{ id: 'f1' }]);
			expect(tokensByPayable()).toEqual({ p1: ['Bearer revoked', 'Bearer token-1-opaque'] });
			expect(service.tokensIssued).toBe(1);
		});

		test('is sent twice at most when five are refused at once', async () => {
			refuseAll();

			const results = await fund(...FIVE);

			const counts = Object.values(tokensByPayable()).map((tokens) => tokens.length);

			for (const { error } of results) {
				expect(error?.message).toContain('(status 401)');
			}

			expect(counts).toEqual([2, 2, 2, 2, 2]);
		});

		test('shares the renewal with four others', async () => {
			refuseRevoked();

			const results = await fund(...FIVE);

			expect(results.map(({ error }) => error)).toEqual(FIVE.map(() => undefined));
			expect(service.tokensIssued).toBe(1);
			for (const tokens of Object.values(tokensByPayable())) {
				expect(tokens.at(-1)).toBe('Bearer token-1-opaque');
				expect(tokens.length).toBeLessThanOrEqual(2);
			}
		});
	},
);

const ACCESS = 'user-token-1-opaque';
const REFRESH = 'refresh-token-1-opaque';
const NEW_TOKEN: Answer = {
	body: { access_token: 'user-token-2-opaque', token_type: 'Bearer', expires_in: 86_400 },
};

/** Creates a payable with a connected account whose access token the service no longer takes. */
const createWithExpiredToken = async (
	tokenAnswer: Answer,
	tokens: Record<string, string> = { refresh_token: REFRESH },
	answer: Answer = { body: { payable: { id: 'p1' } } },
) => {
	service.useScript(({ authorization }) =>
		authorization === `Bearer ${ACCESS}` ? { status: 401, body: { message: 'expired' } } : answer,
	);
	service.answerToken = () => tokenAnswer;
	const oauthTokenData = { access_token: ACCESS, token_type: 'Bearer', ...tokens };

	return await service.execute('payable.create', payable({ authentication: 'oAuth2' }), {
		credentials: { grantType: 'authorizationCode', authentication: 'body', oauthTokenData },
	});
};

test('an expired token is renewed without a user, and the request is sent once more #renewed-without-user', async () => {
	const { items, error } = await createWithExpiredToken(NEW_TOKEN);

	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual([{ id: 'p1' }]);
	expect(changes().map(({ authorization }) => authorization)).toEqual([
		`Bearer ${ACCESS}`,
		'Bearer user-token-2-opaque',
	]);
});

test('a request that is lost after the renewal is unconfirmed', async () => {
	const { error } = await createWithExpiredToken(NEW_TOKEN, undefined, 'cut');

	expect(error?.message).toMatch(/^Unconfirmed whether the request to create the payable/);
	expect(changes()).toHaveLength(2);
});

describe('a token that cannot be renewed is reported, and leaves no payable unconfirmed: #failed-renewal-not-in-doubt', () => {
	test.each<[what: string, answer: Answer, message: RegExp]>([
		[
			'access that was revoked',
			{ status: 400, body: { error: 'invalid_grant', error_description: 'gone' } },
			/needs to be reconnected/,
		],
		[
			'a client that is not known any more',
			{ status: 401, body: { error: 'invalid_client', error_description: 'Who is this?' } },
			/could not be renewed.*"Who is this\?"/,
		],
		[
			'a page where the token endpoint should be',
			{ status: 404, body: '<title>Not here</title>', type: 'text/html' },
			/could not be renewed.*"Not here" \(status 404\)/,
		],
		[
			'a failing authentication server',
			{ status: 503, body: 'busy' },
			/could not be renewed.*status 503/,
		],
		['a broken connection', 'cut', /could not be renewed.*broke before an answer/],
	])('%s', async (_, answer, message) => {
		const { error } = await createWithExpiredToken(answer);

		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(/connect it again\. The service did not take this request/);
		expect(error?.message).not.toMatch(/Unconfirmed/);
		expect(changes()).toHaveLength(2);
		expect(JSON.stringify(error)).not.toContain(REFRESH);
	});

	test('an account without a refresh token', async () => {
		const { error } = await createWithExpiredToken({ body: {} }, {});

		expect(error?.message).toMatch(/could not be renewed/);
		expect(error?.description).toMatch(/connect it again/);
		expect(service.tokensIssued).toBe(0);
	});
});

test.each([
	['production', 'Production has no'],
	['', 'is neither Sandbox nor'],
	['Sandbox', 'is neither Sandbox nor'],
	['prod', 'is neither Sandbox nor'],
	['production ', 'is neither Sandbox nor'],
	[null, 'is neither Sandbox nor'],
])('a credential whose environment is %j simulates no deposit', async (environment, reason) => {
	const { error } = await service.execute(
		'deposit.simulate',
		{ workspaceId: byId(WORKSPACE), amount: '1' },
		{ credentials: { environment } as { environment: string } },
	);

	expect(error?.message).toContain(reason);
	expect([service.requests, service.tokensIssued]).toEqual([[], 0]);
});
