import { outputItems, successfulItems } from '../../tools/n8n';
import { importExample } from '../n8n/support/example';
import { useForms, usePublishedForms } from './support/form';
import { attachment, useMailServer } from './support/mail';
import { addVendor } from '../n8n/support/payouts';
import { useExamples } from './support/instance';

export function testFormAndInvoice(): void {
	const mailServer = useMailServer();
	const fixture = useExamples();
	const submit = useForms();
	const publishForm = usePublishedForms(fixture);

	/** A vendor whom the examples name beside the first. */
	const PHOTOS = 'photos@example.com';

	/** What `form-to-payout` starts with. */
	const FORM = 'Payment form';

	beforeEach(async () => {
		const { control } = fixture().sandbox;
		await control.reset();
		await control.setSettings({ requestsPerMinute: 100_000 });
	});

	describe('examples/form-to-payout.json', () => {
		test('pays an invoice once, however often its form is sent, and nothing that another page sends', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			const url = await publishForm('form-to-payout.json', FORM);
			const invoice = {
				"Vendor's e-mail": email,
				'Amount in dollars': '950.5',
				'What for': 'Launch',
				'Invoice number': 'A-17',
			};

			expect(await submit(url, invoice, 'Pay', 'forge')).toMatch(/^Not paid now\s/);
			expect(await control.payables()).toEqual([]);

			const page = await submit(url, invoice, 'Pay');
			const [payable] = await control.payables();
			expect(payable).toMatchObject({
				amount: 95_050,
				description: `Launch [${email} A-17]`,
				status: 'paid',
			});
			expect(page).toMatch(
				new RegExp(`^Paid\\s+\\$950.50 for ${email}, invoice A-17.*${payable?.id}`),
			);

			const again = {
				...invoice,
				"Vendor's e-mail": ` ${email.toUpperCase()} `,
				'Invoice number': ' a-17',
			};
			expect(await submit(url, again, 'Pay')).toMatch(
				/^Paid before\s+Invoice A-17 of .* was paid before. Nothing was paid now./,
			);
			expect(await control.payables()).toHaveLength(1);
			expect(await control.vendor(email)).toMatchObject({ balance: 95_050 });
		});

		test('tells an unconfirmed payment from one that was not made', async () => {
			const { control, verifiedVendorEmail: email } = fixture().sandbox;
			const url = await publishForm('form-to-payout.json', FORM);
			const invoice = {
				"Vendor's e-mail": email,
				'Amount in dollars': '20',
				'What for': 'Launch',
				'Invoice number': 'A-18',
			};

			const tooMuch = await submit(url, { ...invoice, 'Amount in dollars': '1000.01' }, 'Pay');
			expect(tooMuch).toMatch(
				/^Not paid now\s+This form paid nothing to .* for invoice A-18\..*1000/,
			);
			expect(await control.payables()).toEqual([]);

			await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
			const doubt = /^Unconfirmed\s+It is not known whether .* was paid for invoice A-18\./;
			expect(await submit(url, invoice, 'Pay')).toMatch(doubt);
			expect(await submit(url, invoice, 'Pay')).toMatch(doubt);
			expect(await control.vendor(email)).toMatchObject({ balance: 2_000 });
		});
	});

	describe('examples/invoice-funding-and-deposit.json', () => {
		/** Imports it and runs its first part, which mails an invoice over $370.50. */
		const mailInvoice = async (): Promise<string> => {
			const { n8n } = fixture();
			await addVendor(fixture().sandbox, PHOTOS);
			const smtp = await n8n.createCredential('Mail', 'smtp', mailServer().credentialData);
			const { id } = await importExample(fixture(), 'invoice-funding-and-deposit.json', {
				credentials: { 'Mail the invoice': smtp },
			});
			successfulItems(await n8n.runManually(id), 'Mail the invoice');
			return id;
		};
		/** Runs its second part, which starts every hour; returns what was linked. */
		const link = async (id: string) =>
			outputItems(await fixture().n8n.runManually(id, 'Every hour'), 'Link deposit');
		const statuses = async () =>
			(await fixture().sandbox.control.payables()).map(({ status }) => status);

		test('mails an invoice once and links its deposit', async () => {
			const { n8n, sandbox } = fixture();
			const { control, workspaceId } = sandbox;
			const { mails } = mailServer();
			const id = await mailInvoice();
			const [mail] = mails;
			if (mail === undefined) throw new Error('No mail came');
			expect(mail.recipients).toEqual(['accounting@example.com']);
			expect(mail.text).toContain('$370.50');
			expect(attachment(mail, 'application/pdf').toString('latin1')).toMatch(/^%PDF-[^]*%%EOF\s*$/);
			expect(await statuses()).toEqual(['approved', 'approved']);

			await control.deposit(workspaceId, 37_049);
			expect(await link(id)).toEqual([]);
			const deposit = await control.deposit(workspaceId, 37_050);
			expect(await link(id)).toMatchObject([{ json: { deposit_id: deposit.id } }]);
			expect(await statuses()).toEqual(['paid', 'paid']);

			await n8n.runManually(id);
			await control.deposit(workspaceId, 37_050);
			expect(await link(id)).toEqual([]);
			expect(mails).toHaveLength(1);
			expect(await control.payables()).toHaveLength(2);
		});

		test('links nothing where two deposits fit', async () => {
			const { control, workspaceId } = fixture().sandbox;
			const id = await mailInvoice();
			await control.deposit(workspaceId, 37_050);
			await control.deposit(workspaceId, 37_050);
			expect(await link(id)).toEqual([]);
			expect(await statuses()).toEqual(['approved', 'approved']);
		});
	});
}
