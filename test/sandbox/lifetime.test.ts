import { DatabaseSync } from 'node:sqlite';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/client';
import { readOptions } from '../../sandbox/options';
import { SCHEMA_VERSION } from '../../sandbox/store/schema';
import { valuesToEnter } from '../../sandbox/values';
import { startSandbox } from '../support/sandbox';
import { errorOf, ok, SandboxFixture } from './fixture';
import { TemporaryFolder } from './processes';

describe('production', () => {
	const fixture = new SandboxFixture({ production: true });

	test('has an audience of its own, and no simulated deposits, only real ones', async () => {
		const { audience, control, openingBalance, workspaceId } = fixture.sandbox;
		expect(audience).not.toContain('sandbox');
		const path = fixture.path('/wallet/deposit');
		expect(errorOf(await fixture.api.post(path, { amount: 5 }))).toMatchObject({ status: 404 });
		expect(ok(await fixture.api.get(path))).toEqual({ deposits: [] });
		await control.deposit(workspaceId, 700);
		expect(await fixture.balance()).toBe(openingBalance + 700);
	});
});

describe('a data file', () => {
	const folder = new TemporaryFolder();
	let sandbox: Sandbox | undefined;
	afterEach(async () => {
		await sandbox?.stop();
		sandbox = undefined;
	});

	const setSchemaVersion = (data: string, version: number): void => {
		const database = new DatabaseSync(data);
		database.exec(`PRAGMA user_version = ${version}`);
		database.close();
	};

	test('keeps state, tokens and clock over a restart', async () => {
		const data = folder.file('state.db');
		sandbox = await startSandbox({ data });
		const { workspaceId, control } = sandbox;
		const token = await sandbox.token();
		const api = await sandbox.api(token);
		const wanted = { workspace_id: workspaceId, amount: 700 };
		const body = { ...wanted, payee_email: 'ben@example.com' };
		const { payable } = ok(await api.post<{ payable: { id: string } }>('/payable', body));
		ok(await api.post(`/payable/${payable.id}/approve`));
		ok(await api.post('/funding', { ...wanted, method: 'balance', payable_ids: [payable.id] }));
		await control.advanceClock(3600);
		await control.addVendor({ email: 'new@example.com' });
		const before = await control.state();
		const ledger = await control.ledger();
		await sandbox.stop();

		sandbox = await startSandbox({ data });
		const after = await sandbox.control.state();
		// The port is another one, and with it the host in the invite link.
		const withoutLinks = (state: typeof before) => ({
			...state,
			workspaces: state.workspaces.map(({ inviteUrl: _, ...workspace }) => workspace),
		});
		expect(withoutLinks(after)).toEqual(withoutLinks(before));
		expect(await sandbox.control.ledger()).toEqual(ledger);
		expect(Date.parse(await sandbox.control.now()) - Date.now()).toBeGreaterThan(3_500_000);
		const again = await sandbox.api(token);
		expect((await again.get(`/workspace/${workspaceId}/wallet`)).data).toMatchObject({
			balance: sandbox.openingBalance - 700,
		});
		await sandbox.control.verifyVendor('ben@example.com');
		expect((await sandbox.control.payables())[0]?.status).toBe('paid');
	});

	test('of another schema version is refused with a sentence, and is left as it is', async () => {
		const data = folder.file('state.db');
		sandbox = await startSandbox({ data });
		await sandbox.stop();
		setSchemaVersion(data, 0);
		await expect(startSandbox({ data })).rejects.toThrow(
			`the data file ${data} has the schema version 0 and this sandbox needs version ${SCHEMA_VERSION}, so choose another file with --data or delete this one.`,
		);
		setSchemaVersion(data, SCHEMA_VERSION);
		sandbox = await startSandbox({ data });
		expect(await sandbox.control.workspaces()).toHaveLength(3);
	});

	test('that is no database is refused with a sentence', async () => {
		await expect(startSandbox({ data: __filename })).rejects.toThrow('file is not a database');
	});
});

describe('the control API', () => {
	const fixture = new SandboxFixture();

	test('adds a described network', async () => {
		const workspaceId = '44444444-4444-4444-8444-444444444444';
		const { control } = fixture.sandbox;
		await control.reset({
			buyers: [
				{
					name: 'Solo',
					clients: [{ id: 'solo', secret: 'solo-secret' }],
					workspaces: [{ id: workspaceId, displayName: 'Solo', openingBalance: 9, deposits: [4] }],
				},
			],
			vendors: [{ email: 'v@example.com', status: 'verified', workspaceIds: [workspaceId] }],
		});
		expect(await control.state()).toMatchObject({
			workspaces: [{ id: workspaceId, buyer: 'Solo', balance: 13 }],
			vendors: [{ email: 'v@example.com', status: 'verified' }],
			partners: [{ email: 'v@example.com', status: 'verified' }],
			deposits: [{ amount: 4, status: 'unlinked' }],
		});
		const token = await fixture.sandbox.token({ clientId: 'solo', clientSecret: 'solo-secret' });
		const api = await fixture.client(token);
		expect((await api.get(`/workspace/${workspaceId}`)).status).toBe(200);
		// The demonstration's client is gone, and with it what its token stood for.
		expect(errorOf(await fixture.api.get(`/workspace/${workspaceId}`)).status).toBe(401);
		await control.reset();
		expect((await fixture.api.get(fixture.path())).status).toBe(200);
	});

	test('refuses what makes no sense', async () => {
		const { control, workspaceId } = fixture.sandbox;
		const before = await control.state();
		const again = [{ id: workspaceId, displayName: 'again' }];
		const taken = control.seed({ buyers: [{ name: 'x', workspaces: again }] });
		await expect(control.seed({ buyers: [{ name: '' }] })).rejects.toThrow('400');
		await expect(taken).rejects.toThrow('409');
		await expect(control.verifyVendor('nobody@example.com')).rejects.toThrow('404');
		await expect(control.deposit('nowhere', 5)).rejects.toThrow('404');
		await expect(control.userToken('nobody')).rejects.toThrow('404');
		await expect(control.advanceClock(-5)).rejects.toThrow('400');
		expect(await control.state()).toEqual(before);
	});
});

describe('the command line', () => {
	test.each([
		[['--port', 'x'], '--port must be a whole number'],
		[['--port', '70000'], '--port must be a whole number'],
		[['--requests-per-minute', '0'], '--requests-per-minute must be'],
		[['--second-funding', 'yes'], '--second-funding must be refuse or accept'],
		[['--data='], '--data needs the name of a file'],
		[['--colour'], "Unknown option '--colour'"],
		[['stray'], 'stray'],
	])('%j is refused', (flags, sentence) => {
		expect(() => readOptions(flags)).toThrow(sentence);
	});

	test('without flags everything has its default', () => {
		expect(readOptions([])).toEqual({
			port: 4010,
			authPort: 4011,
			data: undefined,
			production: false,
			strictJson: false,
			secondFunding: 'refuse',
			requestsPerMinute: 100,
			rateWindowSeconds: 60,
			allowedHosts: [],
			readyFile: undefined,
		});
		expect(readOptions(['--help'])).toBeUndefined();
	});
});

test('the guide tells the values that the sandbox prints', async () => {
	const ready = await startSandbox({ port: 4010, authPort: 4011 });
	await ready.stop();
	const file = join(__dirname, '../../docs/guide/first-payout.md');
	const guide = readFileSync(file, 'utf8').replaceAll('`', '');
	const values = valuesToEnter(ready)
		.split('\n')
		.map((line) => line.slice(17));
	expect(values).toContain(ready.workspaceId);
	expect(values.filter((value) => !guide.includes(value))).toEqual([]);
});
