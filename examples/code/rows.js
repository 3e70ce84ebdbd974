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
	checkHeader(names, needed);

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

function checkHeader(names, needed) {
	const seen = new Set();
	for (const name of names) {
		if (name !== '' && seen.has(name)) {
			throw new Error(`The header names the column "${name}" twice. Delete or rename one of them`);
		}

		seen.add(name);
	}

	const missing = needed.filter((name) => !seen.has(name));
	if (missing.length > 0) {
		const found = names.filter((name) => name !== '').join(', ');
		throw new Error(
			`The header has no column ${missing.join(', ')}. It has ${found}. Name the columns ${needed.join(', ')}`,
		);
	}
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
			problem,
			reference: problem ? '' : invoice,
		};
	});
}

const keyOf = ({ email, invoice }) =>
	JSON.stringify([String(email).trim().toLowerCase(), String(invoice).trim()]);

function problemOf(row, count) {
	const empty = NEEDED.filter((name) => isBlank(row[name]));
	if (empty.length > 0) {
		return `It has no ${empty.join(' and no ')}, or an error such as #N/A. Correct it, then try again.`;
	}

	if (count === 1) {
		return '';
	}

	return 'More than one row has this vendor and this invoice, so none of them was paid now. Delete rows that are there twice. Add up the lines of one invoice in one row. Then try again.';
}
