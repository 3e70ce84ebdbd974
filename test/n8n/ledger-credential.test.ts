import { randomUUID } from 'node:crypto';

import { useFixture } from './support/fixture';
import { listTables } from '../../nodes/PartnerPayments/ledger/dataTable/tables';
import { LEDGER_TABLE } from '../../tools/payouts/ledgerStore';
import { addLedgerTable, apiOf, sender } from './support/ledgerTable';

const TYPE = 'partnerPaymentsLedgerApi';

const fixture = useFixture();

const testKey = async (changes: object): Promise<{ status: string; message: string }> => {
	const { n8n } = fixture();
	const data = { baseUrl: n8n.url, apiKey: n8n.client.apiKey, ...changes };
	return await n8n.testCredential(`Ledger ${randomUUID()}`, TYPE, data);
};

describe('the test of a ledger credential', () => {
	test('passes for the address of this n8n, and of its public API', async () => {
		const { url } = fixture().n8n;
		for (const baseUrl of [url, `${url}/`, ` ${url}/api/v1/`]) {
			expect(await testKey({ baseUrl })).toEqual({
				status: 'OK',
				message: 'Connection successful',
			});
		}
	});

	test('passes for a key with the scopes that it names, and makes no table', async () => {
		const apiKey = await fixture().n8n.client.createApiKey((scope) =>
			[
				'dataTable:list',
				'dataTable:create',
				'dataTableRow:read',
				'dataTableRow:create',
				'dataTableRow:update',
				'dataTableRow:delete',
			].includes(scope),
		);
		expect(await testKey({ apiKey })).toMatchObject({ status: 'OK' });
		// Other test files have tables in the same n8n, and none of this name.
		const send = sender(fixture().n8n.url, apiKey);
		const tables = await listTables(apiOf(send));
		expect(tables.map(({ name }) => name)).not.toContain(LEDGER_TABLE);
	});

	test.each(['dataTable:create', 'dataTableRow:update', 'dataTableRow:delete'])(
		'names %s when the key lacks it',
		async (missing) => {
			const result = await testKey({
				apiKey: await fixture().n8n.client.createApiKey((scope) => scope !== missing),
			});
			expect(result.status).toBe('Error');
			expect(result.message).toContain(`may not do what it needs (${missing})`);
		},
	);

	test.each([
		['a key that is refused', { apiKey: 'n8n-key-of-nobody' }, /does not accept the API key/],
		['an address that nobody answers', { baseUrl: 'http://localhost:9' }, /cannot be reached/],
		['no address', { baseUrl: 'here' }, /not a web address.*http:\/\/localhost:5678/],
	])('fails for %s', async (_, changes, message) => {
		const result = await testKey(changes);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
		expect(result.message).not.toContain('n8n-key-of-nobody');
	});

	test('fails for something that is not an n8n', async () => {
		const result = await testKey({ baseUrl: fixture().sandbox.apiUrl });
		expect(result).toMatchObject({ status: 'Error' });
		expect(result.message).toMatch(/no Data Tables in its public API/);
	});
});

describe('the list of the Ledger Table field', () => {
	const search = async (
		changes: object,
		filter?: string,
	): Promise<{ results: Array<{ name: string; value: string }> }> => {
		const { n8n } = fixture();
		const data = { baseUrl: n8n.url, apiKey: n8n.client.apiKey, ...changes };
		const { id, name } = await n8n.createCredential(`Ledger ${randomUUID()}`, TYPE, data);
		return await n8n.client.rest('POST', '/dynamic-node-parameters/resource-locator-results', {
			path: 'parameters.ledgerTable',
			methodName: 'searchLedgerTables',
			filter,
			nodeTypeAndVersion: { name: 'n8n-nodes-partner-payments.partnerPayments', version: 1 },
			currentNodeParameters: { resource: 'payout', operation: 'send', rememberIn: 'dataTable' },
			credentials: { [TYPE]: { id, name } },
		});
	};

	test('shows the tables by name', async () => {
		const { n8n } = fixture();
		const send = sender(n8n.url, n8n.client.apiKey);
		const name = `Payments ${randomUUID()}`;
		const id = await addLedgerTable(send, name);
		const { results } = await search({});
		expect(results.length).toBeGreaterThan(1);
		expect(results).toContainEqual({ name, value: id });
		expect((await search({}, name.toUpperCase())).results).toEqual([{ name, value: id }]);
	});
});
