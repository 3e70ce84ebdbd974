/** An amount for a sentence: both as the minor units the API speaks and as people write it. */
export function inWords(amount: number): string {
	return `${amount} us_cents (${dollars(amount)})`;
}

/** US cents as dollars, for example 500000 as `$5,000.00`, on digits and never on fractions. */
export function dollars(amount: number): string {
	const digits = String(Math.abs(amount)).padStart(3, '0');
	const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
	return `${amount < 0 ? '-' : ''}$${whole}.${digits.slice(-2)}`;
}
