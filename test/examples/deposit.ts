import { successfulItems } from '../../tools/n8n';
import { importExample } from '../n8n/support/example';
import { services, useExamples } from './support/instance';

export function testDeposit(): void {
	const fixture = useExamples();

	/** An invoice funding of one payable; returns its ID. */
	async function invoice(amount: number): Promise<string> {
		const { sandbox } = fixture();
		const api = await sandbox.api();
		const owed = { workspace_id: sandbox.workspaceId, amount, amount_denomination: 'us_cents' };
		const payee = { payee_email: sandbox.verifiedVendorEmail };
		const created = await api.post<{ payable: { id: string } }>('/payable', { ...owed, ...payee });
		const { id } = created.data.payable;
		await api.post(`/payable/${id}/approve`);
		const wanted = { ...owed, method: 'invoice', payable_ids: [id] };
		const { data } = await api.post<{ funding: { id: string } }>('/funding', wanted);
		return data.funding.id;
	}

	/** The table of invoices that wait, which the example has made. */
	async function waitingInvoices() {
		const { client } = fixture().n8n;
		const tables = await client.publicApi<{ data: Array<{ id: string; name: string }> }>(
			'GET',
			'/data-tables',
		);
		const { id = '' } = tables.data.find(({ name }) => name === 'Invoices that wait') ?? {};
		const path = `/data-tables/${id}/rows`;
		return {
			add: async (...rows: object[]) => await client.publicApi('POST', path, { data: rows }),
			rows: async () => (await client.publicApi<{ data: object[] }>('GET', path)).data,
		};
	}

	test('examples/deposit-arrives-link-it.json links what fits, and asks a person about the rest', async () => {
		const { n8n, sandbox } = fixture();
		const { control, workspaceId } = sandbox;
		const token = await n8n.createCredential('Slack', 'slackApi', { accessToken: 'made-up' });
		const { id } = await importExample(fixture(), 'deposit-arrives-link-it.json', {
			credentials: {
				'Tell Slack it is linked': token,
				'Report a refused link': token,
				'Ask which invoice it pays': token,
			},
		});
		await n8n.runManually(id, 'When clicking ‘Execute workflow’');
		await n8n.runManually(id, 'When clicking ‘Execute workflow’');
		const table = await waitingInvoices();
		const [fitting, doubtful] = [await invoice(37_050), await invoice(500)];
		const gone = '11111111-1111-4111-8111-111111111111';
		await table.add(
			{ funding_id: fitting, amount: 37_050 },
			{ funding_id: doubtful, amount: 500 },
			{ funding_id: gone, amount: 888 },
		);
		await control.deposit(workspaceId, 12);
		await n8n.activate(id);

		const deposits = [];
		for (const amount of [37_050, 500, 500, 77_700, 888])
			deposits.push((await control.deposit(workspaceId, amount)).id);
		const [linked, one, other, unknown, refused] = deposits;
		await n8n.deactivate(id);
		await n8n.activate(id);
		const execution = await n8n.executions.newestOf(id, 2 + 1);
		expect(execution).toMatchObject({ mode: 'trigger', status: 'success' });
		expect(successfulItems(execution, 'Take invoice off the table')).toHaveLength(1);

		const ask = (amount: string, deposit: string, invoices: number, unlinked: number) =>
			`A deposit of $${amount} (${deposit}) needs a person. Nothing is linked: waiting invoices with its amount: ${invoices}, unlinked deposits with its amount: ${unlinked}. Find out which invoice it pays, then link it with Funding: Link Deposit.`;
		const expected: unknown[] = [
			`The deposit of $370.50 (${linked}) has arrived and is linked to its invoice, funding ${fitting}.`,
			ask('5.00', String(one), 1, 2),
			ask('5.00', String(other), 1, 2),
			ask('777.00', String(unknown), 0, 1),
			expect.stringContaining(
				`The deposit ${refused} needs a person. It fits the invoice of funding ${gone}, but linking it failed: \`In doubt whether`,
			),
		];
		const messages = services().requests.map(({ body }) => (body as { text: string }).text);
		expect(messages).toHaveLength(expected.length);
		for (const message of expected) expect(messages).toContainEqual(message);
		expect(await table.rows()).toMatchObject([{ funding_id: doubtful }, { funding_id: gone }]);
		expect(await control.payables()).toMatchObject([{ status: 'paid' }, { status: 'approved' }]);
		await n8n.deactivate(id);
	});
}
