import { codeOf, runCode } from './codeNodes';

const CODE = codeOf('monthly-batch-from-spreadsheet', 'Read the rows');

/** The rows that a file ends in. */
const read = async (file: Buffer, sheet: object[] = [{ error: 'no workbook' }]) =>
	await runCode(CODE, { file, input: sheet });

const utf8 = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));
const PLAIN = 'email,amount,invoice';
const XLSX = Buffer.from('PK\x03\x04');
const NAMES = ['Email', 'Amount', 'Invoice', 'Description'];
const sheet = (...rows: unknown[][]): object[] => rows.map((row) => ({ row }));

test('a workbook is known by its bytes, and hands over its cells as they are', async () => {
	const rows = await read(
		XLSX,
		sheet(
			[null, null],
			NAMES,
			[' Ana@example.com', 120.5, 1042, 2026],
			[],
			['ben@example.com', 0.1 + 0.2, 20_260_500_012_345_678, true],
			['cat@example.com', '10.00', '#N/A', null],
		),
	);

	expect(rows).toMatchObject([
		{ row: 3, email: 'ana@example.com', amount: 120.5, reference: 1042, description: 2026 },
		{ row: 5, amount: 0.1 + 0.2, reference: 20_260_500_012_345_678, description: true },
		{ row: 6, amount: '10.00', reference: '#N/A', description: '' },
	]);
});

test('a workbook with a column twice is refused', async () => {
	const reading = read(XLSX, sheet([...NAMES, 'AMOUNT'], ['ana@example.com', 1, 'A', '', 999]));

	await expect(reading).rejects.toThrow('"amount" twice');
});

test.each([
	['the first day that is looked for', 43_831, '2020-01-01'],
	['a day of this year', 46_082, '2026-03-01'],
	['the last day that is looked for', 49_674, '2035-12-31'],
])('a workbook with %s as an invoice is refused', async (_, invoice, day) => {
	const table = sheet([], NAMES, ['ana@example.com', 1, 'A'], ['ben@example.com', 2, invoice]);

	const reading = read(XLSX, table);

	await expect(reading).rejects.toThrow(new RegExp(`Row 4 .*${invoice}.*${day}`));
});

test('a workbook with the number of a day elsewhere, or as text, and with other numbers is read', async () => {
	const table = sheet(
		NAMES,
		['ana@example.com', 46_082, '46082', 46_082],
		['ben@example.com', 2, 43_830],
		['cat@example.com', 3, 49_675],
	);

	const rows = await read(XLSX, table);

	expect(rows).toMatchObject([
		{ amount: 46_082, reference: '46082', problem: '' },
		{ reference: 43_830, problem: '' },
		{ reference: 49_675, problem: '' },
	]);
});

test.each([
	['a day of a workbook', 46_173, '2026-05-31'],
	['a text', ' 2026-05-31 ', '2026-05-31'],
	['a text that only Send refuses', '31.05.2026', '31.05.2026'],
	['a number that only Send refuses', 1_772_355_600_000_000, '1772355600000000'],
	['nothing', null, ''],
])('the date of an invoice can be %s', async (_, cell, day) => {
	const row = ['ana@example.com', 1, 'A', '', cell];

	const byEitherName = [
		await read(XLSX, sheet([...NAMES, 'Invoice Date'], row)),
		await read(XLSX, sheet([...NAMES, 'invoice_date'], row)),
	];

	expect(byEitherName).toMatchObject([[{ invoice_date: day }], [{ invoice_date: day }]]);
});

test('notes beside the table of a workbook do not matter', async () => {
	const rows = await read(XLSX, sheet(NAMES, ['ana@example.com', 1, 'A', '', 'checked by Eve']));

	expect(rows).toMatchObject([{ problem: '', reference: 'A' }]);
});

test('a spreadsheet in XML is a workbook, not a text', async () => {
	const rows = await read(
		Buffer.from('<?xml version="1.0"?><Workbook/>'),
		sheet(NAMES, ['a@b.co', 1, 'A']),
	);

	expect(rows).toMatchObject([{ reference: 'A' }]);
});

test.each([
	['email', ',10.00,INV-1'],
	['amount', 'ana@example.com,,INV-1'],
	['invoice', 'ana@example.com,10.00,'],
])('a row without %s is left out, and the others are paid', async (name, row) => {
	const rows = await read(utf8('email,amount,invoice', row, 'ben@example.com,20.00,INV-2'));

	expect(rows).toMatchObject([
		{ row: 2, reference: '', problem: expect.stringContaining(`no ${name}`) },
		{ row: 3, reference: 'INV-2', problem: '' },
	]);
});

test('rows of one vendor with one invoice are left out, whatever the amounts', async () => {
	const file = utf8(
		'email,amount,invoice',
		'ana@example.com,10.00,INV-1',
		' ANA@example.com,20.00, INV-1',
		'ben@example.com,10.00,INV-1',
	);

	const rows = await read(file);

	expect(rows).toMatchObject([{ reference: '' }, { reference: '' }, { reference: 'INV-1' }]);
});

test.each([
	['an error', '#N/A'],
	['an error in another language', '#DEEL/0!'],
	['a number with an exponent', '2.02605E+11'],
	['a number with zeros for its last digits', '20260500012345600'],
])('rows that share %s are not told to be added up', async (_, invoice) => {
	const row = `ana@example.com,10.00,${invoice}`;

	const rows = await read(utf8(PLAIN, row, row));

	expect(rows).toMatchObject([{ reference: '' }, { reference: '' }]);
	for (const { problem } of rows) {
		expect(problem).toContain('has spoiled');
		expect(problem).not.toMatch(/add up/i);
	}
});

test('rows of a workbook that share a rounded number are not told to be added up', async () => {
	const cells = (invoice: number) => ['ana@example.com', 10, invoice];

	const rows = await read(
		XLSX,
		sheet(NAMES, cells(20_260_500_012_345_678), cells(20_260_500_012_345_679)),
	);

	expect(rows).toMatchObject([
		{ reference: '', problem: expect.stringContaining('has spoiled') },
		{ reference: '', problem: expect.stringContaining('has spoiled') },
	]);
});

test.each([
	['an amount with a character that no one sees', '10.00\u200b,INV-1', 'hidden character'],
	['an invoice with a line break', '10.00,"INV-\n1"', 'line break'],
])('a row with %s is left out', async (_, cells, problem) => {
	const rows = await read(utf8(PLAIN, `ana@example.com,${cells}`, 'ben@example.com,2.00,INV-2'));

	expect(rows).toMatchObject([
		{ reference: '', problem: expect.stringContaining(problem) },
		{ reference: 'INV-2', problem: '' },
	]);
});
