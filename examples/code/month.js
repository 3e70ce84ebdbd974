/** What a month counts a payout as, by its status in the ledger. */
const GROUPS = {
	funded: 'Paid',
	paid: 'Paid',
	awaiting_deposit: 'Awaiting deposit',
	held: 'Held',
	void: 'Void',
	sending: 'In progress',
	preparing: 'In progress',
	prepared: 'Not sent',
	not_paid: 'Not sent',
	surplus: 'Not sent',
};

/** A cell of the CSV file that no spreadsheet takes for a formula. */
function cellOf(value) {
	const text = String(value ?? '').replace(/^[=+@\t\r-]/, "'$&");

	return `"${text.replaceAll('"', '""')}"`;
}

/** A payout of the ledger as a month has it. */
function payoutOf(json) {
	const cells = [
		json.created_at,
		json.payee,
		json.unique_reference,
		json.status,
		json.payable_id,
		json.funding_id,
		json.approved_by,
		json.amount_usd,
	];

	return {
		group: GROUPS[json.status] ?? 'Unconfirmed',
		payee: json.payee ?? '',
		sent: json.created_at,
		cents: json.amount_cents ?? 0,
		csv: cells.map(cellOf).join(','),
	};
}
