import type { INodeParameters } from 'n8n-workflow';
import { gzipSync } from 'zlib';

import type { StoredCredentials } from './credentials';
import {
	AMOUNT_OF_ITEM,
	byEmail,
	byId,
	type Changes,
	funding,
	ONE_WRONG_AMOUNT,
	payable,
	payableNamedByAmount,
	startScriptedService,
	WORKSPACE,
} from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);

test('an answer of 50 kB of gzip and 50 MB of text is read up to 20 MB #bounded-answers', async () => {
	const headers = { 'content-encoding': 'gzip' };
	service.useScript(() => ({ body: gzipSync(Buffer.alloc(5e7)), headers }));

	const { error } = await service.execute('payable.create', payable());

	expect(error?.message).toMatch(/^Unconfirmed .*: the answer is larger than 20 MB/);
	expect(service.requests).toEqual([expect.objectContaining({ encoding: 'identity' })]);
});

describe('a refusal of the service', () => {
	test('is quoted, with what to do #refusal-quoted', async () => {
		const body = { errors: [{ field: 'payee', message: 'unknown' }] };
		service.useScript(() => ({ status: 422, body }));

		const { error } = await service.execute('payable.create', payable());

		expect(error?.message).toContain('"payee: unknown" (status 422) [item 0]');
		expect(error?.description).toContain('POST /payable');
		expect(service.requests).toHaveLength(1);
	});

	test('in the middle of an execution ends it, and names what was done', async () => {
		const refused = 4;
		service.useScript(({ body }) => {
			const { amount } = body as { amount: number };
			return amount === refused
				? { status: 409, body: { message: 'No' } }
				: { body: { id: `p${amount}` } };
		});

		const items = Array.from({ length: 200 }, (_, index) => ({ amount: index + 1 }));

		const { error } = await service.execute(
			'payable.create',
			payable({ amount: '={{ $json.amount }}', options: { amountUnit: 'cents' } }),
			{ items },
		);

		const named = error?.description.match(/\(p\d+\)/g) ?? [];
		const more = Number(/and (\d+) more/.exec(error?.description ?? '')?.[1] ?? 0);

		expect(error?.message).toMatch(/\[item 3\]$/);
		expect(error?.description).toMatch(
			/These did not fail: item \d+ \(p\d+\).*This run sent nothing for the other items\.$/,
		);

		expect(service.requests).toHaveLength(named.length + more + 1);
		// How many are answered before the refusal is read depends on how busy the machine is.
		expect(service.requests.length).toBeLessThan(items.length);
	});

	test('of one item does not affect the others when the node continues', async () => {
		service.useScript((request, position) =>
			(request.body as { amount: number }).amount === 200
				? { status: 409, body: { message: 'No' } }
				: payableNamedByAmount(request, position),
		);

		const { items } = await service.execute('payable.create', AMOUNT_OF_ITEM, {
			items: [{ amount: '1' }, { amount: '2' }, { amount: '3' }],
			onError: 'continueRegularOutput',
		});

		expect(items.map(({ json }) => json)).toEqual([
			{ id: 'p100' },
			{
				error: expect.stringMatching(/"No" \(status 409\) \[item 1\]$/),
				details: {
					hint: expect.not.stringContaining('These did not fail'),
					unconfirmed: false,
					status: 409,
				},
			},
			{ id: 'p300' },
		]);
	});

	test('of a batch belongs to all its items', async () => {
		service.useScript(() => ({ status: 422, body: { message: 'No' } }));

		const { items } = await service.execute(
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

test('an unreachable host is named, with the item, where n8n has a text of its own', async () => {
	const credentials = { apiBaseUrl: 'http://localhost:9' };

	const { error } = await service.execute('wallet.get', { workspaceId }, { credentials });

	expect(error?.message).toMatch(/localhost:9 .*\[item 0\]$/);
	expect(error?.description).toContain('Check the "API Base URL"');
});

describe('the default workspace of a credential', () => {
	const credentials = { defaultWorkspaceId: WORKSPACE };

	test('is that of a node whose workspace is left empty', async () => {
		service.useScript(() => ({ body: { balance: 1 } }));

		const { error } = await service.execute('wallet.get', {}, { credentials });

		expect(error).toBeUndefined();
		expect(service.requests.map(({ url }) => url)).toEqual([`/v1/workspace/${WORKSPACE}/wallet`]);
	});

	test('is not that of a node whose workspace yields nothing', async () => {
		const nothing = { workspaceId: byId(EMPTY) };

		const { error } = await service.execute('wallet.get', nothing, { credentials });

		expect(error?.message).toContain('Workspace is empty');
		expect(service.requests).toEqual([]);
	});

	test('is refused where it is no ID', async () => {
		const wrong = { credentials: { defaultWorkspaceId: 'mine' } };

		const { error } = await service.execute('wallet.get', {}, wrong);

		expect(error?.message).toContain('"mine" is not a workspace ID');
		expect(service.requests).toEqual([]);
	});
});

test('an operation that needs a user says so', async () => {
	service.useScript(() => ({ status: 403, body: { message: 'No user' } }));

	const { error } = await service.execute('user.get', {});

	expect(error?.message).toContain('OAuth2 credential');
	expect(`${error?.message} ${error?.description}`).toContain('(status 403)');
});

/** An empty value that n8n itself cannot see before the node runs. */
const EMPTY = '={{ "" }}';
const INSECURE = 'must start with https://';
const connected = { oauthTokenData: { access_token: 'token-of-a-user', token_type: 'Bearer' } };

test.each<[operation: string, parameters: INodeParameters, credentials: StoredCredentials]>([
	['user.get', { authentication: 'oAuth2' }, { ...connected, apiBaseUrl: 'http://a.example' }],
	['wallet.get', { workspaceId }, { apiBaseUrl: 'http://localhost.example.com' }],
	['wallet.get', { workspaceId }, { authBaseUrl: 'http://auth.example.com' }],
])(
	'%s of %j sends nothing over plain HTTP: %j #no-plain-http',
	async (operation, parameters, credentials) => {
		const { error } = await service.execute(operation, parameters, { credentials });

		expect(error?.message).toContain(INSECURE);
		expect([service.requests, service.tokensIssued]).toEqual([[], 0]);
	},
);

test.each<[operation: string, parameters: INodeParameters, changes: Changes, reason: string]>([
	['user.get', { authentication: 'oAuth2' }, {}, 'not connected to an account [item 0]'],
	['payable.create', payable(), { retryOnFail: true }, '"Retry On Fail"'],
	[
		'funding.linkDeposit',
		{ fundingId: 'f1', depositId: 'd1' },
		{ retryOnFail: true },
		'"Retry On Fail"',
	],
])('%s of %j sends nothing, set up as %j', async (operation, parameters, changes, reason) => {
	const { error } = await service.execute(operation, parameters, changes);

	expect(error?.message).toContain(reason);
	expect([service.requests, service.tokensIssued]).toEqual([[], 0]);
});

const subscription = { url: 'https://hooks.example.com', events: ['payablePaid'] };

describe('an invalid item', () => {
	const lines = (...amounts: string[]) => ({
		options: { lineItems: { item: amounts.map((amount) => ({ amount, description: '' })) } },
	});

	const expectRefused = async (operation: string, parameters: INodeParameters, reason: string) => {
		const { error, items } = await service.execute(operation, parameters);

		expect(error?.message).toContain(reason);
		expect(error?.message).toMatch(/ \[item 0\]$/);
		expect(error?.description).toMatch(/sent nothing|Nothing was sent/);
		expect([items, service.requests, service.tokensIssued]).toEqual([[], [], 0]);
	};

	test.each<[what: string, changes: INodeParameters, reason: string]>([
		['line items that do not add up', lines('10', '9'), 'add up to $19.00'],
		['no address', { payee: byEmail(EMPTY) }, '"Payee" is empty'],
		['a wrong address', { payee: byEmail('ana') }, '"Payee" is not an email'],
		['no unit', { options: { amountUnit: EMPTY } }, '"Amount Unit" is not chosen'],
		['dollars as cents', { options: { amountUnit: 'cents' } }, 'cents have 0 at most'],
		['a wrong date', { options: { dueDate: 'soon' } }, '"Due Date" "soon"'],
		['a field sent twice', { options: { additionalFields: '{"amount":1}' } }, 'replaces "amount"'],
		['broken JSON', { options: { additionalFields: '{"a":' } }, 'JSON object'],
		['two fields in an amount', { amount: '={{ 1 }}{{ 2 }}' }, 'joins several'],
		['a list for an amount', { amount: '={{ [19.99] }}' }, 'a list, not a number'],
	])('%s is refused before any request', async (_, changes, reason) => {
		await expectRefused('payable.create', payable(changes), reason);
	});

	test.each<[operation: string, parameters: INodeParameters, reason: string]>([
		['funding.create', funding({ amount: -1 }), 'is negative'],
		['funding.create', funding({ payableIds: ' , ' }), '"Payable IDs" is empty'],
		['funding.create', funding({ payableIds: 'a,b,a' }), 'has "a" twice'],
		['funding.create', funding({ payableIds: '={{ ["p1", { id: "p2" }] }}' }), 'is an object'],
		[
			'funding.create',
			funding({ options: { maxAmount: '={{ {} }}' } }),
			'"Limit: Maximum Amount" is an object',
		],
		[
			'payout.send',
			{ ...payable(), uniqueReference: '={{ { a: 7 } }}' },
			'Reference" is an object',
		],
		['funding.getInvoicePdf', { fundingId: ' ' }, '"Funding ID" is empty'],
		['deposit.simulate', { workspaceId, amount: EMPTY }, 'amount is empty'],
		['deposit.getAll', { workspaceId, limit: 0 }, 'Limit'],
		['wallet.get', { workspaceId: byId(EMPTY) }, 'Workspace is empty'],
		['wallet.get', { workspaceId: byId('={{ "../x" }}') }, 'workspace ID'],
		['wallet.get', {}, 'Workspace is empty'],
		['webhookSubscription.create', { ...subscription, workspaceId, url: 'hooks' }, 'web address'],
		['webhookSubscription.create', { ...subscription, workspaceId, events: '={{ [] }}' }, 'Events'],
		['payable.approve', { payableId: '={{ 9007199254740993 }}' }, 'Payable ID'],
		['payable.approve', { payableId: '..' }, 'is not an ID'],
	])('%s of %j is refused before any request', async (operation, parameters, reason) => {
		await expectRefused(operation, parameters, reason);
	});

	test.each<[operation: string, parameters: INodeParameters, names: string[]]>([
		['payable.create', payable(), ['payee_service_id', 'payeeServiceId', 'partner_id']],
		['payable.create', payable(), ['line_items', 'due_date', 'description']],
		['payout.send', { ...payable(), uniqueReference: 'INV-7' }, ['Payee-Service-ID']],
		['funding.create', funding(), ['po_number', 'payableIds', 'amount']],
		['deposit.simulate', { workspaceId, amount: '1' }, ['amountDenomination']],
		['webhookSubscription.create', { ...subscription, workspaceId }, ['URL']],
	])(
		'%s of %j takes no additional field that the node has: %j',
		async (operation, parameters, names) => {
			for (const name of names) {
				const options = { additionalFields: JSON.stringify({ [name]: 'x' }) };

				const { error } = await service.execute(operation, { ...parameters, options });

				expect(error?.message).toBe(`"Additional Fields" replaces "${name}" [item 0]`);
			}

			expect(service.requests).toEqual([]);
		},
	);

	test('among valid ones ends the execution before any request', async () => {
		const { error } = await service.execute('payable.create', AMOUNT_OF_ITEM, {
			items: ONE_WRONG_AMOUNT,
		});

		expect(error?.message).toMatch(/1\.005.*\[item 1\]$/);
		expect(service.requests).toEqual([]);
	});
});
