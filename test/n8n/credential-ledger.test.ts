import { randomUUID } from 'node:crypto';

import { useFixture } from './support/fixture';

const fixture = useFixture();

const testLedger = async (changes: object): Promise<{ status: string; message: string }> => {
	const { n8n, credentialData, ledger } = fixture();
	const data = { ...credentialData, ...ledger, ...changes };
	return await n8n.testCredential(`Ledger ${randomUUID()}`, 'partnerPaymentsApi', data);
};

describe('the test of a credential with a ledger table', () => {
	test('passes for the address of this n8n, and of its public API', async () => {
		const { url } = fixture().n8n;
		for (const n8nBaseUrl of [url, `${url}/`, ` ${url}/api/v1/`])
			expect(await testLedger({ n8nBaseUrl })).toMatchObject({ status: 'OK' });
	});

	test('passes for a key with no more than the scopes that paying needs', async () => {
		const n8nApiKey = await fixture().n8n.client.createApiKey((scope) =>
			[
				...['dataTable:list', 'dataTableRow:read', 'dataTableRow:create'],
				...['dataTableRow:update', 'dataTableRow:delete'],
			].includes(scope),
		);
		expect(await testLedger({ n8nApiKey })).toMatchObject({ status: 'OK' });
	});

	test.each(['read', 'create', 'update', 'delete'].map((action) => `dataTableRow:${action}`))(
		'names %s when the key lacks it',
		async (missing) => {
			const result = await testLedger({
				n8nApiKey: await fixture().n8n.client.createApiKey((scope) => scope !== missing),
			});
			expect(result.status).toBe('Error');
			expect(result.message).toContain(`lacks a scope (${missing})`);
		},
	);

	test.each([
		['a key that is refused', { n8nApiKey: 'n8n-key-of-nobody' }, /does not accept the API key/],
		['an address that nobody answers', { n8nBaseUrl: 'http://localhost:9' }, /cannot be reached/],
		['no address', { n8nBaseUrl: 'here' }, /not a web address.*http:\/\/localhost:5678/],
		['a table that is not there', { ledgerTable: 'Nowhere' }, /There is no Data Table "Nowhere"/],
	])('fails for %s', async (_, changes, message) => {
		const result = await testLedger(changes);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
		expect(result.message).not.toContain('n8n-key-of-nobody');
	});

	test('fails for something that is not an n8n', async () => {
		const result = await testLedger({ n8nBaseUrl: fixture().sandbox.apiUrl });
		expect(result).toMatchObject({ status: 'Error' });
		expect(result.message).toMatch(/no Data Tables in its public API/);
	});
});
