import type { Payable } from '../../sandbox/client';
import { outputItems, successfulItems } from '../../tools/n8n';
import { type ExampleSettings, importExample } from './support/example';
import { useFixture } from './support/fixture';
import { FORM_LOGIN, useForms } from './support/form';
import { attachment, useMailServer } from './support/mail';
import { addVendor } from './support/payouts';
import { workbookOf } from './support/workbook';

const mailServer = useMailServer();
const fixture = useFixture();
const submit = useForms();

/** A vendor whom the examples name beside the first. */
const PHOTOS = 'photos@example.com';

/** The workflows that a test has published. */
const published: string[] = [];

beforeEach(async () => {
	const { control } = fixture().sandbox;
	await control.reset();
	await control.setRequestsPerMinute(100_000);
});

afterEach(async () => {
	for (const id of published.splice(0)) await fixture().n8n.deactivate(id);
});

describe('examples/form-to-payout.json', () => {
	test('pays an invoice once, however often its form is sent', async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const url = await publishForm('form-to-payout.json', 'Payment form', 'pay-a-vendor');
		const invoice = {
			"Vendor's e-mail": email,
			'Amount in dollars': '1250.5',
			'What for': 'Launch',
			'Invoice number': 'A-17',
		};

		const page = await submit(url, invoice, 'Pay');
		const [payable] = await control.payables();
		expect(payable).toMatchObject({
			amount: 125_050,
			description: `Launch (${email} A-17)`,
			status: 'paid',
		});
		expect(page).toMatch(
			new RegExp(`^Paid\\s+\\$1250.50 for ${email}, invoice A-17.*${payable?.id}`),
		);

		const again = { ...invoice, "Vendor's e-mail": ` ${email.toUpperCase()} ` };
		expect(await submit(url, again, 'Pay')).toMatch(
			/^Paid before\s+Invoice A-17 of .* was paid before. Nothing was paid now./,
		);
		expect(await control.payables()).toHaveLength(1);
		expect(await control.vendor(email)).toMatchObject({ balance: 125_050 });
	});

	test('tells a payment in doubt from one that was not made', async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const url = await publishForm('form-to-payout.json', 'Payment form', 'pay-a-vendor');
		const invoice = {
			"Vendor's e-mail": email,
			'Amount in dollars': '20',
			'What for': 'Launch',
			'Invoice number': 'A-18',
		};

		const tooMuch = await submit(url, { ...invoice, 'Amount in dollars': '5000.01' }, 'Pay');
		expect(tooMuch).toMatch(
			/^Not paid now\s+This form paid nothing to .* for invoice A-18\..*5000/,
		);
		expect(await control.payables()).toEqual([]);

		await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
		const doubt = /^In doubt\s+It is not known whether .* was paid for invoice A-18\./;
		expect(await submit(url, invoice, 'Pay')).toMatch(doubt);
		expect(await submit(url, invoice, 'Pay')).toMatch(doubt);
		expect(await control.vendor(email)).toMatchObject({ balance: 2_000 });
	});
});

test('examples/monthly-batch-from-spreadsheet.json pays a month once and reports who needs somebody', async () => {
	const { control, pendingVendorEmail: pending, verifiedVendorEmail: verified } = fixture().sandbox;
	await addVendor(fixture().sandbox, PHOTOS);
	const url = await publishForm(
		'monthly-batch-from-spreadsheet.json',
		'Upload the month',
		'pay-a-month',
		// Two fundings, so that one of them can be in doubt.
		{ 'Pay vendors': { payablesPerFunding: 2 } },
	);
	const rows = [
		'email,amount,description',
		`${verified},100.00,Videos`,
		'dora@example.com,twelve,Photos',
		`${pending},50.25,Editing`,
		`${PHOTOS},20,Photos`,
		'emil@example.com,30.10,Music',
	];
	// As Excel writes it: with a mark at the beginning, and named as one of its own.
	const mimeType = 'application/vnd.ms-excel';
	const file = { name: 'May.CSV', mimeType, buffer: Buffer.from(`\ufeff${rows.join('\n')}`) };
	const upload = { Month: '2026-05', Payouts: file };
	await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });

	const report = await submit(url, upload, 'Pay');
	expect(report).toMatch(/^Payouts of 2026-05\s/);
	const payables = await control.payables();
	expect(payables.map(({ payee_email: email }) => email).sort()).toEqual(
		[verified, pending, PHOTOS, 'emil@example.com'].sort(),
	);
	const [cut] = (await control.requests('createFunding')).filter(({ status }) => status === null);
	const inDoubt = payables.filter(({ id }) => JSON.stringify(cut?.body).includes(id));
	expect(inDoubt).toHaveLength(2);
	const others = payables.filter((payable) => !inDoubt.includes(payable));
	for (const line of [
		`In doubt: 2 (${dollars(inDoubt)})`,
		`Not paid now: 3 (${dollars(others)})`,
		'These need somebody:',
		'dora@example.com: The amount "twelve" is not a plain number.',
		...inDoubt.map(({ payee_email: email }) => `${email}: In doubt whether`),
		...others.map(
			({ payee_email: email }) =>
				`${email}: This run sent no payment for it, since the service did not`,
		),
	]) {
		expect(report).toContain(line);
	}

	const second = await submit(url, upload, 'Pay');
	expect(second).toContain(`Paid, or as soon as the vendor is verified: 2 (${dollars(others)})`);
	expect(second).toContain(`In doubt: 2 (${dollars(inDoubt)})`);
	const third = await submit(url, upload, 'Pay');
	expect(third).toContain(`Paid before, nothing paid now: 2 (${dollars(others)})`);
	expect(third).toContain(`In doubt: 2 (${dollars(inDoubt)})`);
	expect(await control.payables()).toHaveLength(4);
	expect(await control.fundings()).toHaveLength(2);

	await control.verifyVendor(pending);
	expect(await control.payables()).toContainEqual(
		expect.objectContaining({ payee_email: pending, status: 'paid' }),
	);
});

test('examples/monthly-batch-from-spreadsheet.json reads a workbook, too', async () => {
	const { control, verifiedVendorEmail: email } = fixture().sandbox;
	const url = await publishForm(
		'monthly-batch-from-spreadsheet.json',
		'Upload the month',
		'pay-a-month',
	);
	const rows = [
		['email', 'amount', 'description'],
		[` ${email.toUpperCase()}`, 120.5, 'Photos'],
	];
	const file = { name: 'june.xls', mimeType: 'application/xml', buffer: workbookOf(rows) };

	const report = await submit(url, { Month: '2026-06', Payouts: file }, 'Pay');
	expect(report).toContain('Paid, or as soon as the vendor is verified: 1 ($120.50)');
	expect(await control.payables()).toMatchObject([
		{ payee_email: email, amount: 12_050, status: 'paid' },
	]);
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

/** What payables add up to, as a page says it. */
function dollars(payables: Payable[]): string {
	const cents = payables.reduce((sum, { amount }) => sum + amount, 0);
	return `$${(cents / 100).toFixed(2)}`;
}

/** Imports an example and publishes it for the time of a test; returns its ID. */
async function publish(name: string, settings: ExampleSettings): Promise<string> {
	const { n8n } = fixture();
	const { id } = await importExample(fixture(), name, settings);
	await n8n.activate(id);
	published.push(id);
	return id;
}

/** Publishes an example that starts with a form; returns the form's address. */
async function publishForm(
	name: string,
	trigger: string,
	path: string,
	options: Record<string, object> = {},
): Promise<string> {
	const { n8n } = fixture();
	const login = await n8n.createCredential('Login', 'httpBasicAuth', FORM_LOGIN);
	await publish(name, { credentials: { [trigger]: login }, options });
	return `${n8n.url}/form/${path}`;
}
