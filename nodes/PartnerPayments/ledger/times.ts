import { DAY_MS } from '../shared/dates';

/*
 * How long a run waits, and how long what the ledger says counts, in milliseconds. No payment is sent twice
 * because one of these is too short: then a payment is only unconfirmed, or blocked, for no good reason.
 */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** How long an answer to a funding may take to come: a row that is `sending` for longer is unconfirmed. */
export const SENDING_MS = 20 * MINUTE_MS;

/** A claim that took longer to begin is withdrawn, and begins again: its rows may soon count as unconfirmed. */
export const MAX_BEGINNING_MS = 5 * MINUTE_MS;

/** How long a run that prepares payments counts as alive after its last sign of life. */
export const PREPARING_MS = 5 * MINUTE_MS;

/** How often such a run gives a sign of life. */
export const RENEWAL_MS = 2 * MINUTE_MS;

/** How a run waits for others that work on the same payments. */
export interface Patience {
	/** How long, in milliseconds. */
	totalMs: number;
	/** The longest pause between two looks at the ledger, in milliseconds. */
	maxPauseMs: number;
}

export const PATIENCE: Patience = { totalMs: 10 * SECOND_MS, maxPauseMs: 250 };

/** How long a prepared payout waits for its next run before it needs attention. */
export const PREPARED_MS = DAY_MS;

/** Older rows cannot belong to this execution: an n8n with a rebuilt database uses execution numbers again. */
export const EXECUTION_MS = 30 * DAY_MS;

/** How long a project that has no ledger of its own is not asked again for one. */
export const NO_SECOND_LEDGER_MS = MINUTE_MS;

/** How long after a person has confirmed a table a node may use it in place of another one. */
export const CONFIRMED_MS = DAY_MS;
