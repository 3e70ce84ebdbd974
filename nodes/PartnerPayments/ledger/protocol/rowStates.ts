import { isDone, type KnownContent } from '../ledger';
import { STATES, type State } from '../states';
import type { Row } from '../table/rows';
import { PREPARING_MS, SENDING_MS } from '../times';

/*
 * What the state of a row means for its payment. Beside the state, its age and its IDs count.
 *
 * | state                     | live | paying | set aside | payable may be used again |
 * | ------------------------- | ---- | ------ | --------- | ------------------------- |
 * | preparing                 | no   | no     | no        | no                        |
 * | prepared, held            | no   | no     | yes       | yes                       |
 * | sending, unconfirmed      | yes  | yes    | no        | no                        |
 * | funded, awaiting_deposit  | yes  | yes    | no        | no                        |
 * | paid                      | yes  | yes    | no        | no                        |
 * | not_paid                  | no   | no     | no        | yes                       |
 * | void                      | yes  | no     | no        | no                        |
 * | surplus                   | no   | no     | no        | no                        |
 * | an unknown state          | yes  | yes    | no        | no                        |
 *
 * `sending` is unconfirmed after 20 minutes. A state that is not live is unconfirmed, and so live, where the row
 * has both the ID of a funding and a claim ID: an answer came after a person had resolved it.
 */

/** Whether a row was written less than so many milliseconds ago. A time that cannot be read is long ago. */
const isYoungerThan = ({ updatedAt }: Row, ms: number): boolean =>
	Date.now() - Date.parse(updatedAt) < ms;

/** Whether a run may still wait for the answer to a row's funding. */
export const isSending = (row: Row): boolean =>
	row.state === 'sending' && isYoungerThan(row, SENDING_MS);

/** Whether a run may still wait for the answer to the link of a deposit. */
export const isLinking = (row: Row): boolean =>
	row.state === 'awaiting_deposit' && row.deposit_id !== '' && isYoungerThan(row, SENDING_MS);

/** Whether a run is making the payment of a row ready. */
export const isPreparing = (row: Row): boolean =>
	row.state === 'preparing' && isYoungerThan(row, PREPARING_MS);

/** The states that say that no funding of a row was sent, or none was taken. */
const UNFUNDED_STATES = new Set<string>([
	'preparing',
	'prepared',
	'held',
	'not_paid',
	'surplus',
] satisfies State[]);

/**
 * Whether the result of a row's funding is unknown. A state that is none of the ledger's counts too, and
 * so does an answer that came after a person had resolved the row otherwise. A row without a claim waits for
 * no answer: a person has resolved it and knew its funding.
 */
export function isUnconfirmed(row: Row): boolean {
	if (row.state === 'sending') {
		return !isSending(row);
	}
	if (row.state === 'unconfirmed' || !STATES.some((state) => state === row.state)) {
		return true;
	}
	const isAnswered = row.funding_id !== '' && row.claim !== '';
	return isAnswered && UNFUNDED_STATES.has(row.state);
}

/**
 * Whether a person resolved a row as not paid, and its funding was known: that may still have the payable, and wait
 * for its deposit. A row with a claim has got its answer later, and is unconfirmed itself.
 */
export const isResolvedFunding = (row: Row): boolean =>
	row.state === 'not_paid' && row.funding_id !== '' && row.claim === '';

/**
 * Whether a row's funding was sent, and a person found that it was not paid. They may have been wrong: then only the
 * payable of this row keeps the service from paying it again.
 */
export const wasSentInVain = (row: Row): boolean =>
	row.state === 'not_paid' && (row.claim !== '' || row.funding_id !== '');

/** The state of a row as people see it. */
export const shownState = (row: Row): string => (isUnconfirmed(row) ? 'unconfirmed' : row.state);

/**
 * (3) Whether a row is live, so that it blocks its payment: money has moved, may have moved or may be moving, or a
 * person has forbidden it.
 */
export const isLive = (row: Row): boolean =>
	isUnconfirmed(row) || isDone(row) || row.state === 'sending' || row.state === 'void';

/** Whether the money of a row is spent, or may be. */
export const isPaying = (row: Row): boolean => isLive(row) && row.state !== 'void';

/** Whether a row sets a payment aside, with its payee and amount, for a later run or for a person. */
export const isSetAside = (row: Row): boolean =>
	!isLive(row) && (row.state === 'prepared' || row.state === 'held');

/** Whether a later run may use a row, with its payable if it has one: nothing was sent for it, or a person found that it was not taken. */
export const isReusable = (row: Row): boolean => isSetAside(row) || row.state === 'not_paid';

/** Whether a payout has stopped before it was done: it waits for a person or a later run. */
export const isUnfinished = (row: Row): boolean => isSetAside(row) || isUnconfirmed(row);

/** When a row's payment was paid, or written down. */
export const timeOf = (row: Row): string => row.paid_at || row.createdAt;

/** What a row says of its payment. */
export const contentOf = (row: Row): KnownContent => ({
	reference: row.reference,
	payee: row.payee,
	amount: row.amount_cents ?? 0,
	state: shownState(row),
	at: timeOf(row),
	hasPayable: row.payable_id !== '',
});
