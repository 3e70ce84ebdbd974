import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import { refusal, World, type Payable } from './support';

const world = new World();
beforeEach(async () => await world.sandbox.control.reset());

const unknownId = '99999999-9999-4999-8999-999999999999';
const inWorkspace = (rest: string) => `/workspace/${world.sandbox.workspaceId}${rest}`;
const base = () => ({
	workspace_id: world.sandbox.workspaceId,
	payee_email: 'ana@example.com',
	amount: 1000,
});

type Case = [what: string, fields: Record<string, unknown>, field: string];

describe('a malformed payable answers 400 and names the field', () => {
	const cases: Case[] = [
		['no workspace', { workspace_id: undefined }, 'workspace_id'],
		['a workspace that is no UUID', { workspace_id: 'main' }, 'workspace_id'],
		['no payee', { payee_email: undefined }, 'payee_service_id'],
		['a payee that is no address', { payee_email: 'ana' }, 'payee_email'],
		['no amount', { amount: undefined }, 'amount'],
		['an amount of nothing', { amount: 0 }, 'amount'],
		['a negative amount', { amount: -5 }, 'amount'],
		['half a cent', { amount: 10.5 }, 'amount'],
		['an amount in quotes', { amount: '1000' }, 'amount'],
		['an amount of null', { amount: null }, 'amount'],
		['an amount beyond exact numbers', { amount: 9007199254740992 }, 'amount'],
		['another currency', { amount_denomination: 'eur_cents' }, 'amount_denomination'],
		['a due date without a time', { due_date: '2030-01-31' }, 'due_date'],
		['a due date that is not UTC', { due_date: '2030-01-31T00:00:00+02:00' }, 'due_date'],
		['a send_invite that is no boolean', { send_invite: 'yes' }, 'send_invite'],
		['line items that are no list', { line_items: {} }, 'line_items'],
		[
			'a line item without an amount',
			{ line_items: [{ description: 'x' }] },
			'line_items[0].amount',
		],
		[
			'a line item without a description',
			{ line_items: [{ amount: 1000 }] },
			'line_items[0].description',
		],
	];
	test.each(cases)('%s', async (_, fields, field) => {
		const response = await world.api.post('/payable', { ...base(), ...fields });
		expect(refusal(response)).toMatchObject({ status: 400, code: 'invalid_request' });
		expect(response.data).toMatchObject({
			error: { details: expect.arrayContaining([expect.objectContaining({ field })]) as unknown },
		});
		expect(await world.sandbox.control.payables()).toEqual([]);
	});

	test('several faults at once are all named', async () => {
		const { message } = refusal(
			await world.api.post('/payable', { payee_email: 'x', amount: 'y' }),
		);
		expect(message).toMatch(/workspace_id.*payee_email.*amount/);
	});
});

describe('a payable that cannot be answers 422', () => {
	const cases: [what: string, fields: Record<string, unknown>, code: string][] = [
		['unknown network identifier', { payee_service_id: 'ven_nobody' }, 'unknown_payee'],
		['an address as identifier', { payee_service_id: 'ana@example.com' }, 'unknown_payee'],
		['two different payees', { payee_service_id: 'ven_ben' }, 'contradictory_payee'],
		[
			'line items that do not add up',
			{ line_items: [{ amount: 999, description: 'x' }] },
			'line_items_mismatch',
		],
		[
			'line items beyond exact numbers',
			{
				line_items: [
					{ amount: 9007199254740991, description: 'x' },
					{ amount: 9007199254740991, description: 'y' },
				],
			},
			'line_items_mismatch',
		],
	];
	test.each(cases)('%s', async (_, fields, code) => {
		const response = await world.api.post('/payable', { ...base(), ...fields });
		expect(refusal(response)).toMatchObject({ status: 422, code });
		expect(await world.sandbox.control.payables()).toEqual([]);
	});
});

describe('a malformed body', () => {
	const json = { 'content-type': 'application/json' };
	const cases: [string, string, Record<string, string>, number, string][] = [
		['broken JSON', '{"amount": 1', json, 400, 'invalid_json'],
		['a number', '5', json, 400, 'invalid_json'],
		['a list', '[]', json, 400, 'invalid_json'],
		['null', 'null', json, 400, 'invalid_json'],
		['nothing', '', json, 400, 'invalid_json'],
		['text', 'amount=1', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
		[
			'a form',
			'amount=1',
			{ 'content-type': 'application/x-www-form-urlencoded' },
			415,
			'unsupported_media_type',
		],
		['a body too large', `"${'x'.repeat(1_100_000)}"`, json, 413, 'body_too_large'],
	];
	test.each(cases)('%s', async (_, body, headers, status, code) => {
		const config: AxiosRequestConfig = { headers, transformRequest: [(data: unknown) => data] };
		const response = await world.api.post('/payable', body, config);
		expect(refusal(response)).toMatchObject({ status, code });
	});
});

describe('fundings', () => {
	const cases: Case[] = [
		['no method', { method: undefined }, 'method'],
		['an unknown method', { method: 'card' }, 'method'],
		['no payables', { payable_ids: [] }, 'payable_ids'],
		['payables that are no list', { payable_ids: 'pbl_1' }, 'payable_ids'],
		['a payable twice', { payable_ids: ['pbl_1', 'pbl_1'] }, 'payable_ids'],
		['no amount', { amount: undefined }, 'amount'],
		['no workspace', { workspace_id: undefined }, 'workspace_id'],
	];
	test.each(cases)('malformed: %s', async (_, fields, field) => {
		const response = await world.api.post('/funding', {
			workspace_id: world.sandbox.workspaceId,
			method: 'balance',
			amount: 1000,
			payable_ids: ['pbl_1'],
			...fields,
		});
		expect(refusal(response).status).toBe(400);
		expect(response.data).toMatchObject({ error: { details: [{ field }] } });
	});

	const refusals: [
		what: string,
		prepare: () => Promise<{ payables: Payable[]; fields?: object }>,
		status: number,
		code: string,
	][] = [
		['a draft', async () => ({ payables: [await world.payable()] }), 409, 'wrong_state'],
		[
			'one that is funded',
			async () => {
				const payable = await world.approved();
				await world.funded([payable], { method: 'invoice' });
				return { payables: [payable] };
			},
			409,
			'already_funded',
		],
		[
			'one that is paid',
			async () => {
				const payable = await world.approved();
				await world.funded([payable]);
				return { payables: [payable] };
			},
			409,
			'already_funded',
		],
		[
			'one of another workspace',
			async () => ({
				payables: [await world.approved({ workspace_id: world.sandbox.secondWorkspaceId })],
			}),
			422,
			'unknown_payable',
		],
		[
			'one that does not exist',
			async () => ({ payables: [{ ...(await world.approved()), id: 'pbl_nothing' }] }),
			422,
			'unknown_payable',
		],
		[
			'another sum',
			async () => ({ payables: [await world.approved()], fields: { amount: 1001 } }),
			422,
			'amount_mismatch',
		],
	];
	test.each(refusals)('refused: %s', async (_, prepare, status, code) => {
		const { payables, fields } = await prepare();
		const before = await world.sandbox.control.state();
		const response = refusal(await world.fund(payables, fields));
		expect(response).toMatchObject({ status, code });
		if (code !== 'amount_mismatch') expect(response.message).toContain(payables[0]?.id);
		expect(await world.sandbox.control.state()).toEqual(before);
	});
});

describe('linking a deposit is refused', () => {
	const invoice = async (fields = {}) =>
		await world.funded([await world.approved(fields)], { method: 'invoice' });
	const cases: [string, () => ReturnType<typeof world.link>, number, string][] = [
		[
			'another amount',
			async () => await world.link(await invoice(), await world.deposit(999)),
			422,
			'amount_mismatch',
		],
		[
			'an unknown deposit',
			async () => await world.link(await invoice(), { id: 'dep_nothing' }),
			422,
			'unknown_deposit',
		],
		[
			"another workspace's deposit",
			async () =>
				await world.link(
					await invoice(),
					await world.deposit(1000, world.sandbox.secondWorkspaceId),
				),
			422,
			'unknown_deposit',
		],
		[
			'a linked deposit',
			async () => {
				const deposit = await world.deposit(1000);
				await world.link(await invoice(), deposit);
				return await world.link(await invoice(), deposit);
			},
			409,
			'already_linked',
		],
		[
			'a funding that has its deposit',
			async () => {
				const funding = await invoice();
				await world.link(funding, await world.deposit(1000));
				return await world.link(funding, await world.deposit(1000));
			},
			409,
			'already_linked',
		],
		[
			'a funding from the balance',
			async () =>
				await world.link(await world.funded([await world.approved()]), await world.deposit(1000)),
			409,
			'wrong_method',
		],
		[
			'a deposit whose money was spent',
			async () => {
				const funding = await invoice();
				const deposit = await world.deposit(1000);
				await world.funded([await world.approved({ amount: world.sandbox.openingBalance + 1 })]);
				return await world.link(funding, deposit);
			},
			422,
			'insufficient_funds',
		],
		[
			'no deposit',
			async () => await world.api.post(`/funding/${(await invoice()).id}/link-deposit`, {}),
			400,
			'invalid_request',
		],
		[
			'an empty deposit',
			async () => await world.link(await invoice(), { id: '' }),
			400,
			'invalid_request',
		],
	];
	test.each(cases)('%s', async (_, act, status, code) => {
		expect(refusal(await act())).toMatchObject({ status, code });
	});
});

describe('other calls', () => {
	const cases: [string, () => Promise<AxiosResponse>, number, string][] = [
		['a workspace that is no UUID', () => world.api.get('/workspace/main'), 400, 'invalid_request'],
		['an unknown workspace', () => world.api.get(`/workspace/${unknownId}`), 404, 'not_found'],
		['an unknown partner', () => world.api.get(inWorkspace('/partner/prt_x')), 404, 'not_found'],
		['an unknown payable', () => world.api.post('/payable/pbl_x/approve'), 404, 'not_found'],
		['an unknown funding', () => world.api.get('/funding/fnd_x/pdf-url'), 404, 'not_found'],
		['an unknown query', () => world.api.get(inWorkspace('?limit=5')), 400, 'invalid_request'],
		[
			'an invoice of a balance funding',
			async () => {
				const { id } = await world.funded([await world.approved()]);
				return await world.api.get(`/funding/${id}/pdf-url`);
			},
			409,
			'no_invoice',
		],
		[
			'no invitations',
			() => world.api.post(inWorkspace('/partner/invite'), { invites: [] }),
			400,
			'invalid_request',
		],
		[
			'an invitation of nobody',
			() => world.api.post(inWorkspace('/partner/invite'), { invites: [{ payee_email: 'x' }] }),
			400,
			'invalid_request',
		],
		[
			'a deposit of nothing',
			() => world.api.post(inWorkspace('/wallet/deposit'), { amount: 0 }),
			400,
			'invalid_request',
		],
		[
			'more money than can be counted',
			() => world.api.post(inWorkspace('/wallet/deposit'), { amount: 9007199254740991 }),
			422,
			'amount_too_large',
		],
		[
			'a subscription to unknown events',
			() =>
				world.api.post(inWorkspace('/webhook-subscription'), {
					url: 'https://example.com',
					events: ['payable.lost'],
				}),
			400,
			'invalid_request',
		],
		[
			'a subscription without an address',
			() => world.api.post(inWorkspace('/webhook-subscription'), { events: ['payable.paid'] }),
			400,
			'invalid_request',
		],
		[
			'a subscription that is no web address',
			() =>
				world.api.post(inWorkspace('/webhook-subscription'), {
					url: 'ftp://example.com',
					events: ['payable.paid'],
				}),
			400,
			'invalid_request',
		],
	];
	test.each(cases)('%s', async (_, act, status, code) => {
		expect(refusal(await act())).toMatchObject({ status, code });
	});

	test('one bad invitation keeps all from being sent', async () => {
		await world.api.post(inWorkspace('/partner/invite'), {
			invites: [{ payee_email: 'good@example.com' }, { payee_email: 'bad' }],
		});
		expect(await world.sandbox.control.outbox()).toEqual([]);
	});

	test('an authorization without its parameters names them', async () => {
		const api = await world.client(null);
		const response = await api.get('/oauth/authorize?scope=openid');
		expect(response.status).toBe(400);
		const { message } = refusal(response);
		for (const name of ['client_id', 'redirect_uri', 'response_type', 'state']) {
			expect(message).toContain(name);
		}
	});
});

describe('calls that the contract does not have', () => {
	const calls: [method: string, path: string][] = [
		['GET', '/payable'],
		['GET', '/payable/pbl_1'],
		['PUT', '/payable'],
		['DELETE', '/funding/fnd_1'],
		['GET', `/workspace/${unknownId}/webhook-subscription`],
		['DELETE', `/workspace/${unknownId}/webhook-subscription/whs_1`],
		['GET', '/payable/'],
		['GET', '/user//current'],
		['GET', '/%zz'],
		['GET', '/'],
		['OPTIONS', '/payable'],
	];
	test.each(calls)('%s %s', async (method, url) => {
		await world.sandbox.control.clearRequests();
		const response = await world.api.request({ method, url });
		expect(refusal(response)).toMatchObject({ status: 404, code: 'unknown_endpoint' });
		expect(await world.sandbox.control.requests()).toMatchObject([
			{ method, operationId: null, outsideContract: true, status: 404 },
		]);
	});
});
