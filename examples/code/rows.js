/** What a row needs, by the names of its columns. */
const NEEDED = ['email', 'amount', 'invoice'];

/**
 * Names the cells of each row by the header, the first row that is not blank. Blank rows are left out.
 * Throws what is wrong with the header or with a row, so that nothing is read from a doubtful table.
 */
function nameCells(table, needed = NEEDED) {
	const [header, ...rows] = table.filter(({ cells }) => !cells.every(isBlank));
	if (header === undefined) {
		throw new Error('There is no row with the names of the columns');
	}

	const names = header.cells.map(nameOf);
	checkHeader(header.row, names, needed);

	return rows.map(({ row, cells }) => {
		const named = names.map((name, index) => [name, cells[index] ?? '']);

		return { ...Object.fromEntries(named.filter(([name]) => name !== '')), row };
	});
}

/** A name without case, spaces at its ends, and characters that no one sees. */
const nameOf = (cell) =>
	String(cell ?? '')
		.normalize('NFKC')
		.replace(/\p{Cf}/gu, '')
		.trim()
		.replace(/\s+/g, ' ')
		.toLowerCase();

function checkHeader(row, names, needed) {
	const seen = new Set();
	for (const name of names) {
		if (name !== '' && seen.has(name)) {
			throw new Error(`The header names the column "${name}" twice. Delete or rename one of them`);
		}

		seen.add(name);
	}

	const missing = needed.filter((name) => !seen.has(name));
	if (missing.length === 0) {
		return;
	}

	const found = names.filter((name) => name !== '');
	const inOne = found.length === 1 ? found[0].split(/[,;| ]+/) : [];
	if (needed.every((name) => inOne.includes(name))) {
		throw new Error(
			`Row ${row} has the names of all columns in one cell, ${found[0]}. Put commas between the cells, no quotation marks around a whole row, and no line such as sep=; above`,
		);
	}

	throw new Error(
		`The header, row ${row}, has no column ${missing.join(', ')}. It has ${found.join(', ')}. Delete rows above the names of the columns. Name the columns ${needed.join(', ')}`,
	);
}

/** What each row pays, and why it is not paid. A row with a problem has no reference, so it is refused. */
function checkRows(rows) {
	const counts = new Map();
	for (const row of rows) {
		counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
	}

	return rows.map((row) => {
		const problem = problemOf(row, counts.get(keyOf(row)));
		const email = typeof row.email === 'string' ? row.email.trim().toLowerCase() : row.email;
		const { amount, invoice, description = '' } = row;

		return {
			row: row.row,
			email,
			amount,
			invoice,
			description,
			invoice_date: dayOf(row.invoice_date ?? row['invoice date'] ?? ''),
			problem,
			reference: problem ? '' : invoice,
		};
	});
}

/** The first day of 2020 and the last one of 2035, as spreadsheets number them, from the end of 1899 on. */
const FIRST_DAY = 43_831;
const LAST_DAY = 49_674;

const isDay = (cell) => Number.isInteger(cell) && cell >= FIRST_DAY && cell <= LAST_DAY;

/** A day as YYYY-MM-DD, which is a number in a workbook. What is no day stays, for the node to refuse it by its row. */
const dayOf = (cell) =>
	isDay(cell)
		? new Date(Date.UTC(1899, 11, 30 + cell)).toISOString().slice(0, 10)
		: String(cell).trim();

const keyOf = ({ email, invoice }) =>
	JSON.stringify([String(email).trim().toLowerCase(), String(invoice).trim()]);

function problemOf(row, count) {
	const empty = NEEDED.filter((name) => isBlank(row[name]));
	if (empty.length > 0) {
		return `It has no ${empty.join(' and no ')}, or an error such as #N/A. Correct it, then try again.`;
	}

	if (typeof row.amount === 'string' && UNSEEN.test(row.amount)) {
		return 'The amount has a hidden character. Type it again in its cell, but do not delete the cell itself: others would move up. Then try again.';
	}

	if (/[\n\v\f\r\u0085\u2028\u2029]/.test(String(row.invoice).trim())) {
		return 'The invoice has a line break. Write it in one line, as it stands on the invoice. Then try again.';
	}

	if (count === 1) {
		return '';
	}

	if (isSpoiled(row.invoice)) {
		return 'The spreadsheet has spoiled these invoice numbers, so that several look the same. Correct the formula, or format the column as text and enter each number again from its invoice. Then try again.';
	}

	return 'More than one row has this vendor and this invoice, so none of them was paid now. Of rows that are there twice, keep one. Add up the lines of one invoice in one row. Then try again.';
}

const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Whether an invoice is an error such as #N/A, or a number that a spreadsheet has rounded. */
function isSpoiled(invoice) {
	if (typeof invoice === 'number') {
		return !Number.isFinite(invoice) || Math.abs(invoice) > Number.MAX_SAFE_INTEGER;
	}

	const text = String(invoice).trim();

	return (
		/^#[¡¿]?[\p{Lu}_]+(?:[/!?]|$)/u.test(text) ||
		/^\d+(?:[.,]\d+)?E\+\d+$/i.test(text) ||
		/^\d{15}0{2,}$/.test(text)
	);
}
