import type { INodeParameters } from 'n8n-workflow';

import { ScriptedService, type Answer, type Script } from './scriptedService';
import { byId, funding, payable, run, SECRET, WORKSPACE } from './support';

const service = new ScriptedService();
const workspaceId = byId(WORKSPACE);
/** An empty value that n8n itself cannot see before the node runs. */
const EMPTY = '={{ "" }}';

beforeAll(async () => {
	await service.start();
});
afterAll(async () => {
	await service.stop();
});

const mixed = {
	items: [{ amount: '1' }, { amount: '1.005' }, { amount: '3' }],
	parameters: payable({ amount: '={{ $json.amount }}' }),
};
const created = [{ id: 'p100' }, { id: 'p300' }];
const byAmount: Script = ({ body }) => ({
	body: { id: `p${(body as { amount: number }).amount}` },
});

describe('a bad item', () => {
	const lines = (...amounts: string[]) => ({
		lineItems: { item: amounts.map((amount) => ({ amount, description: '' })) },
	});

	test.each<[what: string, operation: string, parameters: INodeParameters, message: string]>([
		['1.005', 'payable.create', payable({ amount: '1.005' }), 'has 3 decimals'],
		['0.1 + 0.2', 'payable.create', payable({ amount: '={{ 0.1 + 0.2 }}' }), 'has 17 decimals'],
		[
			'9007199254740993',
			'payable.create',
			payable({ amount: '9007199254740993', amountUnit: 'minor' }),
			'too large',
		],
		['a zero amount', 'payable.create', payable({ amount: 0 }), 'is zero'],
		['a negative amount', 'funding.create', funding({ amount: -1 }), 'is negative'],
		['no amount', 'deposit.simulate', { workspaceId, amount: EMPTY }, 'The amount is empty'],
		[
			'line items that do not add up',
			'payable.create',
			payable(lines('10', '9')),
			'add up to 19.00',
		],
		[
			'a line item of nothing',
			'payable.create',
			payable(lines('19.99', '0')),
			'line item 2 is zero',
		],
		['no address', 'payable.create', payable({ payeeEmail: EMPTY }), 'Payee Email is empty'],
		['a wrong address', 'payable.create', payable({ payeeEmail: 'ana' }), 'not an e-mail address'],
		[
			'a wrong date',
			'payable.create',
			payable({ dueDate: 'soon' }),
			'Due Date "soon" is not a date',
		],
		['no workspace', 'wallet.get', { workspaceId: byId(EMPTY) }, 'Workspace is empty'],
		[
			'a wrong workspace',
			'wallet.get',
			{ workspaceId: byId('={{ "../x" }}') },
			'is not a workspace ID',
		],
		['no payables', 'funding.create', funding({ payableIds: ' , ' }), 'Payable IDs is empty'],
		['a payable twice', 'funding.create', funding({ payableIds: 'a,b,a' }), 'names "a" twice'],
		[
			'a field of the node again',
			'payable.create',
			payable({ options: { additionalFields: '{"amount":1}' } }),
			'Additional Fields replaces "amount"',
		],
		[
			'broken JSON',
			'payable.create',
			payable({ options: { additionalFields: '{"a":' } }),
			'is not a JSON object',
		],
		[
			'a subscription address that is none',
			'webhookSubscription.create',
			{ workspaceId, url: 'hooks', events: ['payablePaid'] },
			'is not a web address',
		],
		[
			'a subscription to nothing',
			'webhookSubscription.create',
			{ workspaceId, url: 'https://hooks.example.com', events: '={{ [] }}' },
			'Events needs at least one of',
		],
		['no funding', 'funding.getInvoicePdf', { fundingId: ' ' }, 'Funding ID is empty'],
		['a limit of nothing', 'deposit.getAll', { workspaceId, limit: 0 }, 'Limit is not a whole'],
	])('%s is refused before any request', async (_, operation, parameters, message) => {
		service.play(() => ({ body: {} }));
		const { error, items } = await run(service, operation, parameters);
		expect(error?.message).toContain(message);
		expect(error?.message).toMatch(/ \[item 0\]$/);
		expect(error?.description).toContain('Nothing was sent for it.');
		expect([items, service.requests, service.tokensIssued]).toEqual([[], [], 0]);
	});

	test.each(['.', '..'])('with the ID %p reaches no other endpoint', async (payableId) => {
		service.play(() => ({ body: {} }));
		const { error } = await run(service, 'payable.approve', { payableId });
		expect(error?.message).toContain('is not an ID');
		expect(service.requests).toEqual([]);
	});

	test('among good ones ends the run before any request', async () => {
		service.play(() => ({ body: {} }));
		const { error } = await run(service, 'payable.create', mixed.parameters, {
			items: mixed.items,
		});
		expect(error?.message).toMatch(/1\.005.*\[item 1\]$/);
		expect(service.requests).toEqual([]);
	});

	test('comes out in its place when the node continues', async () => {
		service.play(byAmount);
		const { error, items } = await run(service, 'payable.create', mixed.parameters, {
			items: mixed.items,
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect([items[0]?.json, items[2]?.json]).toEqual(created);
		expect(items[1]?.json).toEqual({
			error: 'The amount "1.005" has 3 decimals, but the unit has only 2 [item 1]',
			details: { hint: expect.stringContaining('.toFixed(2)'), in_doubt: false },
		});
		expect(service.requests).toHaveLength(2);
	});

	test('goes to the error output with its input, when there is one', async () => {
		service.play(byAmount);
		const { error, items, failedItems } = await run(service, 'payable.create', mixed.parameters, {
			items: mixed.items,
			onError: 'continueErrorOutput',
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual(created);
		expect(failedItems.map(({ json }) => json)).toEqual([
			{
				amount: '1.005',
				error: expect.stringContaining('[item 1]'),
				details: { hint: expect.stringContaining('.toFixed(2)'), in_doubt: false },
			},
		]);
	});
});

describe('a refusal of the service', () => {
	test.each<[shape: string, body: unknown, words: string]>([
		['{message}', { message: 'Payee unknown' }, '"Payee unknown"'],
		['{error: text}', { error: 'Payee unknown' }, '"Payee unknown"'],
		['{error_description}', { error: 'x', error_description: 'Payee unknown' }, '"Payee unknown"'],
		['{error: {message}}', { error: { code: 'x', message: 'Payee unknown' } }, '"Payee unknown"'],
		['{errors: [text]}', { errors: ['Payee unknown', 'Closed'] }, '"Payee unknown; Closed"'],
		[
			'{errors: [{field, message}]}',
			{ errors: [{ field: 'payee', message: 'unknown' }] },
			'"payee: unknown"',
		],
		['problem+json', { title: 'Invalid', detail: 'Payee unknown' }, '"Payee unknown"'],
		['text', 'Payee unknown', '"Payee unknown"'],
		['HTML', '<html><title>Payee unknown</title></html>', '"Payee unknown"'],
		['nothing', '', 'without a reason'],
	])('as %s is told in its own words', async (_, body, words) => {
		service.play(() => ({ status: 422, body }));
		const { error } = await run(service, 'payable.create', payable());
		expect(error?.message).toBe(
			`Could not create the payable: the service answered ${words} (status 422) [item 0]`,
		);
		expect(error?.description).toBe(
			'Check the values of this item. The request was POST /payable.',
		);
		expect(service.requests).toHaveLength(1);
	});

	test.each([400, 403, 404, 409])('with status %p gives its hint', async (status) => {
		service.play(() => ({ status, body: { message: 'No' } }));
		const { error } = await run(service, 'wallet.get', { workspaceId });
		expect(error?.message).toBe(
			`Could not get the wallet: the service answered "No" (status ${status}) [item 0]`,
		);
		expect(error?.description).toMatch(/^[A-Z].*\. The request was GET \/workspace\//);
	});

	test('for too many requests is waited for, and told when it never ends', async () => {
		service.play(() => ({ status: 429, body: { message: 'No' } }));
		const { error } = await run(service, 'payable.create', payable());
		expect(error?.message).toMatch(
			/^Could not create the payable: the service answered "No" \(status 429\), tried \d+ times \[item 0\]$/,
		);
		expect(error?.description).toMatch(/^Check that the Requests per Minute .* POST \/payable\.$/);
		expect(service.requests.length).toBeGreaterThan(10);
	});

	test('in the middle of a run begins nothing more, and names what was done', async () => {
		const refused = 4;
		service.play(({ body }) => {
			const { amount } = body as { amount: number };
			return amount === refused
				? { status: 409, body: { message: 'No' } }
				: { body: { id: `p${amount}` } };
		});
		const items = Array.from({ length: 200 }, (_, index) => ({ amount: index + 1 }));
		const { error } = await run(
			service,
			'payable.create',
			payable({ amount: '={{ $json.amount }}', amountUnit: 'minor' }),
			{
				items,
			},
		);
		expect(error?.message).toMatch(/\[item 3\]$/);
		expect(error?.description).toMatch(/Done all the same: item \d+ \(p\d+\)/);
		const named = error?.description.match(/\(p\d+\)/g) ?? [];
		expect(service.requests).toHaveLength(named.length + 1);
		expect(named.length).toBeLessThan(50);
	});

	test('of one item leaves the others alone when the node continues', async () => {
		service.play((request, position) =>
			(request.body as { amount: number }).amount === 200
				? { status: 409, body: { message: 'No' } }
				: byAmount(request, position),
		);
		const { items } = await run(service, 'payable.create', mixed.parameters, {
			items: [{ amount: '1' }, { amount: '2' }, { amount: '3' }],
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json)).toEqual([
			{ id: 'p100' },
			{
				error: expect.stringMatching(/"No" \(status 409\) \[item 1\]$/),
				details: {
					hint: expect.not.stringContaining('Done all the same'),
					in_doubt: false,
					status: 409,
				},
			},
			{ id: 'p300' },
		]);
	});

	test('of a batch belongs to all its items', async () => {
		service.play(() => ({ status: 422, body: { message: 'No' } }));
		const { items } = await run(
			service,
			'partner.invite',
			{ workspaceId, payeeEmail: 'ana@example.com' },
			{ items: [{}, {}], onError: 'continueRegularOutput' },
		);
		expect(items.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/^Could not invite 2 partners: .*\[item 0\]$/),
			expect.stringMatching(/^Could not invite 2 partners: .*\[item 1\]$/),
		]);
	});
});

describe('an answer that tells nothing', () => {
	const HTML_502: Answer = {
		status: 502,
		body: '<html><title>Bad Gateway</title></html>',
		type: 'text/html',
	};
	const answers: [name: string, answer: Answer][] = [
		['a 500', { status: 500, body: { message: 'Oops' } }],
		['an HTML 502', HTML_502],
		['a cut connection', 'cut'],
	];
	const empty: [name: string, answer: Answer][] = [
		['an empty 200', { body: '' }],
		['a 200 with an empty object', { body: {} }],
		['a 200 of HTML', { body: '<html><title>Hello</title></html>', type: 'text/html' }],
	];
	const invitation = { workspaceId, payeeEmail: 'ana@example.com' };
	const subscription = { workspaceId, url: 'https://h.example.com', events: ['payablePaid'] };
	const creating: [operation: string, parameters: INodeParameters, answers: typeof answers][] = [
		['payable.create', payable(), [...answers, ...empty]],
		['funding.create', funding(), [...answers, ...empty]],
		['partner.invite', invitation, answers],
		['webhookSubscription.create', subscription, answers],
		['deposit.simulate', { workspaceId, amount: '1' }, answers],
	];
	const inDoubt = creating.flatMap(([operation, parameters, all]) =>
		all.map(([name, answer]) => ({ operation, parameters, name, answer })),
	);

	test.each(inDoubt)(
		'$name leaves $operation in doubt',
		async ({ operation, parameters, answer }) => {
			service.play(() => answer);
			const { items, error } = await run(service, operation, parameters, {
				onError: 'continueRegularOutput',
			});
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toEqual([
				{
					error: expect.stringMatching(/^In doubt whether the request to .* \[item 0\]$/),
					details: {
						hint: expect.stringMatching(/^It may have\. Look it up .*POST \/.* with \{/),
						in_doubt: true,
						...(typeof answer === 'object' && { status: answer.status ?? 200 }),
					},
				},
			]);
			expect(service.requests).toHaveLength(1);
		},
	);

	const harmless = [
		['wallet.get', { workspaceId }],
		['workspace.get', { workspaceId }],
		['payable.approve', { payableId: 'p1' }],
		['funding.linkDeposit', { fundingId: 'f1', depositId: 'd1' }],
		['funding.getInvoicePdf', { fundingId: 'f1' }],
	] as const;
	const certain = harmless.flatMap(([operation, parameters]) =>
		answers.map(([name, answer]) => ({ operation, parameters, name, answer })),
	);

	test.each(certain)(
		'$name leaves no doubt about $operation',
		async ({ operation, parameters, answer }) => {
			service.play(() => answer);
			const { items } = await run(service, operation, parameters, {
				onError: 'continueRegularOutput',
			});
			expect(items.map(({ json }) => json)).toEqual([
				{
					error: expect.stringMatching(/^Could not .*, tried 5 times \[item 0\]$/),
					details: {
						hint: expect.stringMatching(/^[A-Z].*\.$/),
						in_doubt: false,
						...(typeof answer === 'object' && { status: answer.status }),
					},
				},
			]);
			expect(service.requests).toHaveLength(5);
		},
	);

	test.each(['wallet.get', 'workspace.get', 'deposit.getAll', 'workspace.getInviteLink'])(
		'an empty 200 to %s is an error',
		async (operation) => {
			service.play(() => ({ body: '' }));
			const { error } = await run(service, operation, { workspaceId });
			expect(error?.message).toMatch(/the service answered without .* \(status 200\) \[item 0\]$/);
		},
	);

	test('a server that is not there leaves nothing in doubt', async () => {
		service.play(() => ({ body: {} }));
		const credentials = { apiBaseUrl: 'http://localhost:1' };
		const { items } = await run(service, 'funding.create', funding(), {
			credentials,
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json)).toEqual([
			{
				error:
					'Could not create the funding: localhost:1 cannot be reached, nothing answers at that address, tried 5 times [item 0]',
				details: { hint: expect.stringMatching(/Nothing was changed\.$/), in_doubt: false },
			},
		]);
	});
});

describe('a token', () => {
	test('that is refused is renewed once, and the request repeated', async () => {
		service.play(({ authorization }) =>
			authorization === 'Bearer token-2-opaque'
				? { body: { id: 'p1' } }
				: { status: 401, body: { message: 'Expired' } },
		);
		const credentials = { accessToken: 'token-0-opaque' };
		service.tokensIssued = 1;
		const { items, error } = await run(service, 'payable.create', payable(), { credentials });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([{ id: 'p1' }]);
		expect(service.requests.map(({ authorization }) => authorization)).toEqual([
			'Bearer token-0-opaque',
			'Bearer token-2-opaque',
		]);
	});

	test('that is refused for ever ends in one clear sentence', async () => {
		service.play(() => ({ status: 401, body: { message: 'Who are you' } }));
		const { error } = await run(service, 'funding.create', funding());
		expect(error?.message).toBe(
			'Could not create the funding: the service answered "Who are you" (status 401) [item 0]',
		);
		expect(error?.description).toContain('Check the credential');
		expect([service.requests.length, service.tokensIssued]).toEqual([2, 2]);
	});

	test.each<[what: string, answer: Answer, message: string]>([
		[
			'a wrong secret',
			{ status: 401, body: { error: 'invalid_client' } },
			'client secret is wrong',
		],
		['a wrong audience', { status: 403, body: { error: 'denied' } }, 'audience is not accepted'],
		['a wrong address', { status: 404, body: 'Not found' }, 'there is no token endpoint'],
		['a broken server', { status: 502, body: '<h1>Bad</h1>' }, 'a problem of its own'],
		['a page', { body: '<html></html>' }, 'not with a token'],
		['a cut connection', 'cut', 'cannot be reached, the connection was closed'],
	])('that is not to be had because of %s leaves nothing in doubt', async (_, answer, message) => {
		service.play(() => ({ body: {} }));
		service.tokenAnswer = answer;
		const { items } = await run(service, 'funding.create', funding(), {
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json)).toEqual([
			{
				error: expect.stringMatching(/^No access token: .*\[item 0\]$/),
				details: { hint: expect.stringMatching(/\w.*\.$/), in_doubt: false },
			},
		]);
		expect(items[0]?.json.error).toContain(message);
		expect(service.requests).toEqual([]);
	});
});

describe('a credential', () => {
	test('of production simulates no deposit, before any request', async () => {
		service.play(() => ({ body: {} }));
		const credentials = { environment: 'production' };
		const parameters = { workspaceId, amount: '1' };
		const { error } = await run(service, 'deposit.simulate', parameters, { credentials });
		expect(error?.message).toContain('belongs to production, where deposits are real');
		expect([service.requests, service.tokensIssued]).toEqual([[], 0]);
	});

	test.each([
		[
			{ apiBaseUrl: 'http://api.example.com' },
			'The API Base URL of the credential must start with',
		],
		[{ apiBaseUrl: '' }, 'The API Base URL of the credential is empty'],
		[{ authBaseUrl: 'http://auth.example.com' }, 'The Auth Base URL of the credential must start'],
		[{ audience: '' }, 'the credential has no Audience'],
	])('with %j sends nothing', async (credentials, message) => {
		service.play(() => ({ body: {} }));
		const { error } = await run(service, 'wallet.get', { workspaceId }, { credentials });
		expect(error?.message).toContain(message);
		expect([service.requests, service.tokensIssued]).toEqual([[], 0]);
	});

	test.each(['user.get', 'user.getWorkspaces'])(
		'of a client is told to use OAuth2 for %s',
		async (operation) => {
			service.play(() => ({ status: 403, body: { message: 'No user' } }));
			const { error } = await run(service, operation, {});
			expect(error?.message).toContain('choose an OAuth2 credential');
			expect(error?.description).toContain('"No user" (status 403)');
		},
	);

	test.each([
		[
			'user.get',
			{ user: { id: 'u1', email: 'n@example.com' } },
			[{ id: 'u1', email: 'n@example.com' }],
		],
		['user.getWorkspaces', { data: [{ id: 'w1' }, { id: 'w2' }] }, [{ id: 'w1' }, { id: 'w2' }]],
	])('of a user serves %s', async (operation, body, output) => {
		service.play(() => ({ body }));
		const { items, error } = await run(
			service,
			operation,
			{ authentication: 'oAuth2' },
			{
				credentials: {
					grantType: 'authorizationCode',
					oauthTokenData: { access_token: 'user-token-opaque', token_type: 'Bearer' },
				},
			},
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual(output);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(output.map(() => ({ item: 0 })));
		expect(service.requests).toEqual([
			expect.objectContaining({ method: 'GET', authorization: 'Bearer user-token-opaque' }),
		]);
	});
});

test('an OAuth2 account that nobody connected is told to be connected', async () => {
	service.play(() => ({ body: {} }));
	const { error } = await run(
		service,
		'user.get',
		{ authentication: 'oAuth2' },
		{ credentials: { grantType: 'authorizationCode' } },
	);
	expect(error?.message).toContain('not connected');
	expect(error?.description).toContain('connect your account');
	expect(service.requests).toEqual([]);
});

describe('a secret that the service repeats is nowhere in the execution', () => {
	const TOKEN = 'token-1-opaque';
	const inAscii = (text: string): string =>
		Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
	const shapes: [name: string, write: (secret: string) => Answer][] = [
		['JSON', (secret) => ({ body: { id: 'p1', status: 'x', echo: `<${secret}>` } })],
		[
			'JSON with escaped slashes',
			(secret) => ({
				body: JSON.stringify({ id: 'p1', status: 'x', echo: secret }).replaceAll('/', '\\/'),
				type: 'application/json',
			}),
		],
		[
			'JSON in ASCII escapes',
			(secret) => ({
				body: `{"id":"p1","echo":"${inAscii(secret)}"}`,
				type: 'application/json',
			}),
		],
		['a name', (secret) => ({ body: { id: 'p1', [secret]: 1 } })],
		['a refusal', (secret) => ({ status: 422, body: { message: `Bad ${secret}` } })],
		['a refusal as text', (secret) => ({ status: 400, body: `Bad ${secret}` })],
		['a 401', (secret) => ({ status: 401, body: { message: `Bad ${secret}` } })],
		['a 500', (secret) => ({ status: 500, body: { message: `Bad ${secret}` } })],
		['a header', (secret) => ({ status: 422, body: 'No', headers: { 'x-echo': secret } })],
	];
	const everywhere = shapes.flatMap(([name, write]) =>
		[SECRET, TOKEN].map((secret) => ({ name, secret, answer: write(secret) })),
	);

	test.each(everywhere)('$name: $secret', async ({ answer }) => {
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			service.play(() => answer);
			const { stored } = await run(service, 'payable.approve', { payableId: 'p1' }, { onError });
			expect(service.requests.length).toBeGreaterThan(0);
			expect(stored).not.toContain(TOKEN);
			expect(stored).not.toContain(SECRET);
			expect(stored).not.toContain(JSON.stringify(SECRET).slice(1, -1));
		}
	});

	test('nor when the token endpoint repeats it', async () => {
		service.play(() => ({ body: {} }));
		service.tokenAnswer = { status: 401, body: { error_description: `Bad ${SECRET}` } };
		const { stored, error } = await run(service, 'wallet.get', { workspaceId });
		expect(error?.message).toContain('[redacted]');
		expect(stored).not.toContain(SECRET);
		expect(stored).not.toContain(JSON.stringify(SECRET).slice(1, -1));
	});
});
