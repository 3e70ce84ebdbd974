import type { SavedState } from '../../sandbox/store/savedState';
import { startSandbox } from '../support/sandbox';
import { createSubscription, demo, http, ok } from './fixture';
import { deliveryFixture } from './delivery-fixture';
import { DataFile } from './processes';

const { fixture, receiver, control, subscribe, emit, arrived, settled } = deliveryFixture();
const file = new DataFile();

/** Everything that a buyer or the control API can see of the state. */
const everything = async (from = control()) => ({
	state: await from.state(),
	ledger: await from.ledger(),
	events: await from.events(),
	outbox: await from.outbox(),
	allocations: await from.allocations(),
	deliveries: await from.deliveries(),
	settings: await from.settings(),
});

/** Something of everything. */
async function live(): Promise<void> {
	await subscribe();
	await fixture.fundedPayable();
	await fixture.invoice();
	await fixture.deposit(300);
	await fixture.payable({ payee_email: 'new@example.com', send_invite: true });
	await control().setTaxForm(demo.verifiedVendorEmail, 'expired');
	await control().setSettings({ settlement: 'manual', errorBody: 'list' });
	await settled();
}

const importInto = async (controlUrl: string, state: unknown) =>
	await http.post<{ error?: { code: string } }>(`${controlUrl}/import`, state);

describe('a snapshot', () => {
	test('brings everything back, as often as it is asked for', async () => {
		await live();
		await control().freezeClock();
		const now = await control().setClock('2031-01-01T00:00:00Z');
		await control().takeSnapshot('before');
		const before = await everything();

		for (const round of [1, 2]) {
			await control().resumeClock();
			await control().deposit(demo.workspaceId, 9_000);
			await control().verifyVendor(demo.pendingVendorEmail);
			await control().setSettings({ errorBody: 'text' });
			await control().restoreSnapshot('before');

			expect([round, await everything(), await control().now()]).toEqual([round, before, now]);
		}

		await control().removeSnapshot('before');
	});

	test('is taken under each name once, listed, and outlives a reset', async () => {
		await control().takeSnapshot('b');
		await control().deposit(demo.workspaceId, 700);
		await control().takeSnapshot('a');
		await control().takeSnapshot('b');
		await control().reset();

		const names = (await control().snapshots()).map(({ name }) => name);
		await control().restoreSnapshot('b');

		expect(names).toEqual(['a', 'b']);
		expect(await fixture.balance()).toBe(demo.openingBalance + 700);

		await control().removeSnapshot('a');
		await control().removeSnapshot('b');

		expect(await control().snapshots()).toEqual([]);
	});

	test.each(['restore', 'remove'])('that is not there is not: %s', async (path) => {
		const before = await everything();

		const answer = await http.post(`${fixture.sandbox.controlUrl}/snapshots/${path}`, {
			name: 'nothing',
		});

		expect(answer.status).toBe(404);
		expect(await everything()).toEqual(before);
	});

	test('forgets faults and counted requests, as a restart does, and keeps tokens', async () => {
		await control().takeSnapshot('clean');
		await control().addFault({ kind: 'status', status: 503, times: 5 });
		await control().addDeliveryFault({ kind: 'drop', times: 5 });

		await control().restoreSnapshot('clean');

		expect([await control().faults(), await control().deliveryFaults()]).toEqual([[], []]);
		expect((await fixture.api.get(fixture.path())).status).toBe(200);
		await control().removeSnapshot('clean');
	});

	test('sends again what was being sent when it was taken, and nothing that came later', async () => {
		receiver.react = () => 'silence';
		await subscribe();
		await emit();
		await arrived(1);
		await control().takeSnapshot('sending');
		await emit(1, 1);
		await arrived(2);
		receiver.clear();

		await control().restoreSnapshot('sending');
		const deliveries = await settled();

		expect(deliveries).toMatchObject([{ state: 'delivered' }]);
		expect(receiver.received.map(({ body }) => body)).toEqual([
			expect.stringContaining('"pbl_0"') as string,
		]);
		await control().removeSnapshot('sending');
	});

	test('is kept in the data file, which another process reads', async () => {
		const first = await file.start();
		await first.control.deposit(demo.workspaceId, 700);
		await first.control.takeSnapshot('kept');
		await first.control.reset();

		const again = await file.start();
		await again.control.restoreSnapshot('kept');

		expect(await again.control.deposits()).toMatchObject([{ amount: 700 }]);
	});
});

describe('an export', () => {
	test('makes another sandbox the same, and holds no key that signs', async () => {
		await live();
		const exported = await control().exportState();
		const other = await startSandbox({ requestsPerMinute: 1_000_000 });
		try {
			const { status } = await importInto(other.controlUrl, exported);

			const [own, theirs] = [await everything(), await everything(other.control)];
			const port = (text: unknown) => JSON.stringify(text).replace(/localhost:\d+\/join/g, 'join');
			expect(status).toBe(200);
			expect(port(theirs)).toBe(port(own));
			expect(JSON.stringify(exported)).not.toMatch(/signing_key|"kty/);

			const api = await other.api();
			ok(await api.get<unknown>(fixture.path()));
			await createSubscription(api, receiver.url());
		} finally {
			await other.stop();
		}
	});

	test('of more than a megabyte is taken', async () => {
		const description = 'x'.repeat(300_000);
		for (const amount of [1, 2, 3, 4, 5]) {
			await fixture.payable({ amount, description });
		}

		const exported = await control().exportState();
		await control().reset();
		const { status } = await importInto(fixture.sandbox.controlUrl, exported);

		expect(status).toBe(200);
		expect((await control().payables()).map(({ amount }) => amount)).toEqual([1, 2, 3, 4, 5]);
	});

	type Change = (state: SavedState) => unknown;
	test.each<[what: string, change: Change, status: number]>([
		['of another version', (state) => ({ ...state, version: state.version + 1 }), 422],
		['without its tables', ({ tables: _, ...state }) => state, 400],
		[
			'with a table less',
			({ tables, ...state }) => ({ ...state, tables: { buyers: tables['buyers'] } }),
			422,
		],
		[
			'with a table more',
			({ tables, ...state }) => ({ ...state, tables: { ...tables, sqlite_schema: [] } }),
			422,
		],
		[
			'with another amount',
			(state) => JSON.parse(JSON.stringify(state).replace('500000', '500001')) as unknown,
			422,
		],
		['that is none', () => ({}), 400],
		['that is text', () => 'state', 400],
	])('is refused %s, and nothing changes', async (_, change, expected) => {
		const exported = await control().exportState();
		await control().deposit(demo.workspaceId, 700);
		const before = await everything();

		const { status } = await importInto(fixture.sandbox.controlUrl, change(exported));

		expect(status).toBe(expected);
		expect(await everything()).toEqual(before);
	});
});

describe('a seed', () => {
	const { workspaceId } = demo;
	const payeeEmail = demo.verifiedVendorEmail;

	test('has payables as far as it says, and the events that it names', async () => {
		await control().seed({
			payables: [
				{ id: 'pbl_draft', workspaceId, payeeEmail, amount: 100, description: 'Reel' },
				{ id: 'pbl_approved', workspaceId, payeeEmail, amount: 200, status: 'approved' },
				{ id: 'pbl_paid', workspaceId, payeeEmail, amount: 300, status: 'funded' },
				{
					id: 'pbl_waits',
					workspaceId,
					payeeEmail: 'ben@example.com',
					amount: 400,
					status: 'funded',
				},
			],
			events: [{ event_type: 'payable.paid', workspaceId, data: { payable: { id: 'pbl_paid' } } }],
		});

		const payables = await control().payables();
		expect(payables.map(({ id, status }) => `${id} ${status}`)).toEqual([
			'pbl_draft draft',
			'pbl_approved approved',
			'pbl_paid paid',
			'pbl_waits approved',
		]);
		expect(payables[0]).toMatchObject({ description: 'Reel', due_date: null, line_items: [] });
		expect(await control().events()).toMatchObject([
			{ event_type: 'payable.paid', data: { payable: { id: 'pbl_paid' } } },
		]);
		expect(await fixture.balance()).toBe(demo.openingBalance - 700);
		expect((await control().ledger()).sum).toBe(0);

		const [, approved] = payables;
		ok(await fixture.fund(approved === undefined ? [] : [approved]));
	});

	test.each<[what: string, status: number, payable: object]>([
		['more than the wallet holds', 422, { amount: 900_000_000, status: 'funded' }],
		['items that do not add up', 422, { amount: 5, lineItems: [{ amount: 4, description: 'x' }] }],
		['a state that it does not decide', 400, { amount: 5, status: 'paid' }],
		['an ID of another kind', 400, { amount: 5, id: 'fnd_1' }],
		[
			'an unknown workspace',
			404,
			{ amount: 5, workspaceId: '99999999-9999-4999-8999-999999999999' },
		],
	])('is refused whole when one payable cannot be: %s', async (_, status, payable) => {
		const good = { workspaceId, payeeEmail, amount: 1 };
		const before = await everything();

		const answer = await http.post(`${fixture.sandbox.controlUrl}/seed`, {
			payables: [good, { ...good, ...payable }],
		});

		expect(answer.status).toBe(status);
		expect(await everything()).toEqual(before);
	});
});
