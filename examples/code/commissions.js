/** A month as Settings has it: another text would be read as other days, and paid under another reference. */
const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

const SECONDS_OF_DAY = 86_400;

/** The month that is paid, and what its hold adds to both ends, in seconds. */
function periodOf({ month, hold_days }) {
	const [, year, number] = MONTH.exec(month) ?? [];
	if (year === undefined) {
		throw new Error(
			'Nothing was paid. "month" in Settings must be like 2026-10. For a missed month, enter it, and run this once by hand. Then enter the expression of the template\'s page again, and publish: a fixed month pays no later one.',
		);
	}

	const start = Date.UTC(Number(year), Number(number) - 1) / 1000;
	const end = Date.UTC(Number(year), Number(number)) / 1000;
	const hold = hold_days * SECONDS_OF_DAY;

	return { start, end, hold_start: start + hold, hold_end: end + hold };
}

const affiliateOf = (name) =>
	String(name ?? '')
		.trim()
		.toUpperCase();

/** The list of affiliates with their names in capitals, as charges are compared with them. */
function affiliatesOf({ affiliates }) {
	const named = Object.entries(affiliates).map(([name, email]) => [affiliateOf(name), email]);
	const names = named.map(([name]) => name);
	const twice = names.find((name, index) => names.indexOf(name) < index);
	if (twice !== undefined) {
		throw new Error(`Nothing was paid. "affiliates" in Settings has ${twice} twice`);
	}

	return Object.fromEntries(named);
}

/** What each affiliate of a list earns from charges, less refunds. Amounts in cents. */
function commissionsOf(charges, refunds, period, settings) {
	const sums = new Map();
	const add = (metadata, cents) => {
		const affiliate = affiliateOf(metadata?.affiliate);
		sums.set(affiliate, (sums.get(affiliate) ?? 0) + cents);
	};

	for (const charge of charges) {
		add(charge.metadata, earnedBy(charge));
	}

	for (const refund of refunds) {
		add(refund.charge?.metadata, -takenBy(refund, period));
	}

	const { commission_percent, month } = settings;
	const commissions = Object.entries(affiliatesOf(settings)).map(([affiliate, email]) => {
		const cents = Math.round(((sums.get(affiliate) ?? 0) * commission_percent) / 100);
		const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

		return { affiliate, email, cents, amount, reference: `Commission ${month} ${affiliate}` };
	});

	return commissions.filter(({ cents }) => cents > 0);
}

function earnedBy({ status, captured, disputed, currency, amount_captured: amount }) {
	const isEarned = status === 'succeeded' && captured && !disputed && currency === 'usd';

	return isEarned ? amount : 0;
}

/** A refund counts in the month of its charge until the hold is over, then in the month of the refund. */
function takenBy({ status, currency, amount, created, charge }, { start, end, hold_start }) {
	if (['failed', 'canceled'].includes(status) || currency !== 'usd') {
		return 0;
	}

	if (charge?.created >= start) {
		return charge.created < end && !charge.disputed ? amount : 0;
	}

	return created >= hold_start ? amount : 0;
}
