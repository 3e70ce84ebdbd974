import { where, type Condition, type Row } from '../table/rows';
import { PREPARED_MS } from '../times';
import { isSetAside, isUnconfirmed } from './rowStates';

/** Why a person should look at a payout. */
export type Attention =
	/** It may have been paid: its funding was sent, and no answer tells what became of it. */
	| 'unconfirmed'
	/** It may have been paid: what became of its funding was never written down. */
	| 'unrecorded'
	/** A rule held it. */
	| 'held'
	/** It has been ready for more than a day, and no run has paid it. */
	| 'prepared';

/** Why a row needs a person; undefined for one that needs none. */
export function attentionOf(row: Row): Attention | undefined {
	if (isUnconfirmed(row)) {
		// A run that learns what became of its funding writes another state.
		return row.state === 'sending' ? 'unrecorded' : 'unconfirmed';
	}
	if (!isSetAside(row)) {
		return undefined;
	}
	if (row.state === 'held') {
		return 'held';
	}
	const age = Date.now() - Date.parse(row.updatedAt);
	return age > PREPARED_MS ? 'prepared' : undefined;
}

/** The conditions of all rows that need attention. Most rows of a ledger are done, and are not read. */
export const mayNeedAttention = (): Condition[] => [
	where('state', 'neq', 'paid'),
	where('state', 'neq', 'funded'),
	where('state', 'neq', 'awaiting_deposit'),
	where('state', 'neq', 'void'),
];
