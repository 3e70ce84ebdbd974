import { useOwnFixture } from '../n8n/support/fixture';
import { keyOfNewUser, projectStoreOf, sender, TestTable } from '../n8n/support/ledgerTable';
import { statusesOf, usePayouts } from '../n8n/support/payouts';
import { SUB_WORKFLOWS } from '../n8n/support/subWorkflows';
import { paymentOf, kindsIn } from '../unit/ledger/ledgerRuns';

describe('an n8n with limits', () => {
	const MAX_BYTES = 600_000;

	const fixture = useOwnFixture(() => ({
		env: {
			...SUB_WORKFLOWS,
			N8N_CONCURRENCY_PRODUCTION_LIMIT: '1',
			N8N_DATA_TABLES_MAX_SIZE_BYTES: String(MAX_BYTES),
			N8N_SSRF_PROTECTION_ENABLED: 'true',
			N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
		},
	}));

	const { addPayouts, createWorkflow } = usePayouts(fixture);

	const send = (apiKey = fixture().n8n.client.session.apiKey) => sender(fixture().n8n.url, apiKey);

	/** The Data Tables that a user may see. */
	const tablesOf = async (apiKey: string): Promise<unknown> => {
		const request = { method: 'GET', path: '/data-tables?limit=250' } as const;
		const { body } = await send(apiKey)(request);

		return (body as { data: unknown }).data;
	};

	test('of one execution at a time ends payouts, one after the other #concurrency-of-one', async () => {
		const { payouts, expectPaidOnce } = await addPayouts(2);
		const workflows = [await createWorkflow(), await createWorkflow(), await createWorkflow()];

		const statuses = await Promise.all(
			workflows.map(async (workflow) => statusesOf(await workflow.pay(payouts))),
		);

		expect(statuses.sort()).toEqual([
			['duplicate', 'duplicate'],
			['duplicate', 'duplicate'],
			['funded', 'funded'],
		]);
		await expectPaidOnce();
	});

	test('does not replace a table that the user of another key may not see #hidden-table', async () => {
		const { n8n, createClient, ledgerTable, sharedLedger } = fixture();
		const { payouts, expectPaidOnce } = await addPayouts(1);
		const workflow = await createWorkflow();
		await workflow.useCredential(await createClient(sharedLedger));

		expect(await workflow.pay(payouts)).toMatchObject([{ status: 'funded' }]);

		const n8nApiKey = await keyOfNewUser(n8n);
		await workflow.useCredential(await createClient({ ...sharedLedger, n8nApiKey }));

		expect(await workflow.pay(payouts)).toMatchObject([
			{ status: 'not_sent', error: expect.stringContaining(ledgerTable) },
		]);
		expect(await tablesOf(n8nApiKey)).toEqual([]);

		await workflow.useCredential(await createClient(sharedLedger));

		expect(await workflow.pay(payouts)).toMatchObject([{ status: 'duplicate' }]);
		await expectPaidOnce();
	});

	test('names an address that it forbids in the test of the credential', async () => {
		const { n8n, credentialData, sharedLedger } = fixture();
		const data = { ...credentialData, ...sharedLedger, n8nBaseUrl: 'http://127.0.0.1:9' };

		const result = await n8n.testCredential('Forbidden', 'partnerPaymentsApi', data);

		expect(result.status).toBe('Error');
		expect(result.message).toContain('N8N_SSRF_ALLOWED_IP_RANGES');
	});

	// At the end: nothing can be paid in this n8n any more.
	test('begins nothing when its tables are full, and says what to do', async () => {
		const table = await TestTable.shared(send());
		const fill = async (): Promise<void> => {
			for (let start = 0; ; start += 100) {
				const payee = 'x'.repeat(1000);
				const many = Array.from({ length: 100 }, (_, index) =>
					paymentOf(`INV-${start + index}`, { payee }),
				);
				await table.open().recordPayables(many);
			}
		};

		const full = { hint: expect.stringContaining('N8N_DATA_TABLES_MAX_SIZE_BYTES') };

		const payment = paymentOf('Another');
		const inProject = new TestTable(await projectStoreOf(fixture().n8n), table.id);

		await expect(fill()).rejects.toMatchObject(full);
		await expect(table.open().begin([payment])).rejects.toMatchObject(full);
		expect(await kindsIn(table.open(), payment)).toEqual(['new']);
		await expect(inProject.open().begin([payment])).rejects.toMatchObject(full);

		const { payouts, timesFunded } = await addPayouts(1);
		const workflow = await createWorkflow();

		expect(await workflow.pay(payouts)).toMatchObject([{ status: 'not_sent', ...full }]);
		expect(Object.values(await timesFunded())).toEqual([0]);
	});
});
