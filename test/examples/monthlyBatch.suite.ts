import type { Payable } from '../../sandbox/client';
import { type Upload, useForms, usePublishedForms } from './support/form';
import { addVendor } from '../n8n/support/payouts';
import { useEmptySandbox, useExamples } from './support/instance';
import { type Cell, xlsxOf } from './support/workbook';

export function testMonthlyBatch(): void {
	const EXAMPLE = 'monthly-batch-from-spreadsheet.json';
	const FORM = 'Upload the month';

	/** Other vendors whom the service has verified, where a test adds them. */
	const PHOTOS = 'photos@example.com';
	const EMIL = 'emil@example.com';

	const fixture = useExamples();
	useEmptySandbox(fixture);
	const submit = useForms();
	const publishForm = usePublishedForms(fixture);

	test(`examples/${EXAMPLE} pays each invoice once and reports which rows need a person`, async () => {
		const {
			control,
			pendingVendorEmail: pending,
			verifiedVendorEmail: verified,
		} = fixture().sandbox;

		await addVendor(fixture().sandbox, PHOTOS);
		// Two fundings, so that one of them can be unconfirmed.
		const url = await publishForm(EXAMPLE, FORM, {
			'Pay vendors': { fundingDescription: '={{ "Part " + ($itemIndex > 2) }}' },
		});

		const rows = [
			'invoice,email,amount,description',
			`A-1,${verified},100.00,Videos`,
			'D-1,dora@example.com,twelve,Photos',
			`P-1,${pending},50.25,Editing`,
			`F-1,${PHOTOS},20.00,Photos`,
			'E-1,emil@example.com,30.10,Music',
		];

		// As Excel writes it: with a mark at the beginning, and named as one of its own.
		const mimeType = 'application/vnd.ms-excel';
		const file = { name: 'May.CSV', mimeType, buffer: Buffer.from(`\ufeff${rows.join('\n')}`) };
		const upload = { Month: '2026-05', Payouts: file };
		await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });

		const report = await submit(url, upload, 'Pay');

		const payables = await control.payables();
		const [cut] = (await control.requests('createFunding')).filter(({ status }) => status === null);
		const unconfirmed = payables.filter(({ id }) => JSON.stringify(cut?.body).includes(id));
		const others = payables.filter((payable) => !unconfirmed.includes(payable));
		expect(report).toMatch(/^Payouts of 2026-05\s/);
		expect(payables.map(({ payee_email: email }) => email).sort()).toEqual(
			[verified, pending, PHOTOS, 'emil@example.com'].sort(),
		);
		expect(unconfirmed).toHaveLength(2);
		for (const line of [
			`Unconfirmed, may have been paid: 2 (${dollars(unconfirmed)})`,
			`Not paid by this run: 3 (${dollars(others)}, without 1 that cannot be read)`,
			'The amount "twelve" is not a plain number.',
			'Row 3: dora@example.com, invoice D-1, twelve',
			'Nothing was sent for this payout: the service did not',
			'Unconfirmed, so it is not paid again',
			...payables.map(named),
		]) {
			expect(report).toContain(line);
		}

		const second = await submit(url, upload, 'Pay');

		expect(second).toContain(`Paid (a new vendor gets it once verified): 2 (${dollars(others)})`);
		expect(second).toContain(`Unconfirmed, may have been paid: 2 (${dollars(unconfirmed)})`);

		const third = await submit(url, upload, 'Pay');

		expect(third).toContain(`Paid before, nothing paid now: 2 (${dollars(others)})`);
		expect(third).toContain(`Unconfirmed, may have been paid: 2 (${dollars(unconfirmed)})`);
		expect(await control.payables()).toHaveLength(4);
		expect(await control.fundings()).toHaveLength(2);

		await control.verifyVendor(pending);

		expect(await control.payables()).toContainEqual(
			expect.objectContaining({ payee_email: pending, status: 'paid' }),
		);
	});

	test(`examples/${EXAMPLE} pays an invoice once, whatever the month and the spaces, and none that another page sends`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const url = await publishForm(EXAMPLE, FORM);
		const upload = async (month: string, invoice: string): Promise<string> =>
			await submit(
				url,
				{ Month: month, Payouts: csv('invoice,email,amount', `${invoice},${email},100.00`) },
				'Pay',
			);

		const forged = csv('invoice,email,amount', `INV-1,${email},100.00`);

		expect(await submit(url, { Month: '', Payouts: forged }, 'Pay', 'forge')).toContain(
			'The file was not sent with this form',
		);

		const paid = await upload('2026-05', 'INV-7  A');
		const again = await upload('2026-5', 'INV-7  A');
		const withSpaces = await upload('May 2026', ' INV-7 A ');

		expect(paid).toContain(': 1 ($100.00)');
		expect(again).toContain('Paid before, nothing paid now: 1 ($100.00)');
		expect(withSpaces).toContain('Paid before, nothing paid now: 1 ($100.00)');
		expect(await upload('2026-05', 'inv 7 a')).toContain('Not paid by this run: 1 ($100.00)');
		expect(await control.vendor(email)).toMatchObject({ balance: 10_000 });
	});

	test(`examples/${EXAMPLE} pays a vendor's other invoice, and names rows that no invoice tells apart`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const url = await publishForm(EXAMPLE, FORM);
		const file = csv(
			'email;amount;invoice;description',
			`${email};100.00;INV-1;"Videos; May"`,
			`${email};100.50;INV-2;`,
			`${email};30.00;INV-3;Photos, May`,
			`${email};30.00; INV-3;Photos`,
			`${email};40.00;;Music`,
			';50.00;INV-5;Editing',
		);

		const report = await submit(url, { Month: 'May', Payouts: file }, 'Pay');

		for (const line of [
			'Paid (a new vendor gets it once verified): 2 ($200.50)',
			'Not paid by this run: 4 ($150.00)',
			'More than one row has this vendor and this invoice, so none of them was paid now.',
			`Row 4: ${email}, invoice INV-3, 30.00`,
			`Row 5: ${email}, invoice INV-3, 30.00`,
			'It has no invoice',
			`Row 6: ${email}, no invoice, 40.00`,
			'It has no email',
			'Row 7: no email, invoice INV-5, 50.00',
		]) {
			expect(report).toContain(line);
		}

		expect(report.split('More than one row')).toHaveLength(2);
		expect(await control.payables()).toHaveLength(2);
		expect(await control.vendor(email)).toMatchObject({ balance: 20_050 });
	});

	test(`examples/${EXAMPLE} holds a vendor's same amount under another invoice, of this file or an earlier one`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const url = await publishForm(EXAMPLE, FORM);
		const upload = async (...rows: string[]): Promise<string> =>
			await submit(url, { Month: 'May', Payouts: csv('email,amount,invoice', ...rows) }, 'Pay');

		const first = await upload(`${email},100.00,INV-1`, `${email},100.00,INV-2`);
		const second = await upload(`${email},100.00,INV-3`, `${email},70.00,INV-4`);

		expect(first).toContain('Paid (a new vendor gets it once verified): 1 ($100.00)');
		for (const [report = '', row, invoice] of [
			[first, 3, 'INV-2'],
			[second, 2, 'INV-3'],
		]) {
			const line = `${invoice} 100.00 ${email} is not INV-1 100.00 ${email}`;
			expect(report).toContain('Held, nothing paid: 1 ($100.00)');
			expect(report).toMatch(
				new RegExp(
					`"INV-1".*\\n• Row ${row}: ${email}, invoice ${invoice}, 100.00\\nIf it is another invoice, enter: ${line}`,
				),
			);
		}
		expect(await control.vendor(email)).toMatchObject({ balance: 17_000 });
	});

	test(`examples/${EXAMPLE} holds another vendor's invoice with a number that was paid, and refuses it with the same amount`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		await addVendor(fixture().sandbox, PHOTOS);
		await addVendor(fixture().sandbox, EMIL);
		const url = await publishForm(EXAMPLE, FORM);
		const header = 'email,amount,invoice';
		const upload = async (...rows: string[]): Promise<string> =>
			await submit(url, { Month: 'May', Payouts: csv(header, ...rows) }, 'Pay');

		await upload(`${email},100.00,INV-1`);
		const held = await upload(`${PHOTOS},20.00,INV-1`);
		const refused = await upload(`${EMIL},100.00,INV-1`, `${EMIL},100.00,INV-2`);

		expect(held).toContain('Held, nothing paid: 1 ($20.00)');
		expect(held).toMatch(/"INV-1".*\n• Row 2: /);
		expect(refused).toContain('Paid (a new vendor gets it once verified): 1 ($100.00)');
		expect(refused).toContain('Not paid by this run: 1 ($100.00)');
		expect(await control.vendor(EMIL)).toMatchObject({ balance: 10_000 });
		expect(await control.vendor(PHOTOS)).toMatchObject({ balance: 0 });
	});

	test.each([
		['other columns', csv('Mail,amount', 'ana@example.com,100.00'), 'no column email, invoice.'],
		['no rows', csv('email,amount,invoice'), 'no rows below its header'],
		[
			'a column twice',
			csv('email,amount,invoice,amount', 'ana@example.com,100.00,INV-1,999.00'),
			'the column "amount" twice',
		],
		['a stray quotation mark', csv('email,amount,invoice', 'a"b,1.00,INV-1'), 'Row 2 has a stray'],
		['nothing in it', csv(''), 'The file is empty'],
		[
			'a damaged workbook',
			{ name: 'may.xlsx', mimeType: 'application/zip', buffer: Buffer.from('PK\x03\x04 damaged') },
			'damaged',
		],
		[
			'an invoice that the spreadsheet took for a date',
			{
				name: 'may.xlsx',
				mimeType: 'application/zip',
				buffer: xlsxOf('A1:C2', {
					A1: text('email'),
					B1: text('amount'),
					C1: text('invoice'),
					A2: text('ana@example.com'),
					B2: { type: 'n', value: '100' },
					C2: { type: 'd', value: '2026-03-01' },
				}),
			},
			'Row 2 has the invoice 46082',
		],
	])(
		`examples/${EXAMPLE} says of a file with %s that nothing was paid`,
		async (_, file, problem) => {
			const url = await publishForm(EXAMPLE, FORM);

			const report = await submit(url, { Month: 'May', Payouts: file }, 'Pay');

			expect(report).toMatch(/^Payouts of May\s+Nothing was paid: /);
			expect(report).toContain(problem);
			expect(await fixture().sandbox.control.payables()).toEqual([]);
		},
	);

	test(`examples/${EXAMPLE} reads a workbook, too`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const url = await publishForm(EXAMPLE, FORM);
		const rows = [
			['email', 'amount', 'description', 'invoice'],
			[` ${email.toUpperCase()}`, 120.5, 'Photos', 1042],
		];

		const file = { name: 'june.xls', mimeType: 'application/xml', buffer: workbookOf(rows) };

		const report = await submit(url, { Month: '2026-06', Payouts: file }, 'Pay');

		expect(report).toContain('Paid (a new vendor gets it once verified): 1 ($120.50)');
		expect(await control.payables()).toMatchObject([
			{ payee_email: email, amount: 12_050, description: 'Photos [1042]', status: 'paid' },
		]);
	});

	test(`examples/${EXAMPLE} reads a workbook that is called .csv, and refuses what its cells cannot say exactly`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const url = await publishForm(EXAMPLE, FORM);
		const number = (value: string): Cell => ({ type: 'n', value });
		const vendor = text(email);

		// Blank rows above the header, and more than a million that the file claims to have.
		const buffer = xlsxOf('A1:D1048576', {
			A3: text('Email'),
			B3: text(' AMOUNT '),
			C3: text('invoice'),
			A4: vendor,
			B4: number('120.5'),
			C4: number('1042'),
			A6: vendor,
			B6: number('0.30000000000000004'),
			C6: text('A-6'),
			A7: vendor,
			B7: number('10'),
			C7: { type: 'e', value: '#N/A' },
			A8: vendor,
			B8: number('11'),
			C8: number('20260500012345678'),
			A9: vendor,
			B9: { type: 'str', value: '12.25' },
			C9: text('A-9'),
			A10: vendor,
			B10: number('13'),
			C10: { type: 'b', value: '1' },
		});

		const file = { name: 'payouts.csv', mimeType: 'text/csv', buffer };

		const report = await submit(url, { Month: 'May', Payouts: file }, 'Pay');

		expect(report).toContain('Paid (a new vendor gets it once verified): 2 ($132.75)');
		expect(report).toContain('Not paid by this run: 4 ($34.00, without 1 that cannot be read)');
		expect(report).toMatch(/#N\/A.*\n• Row 7: /);
		for (const row of [6, 7, 8, 10]) {
			expect(report).toContain(`Row ${row}: ${email}`);
		}
		expect(await control.vendor(email)).toMatchObject({ balance: 13_275 });
	});

	/** How the report names a row that a payable was made of. */
	const named = (payable: Payable): string => {
		const invoice = /[A-Z]-1(?=\]$)/.exec(payable.description ?? '')?.[0];
		return `${payable.payee_email}, invoice ${invoice}, ${(payable.amount / 100).toFixed(2)}`;
	};

	/** What payables add up to, as a page says it. */
	function dollars(payables: Payable[]): string {
		const cents = payables.reduce((sum, { amount }) => sum + amount, 0);
		return `$${(cents / 100).toFixed(2)}`;
	}
}

/** A cell with a text. */
const text = (value: string): Cell => ({ type: 'inlineStr', value });

/** A file of these lines. */
const csv = (...lines: string[]): Upload => ({
	name: 'payouts.csv',
	mimeType: 'text/csv',
	buffer: Buffer.from(lines.join('\r\n')),
});

const NAMESPACE = 'urn:schemas-microsoft-com:office:spreadsheet';

const cell = (content: string | number): string =>
	`<Cell><Data ss:Type="${typeof content === 'number' ? 'Number' : 'String'}">${content}</Data></Cell>`;

/** A workbook of one sheet, in the XML format of Excel 2003. */
function workbookOf(rows: Array<Array<string | number>>): Buffer {
	const table = rows.map((row) => `<Row>${row.map(cell).join('')}</Row>`).join('');
	const sheet = `<Worksheet ss:Name="Sheet"><Table>${table}</Table></Worksheet>`;

	return Buffer.from(
		`<?xml version="1.0"?><Workbook xmlns="${NAMESPACE}" xmlns:ss="${NAMESPACE}">${sheet}</Workbook>`,
	);
}
