import { aboveMaxAmount } from '../../execution/safeguards';
import { InputError } from '../../shared/errors';
import { joinNames, nameItems } from '../../shared/lists';
import { dollarText, sum } from '../../shared/money';
import type { Payout } from './payout';

/** Why a run may not be sent as a whole. */
export type Breach =
	/** Some payouts are above the limit of each. */
	| { kind: 'amounts'; errors: Map<Payout, InputError> }
	/** All together are above the limit of a run. */
	| { kind: 'total'; error: InputError };

/**
 * The limits that payouts exceed, before anything is asked of the service.
 *
 * @param payouts one for each payment: items that are one payment count once
 */
export function breachOf(payouts: Payout[]): Breach | undefined {
	const errors = new Map<Payout, InputError>();
	for (const payout of payouts) {
		const { maxAmount, payment } = payout.request;
		const error = aboveMaxAmount(maxAmount, payment.amount);
		if (error !== undefined) {
			errors.set(payout, error);
		}
	}
	if (errors.size > 0) {
		return { kind: 'amounts', errors };
	}

	const total = sum(payouts.map(({ request }) => request.payment.amount));
	const limit = Math.min(...payouts.map(({ request }) => request.rules.maxTotal));
	if (total <= limit) {
		return undefined;
	}
	const error = new InputError(
		`The payouts add up to ${dollarText(total)}, above "Limit: Maximum Total", ${dollarText(limit)}`,
		'Correct the amounts, or ask the person responsible for this workflow to raise the limit.',
	);
	return { kind: 'total', error };
}

/** Ends all payouts of a run that exceeds a limit; returns what to tell people, once for the run. */
export function endAboveLimit(payouts: Payout[], breach: Breach): string {
	if (breach.kind === 'total') {
		for (const payout of payouts) {
			payout.end('not_sent', breach.error);
		}
		return `${breach.error.message}.`;
	}

	const { errors } = breach;
	const reasons = [...errors].map(
		([{ item, payment }, { message }]) => `item ${item.index} ("${payment.reference}"): ${message}`,
	);
	const indices = [...errors.keys()].map(({ item }) => item.index);
	for (const payout of payouts) {
		const error = errors.get(payout);
		if (error !== undefined) {
			payout.end('failed', error);
		} else {
			payout.end('not_sent', notAloneError(indices));
		}
	}
	return `Above a limit: ${joinNames(reasons)}.`;
}

/** The error for payouts of a run that are not above a limit themselves. */
function notAloneError(indices: number[]): InputError {
	const items = nameItems(indices);
	const reason = `${items} ${indices.length === 1 ? 'is' : 'are'} above a limit, and a run is sent as a whole`;
	return new InputError(
		`Nothing was sent for this payout: ${reason}`,
		`First correct or leave out ${items}. Then run it again with the same unique references.`,
	);
}
