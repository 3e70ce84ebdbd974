/** The approved rows, checked. If the sheet cannot be read, the error begins with what that means. */
function readApproved(values, consequence) {
	try {
		return checkRows(approvedOf(values));
	} catch ({ message }) {
		throw new Error(`${consequence}: ${message}`);
	}
}

/** The approved rows of a sheet, from the values that Google returns. */
function approvedOf(values = []) {
	if ((values[0] ?? []).every(isBlank)) {
		throw new Error('The first row of the sheet is blank. Put the names of the columns there');
	}

	const table = values.map((cells, index) => ({ row: index + 1, cells }));
	const rows = nameCells(table, [...NEEDED, 'status']);

	return rows.filter(({ status }) => status === 'Approved');
}

const STATUSES = {
	funded: 'Paid',
	duplicate: 'Paid',
	awaiting_deposit: 'Waits for its deposit',
	prepared: 'Prepared',
	held: 'Held',
	unconfirmed: 'Unconfirmed',
	failed: 'Not paid by this run',
	unknown: 'No result',
};

const NOTES = {
	duplicate: 'An earlier run paid it. Nothing was paid now.',
	awaiting_deposit: 'It is paid when its deposit is linked.',
	prepared: 'An earlier run prepared it. Nothing is paid yet.',
	unknown: 'Do not pay it in another way. Ask the person responsible for this workflow.',
};

/**
 * What to write into the sheet, whose rows can have moved since: a row is found by its vendor, invoice, and
 * amount. What was not sent stays approved.
 */
function statusesOf(rows, results, values) {
	const ends = rows.map((row, index) => {
		const result = results[index]?.json ?? {};

		return { ...endOf(row, result, rows), result };
	});
	const byCells = new Map(ends.map((end) => [cellsOf(end.row), end]));
	const nameIn = (name) => values[0].find((cell) => nameOf(cell) === nameOf(name)) ?? name;

	return readApproved(values, 'Vendors may have been paid, but the sheet does not show it')
		.filter((row) => byCells.has(cellsOf(row)))
		.map((row) => {
			const { status, message, hint, line, result } = byCells.get(cellsOf(row));
			const written = {
				row_number: row.row,
				[nameIn('Payable')]: result.payable_id ?? '',
				[nameIn('Note')]: noteOf(message, hint, line, status),
			};
			if (result.status !== 'not_sent') {
				written[nameIn('Status')] = STATUSES[status];
			}

			return written;
		});
}

const noteOf = (message, hint, line, status) => {
	const note = NOTES[status];
	if (note !== undefined) {
		return message === '' ? note : `${note} ${message}. ${hint}`;
	}

	switch (status) {
		case 'held':
			return `${message}. Do not pay it in another way. ${DECIDES} ${hint}${linesOf(line, hint)}${afterwards(hint)}`;
		case 'unconfirmed':
			return `${message} Show this to the person responsible for this workflow: ${hint}`;
		default:
			return `${message} ${hint}${afterwards(hint)}`.trim();
	}
};

/** The hint of several lines does not have them. */
const linesOf = (line, hint) =>
	line === '' || hint.includes(line) ? '' : ` Lines of different_invoice: ${line}.`;

/** How a row is paid after the decision. What starts by itself runs the published version. */
const afterwards = (hint) => {
	if (hint.includes('"Different Invoice"')) {
		return ' If you entered a line, publish the workflow. To run the row again, set Approved again.';
	}
	if (hint.includes('After a yes')) {
		return ' Pay it in a new workflow of the same n8n project, which a person starts: Approved does not pay it here.';
	}
	return /run (?:this |this one |it )again/i.test(hint) ? ' Then set Approved again.' : '';
};

const cellsOf = ({ email, invoice, amount }) => JSON.stringify([email, invoice, amount]);
