import { codeOf, runCode } from './codeNodes';

const CODE = codeOf('monthly-batch-from-spreadsheet', 'Read the rows');

/** The rows that a file ends in. */
const read = async (file: Buffer, sheet: object[] = [{ error: 'no workbook' }]) =>
	await runCode(CODE, { file, input: sheet });

const utf8 = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'));
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const HEADER = 'email,amount,invoice,description';
const ROW = 'ana@example.com,10.00,INV-1,Videos';
const PAID = {
	email: 'ana@example.com',
	amount: '10.00',
	invoice: 'INV-1',
	reference: 'INV-1',
	problem: '',
};
const TABS = 'email\tamount\tinvoice\r\nana@example.com\t10.00\tINV-1\r\n';

/** Files that are read: each has one row to pay, in this row of the file. */
const readable: Array<[name: string, file: Buffer, row: number]> = [
	['commas', utf8(HEADER, ROW), 2],
	['semicolons', utf8(HEADER.replaceAll(',', ';'), ROW.replaceAll(',', ';')), 2],
	['tabs', Buffer.from(TABS), 2],
	[
		'more commas in names than semicolons',
		utf8('email;amount;invoice;"a,b,c,d";x, y, z', 'ana@example.com;10.00;INV-1'),
		2,
	],
	[
		'a line sep=;, which a spreadsheet hides',
		utf8('sep=;', HEADER.replaceAll(',', ';'), ROW.replaceAll(',', ';')),
		2,
	],
	['a line sep=, in quotation marks', utf8('"sep=,"', HEADER, ROW), 2],
	['UTF-8 with a mark', utf8(`\ufeff${HEADER}`, ROW), 2],
	['UTF-16, the small byte first, with a mark', utf16(`\ufeff${TABS}`), 2],
	['UTF-16, the big byte first, with a mark', utf16(`\ufeff${TABS}`).swap16(), 2],
	['UTF-16, the small byte first, without a mark', utf16(TABS), 2],
	['UTF-16, the big byte first, without a mark', utf16(TABS).swap16(), 2],
	['line feeds', Buffer.from(`${HEADER}\n${ROW}\n`), 2],
	['carriage returns', Buffer.from(`${HEADER}\r${ROW}\r`), 2],
	['no line break at its end', Buffer.from(`${HEADER}\n${ROW}`), 2],
	['names with capitals and spaces', utf8(' Email ,AMOUNT, Invoice\u00a0,Description', ROW), 2],
	[
		'a hidden character in a name',
		utf8('\u200bemail,amount,invoice', 'ana@example.com,10.00,INV-1'),
		2,
	],
	[
		'columns in another order, and one more',
		utf8('notes,invoice,amount,email', 'x,INV-1,10.00,ana@example.com'),
		2,
	],
	['blank rows', utf8('', HEADER, '', ',,,', '  ', ROW, '', ''), 6],
	['spaces around cells', utf8(HEADER, ' ANA@example.com ,10.00,INV-1,'), 2],
	['a row without its last cells', utf8(HEADER, 'ana@example.com,10.00,INV-1'), 2],
	['empty cells beyond the header', utf8(HEADER, `${ROW},,,`), 2],
	[
		'cells in quotation marks',
		utf8(
			'"email","amount","invoice","description"',
			'"ana@example.com","10.00","INV-1","Videos, ""best""; all"',
		),
		2,
	],
	['a line break in a cell', utf8(HEADER, 'ana@example.com,10.00,INV-1,"Videos,\r\nMay, June"'), 2],
];

test.each(readable)('a file with %s is read', async (_, file, row) => {
	const rows = await read(file);

	expect(rows).toMatchObject([{ ...PAID, row }]);
});

test.each([
	['UTF-8', Buffer.from('email,amount,invoice\nana@example.com,10.00,Ä-1 €\n')],
	[
		'Windows-1252',
		Buffer.from('email,amount,invoice\nana@example.com,10.00,\xC4-1 \x80\n', 'latin1'),
	],
])('letters of a file in %s stay what they are', async (_, file) => {
	const rows = await read(file);

	expect(rows).toMatchObject([{ invoice: 'Ä-1 €', reference: 'Ä-1 €' }]);
});

/** Files that are refused as a whole, with a word of the reason. */
const refused: Array<[name: string, file: Buffer, reason: string]> = [
	['nothing', Buffer.alloc(0), 'empty'],
	['a mark alone', Buffer.from('\ufeff'), 'names of the columns'],
	['blank rows alone', utf8('', ',,,', ' '), 'names of the columns'],
	['a header alone', utf8(HEADER), 'no rows'],
	[
		'a column twice',
		utf8('email,amount,invoice,amount', 'ana@example.com,10.00,INV-1,999.00'),
		'"amount" twice',
	],
	[
		'a column twice in other letters',
		utf8('email,amount,invoice,Amount ', 'ana@example.com,10.00,INV-1,999.00'),
		'"amount" twice',
	],
	['another column twice', utf8(`${HEADER},notes,notes`, ROW), '"notes" twice'],
	[
		'columns that are missing',
		utf8('Mail,amount', 'ana@example.com,10.00'),
		'no column email, invoice. It has mail, amount',
	],
	['a comma in a text', utf8(HEADER, ROW, `${ROW}, May`), 'Row 3 '],
	['a comma in a text below blank rows', utf8(HEADER, '', ROW, '', `${ROW}, May`), 'Row 5 '],
	['a comma in an amount', utf8(HEADER, 'ana@example.com,1,250.00,INV-1,Videos'), 'Row 2 '],
	[
		'a comma in an amount, and a name for one more column',
		utf8(`${HEADER},notes`, 'ana@example.com,1,250.00,INV-1,Videos'),
		'Row 2 ',
	],
	[
		'a comma in an amount, and no description',
		utf8(HEADER, 'ana@example.com,1,250.00,INV-1'),
		'Row 2 ',
	],
	[
		'a comma in an amount, and an empty name in the header',
		utf8(`${HEADER},`, 'ana@example.com,2,50,INV-1,Videos'),
		'Row 2 ',
	],
	[
		'a quotation mark in a cell',
		utf8(HEADER, ROW, 'ana@example.com,10.00,INV-2,5" tape'),
		'Row 3 has a stray quotation mark',
	],
	[
		'a quotation mark after a space',
		utf8(HEADER, 'ana@example.com,10.00,INV-1, "Videos, May"'),
		'Row 2 has a stray',
	],
	[
		'a quotation mark that is not closed',
		utf8(HEADER, 'ana@example.com,10.00,INV-1,"Videos', ROW),
		'Row 2 has a stray',
	],
	[
		'text behind a closed cell',
		utf8(HEADER, 'ana@example.com,10.00,"INV-1" x,Videos'),
		'Row 2 has a stray',
	],
	[
		'quotation marks around two rows',
		utf8(HEADER, 'ana@example.com,10.00,INV-1,"Videos', 'ben@example.com,20.00,INV-2,Photos"'),
		'Row 2 has a stray',
	],
	[
		'quotation marks from the end of a row to the next',
		utf8(HEADER, 'ana@example.com,10.00,INV-1,"Videos', 'ben@example.com",20.00,INV-2,Photos'),
		'Row 2 ',
	],
	[
		'a quotation mark in the header',
		utf8('email,amount,invoice,"description', ROW),
		'Row 1 has a stray',
	],
	['the bytes of a PDF', Buffer.from('%PDF-1.7\n1 0 obj'), 'no table'],
	['the bytes of a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'no table'],
	[
		'bytes that no encoding of ours has',
		Buffer.from(`${HEADER}\nana@example.com,10.00,INV-\x81,x`, 'latin1'),
		'no table',
	],
	['a workbook that n8n cannot read', Buffer.from('PK\x03\x04 damaged'), 'damaged'],
	['a workbook with a password', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'password'],
];

test.each(refused)('a file with %s is refused: nothing of it is paid', async (_, file, reason) => {
	await expect(read(file)).rejects.toThrow(reason);
});

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

test('a file without the hidden field of the form is refused', async () => {
	const reading = runCode(CODE, { file: utf8(HEADER, ROW), form: 'another' });

	await expect(reading).rejects.toThrow('not sent with this form');
});

test('a column does not replace a limit of the settings', async () => {
	const file = utf8('email,amount,invoice,maximum_amount', 'ana@example.com,10.00,INV-1,99999');

	const rows = await read(file);

	expect(rows).toMatchObject([{ maximum_amount: '1000' }]);
});

test('a column named row does not change where a row is', async () => {
	const rows = await read(utf8('email,amount,invoice,row', 'ana@example.com,10.00,INV-1,77'));

	expect(rows).toMatchObject([{ row: 2 }]);
});

test('10,000 rows are read, and one more is refused', async () => {
	const lines = Array.from(
		{ length: 10_001 },
		(_, index) => `v${index}@example.com,1.00,INV-${index}`,
	);

	const most = await read(utf8('email,amount,invoice', ...lines.slice(1)));
	const tooMany = read(utf8('email,amount,invoice', ...lines));

	await expect(tooMany).rejects.toThrow('10,000');
	expect(most).toHaveLength(10_000);
});

test('a large file that is one cell takes no long time', async () => {
	const started = performance.now();

	const reading = read(Buffer.from(`${'"'.repeat(200_000)}${','.repeat(200_000)}`));

	await expect(reading).rejects.toThrow('no column');
	expect(performance.now() - started).toBeLessThan(3_000);
});
