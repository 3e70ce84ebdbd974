import { DatabaseSync } from 'node:sqlite';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from '../../sandbox/options';
import { SCHEMA_VERSION } from '../../sandbox/store/schema';
import { valuesToEnter } from '../../sandbox/values';
import { startSandbox } from '../support/sandbox';
import { demo, errorOf, http, ok, SandboxFixture } from './fixture';
import { DataFile } from './processes';

const { workspaceId, openingBalance, pendingVendorEmail } = demo;

describe('production', () => {
	const fixture = new SandboxFixture({ production: true });

	test('has an audience of its own, and no simulated deposits, only real ones #production-apart', async () => {
		const path = fixture.path('/wallet/deposit');

		expect(fixture.sandbox.audience).not.toContain('sandbox');
		for (const body of [{ amount: 5 }, {}]) {
			expect(errorOf(await fixture.api.post(path, body))).toMatchObject({ status: 404 });
		}
		expect(ok(await fixture.api.get(path))).toEqual({ deposits: [] });

		await fixture.control.deposit(workspaceId, 700);

		expect(await fixture.balance()).toBe(openingBalance + 700);
	});
});

describe('a data file', () => {
	const file = new DataFile();

	const setSchemaVersion = (version: number): void => {
		const database = new DatabaseSync(file.path);
		database.exec(`PRAGMA user_version = ${version}`);
		database.close();
	};

	test('keeps state, tokens and clock over a restart', async () => {
		const { control, ...first } = await file.start();
		const token = await first.token();
		const body = { workspace_id: workspaceId, amount: 700, payee_email: pendingVendorEmail };
		ok(await (await first.api(token)).post('/payable', body));
		await control.deposit(workspaceId, 700);
		await control.advanceClock(3600);
		await control.addVendor({ email: 'new@example.com' });
		const before = await control.state();
		const ledger = await control.ledger();

		const second = await file.start();
		const after = await second.control.state();
		// The port is another one, and with it the host in the invite link.
		const withoutLinks = (state: typeof before) => ({
			...state,
			workspaces: state.workspaces.map(({ inviteUrl: _, ...workspace }) => workspace),
		});

		expect(withoutLinks(after)).toEqual(withoutLinks(before));
		expect(await second.control.ledger()).toEqual(ledger);
		expect(Date.parse(await second.control.now()) - Date.now()).toBeGreaterThan(3_500_000);

		const wallet = await (await second.api(token)).get<unknown>(`/workspace/${workspaceId}/wallet`);

		expect(wallet.data).toMatchObject({ balance: openingBalance + 700 });
	});

	test.each([
		['its own path', (path: string) => path],
		[
			'another path to it',
			(path: string) => {
				symlinkSync(path, `${path}-link`);
				return `${path}-link`;
			},
		],
	])('that a sandbox runs on is refused to a second one, by %s', async (_, pathFor) => {
		const { control } = await file.start();

		const second = startSandbox({ data: pathFor(file.path) });

		await expect(second).rejects.toThrow('is in use by another sandbox');
		expect(await control.workspaces()).toHaveLength(3);
		expect((await control.deposit(workspaceId, 700)).amount).toBe(700);
	});

	test.each([
		['that is new', undefined],
		['that all could read', 0o644],
	])('%s is readable by its owner alone, with all that is beside it', async (_, mode) => {
		if (mode !== undefined) {
			writeFileSync(file.path, '', { mode });
		}

		await file.start();

		const modes = readdirSync(file.folder).map((name) => {
			const { mode: found } = statSync(join(file.folder, name));
			return [name, (found & 0o777).toString(8)];
		});
		expect(modes).toContainEqual(['state.db', '600']);
		expect(modes.filter(([, found]) => found !== '600')).toEqual([]);
	});

	test('that is no database is refused', async () => {
		await expect(startSandbox({ data: __filename })).rejects.toThrow('file is not a database');
	});

	test('of another schema version is refused and left as it is', async () => {
		await file.start();
		await file.stop();
		setSchemaVersion(0);

		await expect(file.start()).rejects.toThrow(
			`the data file ${file.path} has the schema version 0 and this sandbox needs version ${SCHEMA_VERSION}, so choose another file with --data or delete this one.`,
		);

		setSchemaVersion(SCHEMA_VERSION);

		expect(await (await file.start()).control.workspaces()).toHaveLength(3);
	});
});

describe('the control API', () => {
	const fixture = new SandboxFixture();

	test('adds a described network', async () => {
		const id = '44444444-4444-4444-8444-444444444444';
		const client = { clientId: 'solo', clientSecret: 'solo-secret' };
		const { control } = fixture.sandbox;
		await control.reset({
			buyers: [
				{
					name: 'Solo',
					clients: [{ id: client.clientId, secret: client.clientSecret }],
					workspaces: [{ id, displayName: 'Solo', openingBalance: 9, deposits: [4] }],
				},
			],
			vendors: [{ email: 'v@example.com', status: 'verified', workspaceIds: [id] }],
		});

		const vendor = { email: 'v@example.com', status: 'verified' };
		expect(await control.state()).toMatchObject({
			workspaces: [{ id, buyer: 'Solo', balance: 13 }],
			vendors: [vendor],
			partners: [vendor],
			deposits: [{ amount: 4, status: 'unlinked' }],
		});

		const api = await fixture.client(await fixture.sandbox.token(client));

		expect((await api.get(`/workspace/${id}`)).status).toBe(200);
		// The demonstration's client is gone, and with it what its token stood for.
		expect(errorOf(await fixture.api.get(`/workspace/${id}`)).status).toBe(401);

		await control.reset();

		expect((await fixture.api.get(fixture.path())).status).toBe(200);
	});

	const taken = [{ name: 'x', workspaces: [{ id: workspaceId, displayName: 'again' }] }];
	const event = { event_type: 'payable.paid', workspaceId, data: { payable: {} } };

	test.each<[path: string, status: number, body: object]>([
		['/seed', 400, { buyers: [{ name: '' }] }],
		['/seed', 409, { buyers: taken }],
		['/vendors/verify', 404, { vendor: 'nobody@example.com' }],
		['/deposits', 404, { workspaceId: 'nowhere', amount: 5 }],
		['/user-token', 404, { user: 'nobody' }],
		['/clock/advance', 400, { seconds: -5 }],
		['/events', 400, { events: [{ ...event, event_type: 'payable.lost' }] }],
		['/events', 400, { events: [{ ...event, data: {} }] }],
		['/deliveries/redeliver', 404, { delivery: 'dlv_none' }],
		['/deliveries/redeliver', 404, { event: 'evt_none' }],
		['/settings', 400, { envelope: 'paper' }],
		['/settings', 400, { maxAttempts: 0 }],
		['/settings', 400, { colour: 'red' }],
		['/deliveries/faults', 400, {}],
		['/deliveries/faults', 400, { kind: 'flood' }],
		['/deliveries/faults', 400, { kind: 'delay' }],
		['/deliveries/faults', 400, { kind: 'drop', ms: 5 }],
		['/deliveries/faults', 400, { kind: 'drop', ratio: 2 }],
		['/faults', 400, {}],
		['/faults', 400, { kind: 'flood' }],
		['/faults', 400, { kind: 'latency' }],
		['/faults', 400, { kind: 'cut_after', status: 500 }],
		['/faults', 400, { kind: 'cut_after', ratio: 5 }],
		// No final answer has such a status.
		['/faults', 400, { kind: 'status', status: 199 }],
		['/faults', 400, { kind: 'status', status: 600 }],
	])('refuses what makes no sense: %s %i %j', async (path, status, body) => {
		const { control, controlUrl } = fixture.sandbox;
		const state = async () => [
			await control.state(),
			await control.events(),
			await control.settings(),
			await control.deliveryFaults(),
			await control.faults(),
		];

		const before = await state();

		const answer = await http.post(controlUrl + path, body);

		expect(answer.status).toBe(status);
		expect(await state()).toEqual(before);
	});
});

describe('the command line', () => {
	test.each([
		[['--port', 'x'], '--port must be integer'],
		[['--character', 'kind'], '--character must be one of: strict, loose, hostile'],
		[['--colour'], "Unknown option '--colour'"],
		[['--public-url', 'pay.example'], '--public-url must match'],
		[['stray'], 'stray'],
	])('%j is refused', (flags, sentence) => {
		expect(() => readOptions(flags)).toThrow(sentence);
	});

	test('without flags everything has its default', () => {
		expect(readOptions([])).toEqual({
			listen: 'localhost',
			port: 7297,
			authPort: 7298,
			production: false,
			allowHost: [],
			tls: false,
			proxyDeliveries: false,
			requestTimeoutMs: 10_000,
		});
		expect(readOptions(['--help'])).toBeUndefined();
	});
});

test('the guide tells the values that the sandbox prints', async () => {
	const { stop, ...ready } = await startSandbox();
	await stop();
	const defaults = { apiUrl: 'http://localhost:7297/api', authUrl: 'http://localhost:7298' };
	const file = join(__dirname, '../../docs/guide/first-payout.md');
	const guide = readFileSync(file, 'utf8').replaceAll('`', '');
	const values = valuesToEnter({ ...ready, ...defaults })
		.split('\n')
		.map((line) => line.slice(17));

	expect(values).toContain(ready.workspaceId);
	expect(values.filter((value) => !guide.includes(value))).toEqual([]);
});
