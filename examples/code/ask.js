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

/** So many rows a message has at most. The form has all of them. */
const MOST_NAMED = 10;

/** The question about rows, those that are held first: what the message says, and what the form shows. */
function questionAbout(waiting) {
	const held = waiting.filter(({ isHeld }) => isHeld);
	const ordered = held.concat(waiting.filter(({ isHeld }) => !isHeld));
	const named = ordered
		.slice(0, MOST_NAMED)
		.map((one) => `• ${dollars(one.cents)} \`${textOf(one)}\``);
	if (ordered.length > named.length) {
		named.push(`• and ${ordered.length - named.length} more, which the form shows`);
	}

	const values = waiting.map((one) => ({
		option: `Row ${one.row.row}: ${dollars(one.cents)} ${textOf(one)}`,
	}));
	const field = { fieldLabel: 'Pay these', fieldType: 'checkbox', fieldOptions: { values } };

	return {
		count: waiting.length,
		total: dollars(waiting.reduce((sum, { cents }) => sum + cents, 0)),
		text: named.join('\n'),
		all: ordered.map((one) => `• ${dollars(one.cents)} ${textOf(one)}`).join('\n'),
		form: JSON.stringify([field]),
		rows: waiting.map(({ row }) => row),
	};
}

const textOf = ({ row, reason }) =>
	plain(`${row.email} ${row.reference}${reason === '' ? '' : `: ${reason}`}`, 250);

/** The rows whose options a person has checked. */
function agreedOf(rows, checked) {
	const numbers = new Set(checked.map((option) => /^Row (\d+):/.exec(option)?.[1]));

	return rows.filter(({ row }) => numbers.has(String(row)));
}
