/**
 * The rows that wait for a person: held by a rule, which says why, or prepared, by this run or an earlier one.
 * Two rows can be one payment with one payable.
 */
function waitingOf(rows, results) {
	const payables = new Set();
	const waiting = [];
	for (const [index, row] of rows.entries()) {
		const result = results[index]?.json ?? {};
		const { payable_id: payable, amount_cents: cents } = result;
		const isRepeated = payable && payables.has(payable);
		const reason = waitsFor(result);
		if (reason !== undefined && !isRepeated) {
			payables.add(payable);
			waiting.push({ row, cents, reason, isHeld: result.status === 'held' });
		}
	}

	return waiting;
}

/** Why a person is asked about a result, empty for what is just prepared; undefined when no one is. */
function waitsFor({ status, reason, first_status: first }) {
	if (status === 'held') {
		return reason ?? '';
	}

	if (status === 'duplicate' && ['prepared', 'held', 'not_paid'].includes(first)) {
		return 'prepared by an earlier run';
	}

	return status === 'prepared' ? '' : undefined;
}

/** How many rows a message names at most. */
const MOST_NAMED = 10;

/**
 * The question about rows, those that are held first: what the message says, and what the form shows.
 * `others`: what the message says of rows that it does not name.
 */
function questionAbout(waiting, others = 'which the form shows') {
	const held = waiting.filter(({ isHeld }) => isHeld);
	const ordered = held.concat(waiting.filter(({ isHeld }) => !isHeld));
	const named = ordered
		.slice(0, MOST_NAMED)
		.map((one) => `• ${dollars(one.cents)} \`${textOf(one)}\``);
	if (ordered.length > named.length) {
		named.push(`• and ${ordered.length - named.length} more, ${others}`);
	}

	const values = waiting.map((one) => ({
		option: `Row ${one.row.row}: ${dollars(one.cents)} ${textOf(one)}`,
	}));
	const fields = [
		{ fieldLabel: 'Pay these', fieldType: 'checkbox', fieldOptions: { values } },
		{ fieldLabel: 'Your name', fieldType: 'text', requiredField: true },
	];

	return {
		count: waiting.length,
		total: dollars(waiting.reduce((sum, { cents }) => sum + cents, 0)),
		text: named.join('\n'),
		form: JSON.stringify(fields),
		rows: waiting.map(({ row }) => row),
	};
}

const textOf = ({ row, reason }) =>
	plain(`${row.email} ${row.reference}${reason === '' ? '' : `: ${reason}`}`, 250);

/** The rows whose options a person has checked, each with the name that they entered. */
function agreedOf(rows, answer = {}) {
	const checked = answer['Pay these'] ?? [];
	const numbers = new Set(checked.map((option) => /^Row (\d+):/.exec(option)?.[1]));
	const approved_by = answer['Your name'] ?? '';

	return rows.filter(({ row }) => numbers.has(String(row))).map((row) => ({ ...row, approved_by }));
}
