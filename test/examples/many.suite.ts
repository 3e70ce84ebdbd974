import { importExample } from '../n8n/support/example';
import { type Upload, useForms, usePublishedForms } from './support/form';
import { googleSheet } from './support/googleSheet';
import { services, useEmptySandbox, useExamples } from './support/instance';
import { settingsOf } from './support/settings';

/** So many rows a month has, where an agency pays its creators. */
const MANY = 10_000;

/** They take seven minutes where they have a processor of their own, and twenty on one that others use as well. */
const TIMEOUT_MS = 2_400_000;

const SHEET_ID = 'made-up-sheet-of-payouts-2026';

/** Above what all rows add up to, in dollars. */
const NO_LIMIT = { maximum_amount: 1_000, maximum_total: 1_000_000 };

/** One row for each of so many vendors. */
const ROWS = Array.from({ length: MANY }, (_, index) => ({
	email: `creator-${index}@example.com`,
	amount: ((index % 900) + 100) / 100,
	invoice: `INV-${index + 1}`,
}));

export function testManyRows(): void {
	const fixture = useExamples();
	useEmptySandbox(fixture);
	const submit = useForms();
	const publishForm = usePublishedForms(fixture);

	const expected = ROWS.map(({ email, amount }) => `${email} ${Math.round(amount * 100)}`).sort();

	/** Who was paid how many cents, for each payable. */
	async function paid(): Promise<string[]> {
		const payables = await fixture().sandbox.control.payables();
		return payables.map(({ payee_email: email, amount }) => `${email} ${amount}`).sort();
	}

	test(
		'monthly-batch-from-spreadsheet.json pays a file of 10,000 rows, each once',
		async () => {
			const { control, workspaceId } = fixture().sandbox;
			await control.setSettings({ requestsPerMinute: 1_000_000 });
			await control.deposit(workspaceId, 10_000_000);
			const url = await publishForm('monthly-batch-from-spreadsheet.json', 'Upload the month', {
				'Pay vendors': { maxAmount: NO_LIMIT.maximum_amount, maxTotal: NO_LIMIT.maximum_total },
			});
			const lines = ROWS.map(({ email, amount, invoice }) => `${email},${amount},${invoice}`);
			const file: Upload = {
				name: 'payouts.csv',
				mimeType: 'text/csv',
				buffer: Buffer.from(['email,amount,invoice', ...lines].join('\n')),
			};

			const report = await submit(url, { Month: 'May', Payouts: file }, 'Pay');
			const again = await submit(url, { Month: 'May', Payouts: file }, 'Pay');

			expect(report).toContain('Paid (a new vendor gets it once verified): 10000 ');
			expect(again).toContain('Paid before, nothing paid now: 10000 ');
			expect(await paid()).toEqual(expected);
		},
		TIMEOUT_MS,
	);

	test(
		'google-sheet-to-payouts.json pays a sheet of 10,000 rows, each once, and writes what happened to all',
		async () => {
			const EXAMPLE = 'google-sheet-to-payouts.json';
			const { n8n, sandbox } = fixture();
			await sandbox.control.setSettings({ requestsPerMinute: 1_000_000 });
			await sandbox.control.deposit(sandbox.workspaceId, 10_000_000);
			const header = ['Email', 'Amount', 'Invoice', 'Description', 'Status'];
			const rows = ROWS.map(({ email, amount, invoice }) => [
				email,
				amount,
				invoice,
				'',
				'Approved',
			]);
			const sheet = googleSheet(SHEET_ID, 'Payouts', [header, ...rows]);
			services().serve('sheets.googleapis.com', (request) =>
				structuredClone(sheet.service(request)),
			);
			const google = await n8n.createCredential('Google', 'googleSheetsOAuth2Api', {
				clientId: 'made-up',
				clientSecret: 'made-up',
				oauthTokenData: { access_token: 'made-up-google-token', token_type: 'Bearer' },
			});
			const sheet_address = `https://docs.google.com/spreadsheets/d/${SHEET_ID}/edit`;
			const { id } = await importExample(fixture(), EXAMPLE, {
				credentials: {
					'Get the rows': google,
					'Get the rows again': google,
					'Write status to the sheet': google,
				},
				parameters: settingsOf(EXAMPLE, { sheet_address, ...NO_LIMIT }),
			});

			await n8n.runManually(id);

			const statuses = sheet.cells.slice(1).map((row) => row[header.indexOf('Status')]);
			expect(new Set(statuses)).toEqual(new Set(['Paid']));
			expect(await paid()).toEqual(expected);
		},
		TIMEOUT_MS,
	);
}
