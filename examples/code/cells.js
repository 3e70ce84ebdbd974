const isBlank = (cell) => String(cell ?? '').trim() === '';

/** Cents of an amount in dollars; undefined for one that cannot be read. */
function centsOf(amount) {
	const digits = /^\s*\$?(\d{1,9})(?:\.(\d{1,2}))?\s*$/.exec(String(amount));

	return digits === null ? undefined : Number(digits[1] + (digits[2] ?? '').padEnd(2, '0'));
}

const dollars = (cents) => `$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
