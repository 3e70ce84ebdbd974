import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { characters, settingSchemas, type Settings } from '../../sandbox/shared/settings';
import { deliveryFixture } from './delivery-fixture';
import { demo, ok } from './fixture';

const { fixture, receiver, control, subscribe, emitAndSettle } = deliveryFixture();
const { workspaceId, pendingVendorEmail, unattachedVendorEmail } = demo;

/** Settings of the sandbox itself, about which the service's documentation says nothing. */
const OWN = ['requestsPerMinute', 'rateWindowSeconds', 'magicValues', 'paused', 'seed'];
const isOpen = (name: string) => !OWN.includes(name) && !name.startsWith('maxInFlight');

/** The API without checks: with these settings its answers are not those of the contract. */
const api = async () => await fixture.sandbox.api();
const walletPath = `/workspace/${workspaceId}/wallet`;

const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8');
/** What the contract says wherever it leaves something open. */
const openPoints = (node: unknown): string[] =>
	typeof node !== 'object' || node === null
		? []
		: Object.entries(node).flatMap(([name, value]) =>
				name === 'x-open' ? [String(value)] : openPoints(value),
			);
const notes = openPoints(parse(read('contract/openapi.yaml'))).join(' ');

test.each(Object.keys(settingSchemas))(
	'%s is in the docs, and in the contract when open',
	(name) => {
		expect(read('sandbox/README.md')).toContain(`\`${name}\``);
		expect(notes.includes(`\`${name}\``)).toBe(isOpen(name));
	},
);

const bare = { balance: 500_000, amount_denomination: 'us_cents' };
const account = {
	workspace_id: workspaceId,
	account_number: '900100200301',
	routing_number: '990000005',
};
test.each<[Settings['walletAnswer'], object]>([
	['bare', { ...account, ...bare }],
	['wrapped', { wallet: { ...account, ...bare } }],
	['amount', { ...account, balance: { amount: 500_000, amount_denomination: 'us_cents' } }],
	['available', { ...account, amount_denomination: 'us_cents', available_balance: 500_000 }],
])('the wallet is answered %s', async (walletAnswer, expected) => {
	await control().setSettings({ walletAnswer });
	expect(ok(await (await api()).get(walletPath))).toEqual(expected);
});

test('partners, invitations and successes are answered in other ways', async () => {
	const client = await api();
	const partner = await fixture.partner(pendingVendorEmail);
	await control().setSettings({
		partnerAnswer: 'wrapped',
		invitationAnswer: 'data',
		successStatus: '201',
	});
	const path = fixture.path(`/partner/${partner?.id ?? ''}`);
	expect(ok(await client.get(path))).toEqual({ partner });
	const body = { invites: [{ payee_email: 'new@example.com' }] };
	const invited = await client.post(fixture.path('/partner/invite'), body);
	expect(invited).toMatchObject({
		status: 201,
		data: { data: [{ payee_email: 'new@example.com' }] },
	});
	await control().setSettings({ invitationAnswer: 'empty', successStatus: '202' });
	const again = await client.post(fixture.path('/partner/invite'), body);
	expect([again.status, again.data]).toEqual([202, {}]);
});

test('a list comes in pages', async () => {
	for (const amount of [1, 2, 3]) await control().deposit(workspaceId, amount);
	await control().setSettings({ pageSize: 2 });
	const client = await api();
	type Page = { deposits: { amount: number }[]; next_cursor: string | null };
	const first = ok(await client.get<Page>(`${walletPath}/deposit`));
	const second = ok(
		await client.get<Page>(`${walletPath}/deposit?cursor=${first.next_cursor ?? ''}`),
	);
	expect([...first.deposits, ...second.deposits].map(({ amount }) => amount)).toEqual([1, 2, 3]);
	expect(second.next_cursor).toBeNull();
});

test.each<[Settings['errorBody'], string, unknown]>([
	[
		'object',
		'application/json',
		{
			error: {
				code: 'insufficient_funds',
				message: expect.any(String) as string,
				details: expect.any(Array) as unknown[],
			},
		},
	],
	[
		'message',
		'application/json',
		{ message: expect.stringMatching(/^The wallet holds/) as string },
	],
	[
		'problem',
		'application/problem+json',
		expect.objectContaining({ status: 422, detail: expect.any(String) as string }) as object,
	],
	[
		'list',
		'application/json',
		{
			errors: expect.arrayContaining([
				expect.objectContaining({ code: 'insufficient_funds' }),
			]) as unknown[],
		},
	],
	['text', 'text/plain', expect.stringMatching(/^The wallet holds/)],
])('a refusal is answered as %s', async (errorBody, type, body) => {
	const payable = await fixture.approved({ amount: 600_000 });
	await control().setSettings({ errorBody });
	const { headers, data } = await (
		await api()
	).post<unknown>('/funding', {
		...{ workspace_id: workspaceId, method: 'balance', amount: 600_000, payable_ids: [payable.id] },
	});
	expect(headers['content-type']).toMatch(type);
	expect(data).toEqual(body);
});

test.each<[Settings['refusalStatus'], number, number]>([
	['specific', 422, 409],
	['payment', 402, 409],
	['plain', 400, 400],
])('refusals have %s statuses', async (refusalStatus, poor, wrongState) => {
	const payable = await fixture.approved({ amount: 600_000 });
	await control().setSettings({ refusalStatus });
	expect((await fixture.fund([payable])).status).toBe(poor);
	expect((await fixture.api.post(`/payable/${payable.id}/approve`)).status).toBe(wrongState);
});

test.each<[Settings['retryAfter'], unknown]>([
	['seconds', expect.stringMatching(/^\d+$/)],
	['date', expect.stringMatching(/GMT$/)],
	['none', undefined],
])('429 has Retry-After in %s', async (retryAfter, expected) => {
	const client = await api();
	await control().setSettings({ retryAfter });
	await control().setRequestsPerMinute(1);
	await client.get(walletPath);
	const { status, headers } = await client.get(walletPath);
	expect([status, headers['retry-after']]).toEqual([429, expected]);
	await control().setRequestsPerMinute(1_000_000);
});

test('a payable is paid at its due date, and one without a date at once', async () => {
	await control().setSettings({ settlement: 'due_date' });
	const due_date = new Date(Date.now() + 86_400_000).toISOString();
	const later = await fixture.fundedPayable({ due_date });
	expect(await fixture.statusOf(await fixture.fundedPayable())).toBe('paid');
	expect(await fixture.statusOf(later)).toBe('will_pay');
	await control().advanceClock(90_000);
	expect(await fixture.statusOf(later)).toBe('paid');
	expect((await control().ledger()).sum).toBe(0);
});

test('a verified vendor is paid before accepting, where acceptance is implied', async () => {
	const to = { payee_email: unattachedVendorEmail };
	expect(await fixture.statusOf(await fixture.fundedPayable(to))).toBe('approved');
	await control().setSettings({ acceptance: 'implied' });
	expect(await fixture.statusOf(await fixture.fundedPayable(to))).toBe('paid');
});

test('deliveries are signed in another header, with the time, in base64, or not at all', async () => {
	const { secret } = await subscribe();
	await control().setSettings({
		...{
			signatureHeader: 'Webhook-Signature',
			signatureScheme: 'timestamped',
			signatureEncoding: 'base64',
		},
	} as const);
	await emitAndSettle();
	const [first] = receiver.received;
	const [, time = '', signature] = /^t=(\d+),v1=(.*)$/.exec(first?.signature ?? '') ?? [];
	const expected = createHmac('sha256', secret)
		.update(`${time}.${first?.body ?? ''}`)
		.digest('base64');
	expect(signature).toBe(expected);
	await control().setSettings({ signatureScheme: 'none' });
	await emitAndSettle(1, 1);
	expect(receiver.received[1]?.signature).toBeUndefined();
});

test.each(Object.entries(characters))(
	'the character %s is a set of settings',
	async (name, changes) => {
		expect(await control().setSettings(changes)).toMatchObject(changes);
		expect(name).toMatch(/^[a-z]+$/);
	},
);
