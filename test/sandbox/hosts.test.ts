import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import type { AxiosResponse } from 'axios';
import type { Funding, Payable } from '../../sandbox/client';
import { readOptions } from '../../sandbox/options';
import { startSandbox } from '../support/sandbox';
import { errorOf, http, ok, SandboxFixture } from './fixture';
import { authorizationUrl } from './visitor';

const allowing = (...names: string[]) =>
	readOptions(names.flatMap((name) => ['--allow-host', name]))?.allowHost ?? [];

const fixture = new SandboxFixture({ allowHost: allowing('Pay.Example') });

/** Sends a request as it stands, whatever a client would make of it. */
async function send(port: string, lines: string[]): Promise<string> {
	const socket = connect(Number(port), 'localhost');
	await once(socket, 'connect');
	socket.end([...lines, '', ''].join('\r\n'));

	return await text(socket);
}

const get = async (url: string, host: string): Promise<AxiosResponse<unknown>> =>
	await http.get(url, { headers: { host } });

const apiPaths = () => [fixture.path(), '/no/such/path', '/%'];
const paths = ['/join', '/vendor/ven_ana', '/documents/invoice/x.pdf', '/assets/style.css'];
const controlPaths = ['', '/state', '/requests', '/console', '/console/requests'];
const openId = '/.well-known/openid-configuration';
const authPaths = ['/oauth/token', '/authorize', openId, '/sign-in/x', '/%'];
const urls = (): string[] => [
	...apiPaths().map((path) => fixture.sandbox.apiUrl + path),
	...controlPaths.map((path) => fixture.sandbox.controlUrl + path),
	...paths.map((path) => fixture.pageUrl(path)),
	...authPaths.map((path) => fixture.sandbox.authUrl + path),
];

test.each([
	'evil.example:PORT',
	'localhost.evil.example:PORT',
	'127.0.0.1.evil.example',
	'127.0.0.2:PORT',
	'localhost.:PORT',
	'localhost@evil.example',
	'evil.example:localhost',
])('nothing answers to the host "%s"', async (host) => {
	for (const url of urls()) {
		const { status, data } = await get(url, host.replace('PORT', new URL(url).port));

		expect([url, status]).toEqual([url, 403]);
		expect(JSON.stringify(data)).toContain('answers to localhost, 127.0.0.1 and [::1] only');
	}
});

test.each(['localhost:PORT', 'LocalHost', '127.0.0.1:PORT', '[::1]:PORT', 'pay.example'])(
	'everything answers to the host "%s"',
	async (host) => {
		for (const url of urls()) {
			const { status } = await get(url, host.replace('PORT', new URL(url).port));

			expect([url, status]).not.toEqual([url, 403]);
		}
	},
);

test('a foreign host changes nothing, and uses up no fault', async () => {
	const { control, controlUrl, authUrl } = fixture.sandbox;
	const [workspace] = await control.workspaces();
	const headers = { host: 'evil.example' };
	await control.addFault({ kind: 'status', status: 503, match: { operationId: 'requestToken' } });
	const deposit = { workspaceId: workspace?.id, amount: 700 };
	const code = 'unknown_host';

	const refused = await http.post(`${controlUrl}/deposits`, deposit, { headers });
	const noToken = await http.post(`${authUrl}/oauth/token`, {}, { headers });

	expect(errorOf(refused)).toMatchObject({ status: 403, code });
	expect(noToken).toMatchObject({ status: 403, data: { error: code } });
	expect((await control.workspaces()).at(0)).toEqual(workspace);
	expect(await control.faults()).toHaveLength(1);
});

test('a request without a host is refused', async () => {
	for (const url of [fixture.sandbox.apiUrl, fixture.sandbox.authUrl]) {
		const { port } = new URL(url);

		expect(await send(port, ['GET /_sandbox/state HTTP/1.0'])).toMatch(/^HTTP\/1\.1 403 /);
		expect(await send(port, ['GET /_sandbox/state HTTP/1.1'])).toMatch(/^HTTP\/1\.1 400 /);
	}
});

test('a form is sent from a page of an allowed host, and from no page that has another', async () => {
	const url = fixture.consoleUrl('/do/deposit');
	const post = async (host: string, origin: string): Promise<AxiosResponse<unknown>> =>
		await http.post(
			url,
			new URLSearchParams({ amount: '5', workspaceId: fixture.sandbox.workspaceId }),
			{ headers: { host, origin } },
		);

	expect((await post('pay.example', 'https://pay.example')).status).toBe(303);
	expect((await post('pay.example', 'https://evil.example')).status).toBe(403);
	expect(await fixture.control.deposits()).toHaveLength(1);
});

test('with public addresses, links and redirects say so, and other machines are answered', async () => {
	const [publicUrl, publicAuthUrl] = ['https://pay.example', 'https://login.example'];
	const sandbox = await startSandbox({ listen: '0.0.0.0', publicUrl, publicAuthUrl });
	try {
		expect(sandbox).toMatchObject({ apiUrl: `${publicUrl}/api`, authUrl: publicAuthUrl });
		expect((await sandbox.control.workspaces())[0]?.inviteUrl).toMatch(`${publicUrl}/join?`);

		const [own] = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
		const outside = `http://${own?.address ?? ''}:${new URL(sandbox.controlUrl).port}`;
		const headers = { host: 'pay.example' };
		const authorization = `Bearer ${await sandbox.control.userToken()}`;
		const config = { baseURL: `${outside}/api`, headers: { ...headers, authorization } };
		const { workspaceId: workspace_id, verifiedVendorEmail: payee_email } = sandbox;
		const body = { workspace_id, payee_email, amount: 5 };
		const { payable } = ok(await http.post<{ payable: Payable }>('/payable', body, config));
		ok(await http.post(`/payable/${payable.id}/approve`, {}, config));
		const wanted = { workspace_id, method: 'invoice', amount: 5, payable_ids: [payable.id] };
		const { funding } = ok(await http.post<{ funding: Funding }>('/funding', wanted, config));

		const pdf = ok<unknown>(await http.get(`/funding/${funding.id}/pdf-url`, config));

		expect(pdf).toEqual({ pdf_url: expect.stringMatching(`^${publicUrl}/documents/`) as string });

		const start = authorizationUrl({ ...sandbox, apiUrl: outside });

		expect((await http.get(start, { headers })).headers['location']).toMatch(
			`${publicAuthUrl}/authorize?`,
		);
	} finally {
		await sandbox.stop();
	}
});

test.each(['', 'evil.example:80', 'http://evil.example', '*', 'a b'])(
	'the switch --allow-host takes no "%s"',
	(name) => {
		expect(() => allowing(name)).toThrow('--allow-host');
	},
);

test('the switch --allow-host takes several names', () => {
	expect(allowing('A.example', '[fd00::1]')).toEqual(['a.example', '[fd00::1]']);
});
