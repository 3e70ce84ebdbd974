import { importExample } from '../n8n/support/example';
import { type GoogleSheet, googleSheet } from './support/googleSheet';
import { services, useEmptySandbox, useExamples } from './support/instance';
import { settingsOf } from './support/settings';

export function testGoogleSheet(): void {
	const EXAMPLE = 'google-sheet-to-payouts.json';
	const SHEET_ID = 'made-up-sheet-of-payouts-2026';
	const sheet_address = `https://docs.google.com/spreadsheets/d/${SHEET_ID}/edit`;
	const COLUMNS = ['Vendor email', 'Amount', 'Invoice', 'Description', 'Status'];
	const STATUS = COLUMNS.indexOf('Status');

	const fixture = useExamples();
	useEmptySandbox(fixture);

	/** Imports the example for a sheet with these rows; `run` starts it as its schedule does. */
	async function importFor(...rows: GoogleSheet['cells']) {
		const { n8n } = fixture();
		const sheet = googleSheet(SHEET_ID, 'Payouts', [[...COLUMNS], ...rows]);
		services().serve('sheets.googleapis.com', sheet.service);
		const google = await n8n.createCredential('Google', 'googleSheetsOAuth2Api', {
			clientId: 'made-up',
			clientSecret: 'made-up',
			oauthTokenData: { access_token: 'made-up-google-token', token_type: 'Bearer' },
		});
		const { id } = await importExample(fixture(), EXAMPLE, {
			credentials: { 'Get approved rows': google, 'Write status to the sheet': google },
			parameters: settingsOf(EXAMPLE, { sheet_address }),
		});
		const run = async () => await n8n.runManually(id);
		return { cells: sheet.cells, run };
	}

	test(`examples/${EXAMPLE} pays approved rows once and writes back what happened`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const { cells, run } = await importFor(
			[` ${email.toUpperCase()}`, 120.5, 1042, 'Photos', 'Approved'],
			[email, 80, 'INV-2', 'Music', 'Draft'],
			[email, 'twelve', 'INV-3', '', 'Approved'],
			[email, 30, '', '', 'Approved'],
			[email, 40, 'INV-5', '', 'approved'],
		);

		await run();
		const [payable] = await control.payables();
		expect(await control.payables()).toMatchObject([
			{ payee_email: email, amount: 12_050, description: 'Photos [1042]', status: 'paid' },
		]);
		expect(cells.map((row) => row[STATUS])).toEqual([
			'Status',
			'Paid',
			'Draft',
			'Not paid',
			'Not paid',
			'approved',
		]);
		expect(cells[0]).toEqual([...COLUMNS, 'Payable', 'Note']);
		expect(cells[1]?.slice(STATUS + 1)).toEqual([payable?.id, '']);
		expect(cells[3]?.slice(STATUS + 1)).toEqual(['', expect.stringContaining('twelve')]);
		expect(cells[4]?.slice(STATUS + 1)).toEqual(['', expect.stringContaining('Unique Reference')]);
		expect(services().requests[0]).toMatchObject({ authorization: 'Bearer made-up-google-token' });

		cells[1]?.splice(STATUS, 1, 'Approved');
		await run();
		expect(cells[1]?.[STATUS]).toBe('Paid');
		expect(await control.payables()).toHaveLength(1);
		expect(await control.vendor(email)).toMatchObject({ balance: 12_050 });
	});

	test(`examples/${EXAMPLE} never pays an unconfirmed row again, and pays nothing above its limit`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const { cells, run } = await importFor([email, 25, 'INV-6', '', 'Approved']);
		await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });

		for (const _ of ['a first run', 'a person who approves it again']) {
			await run();
			expect(cells[1]?.[STATUS]).toBe('Unconfirmed');
			await run();
			expect(cells[1]?.[STATUS]).toBe('Unconfirmed');
			cells[1]?.splice(STATUS, 1, 'Approved');
		}
		cells.push([email, 1000.01, 'INV-7', '', 'Approved']);
		await run();
		expect(cells[2]?.[STATUS]).toBe('Not paid');
		expect(await control.requests('createFunding')).toHaveLength(1);
		expect(await control.vendor(email)).toMatchObject({ balance: 2_500 });
	});
}
