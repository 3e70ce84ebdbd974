import { codeOf, runCode } from './codeNodes';

const CODE = codeOf('monthly-batch-from-spreadsheet', 'Read the rows');

/** The rows that a file ends in. */
const read = async (file: Buffer) =>
	await runCode(CODE, { file, input: [{ error: 'no workbook' }] });

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
	[
		'a number behind an amount with two decimals',
		utf8('email,invoice,description,amount,tax', 'ana@example.com,INV-1,Videos,10.00,1.90'),
		2,
	],
	[
		'a description before the amount, and no last cell',
		utf8('email,invoice,description,amount,note', 'ana@example.com,INV-1,Videos,10.00'),
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

/** Rows whose amount a comma has cut in two, below email, amount, invoice, and description. */
const cutAmounts = [
	'ana@example.com,1,250,INV-1',
	'ana@example.com,2,50,INV-1',
	'ana@example.com,1,250.5,INV-1',
	'ana@example.com,1,250,000.00,INV-1',
];

/** The same below email, invoice, amount, and description. */
const cutDescriptions = ['ana@example.com,INV-1,1,250', 'ana@example.com,INV-1,2,50'];

/** A header, and a row in which a comma of the description has moved the amount. */
const movedAmounts: Array<[header: string, row: string]> = [
	['email,invoice,description,amount,note', 'ana@example.com,INV-1,Job, 3,1100.00,'],
	['email,invoice,description,amount,note', 'ana@example.com,INV-1,Job, 3,1100.00'],
	['email,invoice,description,amount,note', 'ana@example.com,INV-1,Job,3,1100'],
	['email,invoice,description,amount,note', 'ana@example.com,INV-1,Job, v2.50,1100.00,'],
	['email,invoice,description,amount,note', 'ana@example.com,INV-1,Job, 3.50,1100.00,'],
	['email,description,amount,invoice,note', 'ana@example.com,Job, 3,1100.00,INV-1'],
	['description,email,amount,invoice', 'Job, May,ana@example.com,10.00,INV-1'],
];

const PLAIN = 'email,amount,invoice';

/** Files in which a short number is plainly an invoice, and no part of an amount. */
const shortInvoices: Array<[name: string, file: Buffer, reference: string]> = [
	['two decimals', utf8(PLAIN, 'ana@example.com,100.00,42'), '42'],
	['quotation marks', utf8(`"email","amount","invoice"`, '"ana@example.com","100","42"'), '42'],
	['semicolons', utf8(PLAIN.replaceAll(',', ';'), 'ana@example.com;100;42'), '42'],
];

test.each(shortInvoices)('a short invoice number is read with %s', async (_, file, reference) => {
	const [row] = await read(file);

	expect(row).toMatchObject({ problem: '', reference });
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
	...cutAmounts.map((row): [string, Buffer, string] => [
		`an amount that a comma has cut: ${row}`,
		utf8(HEADER, row),
		'Row 2 ',
	]),
	...cutDescriptions.map((row): [string, Buffer, string] => [
		`an amount that a comma has cut before the description: ${row}`,
		utf8('email,invoice,amount,description', row),
		'Row 2 ',
	]),
	[
		'an amount that a comma has cut, where other rows have fewer cells',
		utf8(HEADER, 'ben@example.com,20.00,INV-2', 'ana@example.com,1,250,INV-1'),
		'Row 3 has 1 and 250, which may be one amount',
	],
	[
		'an amount that a comma may have cut, where other rows have as many cells',
		utf8(HEADER, 'ana@example.com,31.25,M-4100,x', 'ben@example.com,12,50,M-40'),
		'Row 3 has 12 and 50, which may be one amount',
	],
	[
		'an amount that a comma has cut, where other rows have more or fewer cells',
		utf8(HEADER, ROW, 'ben@example.com,20.00,INV-2', 'ana@example.com,1,250,INV-3'),
		'Row 4 ',
	],
	[
		'an amount with cents behind a comma',
		utf8(HEADER, 'ana@example.com,1250,50,INV-1'),
		'Row 2 has 1250 and 50, ',
	],
	...movedAmounts.map(([header, row]): [string, Buffer, string] => [
		`an amount that a comma in a text has moved: ${row}`,
		utf8(header, row),
		'Row 2 has ',
	]),
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
	[
		'a line above its header',
		utf8('# export', HEADER, ROW),
		'row 1, has no column email, amount, invoice. It has # export. Delete rows above',
	],
	[
		'sep=; below a blank line',
		utf8('', 'sep=;', HEADER.replaceAll(',', ';'), ROW.replaceAll(',', ';')),
		'row 2, has no column email, amount, invoice. It has sep=. Delete rows above',
	],
	[
		'quotation marks around whole rows',
		utf8(`"${PLAIN}"`, '"ana@example.com,10.00,INV-1"'),
		'Row 1 has the names of all columns in one cell',
	],
	['sep=; over commas', utf8('sep=;', PLAIN, ROW), 'the names of all columns in one cell'],
	['pipes', utf8(PLAIN.replaceAll(',', '|'), ROW.replaceAll(',', '|')), 'in one cell'],
	[
		'a formula for a text',
		utf8(PLAIN, 'ana@example.com,10.00,="1042"'),
		'Row 2 has a cell that starts with ="',
	],
	[
		'letters of MS-DOS',
		Buffer.from(`${PLAIN}\nana@example.com,10.00,M\x81ller`, 'latin1'),
		'Save it as "CSV UTF-8"',
	],
	['Ctrl-Z at its end', utf8(PLAIN, ROW, '\x1a'), 'Save it as "CSV UTF-8"'],
	[
		'letters in UTF-8 and one in Windows-1252',
		Buffer.concat([
			utf8(PLAIN, 'ana@example.com,10.00,Ä-1', 'ben@example.com,20.00,'),
			Buffer.from('\xC4-2', 'latin1'),
		]),
		'letters in the file are damaged',
	],
	['a workbook that n8n cannot read', Buffer.from('PK\x03\x04 damaged'), 'damaged'],
	['a workbook with a password', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'password'],
];

test.each(refused)('a file with %s is refused: nothing of it is paid', async (_, file, reason) => {
	await expect(read(file)).rejects.toThrow(reason);
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
