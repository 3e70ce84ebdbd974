import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import type { Funding, Payable } from '../../sandbox/client';
import { errorOf, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();
type Fields = Record<string, unknown>;
type Refusal = [what: string, act: () => Promise<AxiosResponse>, status: number, code: string];
const unknownId = '99999999-9999-4999-8999-999999999999';
const moreThanExact = 9007199254740992;
const url = 'https://example.com';

const postPayable = async (fields: Fields) =>
	await fixture.api.post('/payable', {
		...{ workspace_id: fixture.sandbox.workspaceId, payee_email: 'ana@example.com', amount: 1000 },
		...fields,
	});

const items = (...line_items: object[]) => ({ line_items });

describe('a malformed payable answers 400 and names the field', () => {
	test.each<[what: string, fields: Fields, field: string]>([
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
		['an amount beyond exact numbers', { amount: moreThanExact }, 'amount'],
		['another currency', { amount_denomination: 'eur_cents' }, 'amount_denomination'],
		['a due date without a time', { due_date: '2030-01-31' }, 'due_date'],
		['a due date that is not UTC', { due_date: '2030-01-31T00:00:00+02:00' }, 'due_date'],
		['a send_invite that is no boolean', { send_invite: 'yes' }, 'send_invite'],
		['line items that are no list', { line_items: {} }, 'line_items'],
		['a line item without an amount', items({ description: 'x' }), 'line_items[0].amount'],
		['one without a description', items({ amount: 1 }), 'line_items[0].description'],
	])('%s', async (_, fields, field) => {
		const response = await postPayable(fields);
		expect(errorOf(response)).toMatchObject({ status: 400, code: 'invalid_request' });
		const details: unknown = expect.arrayContaining([expect.objectContaining({ field })]);
		expect(response.data).toMatchObject({ error: { details } });
		expect(await fixture.control.payables()).toEqual([]);
	});

	test('several faults at once are all named', async () => {
		const wrong = { payee_email: 'x', amount: 'y' };
		const { message } = errorOf(await fixture.api.post('/payable', wrong));
		expect(message).toMatch(/workspace_id.*payee_email.*amount/);
	});
});

describe('a payable that cannot be answers 422', () => {
	const item = (amount: number) => ({ amount, description: 'x' });
	const half = item(moreThanExact - 1);
	test.each<[what: string, fields: Fields, code: string]>([
		['unknown network identifier', { payee_service_id: 'ven_nobody' }, 'unknown_payee'],
		['an address as identifier', { payee_service_id: 'ana@example.com' }, 'unknown_payee'],
		['two different payees', { payee_service_id: 'ven_ben' }, 'contradictory_payee'],
		['line items that do not add up', items(item(999)), 'line_items_mismatch'],
		['items beyond exact', items(half, half), 'line_items_mismatch'],
	])('%s', async (_, fields, code) => {
		expect(errorOf(await postPayable(fields))).toMatchObject({ status: 422, code });
		expect(await fixture.control.payables()).toEqual([]);
	});
});

describe('a malformed body', () => {
	const json = 'application/json';
	const form = 'application/x-www-form-urlencoded';
	test.each<[what: string, body: string, type: string, status: number, code: string]>([
		['broken JSON', '{"amount": 1', json, 400, 'invalid_json'],
		['a number', '5', json, 400, 'invalid_json'],
		['a list', '[]', json, 400, 'invalid_json'],
		['null', 'null', json, 400, 'invalid_json'],
		['nothing', '', json, 400, 'invalid_json'],
		['text', 'amount=1', 'text/plain', 415, 'unsupported_media_type'],
		['a form', 'amount=1', form, 415, 'unsupported_media_type'],
		['a body too large', `"${'x'.repeat(1_100_000)}"`, json, 413, 'body_too_large'],
	])('%s', async (_, body, type, status, code) => {
		const headers = { 'content-type': type };
		const config: AxiosRequestConfig = { headers, transformRequest: [(data: unknown) => data] };
		const response = await fixture.api.post('/payable', body, config);
		expect(errorOf(response)).toMatchObject({ status, code });
	});
});

describe('fundings', () => {
	test.each<[what: string, fields: Fields, field: string]>([
		['no method', { method: undefined }, 'method'],
		['an unknown method', { method: 'card' }, 'method'],
		['no payables', { payable_ids: [] }, 'payable_ids'],
		['payables that are no list', { payable_ids: 'pbl_1' }, 'payable_ids'],
		['a payable twice', { payable_ids: ['pbl_1', 'pbl_1'] }, 'payable_ids'],
		['no amount', { amount: undefined }, 'amount'],
		['no workspace', { workspace_id: undefined }, 'workspace_id'],
	])('malformed: %s', async (_, fields, field) => {
		const { workspaceId: workspace_id } = fixture.sandbox;
		const good = { workspace_id, method: 'balance', amount: 1000, payable_ids: ['pbl_1'] };
		const response = await fixture.api.post('/funding', { ...good, ...fields });
		expect(errorOf(response).status).toBe(400);
		expect(response.data).toMatchObject({ error: { details: [{ field }] } });
	});

	const funded = async (method: 'balance' | 'invoice') => {
		const payable = await fixture.approved();
		await fixture.funded([payable], { method });
		return payable;
	};
	const elsewhere = async () =>
		await fixture.approved({ workspace_id: fixture.sandbox.secondWorkspaceId });
	const unknown = async () => ({ ...(await fixture.approved()), id: 'pbl_nothing' });
	test.each<[what: string, make: () => Promise<Payable>, fields: object, number, code: string]>([
		['a draft', async () => await fixture.payable(), {}, 409, 'wrong_state'],
		['one that is funded', async () => await funded('invoice'), {}, 409, 'already_funded'],
		['one that is paid', async () => await funded('balance'), {}, 409, 'already_funded'],
		['one of another workspace', elsewhere, {}, 422, 'unknown_payable'],
		['one that does not exist', unknown, {}, 422, 'unknown_payable'],
		['another sum', async () => await fixture.approved(), { amount: 1001 }, 422, 'amount_mismatch'],
	])('refused: %s', async (_, make, fields, status, code) => {
		const payable = await make();
		const before = await fixture.control.state();
		const response = errorOf(await fixture.fund([payable], fields));
		expect(response).toMatchObject({ status, code });
		if (code !== 'amount_mismatch') expect(response.message).toContain(payable.id);
		expect(await fixture.control.state()).toEqual(before);
	});
});

describe('linking a deposit is refused', () => {
	const invoice = async () =>
		await fixture.funded([await fixture.approved()], { method: 'invoice' });
	const link = async (deposit: { id: string }) => await fixture.link(await invoice(), deposit);
	const elsewhere = async () =>
		await link(await fixture.deposit(1000, fixture.sandbox.secondWorkspaceId));
	const linkedDeposit = async () => {
		const deposit = await fixture.deposit(1000);
		await link(deposit);
		return await link(deposit);
	};
	const linkTo = async (funding: Funding) =>
		await fixture.link(funding, await fixture.deposit(1000));
	const linkedFunding = async () => {
		const funding = await invoice();
		await linkTo(funding);
		return await linkTo(funding);
	};
	const spent = async () => {
		const deposit = await fixture.deposit(1000);
		const amount = fixture.sandbox.openingBalance + 1;
		await fixture.funded([await fixture.approved({ amount })]);
		return await link(deposit);
	};
	const fromBalance = async () => await linkTo(await fixture.funded([await fixture.approved()]));
	const nothing = async () =>
		await fixture.api.post(`/funding/${(await invoice()).id}/link-deposit`, {});
	test.each<Refusal>([
		['another amount', async () => await link(await fixture.deposit(999)), 422, 'amount_mismatch'],
		['an unknown deposit', async () => await link({ id: 'dep_nothing' }), 422, 'unknown_deposit'],
		["another workspace's deposit", elsewhere, 422, 'unknown_deposit'],
		['a linked deposit', linkedDeposit, 409, 'already_linked'],
		['a funding that has its deposit', linkedFunding, 409, 'already_linked'],
		['a funding from the balance', fromBalance, 409, 'wrong_method'],
		['a deposit whose money was spent', spent, 422, 'insufficient_funds'],
		['no deposit', nothing, 400, 'invalid_request'],
		['an empty deposit', async () => await link({ id: '' }), 400, 'invalid_request'],
	])('%s', async (_, act, status, code) => {
		expect(errorOf(await act())).toMatchObject({ status, code });
	});
});

describe('other calls', () => {
	const get = (path: string) => async () => await fixture.api.get(path);
	const getHere = (rest: string) => async () => await fixture.api.get(fixture.path(rest));
	const post = (rest: string, body: object) => async () =>
		await fixture.api.post(fixture.path(rest), body);
	const invite = (...addresses: string[]) =>
		post('/partner/invite', { invites: addresses.map((payee_email) => ({ payee_email })) });
	const subscribe = (body: object) => post('/webhook-subscription', body);
	const paid = ['payable.paid'];
	const tooMuch = post('/wallet/deposit', { amount: moreThanExact - 1 });
	const approveUnknown = async () => await fixture.api.post('/payable/pbl_x/approve');
	const invoiceOfBalance = async () => {
		const { id } = await fixture.funded([await fixture.approved()]);
		return await fixture.api.get(`/funding/${id}/pdf-url`);
	};
	test.each<Refusal>([
		['a workspace that is no UUID', get('/workspace/main'), 400, 'invalid_request'],
		['an unknown workspace', get(`/workspace/${unknownId}`), 404, 'not_found'],
		['an unknown partner', getHere('/partner/prt_x'), 404, 'not_found'],
		['an unknown payable', approveUnknown, 404, 'not_found'],
		['an unknown funding', get('/funding/fnd_x/pdf-url'), 404, 'not_found'],
		['an unknown query', getHere('?limit=5'), 400, 'invalid_request'],
		['an invoice of a balance funding', invoiceOfBalance, 409, 'no_invoice'],
		['no invitations', invite(), 400, 'invalid_request'],
		['an invitation of nobody', invite('good@example.com', 'x'), 400, 'invalid_request'],
		['a deposit of nothing', post('/wallet/deposit', { amount: 0 }), 400, 'invalid_request'],
		['more money than can be counted', tooMuch, 422, 'amount_too_large'],
		['unknown events', subscribe({ url, events: ['payable.lost'] }), 400, 'invalid_request'],
		['a subscription without an address', subscribe({ events: paid }), 400, 'invalid_request'],
		['no web address', subscribe({ url: 'ftp://x.example', events: paid }), 400, 'invalid_request'],
	])('%s', async (_, act, status, code) => {
		expect(errorOf(await act())).toMatchObject({ status, code });
		// One bad invitation keeps all from being sent.
		expect(await fixture.control.outbox()).toEqual([]);
	});
});

describe('calls that the contract does not have', () => {
	test.each([
		['GET', '/payable'],
		['PATCH', '/payable/pbl_1'],
		['PUT', '/payable'],
		['DELETE', '/funding/fnd_1'],
		['GET', `/workspace/${unknownId}/webhook-subscription`],
		['DELETE', `/workspace/${unknownId}/webhook-subscription/whs_1`],
		['GET', '/payable/'],
		['GET', '/user//current'],
		['GET', '/%zz'],
		['GET', '/'],
		['OPTIONS', '/payable'],
	])('%s %s', async (method, path) => {
		await fixture.control.clearRequests();
		const response = await fixture.api.request({ method, url: path });
		expect(errorOf(response)).toMatchObject({ status: 404, code: 'unknown_endpoint' });
		expect(await fixture.control.requests()).toMatchObject([
			{ method, operationId: null, outsideContract: true, status: 404 },
		]);
	});
});
