/** What can become of a row, in the order of the report. */
const OUTCOMES = [
	{ status: 'funded', label: 'Paid, or as soon as the vendor is verified' },
	{ status: 'awaiting_deposit', label: 'Paid when the deposit arrives' },
	{ status: 'duplicate', label: 'Paid before, nothing paid now' },
	{ status: 'prepared', label: 'Prepared, nothing paid yet' },
	{ status: 'held', label: 'Held, nothing paid' },
	{ status: 'unconfirmed', label: 'Unconfirmed' },
	{ status: 'failed', label: 'Not paid now' },
	{ status: 'unknown', label: 'Without a result: look into the ledger' },
];

/**
 * What became of the rows: each row counts in one line, and the lines add up to the first one. Below that,
 * each message stands once, with its rows.
 *
 * @param quote makes words of others harmless where the report is shown
 * @param most how many rows a message names
 */
function report(rows, results, quote, most) {
	const ends = rows.map((row, index) => endOf(row, results[index]?.json ?? {}, rows));
	const counts = OUTCOMES.map(({ status, label }) => ({
		label,
		some: ends.filter((end) => end.status === status),
	}))
		.filter(({ some }) => some.length > 0)
		.map(({ label, some }) => `${label}: ${countOf(some)}`);
	const lines = [`Rows: ${countOf(ends)}`, '', ...counts];
	if (ends.some(({ status }) => status === 'failed' || status === 'unknown')) {
		lines.push('', NOT_BY_HAND);
	}

	const byMessage = new Map();
	for (const end of ends.filter(({ message }) => message !== '')) {
		const some = byMessage.get(end.message) ?? [];
		some.push(end.row);
		byMessage.set(end.message, some);
	}

	for (const [message, some] of byMessage) {
		lines.push('', quote(message), ...namesOf(some, quote, most));
	}

	return lines.join('\n');
}

/** What a node says of a row. */
function endOf(row, result, rows) {
	const cents = result.amount_cents ?? centsOf(row.amount);
	if (row.problem !== '') {
		return { row, cents, status: 'failed', message: row.problem };
	}

	const status = statusOf(result);
	const isKnown = OUTCOMES.some((outcome) => outcome.status === status);
	const hint = result.hint ?? result.details?.hint ?? '';
	const message = result.error === undefined ? (result.reason ?? '') : `${result.error}. ${hint}`;

	return {
		row,
		cents,
		status: isKnown ? status : 'unknown',
		message: withRows(message.trim(), rows),
	};
}

/** A duplicate is paid, unless what was there before has not been paid yet. */
function statusOf({ status, first_status: first }) {
	if (status === 'duplicate' && ['awaiting_deposit', 'prepared'].includes(first)) {
		return first;
	}

	return ['not_sent', 'refused'].includes(status) ? 'failed' : status;
}

/** Why a file was refused, without the line of the Code node that n8n adds. */
const refusal = (error, quote) =>
	`Nothing was paid: ${quote(`${error.replace(/ \[line \d+.*\]$/, '')}.`)}`;

const NOT_BY_HAND =
	'Do not pay in another way what was not paid now. Correct it, and send it again: then you also see what was paid before.';

/** A message that counts the items of a node, with the rows of the file in their place. */
const withRows = (message, rows) =>
	message
		.replace(/ \[item \d+\]/g, '')
		.replace(/\bitem(s?) (\d+(?:(?:, and |, | and )\d+)*)/gi, (_, plural, numbers) => {
			const named = numbers.replace(/\d+/g, (index) => rows[Number(index)]?.row ?? index);

			return `row${plural} ${named}`;
		});

function countOf(some) {
	const known = some.map(({ cents }) => cents).filter((cents) => cents !== undefined);
	const total = dollars(known.reduce((sum, cents) => sum + cents, 0));
	const unread = some.length - known.length;

	return `${some.length} (${total}${unread > 0 ? `, without ${unread} that cannot be read` : ''})`;
}

/** The rows as a person finds them in the file. */
function namesOf(rows, quote, most) {
	const names = rows.slice(0, most).map(({ row, email, invoice, amount }) => {
		const number = isBlank(invoice) ? 'no invoice' : `invoice ${invoice}`;
		const cells = [
			isBlank(email) ? 'no email' : email,
			number,
			isBlank(amount) ? 'no amount' : amount,
		];

		return `• Row ${row}: ${cells.map((cell) => quote(String(cell))).join(', ')}`;
	});
	if (rows.length > most) {
		names.push(`• and ${rows.length - most} more`);
	}

	return names;
}
