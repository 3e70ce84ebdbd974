/** An amount for a sentence: both as the minor units the API speaks and as people write it. */
export function describeAmount(amount: number): string {
	return `${amount} us_cents (${formatDollars(amount)})`;
}

/** US cents as dollars, for example 500000 as `$5,000.00`, on digits and never on fractions. */
export function formatDollars(amount: number | bigint): string {
	const isNegative = amount < 0;
	const sign = isNegative ? '-' : '';
	const digits = String(isNegative ? -amount : amount).padStart(3, '0');
	const units = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
	const cents = digits.slice(-2);
	return `${sign}$${units}.${cents}`;
}

/**
 * An amount that a person has written, for example `$1,234.5`, as US cents; undefined when it is no
 * positive amount in whole cents. On digits too: no fraction is ever rounded.
 */
export function parseDollars(text: string): bigint | undefined {
	const parts = /^\$?\s*(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/.exec(text.trim());
	if (parts === null) {
		return undefined;
	}

	const [, units = '', fraction = ''] = parts;
	const cents = BigInt(units.replaceAll(',', '') + fraction.padEnd(2, '0'));
	return cents > 0n ? cents : undefined;
}
