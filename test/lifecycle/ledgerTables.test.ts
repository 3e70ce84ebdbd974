import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findTable } from '../../nodes/PartnerPayments/ledger/dataTable/findTable';
import { LedgerTable } from '../../nodes/PartnerPayments/ledger/dataTable/ledgerTable';
import { listTables } from '../../nodes/PartnerPayments/ledger/dataTable/tables';
import type { Credential } from '../../tools/n8n';
import { N8nClient } from '../../tools/n8n/client';
import { ROOT } from '../../tools/n8n/paths';
import { createLedgerCredential, ledgerParameters } from '../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../tools/payouts/payout';
import { apiOf, NOTHING_USED, sender, TestTable } from '../n8n/support/ledgerTable';
import { claimOf, created, NEW } from '../unit/ledger/ledgerContract-support';
import { addVendors, once, PayoutWorkflow, payoutsFor, timesFunded } from '../n8n/support/payouts';
import { useOwnFixture } from '../n8n/support/fixture';

const MAX_BYTES = 600_000;
const ada = claimOf('INV-1');

const fixture = useOwnFixture(() => ({
	env: {
		N8N_DATA_TABLES_MAX_SIZE_BYTES: String(MAX_BYTES),
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
	},
}));
let ledgerCredential: Credential;

beforeAll(async () => {
	const { n8n, sandbox } = fixture();
	ledgerCredential = await createLedgerCredential(n8n);
	await sandbox.control.deposit(sandbox.workspaceId, 100_000);
	await deleteTables();
});

const send = (apiKey = fixture().n8n.client.apiKey) => sender(fixture().n8n.url, apiKey);

/** The names of the tables that a user may see. */
const tableNames = async (apiKey?: string): Promise<string[]> =>
	(await listTables(apiOf(send(apiKey)))).map(({ name }) => name);

/** A workflow that pays with the ledger of the usual name. */
async function createWorkflow(): Promise<PayoutWorkflow> {
	const { n8n, sandbox, createClient } = fixture();
	const parameters = payoutParameters(sandbox.workspaceId, ledgerParameters('dataTable'));
	const settings = { onError: 'continueRegularOutput', ledgerCredential } as const;
	return await PayoutWorkflow.create(n8n, await createClient(), parameters, settings);
}

/** A workflow that has paid, and what it has paid. */
async function createPaidWorkflow() {
	const payees = await addVendors(fixture().sandbox, 1);
	const workflow = await createWorkflow();
	const payouts = payoutsFor(payees);
	expect(await workflow.pay(payouts)).toMatchObject([{ status: 'funded' }]);
	return { payees, payouts, workflow };
}

async function deleteTables(): Promise<void> {
	for (const { id } of await listTables(apiOf(send())))
		await send()({ method: 'DELETE', path: `/data-tables/${id}`, scope: '' });
}

async function rename(from: string, to: string): Promise<void> {
	const table = (await listTables(apiOf(send()))).find(({ name }) => name === from);
	const path = `/data-tables/${table?.id ?? ''}`;
	expect(await send()({ method: 'PATCH', path, body: { name: to }, scope: '' })).toMatchObject({
		status: 200,
	});
}

/** The key of a user who is no owner, and sees no tables of the owner's. */
async function keyOfAnotherUser(): Promise<string> {
	const { n8n } = fixture();
	const invitation = [{ email: 'member@example.com', role: 'global:member' }];
	const [invited] = await n8n.client.rest<Array<{ user: { inviteAcceptUrl: string } }>>(
		'POST',
		'/invitations',
		invitation,
	);
	const token = new URL(invited?.user.inviteAcceptUrl ?? '').searchParams.get('token');
	const member = new N8nClient(n8n.url);
	const name = { firstName: 'A', lastName: 'Member' };
	await member.rest('POST', '/invitations/accept', { token, ...name, password: 'Member-Login-1' });
	return await member.createApiKey();
}

async function changeKey(apiKey: string): Promise<void> {
	const { n8n } = fixture();
	const { id, name, type } = ledgerCredential;
	const data = { baseUrl: n8n.url, apiKey };
	await n8n.client.rest('PATCH', `/credentials/${id}`, { name, type, data });
}

test('a table that was renamed is not replaced by a new one, nor by a node that has never used it #renamed-table', async () => {
	const { n8n, sandbox } = fixture();
	const { payees, payouts, workflow } = await createPaidWorkflow();
	await rename('Payout Ledger', 'Payments of 2026');
	await n8n.restart();
	const [missed] = await workflow.pay(payouts);
	expect(missed).toMatchObject({
		status: 'not_sent',
		error: expect.stringMatching(
			/^The Data Table "Payout Ledger", which this node has used before, is not to be found/,
		),
		hint: expect.stringContaining('If "Payments of 2026" is the ledger that was meant'),
	});
	const [refused] = await (await createWorkflow()).pay(payouts);
	expect(refused).toMatchObject({
		status: 'not_sent',
		error: expect.stringMatching(/"Payments of 2026" has the columns of a payout ledger/),
	});
	expect(await tableNames()).toEqual(['Payments of 2026']);

	await rename('Payments of 2026', 'Payout Ledger');
	expect(await workflow.pay(payouts)).toMatchObject([{ status: 'duplicate' }]);
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
});

test('a table that the user of another key may not see is not replaced by a new one #hidden-table', async () => {
	const { n8n, sandbox } = fixture();
	const { payees, payouts, workflow } = await createPaidWorkflow();
	const apiKey = await keyOfAnotherUser();
	await changeKey(apiKey);
	const [missed] = await workflow.pay(payouts);
	expect(missed).toMatchObject({
		status: 'not_sent',
		error: expect.stringMatching(/which this node has used before, is not to be found/),
		hint: expect.stringContaining('the API key is now that of a user who may not see it'),
	});
	expect(await tableNames(apiKey)).toEqual([]);

	await changeKey(n8n.client.apiKey);
	expect(await workflow.pay(payouts)).toMatchObject([{ status: 'duplicate' }]);
	expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
});

test('a second ledger is made by hand, from the lines of the guide, and chosen from the list #second-ledger-by-hand', async () => {
	const { client } = fixture().n8n;
	const guide = readFileSync(join(ROOT, 'docs/paying-once.md'), 'utf8');
	const lines = /```csv\n(?<lines>[^`]+)```/.exec(guide)?.groups?.['lines'] ?? '';
	const form = new FormData();
	const csv = lines.replaceAll(/^ +/gm, '');
	form.append('file', new Blob([csv], { type: 'text/csv' }), 'ledger.csv');
	form.append('hasHeaders', 'true');
	const { id: fileId, columns } = await client.rest<{
		id: string;
		columns: Array<{ name: string; type: string }>;
	}>('POST', '/data-tables/uploads', form);
	const project = await client.rest<{ id: string }>('GET', '/projects/personal');
	const { id } = await client.rest<{ id: string }>('POST', `/projects/${project.id}/data-tables`, {
		name: 'Second Ledger',
		columns: columns.map(({ name, type }) => ({ name, type, csvColumnName: name })),
		fileId,
		hasHeaders: true,
	});
	const found = await findTable(apiOf(send()), { mode: 'list', value: id }, NOTHING_USED);
	expect(found.name).toBe('Second Ledger');
});

test('a table is made once by many that need it at the same moment', async () => {
	const name = `Payout Ledger ${randomUUID()}`;
	await deleteTables();
	const tables = await Promise.all(
		Array.from(
			{ length: 5 },
			async () => await findTable(apiOf(send()), { mode: 'name', value: name }, NOTHING_USED),
		),
	);
	expect(new Set(tables.map(({ id }) => id)).size).toBe(1);
	expect(await tableNames()).toEqual([name]);
});

test('a full n8n begins nothing, and says what to do', async () => {
	const table = await TestTable.make(send());
	const run = table.open();
	expect(await run.claim([ada])).toEqual([NEW]);
	await run.advance([ada], created('pay-1'));
	const other = await TestTable.make(send());
	const fill = async (): Promise<void> => {
		for (let start = 0; ; start += 100) {
			const long = claimOf('INV', { content: 'x'.repeat(1000) });
			const many = Array.from({ length: 100 }, (_, index) => ({
				...long,
				reference: `INV-${start + index}`,
			}));
			await other.open().claim(many);
		}
	};
	const full = {
		message: 'The Data Tables of this n8n are full, so the payout ledger can keep nothing more',
		hint: expect.stringContaining('N8N_DATA_TABLES_MAX_SIZE_BYTES'),
	};
	await expect(fill()).rejects.toMatchObject(full);
	await expect(run.begin([ada], 'funding')).rejects.toMatchObject(full);
	expect(await new LedgerTable(table.rows()).find({ reference: 'INV-1' })).toMatchObject([
		{ state: 'created' },
	]);
});

test('an address that n8n forbids is named by the test of the credential', async () => {
	const data = { baseUrl: 'http://127.0.0.1:9', apiKey: fixture().n8n.client.apiKey };
	const result = await fixture().n8n.testCredential('Forbidden', 'partnerPaymentsLedgerApi', data);
	expect(result.status).toBe('Error');
	expect(result.message).toContain('N8N_SSRF_ALLOWED_IP_RANGES');
});
