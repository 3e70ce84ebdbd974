import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Ready, type Sandbox } from '../../sandbox/client';
import { readOptions } from '../../sandbox/options';
import { callsOf, demo, http, ok } from './fixture';
import { runNode, sandboxFile } from './processes';
import { runInShell } from './shell';
import { connectAs } from './visitor';

/** A folder with the package as `npm` has installed it, and nothing else. */
const folder = mkdtempSync(join(tmpdir(), 'sandbox-package-'));
const built = join(folder, 'built');
const home = join(folder, 'home');
const command = join(home, 'node_modules', '.bin', 'partner-payments-sandbox');
const MEGABYTE = 1024 * 1024;
let tarball = '';

beforeAll(() => {
	const { status, stderr } = runNode(sandboxFile('package/build.ts'), built);
	expect({ status, stderr }).toEqual({ status: 0, stderr: '' });

	tarball = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
		cwd: built,
		encoding: 'utf8',
	}).trim();
	mkdirSync(home);
	execFileSync('npm', ['install', '--offline', '--prefix', home, join(folder, tarball)]);
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** Starts the installed command outside of the repository, and measures how long that takes. */
async function start(...flags: string[]): Promise<Sandbox> {
	const child = spawn(process.execPath, [command, '--port=0', '--auth-port=0', ...flags], {
		cwd: home,
		env: { PATH: '' },
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});

	const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
	// Only the sandbox writes into the channel.
	const ready = await new Promise<Ready>((resolve) => child.once('message', resolve));

	return connect(ready, async () => {
		child.kill('SIGTERM');
		await ended;
	});
}

describe('the package', () => {
	test('is small, and has no dependency', () => {
		const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8')) as object;

		expect(statSync(join(folder, tarball)).size).toBeLessThan(10 * MEGABYTE);
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest).not.toHaveProperty('scripts');
	});

	test('says what it is on an older Node.js', () => {
		const program = `Object.defineProperty(process.versions, 'node', { value: '22.1.0' });
			require(${JSON.stringify(join(built, 'bin.js'))})`;

		const { status, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });

		expect(status).toBe(1);
		expect(stderr).toMatch(/^The sandbox needs Node\.js 24 or later/);
	});

	test('is copied whole into the image, whose ports are those of the sandbox', () => {
		const dockerfile = readFileSync(join(built, 'Dockerfile'), 'utf8');
		const [, copied = ''] = /^COPY (.*) \.\/$/m.exec(dockerfile) ?? [];
		const { port = 0, authPort = 0 } = readOptions([]) ?? {};

		expect(dockerfile).toContain(`EXPOSE ${port} ${authPort}\n`);
		for (const file of copied.split(' ')) {
			expect(statSync(join(built, file)).isFile()).toBe(true);
		}
	});

	test('tells its own command', () => {
		const { stdout } = spawnSync(process.execPath, [command, '--help'], { encoding: 'utf8' });

		expect(stdout).toMatch(/^Usage: npx partner-payments-sandbox \[flags\]/);
	});
});

describe('the installed command', () => {
	let sandbox: Awaited<ReturnType<typeof start>>;

	beforeAll(async () => {
		sandbox = await start();
	});

	afterAll(async () => {
		await sandbox.stop();
	});

	test('pays a first vendor by the lines of its guide', async () => {
		const guide = readFileSync(join(built, 'README.md'), 'utf8');
		const [, lines = ''] = /## A first payout\n+```sh\n([\s\S]*?)```/.exec(guide) ?? [];
		const here = lines
			.replaceAll('http://localhost:7297', new URL(sandbox.apiUrl).origin)
			.replaceAll('http://localhost:7298', sandbox.authUrl);

		const printed = await runInShell(here);

		expect(printed).toContain('"status":"paid"');
		expect(await sandbox.control.payables()).toMatchObject([{ amount: 125_000, status: 'paid' }]);
		expect((await sandbox.control.vendor(demo.verifiedVendorEmail)).balance).toBe(125_000);
	});

	test('has all that is read from files elsewhere: pages, contract, fonts, identity provider', async () => {
		const { origin } = new URL(sandbox.apiUrl);
		const calls = await callsOf(sandbox);
		const paths = ['/_sandbox/console', '/assets/style.css', '/assets/live.js', '/openapi.yaml'];
		const answers = await Promise.all(
			paths.map(async (path) => {
				const { status, data } = await http.get<string>(origin + path);
				return { path, status, length: data.length };
			}),
		);

		const { id } = await calls.invoice();
		const link = ok(await calls.api.get<{ pdf_url: string }>(`/funding/${id}/pdf-url`));
		const pdf = await http.get<string>(link.pdf_url);
		const { code } = await connectAs(sandbox, demo.userEmail);

		for (const { path, status, length } of answers) {
			expect([path, status, length > 1_000]).toEqual([path, 200, true]);
		}

		expect(pdf.data).toMatch(/^%PDF-/);
		expect(code).toMatch(/.{20,}/);
	});
});

test('the installed command keeps its state in a file, and speaks HTTPS', async () => {
	const data = join(folder, 'state.db');
	const first = await start('--tls', '--data', data);
	await first.control.deposit(demo.workspaceId, 700);
	await first.stop();

	const second = await start('--tls', '--data', data);
	const deposits = await second.control.deposits();
	await second.stop();

	expect(second.apiUrl).toMatch(/^https:/);
	expect(deposits).toMatchObject([{ amount: 700 }]);
});
