/** What the tool of an agent has answered last, as a person reads it. */
function toolAnswer(steps) {
	if (steps.length === 0) {
		return 'The agent has not called its tool';
	}

	const { error, reason, status, first_status: first } = answerIn(steps.at(-1).observation);
	if (error !== undefined) {
		// What comes after the item is meant for the agent.
		return error.replace(/ \[item \d+\][^]*$/, '');
	}

	return reason ?? (status === 'duplicate' ? `Sent before, and its status is ${first}` : status);
}

/** The item that a tool has put out; its words as an error if there is none. */
function answerIn(observation) {
	try {
		const [item] = JSON.parse(observation);

		return item ?? { error: 'The tool has put out nothing' };
	} catch {
		return { error: String(observation) };
	}
}

/**
 * The payout of an invoice that waits: that of this run, else the only one. A second vendor's invoice may have its
 * number, and one payout may have two rows, as prepared and as held.
 */
function payoutOf(payouts, number, execution) {
	const named = payouts.filter(({ unique_reference: reference }) => reference === number);
	const [first = {}] = named;
	const isOne = named.every(
		({ payee, amount_cents: cents }) => payee === first.payee && cents === first.amount_cents,
	);

	return named.find((one) => one.execution === execution) ?? (isOne ? first : {});
}
