import { useOwnFixture } from '../n8n/support/fixture';
import { keyOfNewUser, sender, TestTable } from '../n8n/support/ledgerTable';
import { usePayouts } from '../n8n/support/payouts';
import { paymentOf, statusesIn } from '../unit/ledger/ledgerContract';

const MAX_BYTES = 600_000;

const fixture = useOwnFixture(() => ({
	env: {
		N8N_DATA_TABLES_MAX_SIZE_BYTES: String(MAX_BYTES),
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
	},
}));

const { addPayouts, createTableWorkflow } = usePayouts(fixture);

const send = (apiKey = fixture().n8n.client.session.apiKey) => sender(fixture().n8n.url, apiKey);

/** The Data Tables that a user may see. */
async function tables(apiKey?: string): Promise<Array<{ id: string; name: string }>> {
	const request = { method: 'GET', path: '/data-tables?limit=250' } as const;
	const { body } = await send(apiKey)(request);
	return (body as { data: Array<{ id: string; name: string }> }).data;
}

/** A workflow that has paid, and what it has paid. */
async function paidWorkflow() {
	const { payouts, expectPaidOnce } = await addPayouts(1);
	const workflow = await createTableWorkflow();
	expect(await workflow.pay(payouts)).toMatchObject([{ status: 'funded' }]);
	return { payouts, expectPaidOnce, workflow };
}

/** What comes out of a payout whose table is not there. */
const MISSED = [
	{
		status: 'not_sent',
		error: expect.stringMatching(/^The user of the n8n API key sees no Data Table "Ledger .*"/),
		hint: expect.stringContaining('Never replace a table that was in use'),
	},
];

test('a table that the user of another key may not see is not replaced by a new one #hidden-table', async () => {
	const { n8n, createClient, ledger } = fixture();
	const { payouts, expectPaidOnce, workflow } = await paidWorkflow();
	const n8nApiKey = await keyOfNewUser(n8n);
	await workflow.useCredential(await createClient({ ...ledger, n8nApiKey }));
	expect(await workflow.pay(payouts)).toMatchObject(MISSED);
	expect(await tables(n8nApiKey)).toEqual([]);

	await workflow.useCredential(await createClient(ledger));
	expect(await workflow.pay(payouts)).toMatchObject([{ status: 'duplicate' }]);
	await expectPaidOnce();
});

test('a full n8n begins nothing, and says what to do', async () => {
	const table = await TestTable.make(send());
	const fill = async (): Promise<void> => {
		for (let start = 0; ; start += 100) {
			const payee = 'x'.repeat(1000);
			const many = Array.from({ length: 100 }, (_, index) =>
				paymentOf(`INV-${start + index}`, { payee }),
			);
			await table.open().keep(many, 'prepared');
		}
	};
	const full = {
		message: expect.stringMatching(/refused a request \(status 400, .*size limit exceeded/),
		hint: expect.stringContaining('N8N_DATA_TABLES_MAX_SIZE_BYTES'),
	};
	await expect(fill()).rejects.toMatchObject(full);
	const payment = paymentOf('Another');
	await expect(table.open().begin([payment])).rejects.toMatchObject(full);
	expect(await statusesIn(table.open(), payment)).toEqual(['new']);
});

test('an address that n8n forbids is named by the test of the credential', async () => {
	const { n8n, credentialData, ledger } = fixture();
	const data = { ...credentialData, ...ledger, n8nBaseUrl: 'http://127.0.0.1:9' };
	const result = await n8n.testCredential('Forbidden', 'partnerPaymentsApi', data);
	expect(result.status).toBe('Error');
	expect(result.message).toContain('N8N_SSRF_ALLOWED_IP_RANGES');
});
