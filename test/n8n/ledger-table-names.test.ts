import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { findTable } from '../../nodes/PartnerPayments/ledger/dataTable/findTable';
import { listTables } from '../../nodes/PartnerPayments/ledger/dataTable/tables';
import type { Credential } from '../../tools/n8n';
import { N8nClient } from '../../tools/n8n/client';
import { ROOT } from '../../tools/n8n/paths';
import { createLedgerCredential, ledgerParameters } from '../../tools/payouts/ledgerStore';
import { payoutParameters } from '../../tools/payouts/payout';
import { apiOf, NOTHING_USED, sender } from './support/ledgerTable';
import { addVendors, once, PayoutWorkflow, payoutsFor, timesFunded } from './support/payouts';
import { useFixture } from './support/fixture';

const fixture = useFixture();
let ledgerCredential: Credential;

beforeAll(async () => {
	const { n8n, sandbox } = fixture();
	ledgerCredential = await createLedgerCredential(n8n);
	await sandbox.control.deposit(sandbox.workspaceId, 100_000);
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
