/** What each affiliate of a list earns from charges, less refunds. Amounts in cents. */
function commissionsOf(charges, refunds, period, settings) {
	const sums = new Map();
	const add = (metadata, cents) => {
		const affiliate = String(metadata?.affiliate ?? '')
			.trim()
			.toUpperCase();
		sums.set(affiliate, (sums.get(affiliate) ?? 0) + cents);
	};

	for (const charge of charges) {
		add(charge.metadata, earnedBy(charge));
	}

	for (const refund of refunds) {
		add(refund.charge?.metadata, -takenBy(refund, period));
	}

	const { affiliates, commission_percent, month } = settings;
	const commissions = Object.entries(affiliates).map(([affiliate, email]) => {
		const cents = Math.round(((sums.get(affiliate) ?? 0) * commission_percent) / 100);
		const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

		return { affiliate, email, cents, amount, reference: `Commission ${month} ${affiliate}` };
	});

	return commissions.filter(({ email, cents }) => email !== '' && cents > 0);
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
