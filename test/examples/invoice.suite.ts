import { successfulItems } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { importExample } from '../n8n/support/example';
import { fundVendor } from '../n8n/support/trigger';
import { useExamples } from './support/instance';
import { attachment, useMailServer } from './support/mail';
import { settingsOf } from './support/settings';

export function testInvoice(): void {
	const EXAMPLE = 'invoice-with-deposit.json';
	const MAIL_NODES = [
		'Mail the invoice',
		'Mail: linked',
		'Mail: the link was refused',
		'Mail: which invoice?',
	];

	const ADDRESSES = { mail_from: 'n8n@example.com', mail_to: 'accounting@example.com' };

	const fixture = useExamples();
	const mailServer = useMailServer();

	/** The parameters of Settings with a mail server's addresses, two payouts, and these values. */
	function settingsWith(values: Record<string, unknown>) {
		const { verifiedVendorEmail: email } = fixture().sandbox;
		const payouts = [
			{ email, invoice: 'INV-2001', amount: '250.00', description: '3 videos' },
			{ email, invoice: 'P-17', amount: '120.50', description: 'Photos' },
		];

		return settingsOf(EXAMPLE, { ...ADDRESSES, payouts, ...values });
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

	test(`examples/${EXAMPLE} mails an invoice once, links what fits, and asks a person about the rest`, async () => {
		const { n8n, sandbox } = fixture();
		const { control, workspaceId } = sandbox;
		const { mails } = mailServer();
		const smtp = await n8n.createCredential('Mail', 'smtp', mailServer().credentialData);
		const { id } = await importExample(fixture(), EXAMPLE, {
			credentials: Object.fromEntries(MAIL_NODES.map((name) => [name, smtp])),
			parameters: settingsWith({}),
		});

		const mailed = await n8n.runManually(id, 'When clicking ‘Execute workflow’');
		const [payout] = successfulItems(mailed, 'Pay by invoice');
		const [mail] = mails;
		if (mail === undefined) {
			throw new Error('No mail came');
		}

		expect(mail.recipients).toEqual(['accounting@example.com']);
		expect(mail.text).toContain('$370.50');
		expect(attachment(mail, 'application/pdf').toString('latin1')).toMatch(/^%PDF-[^]*%%EOF\s*$/);

		await n8n.runManually(id, 'When clicking ‘Execute workflow’');

		expect(mails).toHaveLength(1);
		expect(await control.payables()).toHaveLength(2);

		const { fundingId: doubtful } = await fundVendor(fixture(), 500, 'invoice');
		const gone = '11111111-1111-4111-8111-111111111111';
		const table = await waitingInvoices();
		await table.add({ funding_id: doubtful, amount: 500 }, { funding_id: gone, amount: 888 });
		await control.deposit(workspaceId, 12);
		await n8n.activate(id);
		const deposits: string[] = [];
		for (const amount of [37_050, 500, 500, 37_049, 888]) {
			deposits.push((await control.deposit(workspaceId, amount)).id);
		}

		await n8n.deactivate(id);
		await n8n.activate(id);

		const execution = await n8n.executions.newestOf(id, 3);
		await n8n.deactivate(id);

		expect(execution).toMatchObject({ mode: 'trigger', status: 'success' });

		const [linked, one, other, unknown] = deposits;
		const ask = (deposit: string | undefined, invoices: number, unlinked: number): unknown =>
			expect.stringMatching(
				`^Nothing is linked to the deposit ${deposit}\\. .*: ${invoices}\\. .*: ${unlinked}\\. ${
					invoices === 0 ? 'No invoice' : 'If it was'
				}.*"Invoices that wait"`,
			);

		const expected: unknown[] = [
			`The deposit ${linked} has arrived and is linked to its invoice, funding ${String(payout?.json['funding_id'])}. The vendors are paid.`,
			ask(one, 1, 2),
			ask(other, 1, 2),
			ask(unknown, 0, 1),
			expect.stringMatching(
				`invoice of funding ${gone}\\. Linking it failed, or is not confirmed: The IDs may be swapped or wrong .* Do not link it by hand yet\\. `,
			),
		];

		const texts = await poll('the mails about deposits', () =>
			mails.length > expected.length ? mails.slice(1).map(({ text }) => text?.trim()) : undefined,
		);

		const statuses = (await control.payables()).map(({ status }) => status);
		expect(texts).toHaveLength(expected.length);
		for (const text of expected) {
			expect(texts).toContainEqual(text);
		}
		expect(mails.at(-1)?.recipients).toEqual(['accounting@example.com']);
		expect(await table.rows()).toMatchObject([{ funding_id: doubtful }, { funding_id: gone }]);
		expect(statuses).toEqual(['paid', 'paid', 'approved']);
	});

	test.each(['mail_from', 'mail_to'])(
		`examples/${EXAMPLE} makes no invoice while %s is empty`,
		async (name) => {
			const { n8n, sandbox } = fixture();
			const before = await sandbox.control.payables();
			const { id } = await importExample(fixture(), EXAMPLE, {
				parameters: settingsWith({ [name]: '' }),
			});

			const { status } = await n8n.runManually(id, 'When clicking ‘Execute workflow’');

			expect(status).toBe('error');
			expect(await sandbox.control.payables()).toEqual(before);
		},
	);
}
