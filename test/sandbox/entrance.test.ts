import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { http, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();

test('the root leads to the console', async () => {
	const { status, headers } = await http.get(fixture.pageUrl('/'));

	expect([status, headers['location']]).toEqual([303, '/_sandbox/console']);
});

test('the contract is served as it is', async () => {
	const contract = readFileSync(join(__dirname, '../../contract/openapi.yaml'), 'utf8');

	const { data, headers } = await http.get<string>(fixture.pageUrl('/openapi.yaml'));

	expect(headers['content-type']).toMatch('application/yaml');
	expect(data).toBe(contract);
});

test('both hosts say that they run, and log nothing about it', async () => {
	const { apiUrl, authUrl } = fixture.sandbox;
	for (const url of [apiUrl, authUrl]) {
		const { status, data } = await http.get<unknown>(new URL('/health', url).href);

		expect([status, data]).toEqual([200, { status: 'ok' }]);
	}

	expect(await fixture.control.requests()).toEqual([]);
});
