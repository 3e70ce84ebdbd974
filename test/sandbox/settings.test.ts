import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { characters, settingSchemas, type Settings } from '../../sandbox/shared/settings';
import { listOperations } from './contract-checks';
import { deliveryFixture } from './delivery-fixture';
import { demo, ok } from './fixture';
import { isSignedWith } from './receiver';
import { isOfBuyer, successfulRequests } from './requests';

const { fixture, receiver, control, subscribe, emitAndSettle } = deliveryFixture();
const { workspaceId: workspace_id, pendingVendorEmail } = demo;

/** Settings of the sandbox itself, about which the service's documentation says nothing. */
const OWN = /^(requestsPerMinute|rateWindowSeconds|magicValues|paused|seed|maxInFlight.*)$/;
type Fields = Record<string, unknown>;
const walletPath = `/workspace/${workspace_id}/wallet`;
const anyText: unknown = expect.any(String);
const read = (path: string) => readFileSync(join(__dirname, '../..', path), 'utf8');

/** The API without checks: with these settings its answers are not those of the contract. */
const api = async () => await fixture.sandbox.api();

/** What the contract says wherever it leaves something open. */
function openPoints(node: unknown): string[] {
	if (typeof node !== 'object' || node === null) {
		return [];
	}

	return Object.entries(node).flatMap(([name, value]) =>
		name === 'x-open' ? [String(value)] : openPoints(value),
	);
}

const notes = openPoints(parse(read('contract/openapi.yaml'))).join(' ');

test.each(Object.keys(settingSchemas))(
	'%s is in the docs, and in the contract when open',
	(name) => {
		expect(read('sandbox/README.md')).toContain(`\`${name}\``);
		expect(notes.includes(`\`${name}\``)).toBe(!OWN.test(name));
	},
);

const rest = { workspace_id, account_number: '900100200301', routing_number: '990000005' };
const cents = { amount_denomination: 'us_cents' };

test.each<[Settings['walletAnswer'], object]>([
	['bare', { ...rest, ...cents, balance: 500_000 }],
	['wrapped', { wallet: { ...rest, ...cents, balance: 500_000 } }],
	['amount', { ...rest, balance: { amount: 500_000, ...cents } }],
	['available', { ...rest, ...cents, available_balance: 500_000 }],
])('the wallet is answered %s', async (walletAnswer, expected) => {
	await control().setSettings({ walletAnswer });

	expect(ok(await (await api()).get(walletPath))).toEqual(expected);
});

test('partners, invitations and successes are answered in other ways', async () => {
	const client = await api();
	const partner = await fixture.partner(pendingVendorEmail);
	const invite = async (
		invitationAnswer: Settings['invitationAnswer'],
		successStatus: '201' | '202',
	) => {
		await control().setSettings({ partnerAnswer: 'wrapped', invitationAnswer, successStatus });
		const body = { invites: [{ payee_email: 'new@example.com' }] };
		const { status, data } = await client.post<unknown>(fixture.path('/partner/invite'), body);

		return [status, data];
	};

	const invited = [expect.objectContaining({ payee_email: 'new@example.com' })];

	expect(await invite('data', '201')).toEqual([201, { data: invited }]);
	expect(await invite('empty', '202')).toEqual([202, {}]);
	expect(ok(await client.get(fixture.path(`/partner/${partner?.id ?? ''}`)))).toEqual({ partner });
});

test('a list comes in pages', async () => {
	for (const amount of [1, 2, 3]) {
		await control().deposit(workspace_id, amount);
	}

	await control().setSettings({ pageSize: 2 });
	const get = async (cursor: string | null) => {
		type Page = { deposits: { amount: number }[]; next_cursor: string | null };
		const params = { ...(cursor === null ? {} : { cursor }) };
		const page = ok(await (await api()).get<Page>(`${walletPath}/deposit`, { params }));

		return { amounts: page.deposits.map(({ amount }) => amount), next: page.next_cursor };
	};

	const first = await get(null);

	expect([first.amounts, await get(first.next)]).toEqual([[1, 2], { amounts: [3], next: null }]);
});

const requests = successfulRequests(fixture);

/** Asks for a list, of which there are several entries. */
async function listReader({ operationId, template }: (typeof listOperations)[number]) {
	if (!isOfBuyer(operationId)) {
		const ofUser = await fixture.sandbox.api(await control().userToken());
		return async (params: object) => ok(await ofUser.get<Fields>(template, { params }));
	}

	// Each request has made an entry before.
	await requests[operationId]();
	const [path] = await requests[operationId]();
	const ofBuyer = await api();
	return async (params: object) => ok(await ofBuyer.get<Fields>(path, { params }));
}

test.each(listOperations)('$operationId comes in pages', async (operation) => {
	const get = await listReader(operation);
	const { [operation.list]: whole } = await get({});
	await control().setSettings({ pageSize: 1 });

	const pages: unknown[] = [];
	let cursor: unknown = '0';
	while (typeof cursor === 'string') {
		const { [operation.list]: entries, next_cursor: next } = await get({ cursor });
		pages.push(entries);
		cursor = next;
	}

	expect(pages.length).toBeGreaterThan(1);
	expect(pages.flat()).toEqual(whole);
});

const code = 'insufficient_funds';
const poor: unknown = expect.stringMatching(/^The wallet holds/);

test.each<[Partial<Settings>, status: number, body: unknown]>([
	[{}, 422, { error: { code, message: poor, details: [{ field: 'amount', message: poor }] } }],
	[{ errorBody: 'message', refusalStatus: 'payment' }, 402, { message: poor }],
	[{ errorBody: 'problem' }, 422, { type: anyText, title: code, status: 422, detail: poor }],
	[
		{ errorBody: 'list' },
		422,
		{ errors: expect.arrayContaining([{ code, message: poor }]) as object },
	],
	[{ errorBody: 'text', refusalStatus: 'plain' }, 400, poor],
])('a refusal with %j is %i', async (settings, status, body) => {
	const payable = await fixture.approved({ amount: 600_000 });
	await control().setSettings(settings);
	const funding = { workspace_id, method: 'balance', amount: 600_000, payable_ids: [payable.id] };

	const answer = await (await api()).post<unknown>('/funding', funding);

	expect([answer.status, answer.data]).toEqual([status, body]);
});

test.each<[Settings['retryAfter'], unknown]>([
	['seconds', expect.stringMatching(/^\d+$/)],
	['date', expect.stringMatching(/GMT$/)],
	['none', undefined],
])('429 has Retry-After in %s', async (retryAfter, expected) => {
	const client = await api();
	await control().setSettings({ retryAfter, requestsPerMinute: 1 });

	await client.get(walletPath);
	const { status, headers } = await client.get(walletPath);

	expect([status, headers['retry-after']]).toEqual([429, expected]);
});

test('a payable is paid at its due date', async () => {
	await control().setSettings({ settlement: 'due_date' });
	const due_date = new Date(Date.now() + 3_600_000).toISOString();
	const later = await fixture.fundedPayable({ due_date });

	expect(await fixture.statusOf(await fixture.fundedPayable())).toBe('paid');
	expect(await fixture.statusOf(later)).toBe('will_pay');

	await control().advanceClock(3700);

	expect(await fixture.statusOf(later)).toBe('paid');
	expect((await control().ledger()).sum).toBe(0);
});

describe('acceptance', () => {
	const to = { payee_email: demo.unattachedVendorEmail };
	const states = async (payables: { id: string }[]) =>
		await Promise.all(payables.map(async (payable) => await fixture.statusOf(payable)));

	test('a verified vendor is paid without accepting #verified-is-enough', async () => {
		expect(await fixture.statusOf(await fixture.fundedPayable(to))).toBe('paid');
		expect((await control().ledger()).sum).toBe(0);
	});

	test('may be required, and a change of that releases what waits, of each vendor', async () => {
		await control().setSettings({ acceptance: 'required' });
		await control().addVendor({ email: 'dora@example.com', status: 'verified' });
		const waiting = [
			await fixture.fundedPayable(to),
			await fixture.fundedPayable({ payee_email: 'dora@example.com' }),
		];
		const unverified = await fixture.fundedPayable({ payee_email: pendingVendorEmail });

		expect(await states(waiting)).toEqual(['approved', 'approved']);

		await control().setSettings({ timeoutMs: 5000 });

		expect(await states(waiting)).toEqual(['approved', 'approved']);

		await control().setSettings({ acceptance: 'implied' });

		expect(await states(waiting)).toEqual(['paid', 'paid']);
		expect(await fixture.statusOf(unverified)).toBe('approved');
		expect((await control().ledger()).sum).toBe(0);
	});

	test('that is not required any more does not overtake other settings', async () => {
		await control().setSettings({ acceptance: 'required', settlement: 'manual' });
		const payable = await fixture.fundedPayable(to);

		await control().setSettings({ acceptance: 'implied' });

		expect(await fixture.statusOf(payable)).toBe('will_pay');
	});

	test('of many payables is released in batches, all of them', async () => {
		await control().setSettings({ acceptance: 'required' });
		const payables = await Promise.all(
			Array.from({ length: 120 }, async () => await fixture.approved({ ...to, amount: 1 })),
		);
		await fixture.funded(payables);

		await control().setSettings({ acceptance: 'implied' });

		const { paid } = Object.groupBy(await control().payables(), ({ status }) => status);
		expect(paid).toHaveLength(120);
	});
});

/** Where the secret stands in each answer to a subscription. */
const places: Record<Exclude<Settings['subscriptionAnswer'], 'none'>, string[]> = {
	default: ['webhook_subscription', 'secret'],
	nested: ['data', 'subscription', 'signing_secret'],
	subscription: ['subscription', 'secret'],
	beside: ['secret'],
	webhook_signing_secret: ['webhook_subscription', 'webhook_signing_secret'],
	shared_secret: ['webhook_subscription', 'shared_secret'],
	hmac_key: ['webhook_subscription', 'hmac_key'],
};

test.each(Object.entries(places))(
	'the answer %s holds the secret that signs',
	async (shape, place) => {
		await control().setSettings({ subscriptionAnswer: shape as Settings['subscriptionAnswer'] });
		const body = { url: receiver.url(), events: ['payable.paid'] };
		const answer = await (await api()).post<unknown>(fixture.path('/webhook-subscription'), body);
		const secret = place.reduce(
			(part: unknown, name) => (part as Record<string, unknown>)[name],
			ok(answer),
		);

		await emitAndSettle();

		expect(isSignedWith(String(secret), receiver.received[0])).toBe(true);
	},
);

test('the answer to a subscription may hold no secret, and deliveries are signed all the same', async () => {
	await control().setSettings({ subscriptionAnswer: 'none' });
	const body = { url: receiver.url(), events: ['payable.paid'] };

	const answer = await (await api()).post<unknown>(fixture.path('/webhook-subscription'), body);
	await emitAndSettle();

	expect(JSON.stringify(ok(answer))).not.toMatch(/secret|hmac/);
	expect(receiver.received[0]?.signature).toMatch(/^[0-9a-f]{64}$/);
});

test('deliveries are signed in another header, with the time, in base64, or not at all', async () => {
	const { secret } = await subscribe();
	const scheme = { signatureScheme: 'timestamped', signatureEncoding: 'base64' } as const;
	await control().setSettings({ signatureHeader: 'Webhook-Signature', ...scheme });
	await emitAndSettle();
	const { signature = '', body = '' } = receiver.received[0] ?? {};
	const [, time = '', sent] = /^t=(\d+),v1=(.*)$/.exec(signature) ?? [];

	expect(sent).toBe(createHmac('sha256', secret).update(`${time}.${body}`).digest('base64'));

	await control().setSettings({ signatureScheme: 'none' });
	await emitAndSettle(1, 1);

	expect(receiver.received[1]?.signature).toBeUndefined();
});

test.each(Object.values(characters))('a character sets many at once: %j', async (changes) => {
	expect(await control().setSettings(changes)).toMatchObject(changes);
});
