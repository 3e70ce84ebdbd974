import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import axios from 'axios';
import { startSandbox } from '../support/sandbox';
import { readOptions } from '../../sandbox/options';
import { http, ok, SandboxFixture } from './fixture';
import { authorizationUrl } from './visitor';

describe('a request that does not arrive', () => {
	const TIMEOUT_MS = 200;
	const fixture = new SandboxFixture({ requestTimeoutMs: TIMEOUT_MS });

	/** Sends the beginning of a request, and waits for the answer and the end of the connection. */
	async function begin(url: string, ...lines: string[]): Promise<string> {
		const { port } = new URL(url);
		const socket = connect(Number(port), 'localhost');
		await once(socket, 'connect');
		socket.write(lines.join('\r\n'));

		return await text(socket);
	}

	const headers = ['Host: localhost', 'Content-Type: application/json', 'Content-Length: 100'];

	test.each<[what: string, url: () => string, path: string]>([
		['a call', () => fixture.sandbox.apiUrl, '/api/payable'],
		['a control', () => fixture.sandbox.apiUrl, '/_sandbox/reset'],
		['a sign-up', () => fixture.sandbox.apiUrl, '/join'],
	])('is answered with 408 when its body stops: %s', async (_, url, path) => {
		const startedAt = performance.now();

		const answer = await begin(url(), `POST ${path} HTTP/1.1`, ...headers, '', '{"half":');

		expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
		expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS * 10);
	});

	test('is answered with 408 when its headers stop', async () => {
		const answer = await begin(fixture.sandbox.apiUrl, 'POST /api/payable HTTP/1.1', 'Host: loc');

		expect(answer).toMatch(/^HTTP\/1\.1 408 /);
	});

	test('is answered with 408 in the form of the token endpoint', async () => {
		const request = ['POST /oauth/token HTTP/1.1', ...headers, '', '{"half":'];

		const answer = await begin(fixture.sandbox.authUrl, ...request);

		expect(answer).toMatch(/^HTTP\/1\.1 408 .*"error":"request_timeout"/s);
	});

	test('and one that is none is answered with 400', async () => {
		const answer = await begin(fixture.sandbox.apiUrl, 'nonsense', '', '');

		expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_request"/s);
	});

	test('keeps no other from its answer, and may answer late itself', async () => {
		const silent = begin(fixture.sandbox.apiUrl, 'POST /api/payable HTTP/1.1', ...headers, '', '{');
		await fixture.control.addFault({ kind: 'latency', ms: TIMEOUT_MS * 3 });

		const late = await fixture.api.get(fixture.path());

		expect(late.status).toBe(200);
		expect(await silent).toMatch(/^HTTP\/1\.1 408 /);
	});

	test('is given at most 20 seconds unless told otherwise', () => {
		expect(readOptions([])?.requestTimeoutMs).toBeLessThan(20_000);
	});
});

describe('with TLS', () => {
	const fixture = new SandboxFixture({ tls: true, allowHost: ['pay.example', '[fd00::1]'] });
	const trusting = () => {
		const ca = readFileSync(fixture.sandbox.certificateFile ?? '');
		return axios.create({
			httpsAgent: new Agent({ ca }),
			maxRedirects: 0,
			validateStatus: null,
		});
	};

	test('the service is reached by HTTPS, by who trusts its certificate', async () => {
		const { apiUrl, authUrl, controlUrl } = fixture.sandbox;

		const payable = await fixture.fundedPayable();

		expect(await fixture.statusOf(payable)).toBe('paid');
		for (const url of [apiUrl, authUrl, controlUrl]) {
			expect(url).toMatch(/^https:/);
			await expect(http.get(url)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
		}
	});

	test.each(['apiUrl', 'authUrl', 'controlUrl'] as const)(
		'plain HTTP gets no answer: %s',
		async (url) => {
			const plain = fixture.sandbox[url].replace('https:', 'http:');

			await expect(http.get(plain)).rejects.toThrow('socket hang up');
		},
	);

	test('every address that it tells is one of HTTPS', async () => {
		const { authUrl } = fixture.sandbox;
		const client = trusting();
		const workspace = ok(await fixture.api.get<{ vendor_invite_url: string }>(fixture.path()));
		const { data: provider } = await client.get<Record<string, string>>(
			`${authUrl}/.well-known/openid-configuration`,
		);

		const start = await client.get<unknown>(authorizationUrl(fixture.sandbox));
		const location = String(start.headers['location']);
		const signIn = await client.get<unknown>(location);

		const told = [workspace.vendor_invite_url, location, provider['issuer']];
		expect([...told, provider['authorization_endpoint'], provider['token_endpoint']]).toEqual(
			Array.from({ length: 5 }, () => expect.stringMatching(/^https:/) as string),
		);
		expect(signIn.status).toBe(303);
		expect(String(signIn.headers['set-cookie'])).toMatch(/secure/i);
	});

	test('the certificate is for this machine and the names that are allowed', () => {
		const { certificateFile } = fixture.sandbox;
		const certificate = new X509Certificate(readFileSync(certificateFile ?? ''));

		expect(['localhost', 'pay.example'].map((name) => certificate.checkHost(name))).toEqual([
			'localhost',
			'pay.example',
		]);
		expect(certificate.checkHost('other.example')).toBeUndefined();
		expect(['127.0.0.1', '::1', 'fd00::1'].map((ip) => certificate.checkIP(ip))).toEqual([
			'127.0.0.1',
			'::1',
			'fd00::1',
		]);
	});

	test('the certificate is another one for each start, and gone with the sandbox', async () => {
		const { certificateFile, stop } = await startSandbox({ tls: true });
		const own = readFileSync(certificateFile ?? '', 'utf8');
		await stop();

		expect(own).not.toBe(readFileSync(fixture.sandbox.certificateFile ?? '', 'utf8'));
		expect(existsSync(certificateFile ?? '')).toBe(false);
		expect(own).toContain('BEGIN CERTIFICATE');
	});
});
