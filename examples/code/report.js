/** What can become of a row, in the order of the report. */
const OUTCOMES = [
	{ status: 'funded', label: 'Paid (a new vendor gets it once verified)' },
	{ status: 'awaiting_deposit', label: 'Waits for its deposit, paid when that is linked' },
	{ status: 'duplicate', label: 'Paid before, nothing paid now' },
	{ status: 'prepared', label: 'Prepared, nothing paid yet' },
	{ status: 'would_pay', label: 'Waits for a yes, nothing paid yet' },
	{ status: 'held', label: 'Held, nothing paid' },
	{ status: 'unconfirmed', label: 'Unconfirmed, may have been paid' },
	{ status: 'failed', label: 'Not paid by this run' },
	{ status: 'unknown', label: 'No result from the node, ask before anything is paid' },
];

/**
 * What became of the rows: each row counts in one line, and the lines add up to the first one. Below that,
 * each message stands once, with its rows. What a run did not send comes last, since another row is the cause.
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
	const asked = ends.find(({ isAsked }) => isAsked);
	if (asked !== undefined) {
		lines.push('', `${asked.asker} asks about what is held. ${ANSWER_THERE}`);
	}

	for (const { isFor, advice } of ADVICE) {
		if (ends.some(isFor)) {
			lines.push('', advice);
		}
	}

	const told = ends.filter(({ message }) => message !== '');
	const causes = told.filter(({ isNotSent }) => !isNotSent);
	const byText = new Map();
	for (const end of causes.concat(told.filter(({ isNotSent }) => isNotSent))) {
		const text = textOfEnd(end, quote);
		const some = byText.get(text) ?? [];
		some.push(end);
		byText.set(text, some);
	}

	for (const [text, some] of byText) {
		lines.push('', text, ...namesOf(some, quote, most));
	}

	return lines.join('\n');
}

/** What a node says of a row: what happened, and what to do. */
function endOf(row, result, rows) {
	const cents = result.amount_cents ?? centsOf(row.amount);
	if (row.problem !== '') {
		return { row, cents, status: 'failed', message: row.problem, hint: '', line: '' };
	}

	const status = statusOf(result);
	const isKnown = OUTCOMES.some((outcome) => outcome.status === status);
	const isAsked = status === 'held' && isAnswerable(result);
	const hint = isAsked ? '' : (result.hint ?? result.details?.hint ?? '');
	const message = result.error === undefined ? (result.reason ?? '') : `${result.error}.`;

	return {
		row,
		cents,
		status: isKnown ? status : 'unknown',
		isNotSent: result.status === 'not_sent',
		isAsked,
		asker: result.asker ?? '',
		line: status === 'held' && !isAsked ? (result.different_invoice ?? '') : '',
		message: withRows(message, rows),
		hint: withRows(hint, rows),
	};
}

/**
 * What is unconfirmed has one hint for all, since each of its own names another payable. So has what was not sent
 * where its hint names its reference.
 */
function textOfEnd({ row, status, isNotSent, message, hint }, quote) {
	const isHeld = status === 'held' && hint !== '';
	const texts = [quoted(isHeld ? `${message}.` : message, quote)];
	if (isHeld) {
		texts.push(DECIDES, quoted(hint, quote));
	} else if (isNotSent && hint.includes(`"${String(row.reference).trim()}"`)) {
		texts.push(quoted(SEND_AGAIN, quote));
	} else if (status !== 'unconfirmed') {
		texts.push(quoted(hint, quote));
	}

	return texts.filter((text) => text !== '').join(' ');
}

const quoted = (text, quote) => (text === '' ? '' : quote(text));

/** Only they have the node that the hint of a held payout speaks of. */
const DECIDES = 'The person responsible for this workflow decides:';

const SEND_AGAIN = 'Send it again with the same invoice number. It is paid once.';

/** A duplicate is paid, unless what was there before has not been paid yet. */
function statusOf({ status, first_status: first }) {
	if (status === 'duplicate' && first === 'awaiting_deposit') {
		return first;
	}

	if (status === 'duplicate' && ['prepared', 'held', 'not_paid'].includes(first)) {
		return 'prepared';
	}

	return ['not_sent', 'refused'].includes(status) ? 'failed' : status;
}

/** Why a file was refused, without the line of the Code node that n8n adds. */
const refusal = (error, quote) =>
	`Nothing was paid: ${quote(`${error.replace(/ \[line \d+.*\]$/, '')}.`)}`;

/**
 * The results of a node as a template has them that asks about what is held.
 *
 * @param asker what asks next, such as a batch that is posted again
 */
const askedBy = (asker, results) => results.map(({ json }) => ({ json: { ...json, asker } }));

/** Whether a template asks about what is held so that a yes pays it. No yes pays what may have been paid already. */
const isAnswerable = ({ asker, reason, different_invoice: line = '' }) =>
	asker !== undefined && (line !== '' || !reason?.startsWith('Possible duplicate'));

const ANSWER_THERE = 'Answer there; no line and no second node are needed.';

/** What a person does next, by how rows have ended. */
const ADVICE = [
	{
		isFor: ({ line }) => line !== '',
		advice:
			'Compare each possible duplicate with the invoice that it names, before anyone enters its line.',
	},
	{
		// What starts by itself runs the published version.
		isFor: ({ hint, asker }) => hint.includes('"Different Invoice"') && asker === '',
		advice:
			'After a line was entered as "Different Invoice", publish the workflow, then send it again.',
	},
	{
		isFor: ({ hint, asker }) => hint.includes('"Different Invoice"') && asker !== '',
		advice:
			'Compare first: most are one invoice. Only if the message below says so, enter its line. Do that in another workflow of this n8n project, such as pay-a-vendor, with the same workspace, vendor, amount, and invoice number. Here, "Different Invoice" must stay an expression.',
	},
	{
		isFor: ({ status }) => status === 'unconfirmed',
		advice:
			'Do not pay in another way what is unconfirmed, whatever you find. The person responsible for this workflow searches the service for a funding with the invoice in its description, such as [INV-1042], and with the payable that the ledger has for it. Was it canceled, or resolved as "Not Paid"? Then they transfer nothing, and ask the operator of the service. Found: if its method is Invoice, they transfer the whole total of that funding once, unless someone has, and link the deposit. Then they use "Resolve" of "Payout" as "Paid". Not found proves nothing: they ask the operator of the service.',
	},
	{
		isFor: ({ status }) => status === 'unknown',
		advice:
			'Do not pay in another way what has no result. Ask the person responsible for this workflow.',
	},
	{
		isFor: ({ status }) => status === 'failed',
		advice:
			'Do not pay in another way what was not paid by this run, unless its message says so. Correct what each message names. Never change an invoice number that is right. Then send it again: nothing is paid twice.',
	},
];

/** Names in quotation marks, the end that names one item, and what names items, without how many more there are. */
const QUOTED_OR_ITEMS =
	/"[^"]*"| \[item \d+\](?=\.?$)|\bitem(s?) (\d+(?!\d| more)(?:(?:, and |, | and )\d+(?!\d| more))*)/gi;

/** A message that counts the items of a node, with the rows of the file in their place. */
const withRows = (message, rows) =>
	message.replace(QUOTED_OR_ITEMS, (found, plural, numbers) => {
		if (numbers === undefined) {
			return found.startsWith('"') ? found : '';
		}

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
function namesOf(ends, quote, most) {
	const names = ends.slice(0, most).flatMap(({ row, line }) => {
		const { email, invoice, amount } = row;
		const number = isBlank(invoice) ? 'no invoice' : `invoice ${invoice}`;
		const cells = [
			isBlank(email) ? 'no email' : email,
			number,
			isBlank(amount) ? 'no amount' : amount,
		];
		const name = `• Row ${row.row}: ${cells.map((cell) => quote(String(cell))).join(', ')}`;

		return line === '' ? [name] : [name, `If it is another invoice, enter: ${quote(line)}`];
	});
	if (ends.length > most) {
		names.push(`• and ${ends.length - most} more`);
	}

	return names;
}
