const isBlank = (cell) => String(cell ?? '').trim() === '';

/** Cents of an amount in dollars; undefined for one that cannot be read. */
function centsOf(amount) {
	const digits = /^\s*\$?(\d{1,9})(?:\.(\d{1,2}))?\s*$/.exec(String(amount));

	return digits === null ? undefined : Number(digits[1] + (digits[2] ?? '').padEnd(2, '0'));
}

/** With commas between thousands. */
function dollars(cents) {
	const whole = Math.floor(cents / 100).toLocaleString('en-US');

	return `$${whole}.${String(cents % 100).padStart(2, '0')}`;
}
