import { importExample } from '../n8n/support/example';
import { addVendor } from '../n8n/support/payouts';
import { type GoogleSheet, googleSheet } from './support/googleSheet';
import { services, useEmptySandbox, useExamples } from './support/instance';
import { settingsOf } from './support/settings';

/** The ledger of these tests: the credential says where it is without any changes. */
const OWN_LEDGER = {};

export function testGoogleSheet(): void {
	const EXAMPLE = 'google-sheet-to-payouts.json';
	const SHEET_ID = 'made-up-sheet-of-payouts-2026';
	const sheet_address = `https://docs.google.com/spreadsheets/d/${SHEET_ID}/edit`;
	const COLUMNS = ['Email', ' amount', 'Invoice', 'Description', 'Status'];
	const STATUS = COLUMNS.indexOf('Status');
	const INVOICE = COLUMNS.indexOf('Invoice');

	/** A second vendor whom the service has verified. */
	const PHOTOS = 'photos@example.com';

	const fixture = useExamples();
	useEmptySandbox(fixture);

	/**
	 * Imports the example for a sheet with these rows; `run` starts it as its schedule does, and
	 * `afterNextRead` lets a person change the sheet when a run has read it.
	 */
	async function importFor(...rows: GoogleSheet['cells']) {
		const { n8n } = fixture();
		const sheet = googleSheet(SHEET_ID, 'Payouts', [[...COLUMNS], ...rows]);
		let change: (() => void) | undefined;
		services().serve('sheets.googleapis.com', (request) => {
			const answer = structuredClone(sheet.service(request));
			if (request.method === 'GET' && request.path.includes('/values/')) {
				change?.();
				change = undefined;
			}

			return answer;
		});

		const google = await n8n.createCredential('Google', 'googleSheetsOAuth2Api', {
			clientId: 'made-up',
			clientSecret: 'made-up',
			oauthTokenData: { access_token: 'made-up-google-token', token_type: 'Bearer' },
		});

		const { id } = await importExample(fixture(), EXAMPLE, {
			ledger: OWN_LEDGER,
			credentials: {
				'Get the rows': google,
				'Get the rows again': google,
				'Write status to the sheet': google,
			},
			parameters: settingsOf(EXAMPLE, { sheet_address }),
		});

		const run = async () => await n8n.runManually(id);
		const afterNextRead = (next: () => void): void => {
			change = next;
		};

		return { cells: sheet.cells, run, afterNextRead };
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
			'Not paid by this run',
			'Not paid by this run',
			'approved',
		]);
		expect(cells[0]).toEqual([...COLUMNS, 'Payable', 'Note']);
		expect(cells[1]?.slice(STATUS + 1)).toEqual([payable?.id, '']);
		expect(cells[3]?.slice(STATUS + 1)).toEqual(['', expect.stringContaining('twelve')]);
		expect(cells[4]?.slice(STATUS + 1)).toEqual(['', expect.stringContaining('It has no invoice')]);
		expect(services().requests[0]).toMatchObject({ authorization: 'Bearer made-up-google-token' });

		cells[1]?.splice(STATUS, 1, 'Approved');
		await run();

		expect(cells[1]?.[STATUS]).toBe('Paid');
		expect(await control.payables()).toHaveLength(1);
		expect(await control.vendor(email)).toMatchObject({ balance: 12_050 });
	});

	test(`examples/${EXAMPLE} writes what happened to the row of the invoice, wherever it is by then`, async () => {
		const { sandbox } = fixture();
		const { verifiedVendorEmail: email } = sandbox;
		await addVendor(sandbox, PHOTOS);
		const { cells, run, afterNextRead } = await importFor(
			[email, 26, 'INV-1048', 'Videos', 'Approved'],
			[PHOTOS, 'twelve', 'P-8', 'Photos', 'Approved'],
			[email, 30, 'INV-1049', 'Music', 'Approved'],
		);

		afterNextRead(() => {
			const [videos = [], photos = [], music = []] = cells.splice(1);
			const added = [PHOTOS, 40, 'P-9', 'Photos', 'Approved'];
			music[1] = 31;
			cells.push(added, photos, music, videos);
		});

		await run();

		const statusOf = (invoice: string) => cells.find((row) => row[INVOICE] === invoice)?.[STATUS];
		expect(statusOf('INV-1048')).toBe('Paid');
		expect(statusOf('P-8')).toBe('Not paid by this run');
		// Added during the run, and changed during the run.
		expect(statusOf('P-9')).toBe('Approved');
		expect(statusOf('INV-1049')).toBe('Approved');
	});

	test(`examples/${EXAMPLE} does not pay an invoice that another template has paid`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const OTHER = 'pay-a-vendor.json';
		const values = { invoice: 'INV-1051', amount: '25.00' };
		const other = await importExample(fixture(), OTHER, {
			ledger: OWN_LEDGER,
			parameters: settingsOf(OTHER, { ...values, email }),
		});

		const { cells, run } = await importFor([email, 25, 'INV-1051', 'Videos', 'Approved']);

		await fixture().n8n.runManually(other.id);
		await run();

		expect(cells[1]?.slice(STATUS)).toEqual([
			'Paid',
			expect.any(String),
			expect.stringContaining('An earlier run paid it'),
		]);
		expect(await control.vendor(email)).toMatchObject({ balance: 2_500 });
	});

	test(`examples/${EXAMPLE} holds another vendor's invoice with a number that was paid`, async () => {
		const { sandbox } = fixture();
		const { control, verifiedVendorEmail: email } = sandbox;
		await addVendor(sandbox, PHOTOS);
		const { cells, run } = await importFor([email, 27, 'INV-1063', 'Videos', 'Approved']);
		await run();

		cells.push([PHOTOS, 40, 'INV-1063', 'Photos', 'Approved']);
		await run();

		const balances = [await control.vendor(email), await control.vendor(PHOTOS)];
		expect(cells[1]?.[STATUS]).toBe('Paid');
		expect(cells[2]?.slice(STATUS)).toEqual(['Held', '', expect.stringContaining('"INV-1063"')]);
		expect(balances).toMatchObject([{ balance: 2_700 }, { balance: 0 }]);
	});

	test(`examples/${EXAMPLE} never pays an unconfirmed row again, and pays nothing above its limit`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const { cells, run } = await importFor([email, 28, 'INV-1074', '', 'Approved']);
		await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });

		await run();

		expect(cells[1]?.[STATUS]).toBe('Unconfirmed');

		await run();

		expect(cells[1]?.[STATUS]).toBe('Unconfirmed');

		// A person approves it again.
		cells[1]?.splice(STATUS, 1, 'Approved');
		await run();

		expect(cells[1]?.[STATUS]).toBe('Unconfirmed');

		cells.push([email, 1000.01, 'INV-1075', '', 'Approved']);
		await run();

		expect(cells[2]?.[STATUS]).toBe('Not paid by this run');
		expect(await control.requests('createFunding')).toHaveLength(1);
		expect(await control.vendor(email)).toMatchObject({ balance: 2_800 });
	});

	test(`examples/${EXAMPLE} holds a possible duplicate, and writes why`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const { cells, run } = await importFor(
			[email, 29, 'INV-1085', 'Videos', 'Approved'],
			[email, 29, 'INV-1058', 'Videos', 'Approved'],
		);

		await run();

		expect(cells[1]?.[STATUS]).toBe('Paid');
		expect(cells[2]?.slice(STATUS)).toEqual(['Held', '', expect.stringContaining('"INV-1085"')]);
		expect(await control.vendor(email)).toMatchObject({ balance: 2_900 });
	});
}
