import type { Deposit, Funding, Payable } from '../../sandbox/client';
import { asItIs, demo, errorOf, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();
type Fields = Record<string, unknown>;
const unknownId = '99999999-9999-4999-8999-999999999999';
const moreThanExact = 9007199254740992;
const { workspaceId: workspace_id, secondWorkspaceId, verifiedVendorEmail: payee_email } = demo;

const items = (...line_items: object[]) => ({ line_items });

const good = {
	'/payable': { workspace_id, payee_email, amount: 1000 },
	'/funding': { workspace_id, method: 'balance', amount: 1000, payable_ids: ['pbl_1'] },
};

describe('a malformed payable or funding answers 400 and names the field #malformed-payable', () => {
	test.each<[what: string, path: keyof typeof good, fields: Fields, field: string]>([
		['no workspace', '/payable', { workspace_id: undefined }, 'workspace_id'],
		['no payee', '/payable', { payee_email: undefined }, 'payee_service_id'],
		['a payee that is no address', '/payable', { payee_email: 'ana' }, 'payee_email'],
		['no amount', '/payable', { amount: undefined }, 'amount'],
		['an amount of nothing', '/payable', { amount: 0 }, 'amount'],
		['half a cent', '/payable', { amount: 10.5 }, 'amount'],
		['an amount in quotes', '/payable', { amount: '1000' }, 'amount'],
		['an amount beyond exact numbers', '/payable', { amount: moreThanExact }, 'amount'],
		['another currency', '/payable', { amount_denomination: 'eur_cents' }, 'amount_denomination'],
		['a due date without a time', '/payable', { due_date: '2030-01-31' }, 'due_date'],
		['a due date not in UTC', '/payable', { due_date: '2030-01-31T00:00:00+02:00' }, 'due_date'],
		['an item of nothing', '/payable', items({ description: 'x' }), 'line_items[0].amount'],
		['no method', '/funding', { method: undefined }, 'method'],
		['no payables', '/funding', { payable_ids: [] }, 'payable_ids'],
		['a payable twice', '/funding', { payable_ids: ['pbl_1', 'pbl_1'] }, 'payable_ids'],
	])('%s: %s', async (_, path, fields, field) => {
		const response = await fixture.api.post(path, { ...good[path], ...fields });

		const details: unknown = expect.arrayContaining([expect.objectContaining({ field })]);
		expect(errorOf(response)).toMatchObject({ status: 400, code: 'invalid_request' });
		expect(response.data).toMatchObject({ error: { details } });
		expect(await fixture.control.payables()).toEqual([]);
	});
});

const item = (amount: number) => ({ amount, description: 'x' });
const half = item(moreThanExact - 1);

test.each<[what: string, fields: Fields, code: string]>([
	['unknown network identifier', { payee_service_id: 'ven_nobody' }, 'unknown_payee'],
	['an address as identifier', { payee_service_id: 'ana@example.com' }, 'unknown_payee'],
	['two different payees', { payee_service_id: 'ven_ben' }, 'contradictory_payee'],
	['line items that do not add up', items(item(999)), 'line_items_mismatch'],
	['items beyond exact', items(half, half), 'line_items_mismatch'],
])('an impossible payable answers 422: %s', async (_, fields, code) => {
	const response = await fixture.api.post('/payable', { ...good['/payable'], ...fields });

	expect(errorOf(response)).toMatchObject({ status: 422, code });
	expect(await fixture.control.payables()).toEqual([]);
});

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

test.each<[what: string, body: string, type: string, status: number, code: string]>([
	['broken JSON', '{"amount": 1', json, 400, 'invalid_json'],
	['nothing', '', json, 400, 'invalid_json'],
	['a form', 'amount=1', form, 415, 'unsupported_media_type'],
	['a body too large', `"${'x'.repeat(1_100_000)}"`, json, 413, 'body_too_large'],
])('a malformed body: %s', async (_, body, type, status, code) => {
	const headers = { 'content-type': type };

	const response = await fixture.api.post('/payable', body, { ...asItIs, headers });

	expect(errorOf(response)).toMatchObject({ status, code });
});

describe('a funding', () => {
	const approved = async () => await fixture.approved();
	const funded = async () => await fixture.fundedPayable({}, { method: 'invoice' });
	const elsewhere = async () => await fixture.approved({ workspace_id: secondWorkspaceId });
	const unknown = async () => ({ ...(await approved()), id: 'pbl_nothing' });

	test.each<[what: string, make: () => Promise<Payable>, status: number, code: string]>([
		['a draft', async () => await fixture.payable(), 409, 'wrong_state'],
		['one that is funded', funded, 409, 'already_funded'],
		['one of another workspace', elsewhere, 422, 'unknown_payable'],
		['one that does not exist', unknown, 422, 'unknown_payable'],
	])('is refused of %s, which the answer names', async (_, make, status, code) => {
		const payable = await make();
		const before = await fixture.control.state();

		const response = await fixture.fund([payable]);

		const message: unknown = expect.stringContaining(payable.id);
		expect(errorOf(response)).toEqual({ status, code, message });
		expect(await fixture.control.state()).toEqual(before);
	});

	test('is refused of another sum', async () => {
		const payable = await approved();
		const before = await fixture.control.state();

		const response = await fixture.fund([payable], { amount: 1001 });

		expect(errorOf(response)).toMatchObject({ status: 422, code: 'amount_mismatch' });
		expect(await fixture.control.state()).toEqual(before);
	});
});

describe('linking a deposit is refused', () => {
	interface Changes {
		amount?: number;
		workspaceId?: string;
		method?: 'balance';
		deposit_id?: string | undefined;
	}

	type Before = (funding: Funding, deposit: Deposit) => Promise<unknown>;
	const elsewhere: Before = async (_, deposit) =>
		await fixture.link(await fixture.invoice(), deposit);
	const another: Before = async (funding) =>
		await fixture.link(funding, await fixture.deposit(1000));
	const spend: Before = async () =>
		await fixture.fundedPayable({ amount: demo.openingBalance + 1 });

	/** Asks for a funding and for a deposit, and links them. */
	const link = async (changes: Changes, before: Before = async () => await Promise.resolve()) => {
		const { amount = 1000, workspaceId, method = 'invoice', ...others } = changes;
		const funding = await fixture.funded([await fixture.approved()], { method });
		const deposit = await fixture.deposit(amount, workspaceId);
		await before(funding, deposit);
		const body = { deposit_id: deposit.id, ...others };

		return errorOf(await fixture.api.post(`/funding/${funding.id}/link-deposit`, body));
	};

	test.each<[what: string, changes: Changes, status: number, code: string]>([
		['another amount', { amount: 999 }, 422, 'amount_mismatch'],
		['an unknown deposit', { deposit_id: 'dep_nothing' }, 422, 'unknown_deposit'],
		["another workspace's deposit", { workspaceId: secondWorkspaceId }, 422, 'unknown_deposit'],
		['a funding from the balance', { method: 'balance' }, 409, 'wrong_method'],
		['no deposit', { deposit_id: undefined }, 400, 'invalid_request'],
	])('%s', async (_, changes, status, code) => {
		expect(await link(changes)).toMatchObject({ status, code });
	});

	test.each<[what: string, before: Before, status: number, code: string]>([
		['a linked deposit', elsewhere, 409, 'already_linked'],
		['a funding that has its deposit', another, 409, 'already_linked'],
		['a deposit whose money was spent', spend, 422, 'insufficient_funds'],
	])('%s', async (_, before, status, code) => {
		expect(await link({}, before)).toMatchObject({ status, code });
	});
});

test('a funding from the balance has no invoice', async () => {
	const { id } = await fixture.funded([await fixture.approved()]);

	const response = await fixture.api.get(`/funding/${id}/pdf-url`);

	expect(errorOf(response)).toMatchObject({ status: 409, code: 'no_invoice' });
});

const invite = fixture.path('/partner/invite');
const deposit = fixture.path('/wallet/deposit');
const subscribe = fixture.path('/webhook-subscription');
const url = 'https://example.com';
const events = ['payable.paid'];
const invites = [{ payee_email: 'good@example.com' }, { payee_email: 'x' }];

test.each<[what: string, path: string, body: object | null, status: number, code: string]>([
	['a workspace that is no UUID', '/workspace/main', null, 400, 'invalid_request'],
	['an unknown query', fixture.path('?limit=5'), null, 400, 'invalid_request'],
	['an invitation without an address', invite, { invites }, 400, 'invalid_request'],
	['a deposit of nothing', deposit, { amount: 0 }, 400, 'invalid_request'],
	['too much money', deposit, { amount: moreThanExact - 1 }, 422, 'amount_too_large'],
	['unknown events', subscribe, { url, events: ['payable.lost'] }, 400, 'invalid_request'],
	['a subscription without an address', subscribe, { events }, 400, 'invalid_request'],
	['an address of no host', subscribe, { url: 'http://', events }, 422, 'invalid_url'],
	['an address of no secure host', subscribe, { url: 'https://', events }, 422, 'invalid_url'],
	['a user', subscribe, { url: 'https://ana:x@x.example', events }, 422, 'invalid_url'],
	['a user alone', subscribe, { url: 'https://ana@x.example/hook', events }, 422, 'invalid_url'],
	['a password alone', subscribe, { url: 'https://:x@x.example', events }, 422, 'invalid_url'],
	['no port', subscribe, { url: 'https://x.example:99999', events }, 422, 'invalid_url'],
	['a fragment', subscribe, { url: 'https://x.example/#a', events }, 422, 'invalid_url'],
	['no web address', subscribe, { url: 'ftp://x.example', events }, 400, 'invalid_request'],
])('another call: %s', async (_, path, data, status, code) => {
	const method = data === null ? 'GET' : 'POST';

	const response = await fixture.api.request({ url: path, method, data });

	expect(errorOf(response)).toMatchObject({ status, code });
	// One bad invitation keeps all from being sent.
	expect(await fixture.control.outbox()).toEqual([]);
	expect(await fixture.control.subscriptions()).toEqual([]);
});

test.each([
	['GET', '/payable'],
	['DELETE', '/funding/fnd_1'],
	['GET', `/workspace/${unknownId}/webhook-subscription`],
	['DELETE', `/workspace/${unknownId}/webhook-subscription/whs_1`],
	['GET', '/%zz'],
])('the contract does not have the call %s %s #no-other-calls', async (method, path) => {
	await fixture.control.clearRequests();

	const response = await fixture.api.request({ method, url: path });

	expect(errorOf(response)).toMatchObject({ status: 404, code: 'unknown_endpoint' });
	expect(await fixture.control.requests()).toMatchObject([
		{ method, operationId: null, outsideContract: true, status: 404 },
	]);
});
