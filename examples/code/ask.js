/** The rows that wait for a person: prepared, or held by a rule, which says why. */
function waitingOf(rows, results) {
	const pairs = rows.map((row, index) => ({ row, result: results[index]?.json ?? {} }));

	return pairs
		.filter(({ result }) => ['prepared', 'held'].includes(result.status))
		.map(({ row, result }) => ({ row, cents: result.amount_cents, reason: result.reason ?? '' }));
}

/** The question about rows: what the message says, and what the form lets a person check. */
function questionAbout(waiting) {
	const named = waiting.slice(0, 10).map((one) => `• ${dollars(one.cents)} \`${textOf(one)}\``);
	if (waiting.length > named.length) {
		named.push(`• and ${waiting.length - named.length} more`);
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
	plain(`${row.email} ${row.reference}${reason === '' ? '' : `: ${reason}`}`);

/** The rows whose options a person has checked, each with the name that they entered. */
function agreedOf(rows, answer = {}) {
	const checked = answer['Pay these'] ?? [];
	const numbers = new Set(checked.map((option) => /^Row (\d+):/.exec(option)?.[1]));
	const approved_by = answer['Your name'] ?? '';

	return rows.filter(({ row }) => numbers.has(String(row))).map((row) => ({ ...row, approved_by }));
}
