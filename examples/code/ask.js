/**
 * The rows that wait for a person: held by a rule, which says why, or prepared, by this run or an earlier one, or
 * to be paid as a preview says. Two rows can be one payment with one payable.
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
			const isHeld = result.status === 'held';
			const line = isHeld ? (result.different_invoice ?? '') : '';
			const isDuplicate = isHeld && reason.startsWith('Possible duplicate');
			// One without a line may have been paid already, and a yes does not pay it.
			const warning = isDuplicate && line === '' ? (result.hint ?? '') : '';
			waiting.push({ row, cents, reason, isHeld, line, warning });
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

	return ['prepared', 'would_pay'].includes(status) ? '' : undefined;
}

/** How many rows a message names at most, how many characters it takes for all of them, and for one at least. */
const MOST_NAMED = 10;
const MOST_IN_QUESTION = 2_200;
const MOST_IN_MESSAGE = 220;

/**
 * The question about rows, possible duplicates first, then others that are held. Only a row whose reason a person
 * can read as a whole keeps the line that lets it pass by the invoice that it may repeat.
 *
 * @param others what the message says of rows that it does not name
 */
function questionAbout(waiting, others) {
	const duplicates = waiting.filter(({ line }) => line !== '');
	const held = waiting.filter(({ isHeld, line }) => isHeld && line === '');
	const ordered = duplicates.concat(
		held,
		waiting.filter(({ isHeld }) => !isHeld),
	);
	const named = ordered.slice(0, MOST_NAMED);
	const most = Math.floor(MOST_IN_QUESTION / named.length);
	const lines = named.map(
		(one) => `• ${dollars(one.cents)} \`${textOf(one, most)}\`${warningOf(one)}`,
	);
	if (ordered.length > named.length) {
		lines.push(`• and ${ordered.length - named.length} more, ${others}`);
	}

	const isRead = readableOf(named, most);

	return {
		count: waiting.length,
		total: dollars(waiting.reduce((sum, { cents }) => sum + cents, 0)),
		text: lines.join('\n'),
		rows: waiting.map((one) => ({
			...one.row,
			different_invoice: isRead.has(one) ? one.line : '',
		})),
	};
}

/** The rows of those shown whose text is not cut. */
const readableOf = (shown, most) =>
	new Set(shown.filter((one) => textOf(one, most) === textOf(one, Infinity)));

const textOf = ({ row, reason }, most) =>
	plain(`${row.email} ${row.reference}${reason === '' ? '' : `: ${reason}`}`, most);

const warningOf = ({ warning }) => (warning === '' ? '' : `. ${warning}`);
