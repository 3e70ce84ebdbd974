/** The last row that is read, as a spreadsheet numbers them: a header and 10,000 rows. */
const LAST_ROW = 10_001;

/**
 * Reads an uploaded file into rows of cells. Each row keeps its number, as a spreadsheet shows it.
 * Throws what is wrong with the file, so that nothing is read from a file that is doubtful.
 *
 * @param bytes the file
 * @param sheet the rows that n8n found in a workbook
 */
function readFile(bytes, sheet) {
	if (bytes.length === 0) {
		throw new Error('The file is empty');
	}

	const table = isWorkbook(bytes) ? rowsOfSheet(sheet) : rowsOfText(decode(bytes));
	if (table.some(({ row, cells }) => row > LAST_ROW && !cells.every(isBlank))) {
		throw new Error('The file has more than 10,000 rows. Split it');
	}

	return table;
}

/** Whether these are the first bytes of xlsx, ods, or xls, or a mark of XML or HTML. */
function isWorkbook(bytes) {
	const start = bytes.subarray(0, 4).toString('latin1');
	if (start === 'PK\x03\x04' || start === '\xD0\xCF\x11\xE0') {
		return true;
	}

	const text = bytes.subarray(0, 200).toString('latin1').replaceAll('\x00', '');

	return /^(?:\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)?\s*<[?!a-z]/i.test(text);
}

function rowsOfSheet(sheet) {
	const { error } = sheet[0] ?? {};
	if (error !== undefined) {
		throw new Error(
			'The spreadsheet cannot be read: it is damaged, or has a password. Save it again without a password, or as CSV',
		);
	}

	const table = sheet.map(({ row }, index) => ({ row: index + 1, cells: row ?? [] }));
	checkDates(table);

	return table;
}

/** A spreadsheet takes the invoice Mar-26 for a date, and n8n reads that as a number of days. */
function checkDates(table) {
	const [header, ...rows] = table.filter(({ cells }) => !cells.every(isBlank));
	const column = header === undefined ? -1 : header.cells.map(nameOf).indexOf('invoice');
	const suspect = rows.find(({ cells }) => isDay(cells[column]));
	if (suspect === undefined) {
		return;
	}

	const invoice = suspect.cells[column];
	throw new Error(
		`Row ${suspect.row} has the invoice ${invoice}, which n8n also reads when the cell shows a date such as ${dayOf(invoice)}. Save the file as CSV, compare its invoices with the originals, then send that`,
	);
}

/** What Windows-1252 has from 0x80 to 0x9F. Five of them have no character, and stay as they are. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

/** Bytes that are one letter in UTF-8, and that hardly any text in Windows-1252 has beside each other. */
const LETTERS_OF_UTF_8 =
	/[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}/;

/** The text of a file in UTF-8, UTF-16, or Windows-1252. A mix of two is refused. */
function decode(bytes) {
	const wide = wideEncodingOf(bytes);
	if (wide !== undefined) {
		const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
		const ordered = wide === 'big' ? even.swap16() : even;

		return checked(ordered.toString('utf16le'));
	}

	const text = bytes.toString('utf8');
	if (Buffer.from(text, 'utf8').equals(bytes)) {
		return checked(text);
	}

	const single = bytes.toString('latin1');
	if (LETTERS_OF_UTF_8.test(single)) {
		throw new Error(
			'Some letters in the file are damaged. Export it again from where it comes from, as xlsx or "CSV UTF-8"',
		);
	}

	return checked(single.replace(/[\x80-\x9F]/g, (char) => WINDOWS_1252[char.charCodeAt(0) - 0x80]));
}

/** The order of the bytes of UTF-16: by its mark, or by the zeros beside the letters of the header. */
function wideEncodingOf(bytes) {
	const [first, second] = bytes;
	if (first === 0xff && second === 0xfe) {
		return 'little';
	}

	if (first === 0xfe && second === 0xff) {
		return 'big';
	}

	if (first !== 0 && second === 0) {
		return 'little';
	}

	return first === 0 && second !== 0 ? 'big' : undefined;
}

/** A text without the mark at its beginning. */
function checked(text) {
	// A file of text has no such characters, a picture or a PDF has.
	if (/[\x00-\x08\x0E-\x1F\x81\x8D\x8F\x90\x9D]/.test(text) || text.startsWith('%PDF')) {
		throw new Error(
			'The file is no table, or its letters are in an encoding that is not read. Save it as "CSV UTF-8" or as xlsx',
		);
	}

	return text.replace(/^\uFEFF/, '');
}

/** Rows of a text with commas, semicolons, or tabs, read strictly: a doubtful row refuses the file. */
function rowsOfText(text) {
	const named = /^"?sep=(.)"?[^\S\r\n]*(?:\r\n|\n|\r|$)/i.exec(text);
	const delimiter = named === null ? delimiterOf(text) : named[1];
	const table = splitRows(text.slice(named?.[0].length ?? 0), delimiter);
	const [header, ...rows] = table.filter(({ cells }) => !cells.every(isBlank));
	if (header === undefined) {
		return table;
	}

	// A line above the header makes each row look wrong.
	const names = header.cells.map(nameOf);
	checkHeader(header.row, names, NEEDED);
	const hasTextFirst = startsWithText(names);
	for (const { row, cells } of [header].concat(rows)) {
		checkBreaks(row, cells, delimiter, names);
		checkWidth(row, cells, names, hasTextFirst);
	}

	if (delimiter === ',') {
		checkAmounts(rows, names);
	}

	if (delimiter === ',' && hasTextFirst) {
		checkMoved(rows, names);
	}

	return table;
}

/** The delimiter that finds most of the columns in the first row, or else the most cells. */
function delimiterOf(text) {
	const header = text.split(/[\r\n]/).find((line) => /[^\s,;"]/.test(line)) ?? '';
	const outside = header.replace(/"([^"]*)"/g, (_, quoted) => quoted.replace(/[,;\t]/g, ' '));
	const found = [',', ';', '\t'].map((delimiter) => {
		const names = outside.split(delimiter).map(nameOf);
		const needed = NEEDED.filter((name) => names.includes(name)).length;

		return { delimiter, score: needed * outside.length + names.length };
	});
	const best = Math.max(...found.map(({ score }) => score));

	return found.find(({ score }) => score === best).delimiter;
}

function splitRows(text, delimiter) {
	const rows = [];
	let at = 0;
	while (at < text.length) {
		const { next, ...row } = splitRow(text, at, delimiter, rows.length + 1);
		rows.push(row);
		at = next;
	}

	return rows;
}

/** The row that starts here, and where the next one starts. */
function splitRow(text, start, delimiter, row) {
	const cells = [];
	let isQuoted = true;
	let at = start;
	for (;;) {
		isQuoted = isQuoted && text[at] === '"';
		const cell = text[at] === '"' ? quotedCell(text, at, row) : plainCell(text, at, delimiter, row);
		cells.push(cell.value);
		const mark = text[cell.end];
		if (mark === delimiter) {
			at = cell.end + 1;
			continue;
		}

		if (mark !== undefined && mark !== '\r' && mark !== '\n') {
			throw strayQuote(row);
		}

		const isPair = mark === '\r' && text[cell.end + 1] === '\n';

		return { row, cells, isQuoted, next: cell.end + (isPair ? 2 : 1) };
	}
}

function plainCell(text, start, delimiter, row) {
	let end = start;
	while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') {
		if (text[end] === '"') {
			throw text.slice(start, end).trim() === '=' ? formula(row) : strayQuote(row);
		}

		end += 1;
	}

	return { value: text.slice(start, end), end };
}

function quotedCell(text, start, row) {
	let end = text.indexOf('"', start + 1);
	while (end !== -1 && text[end + 1] === '"') {
		end = text.indexOf('"', end + 2);
	}

	if (end === -1) {
		throw strayQuote(row);
	}

	return { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
}

/** Two stray quotation marks can turn the rows between them into one cell. */
function checkBreaks(row, cells, delimiter, names) {
	const lines = cells
		.filter((cell) => /[\r\n]/.test(cell))
		.flatMap((cell) => cell.split(/[\r\n]+/));
	if (lines.some((line) => line.split(delimiter).length >= Math.max(names.length, 2))) {
		throw strayQuote(row);
	}
}

/** Whether a column such as a description stands before one that is needed: a comma in it moves what is paid. */
function startsWithText(names) {
	const needed = NEEDED.map((name) => names.indexOf(name));

	return names.some((name, index) => !NEEDED.includes(name) && index < Math.max(...needed));
}

/** A comma outside of quotation marks moves the cells behind it: another amount would be paid. */
function checkWidth(row, cells, names, hasTextFirst) {
	const isOutside = cells.some((cell, index) => !names[index] && !isBlank(cell));
	if (isOutside || (hasTextFirst && cells.length > names.length)) {
		throw new Error(
			`Row ${row} has a cell where the header has no name. Put a text with a comma in quotation marks, write amounts without one, and delete commas at the end of a row`,
		);
	}
}

/** A comma in a text can move a number of it to the amount, so that "Job, 3" pays $3.00. */
function checkMoved(rows, names) {
	const amount = names.indexOf('amount');
	const suspect = rows.find((row) => mayBeMoved(row, amount, names));
	if (suspect === undefined) {
		return;
	}

	const [first, second] = suspect.cells.slice(amount, amount + 2);
	throw new Error(
		`Row ${suspect.row} has ${first.trim()} as its amount and ${second.trim()} behind it, so a comma in a text may have moved them. Put a text with a comma in quotation marks, and write all amounts with two decimals`,
	);
}

/** Whether the amount of a row may stand in the next cell, with a number of a text in its place. */
function mayBeMoved({ cells, isQuoted }, amount, names) {
	const [first = '', second = ''] = cells.slice(amount, amount + 2).map((cell) => cell.trim());
	if (isQuoted || !/^\$?\d+$/.test(first)) {
		return false;
	}

	const isNeeded = NEEDED.includes(names[amount + 1]);

	return isNeeded ? /^\$?\d+\.\d\d$/.test(second) : /^\$?\d+(?:\.\d+)?$/.test(second);
}

/** A comma can cut an amount in two, so that 1,250 pays $1.00 for the invoice 250. */
function checkAmounts(rows, names) {
	const amount = names.indexOf('amount');
	const suspect = rows.find((row) => mayBeCut(row, amount));
	if (suspect === undefined) {
		return;
	}

	const [first, second] = suspect.cells.slice(amount, amount + 2);
	throw new Error(
		`Row ${suspect.row} has ${first.trim()} and ${second.trim()}, which may be one amount with a comma. Write all amounts without a comma and with two decimals, such as 1250.00`,
	);
}

/** Whether the cells of a row may be parts of 1,250.00 or 1250,50. A program that quotes all cells cuts none. */
function mayBeCut({ cells, isQuoted }, amount) {
	if (isQuoted) {
		return false;
	}

	const [first = '', second = ''] = cells.slice(amount, amount + 2).map((cell) => cell.trim());
	const isThousands = /^\$?\d{1,3}$/.test(first) && /^\d{1,3}(?:\.\d+)?$/.test(second);
	const isDecimal = /^\$?\d+$/.test(first) && /^\d{1,2}$/.test(second);

	return isThousands || isDecimal;
}

const formula = (row) =>
	new Error(`Row ${row} has a cell that starts with =". Write its value without = and ""`);

const strayQuote = (row) =>
	new Error(
		`Row ${row} has a stray quotation mark. Remove it, or put the whole cell in quotation marks and each mark inside it twice`,
	);
