/** Payouts as rows, numbered, with the limits that hold for each. */
const rowsOf = (payouts, limits) =>
	payouts.map((payout, index) => ({
		...limits,
		row: index + 1,
		email: payout.payee,
		amount: payout.amount_usd,
		cents: payout.amount_cents,
		invoice: payout.unique_reference,
		reference: payout.unique_reference,
		invoice_date: payout.invoice_date ?? '',
		payable: payout.payable_id,
		since: payout.created_at,
		problem: '',
	}));

/** One address: a link that several people get could be answered by any of them. */
const ONE_ADDRESS = /^[^\s,;@<>"]+@[^\s,;@<>"]+$/;

/** What a yes does with a row of this preview: pays it, pays it where a person checks it too, or pays nothing of it. */
function judge(preview) {
	switch (preview.status) {
		case 'would_pay':
			return { kind: 'due', told: { status: 'prepared' } };
		case 'held':
			return { kind: 'offered', told: preview };
		case 'duplicate':
			// Resolved as paid, or paid a moment ago.
			return { kind: 'done', told: preview };
		default:
			return { kind: 'refused', told: preview };
	}
}

const YES = 'Pay';
const CHECKED = 'Pay these, too';

/** How many characters a form takes for a row: two unique references and two vendors fit in. */
const MOST_IN_FORM = 2_000;

/**
 * The question about rows: what the email says, and what the form shows and asks. Each row gets what is told of it
 * while it is not paid.
 *
 * @param balance what the wallet holds, in cents
 */
function questionOf(rows, previews, balance) {
	const judged = rows
		.map((row, index) => ({ ...row, ...judge(previews[index] ?? {}) }))
		.filter(({ kind }) => kind !== 'done');
	const of = (wanted) => judged.filter(({ kind }) => kind === wanted);
	const [due, offered, refused] = [of('due'), of('offered'), of('refused')];
	const isReadable = readableOf(offered.map(waitingFor), MOST_IN_FORM);
	const lines = new Map(
		[...isReadable].filter(({ line }) => line !== '').map(({ row, line }) => [row.row, line]),
	);

	return {
		can_ask: due.length + offered.length > 0,
		since: rows.map(({ since }) => since).sort()[0],
		subject: `Pay vendors: ${countOf(due)}?`,
		text: questionText(due, offered, refused, balance),
		form: JSON.stringify(fieldsOf(due, offered)),
		rows: judged.map((row) => ({ ...row, different_invoice: lines.get(row.row) ?? '' })),
	};
}

/** A row as `ask.js` names it. */
const waitingFor = ({ told, ...row }) => ({
	row,
	cents: row.cents,
	reason: told.reason ?? '',
	isHeld: true,
	line: told.different_invoice ?? '',
});

function questionText(due, offered, refused, balance) {
	const total = due.reduce((sum, { cents }) => sum + cents, 0);
	const lines = [`Prepared payouts: ${countOf(due)}. ${walletText(total, balance)}`, ''];
	const sums = vendorSums(due);
	for (const [vendor, { count, cents }] of sums.slice(0, MOST_NAMED)) {
		lines.push(`${plain(vendor, MOST_IN_MESSAGE)}: ${count} (${dollars(cents)})`);
	}

	if (sums.length > MOST_NAMED) {
		lines.push(`and ${sums.length - MOST_NAMED} more vendors, whom the form shows`);
	}

	if (offered.length > 0) {
		lines.push('', `Held: ${countOf(offered)}. The form says why, and asks about each.`);
	}

	if (refused.length > 0) {
		lines.push('', `Not possible: ${countOf(refused)}. You are told why at the end.`);
	}

	return lines.join('\n');
}

function walletText(total, balance) {
	if (typeof balance !== 'number') {
		return 'What the wallet holds is not known.';
	}

	const holds = `The wallet holds ${dollars(balance)}`;

	return balance < total
		? `${holds}, which is ${dollars(total - balance)} too little: top it up before you answer, or nothing is paid.`
		: `${holds}.`;
}

/** How many payouts each vendor has, and their sum: the highest first. */
const vendorSums = (rows) =>
	sumsBy(
		rows.map(({ email, cents }) => ({ email: String(email), cents: cents ?? 0 })),
		({ email }) => email,
	).sort(([, one], [, other]) => other.cents - one.cents);

/** What the form shows, and then asks: the held rows only where there are some. */
function fieldsOf(due, offered) {
	const values = offered.map(waitingFor).map((one) => ({
		option: `Row ${one.row.row}: ${dollars(one.cents)} ${textOf(one, MOST_IN_FORM)}`,
	}));
	const fields = [
		{ fieldType: 'html', html: tablesOf(due) },
		{
			fieldLabel: 'Your answer',
			fieldType: 'dropdown',
			fieldOptions: { values: [{ option: YES }, { option: 'Do not pay' }] },
			requiredField: true,
		},
	];
	if (values.length > 0) {
		fields.push({ fieldLabel: CHECKED, fieldType: 'checkbox', fieldOptions: { values } });
	}

	fields.push({ fieldLabel: 'Your name', fieldType: 'text', requiredField: true });

	return fields;
}

/** Tables for n8n's form, which shows no styles. n8n would read a dollar sign before some characters. */
function tablesOf(due) {
	const sums = vendorSums(due).map(([vendor, { count, cents }]) => [vendor, count, dollars(cents)]);
	const total = due.reduce((sum, { cents }) => sum + cents, 0);
	const each = due.map(({ row, email, invoice, cents, since }) => [
		row,
		email,
		invoice,
		dollars(cents),
		String(since).slice(0, 10),
	]);
	const byVendor = sums.concat([['Total', due.length, dollars(total)]]);
	const html = [
		'<h3>By vendor</h3>',
		plainTable(['Vendor', 'Payouts', 'Total'], byVendor),
		'<h3>Each payout</h3>',
		plainTable(['Row', 'Vendor', 'Invoice', 'Amount', 'Prepared'], each),
	].join('');

	return html.replaceAll('$', '&#36;');
}

function plainTable(names, rows) {
	const lineOfCells = (cells, tag) =>
		`<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
	const body = rows.map((cells) => lineOfCells(cells, 'td'));

	return `<table>${lineOfCells(names, 'th')}${body.join('')}</table>`;
}

/**
 * The rows with what is to be done after a yes: the node gets a reference only for what is paid as it was shown.
 * It judges what was sent or forbidden meanwhile.
 *
 * @param now the payouts that the ledger has now
 * @param approver the address of the person who was asked
 */
function afterYes(rows, answer, now, approver) {
	const checked = answer[CHECKED] ?? [];
	const numbers = new Set(checked.map((option) => /^Row (\d+):/.exec(option)?.[1]));
	const name = plain(String(answer['Your name']), 80);
	const approved_by = `${name} (by email to ${approver})`;
	const byReference = groupedBy(now, ({ unique_reference: reference }) => reference);

	return rows.map((row) => {
		const isMeant = row.kind === 'due' || (row.kind === 'offered' && numbers.has(String(row.row)));
		const told = isMeant ? changeOf(row, byReference.get(row.invoice) ?? []) : row.told;

		return { ...row, approved_by, reference: told === undefined ? row.invoice : '', told };
	});
}

/** The states in which the node pays nothing again. */
const SENT_OR_FORBIDDEN = ['funded', 'paid', 'awaiting_deposit', 'sending', 'unconfirmed', 'void'];

/**
 * What is told of a row that is no longer as it was shown; undefined while the node may judge it.
 *
 * @param ofInvoice what the ledger has under its reference now
 */
function changeOf(row, ofInvoice) {
	const same = ofInvoice.filter(
		({ payee, amount_cents: cents }) => payee === row.email && cents === row.cents,
	);
	const isAsShown = same.some(
		({ status, payable_id: payable }) => status === 'prepared' && payable === row.payable,
	);
	if (isAsShown || same.some(({ status }) => SENT_OR_FORBIDDEN.includes(status))) {
		return undefined;
	}

	const found = ofInvoice.map(
		({ payee, amount_usd: amount, status }) => `$${amount} to ${payee} (${status})`,
	);

	return {
		status: 'failed',
		error: `It has changed since the question: the ledger has ${found.join(', ') || 'nothing of it'}`,
		hint: 'The next run asks about what is prepared then.',
	};
}

/** The payouts that were prepared after the question, also those that took the place of a changed one. */
const addedTo = (rows, now) => {
	const shown = new Set(rows.map(({ payable }) => payable));

	return now.filter(
		({ status, payable_id: payable }) => status === 'prepared' && !shown.has(payable),
	);
};

/** Words of others in an email: shortened, on one line, without what a mail client makes a link of. */
const inMail = (text) => `"${plain(text, 800)}"`;

/**
 * The email about a run: what became of each row, by outcome and by vendor.
 *
 * @param results what the node says of the rows, as items
 */
function summaryOf(opening, rows, results, added) {
	const ends = rows.map((row, index) => endOf(row, results[index]?.json ?? {}, rows));
	const lines = [opening];
	if (rows.length > 0) {
		const told = report(rows, askedBy('The next run', results), inMail, 20);
		lines.push('', told, '', 'By vendor:', ...vendorLines(ends));
	}

	if (added.length > 0) {
		const named = rowsOf(added, {}).map(
			({ amount, email, invoice }) => `• $${amount} ${inMail(`${email} ${invoice}`)}`,
		);
		lines.push('', 'Prepared since the question, so the next run asks about it:', ...named);
	}

	const paid = ends.filter(({ status }) => status === 'funded');
	const subject = `Weekly payment run: paid ${countOf(paid)}`;
	const tables = outcomesOf(ends).map(([label, some]) =>
		tableOf(`${label}: by vendor`, vendorSums(some.map(({ row, cents }) => ({ ...row, cents })))),
	);

	return {
		subject,
		text: lines.join('\n'),
		html: pageOf(subject, lines.join('\n').split('\n'), tables),
	};
}

/** The outcomes that some rows have, each with these rows. */
const outcomesOf = (ends) =>
	OUTCOMES.map(({ status, label }) => [label, ends.filter((end) => end.status === status)]).filter(
		([, some]) => some.length > 0,
	);

const vendorLines = (ends) =>
	[...groupedBy(ends, ({ row }) => row.email)].map(([vendor, some]) => {
		const counts = outcomesOf(some).map(([label, alike]) => `${label} ${countOf(alike)}`);

		return `• ${plain(String(vendor), MOST_IN_MESSAGE)}: ${counts.join('; ')}`;
	});

const NOTHING_PREPARED = 'Nothing is prepared, so nothing was asked.';

/** Why nothing is paid: the run could not ask, or the answer was no, or there was none in time. */
function openingOf({ rows, can_ask }, answer) {
	if (rows.length === 0) {
		return NOTHING_PREPARED;
	}

	if (!can_ask) {
		return 'Nothing can be paid, so nothing was asked.';
	}

	if (answer === undefined) {
		return 'No answer came in time, so nothing was paid.';
	}

	if (answer['Your answer'] === YES) {
		return 'The answer had no name, so nothing was paid.';
	}

	return `The answer of ${inMail(String(answer['Your name'] ?? ''))} was not "${YES}", so nothing was paid.`;
}
