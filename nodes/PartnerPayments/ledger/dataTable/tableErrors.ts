import { LedgerError } from '../ledger';
import { KEEP_TABLE, RESTORE_TABLE } from './apiErrors';

const SAME_KEY = 'Use an API key of the same user as before, or choose the table from the list.';

/** The error for a table that is chosen by its id. */
export const hiddenError = (): LedgerError =>
	new LedgerError(
		'The Data Table of the payout ledger does not exist, or the user of the API key may not see it',
		`See to it that the user of the key may open the table. If it was deleted: ${RESTORE_TABLE}`,
	);

/**
 * The error for a name that has stood for a table, and stands for none now.
 *
 * @param others the names of other ledgers
 */
export const goneError = (name: string, others: string[]): LedgerError =>
	new LedgerError(
		`The Data Table "${name}", which this node has used before, is not to be found`,
		[
			'It was renamed, moved or deleted, or the API key is now that of a user who may not see it. Unpublish (deactivate) the workflows that pay with it before one of them runs again.',
			others.length === 0 ? SAME_KEY : `${renamed(others)} Otherwise: ${SAME_KEY}`,
			`If it was deleted: ${RESTORE_TABLE}`,
			'Only where nothing was ever paid with it, begin anew with a name that was never used.',
		].join(' '),
	);

/** The error for a name that stands for no table, where there are ledgers of other names. */
export const otherLedgerError = (name: string, others: string[]): LedgerError =>
	new LedgerError(
		`The Data Table "${name}" does not exist, but ${listed(others)} has the columns of a payout ledger`,
		`${renamed(others)} ${KEEP_TABLE} A second ledger is made by hand and chosen from the list. The documentation says how.`,
	);

/** The error for a name that has stood for another table. */
export const replacedError = (name: string): LedgerError =>
	new LedgerError(
		`The Data Table "${name}" is not the one that this node has used by that name before`,
		`That one was renamed, moved or deleted, or the API key is now that of a user who sees another one of the same name. Unpublish (deactivate) the workflows that pay with it before one of them runs again. ${SAME_KEY} ${KEEP_TABLE} If this one is the right one, such as a copy with all its rows, choose it from the list.`,
	);

/** The error for a node of which nothing can be remembered. */
export const unsavedError = (name: string): LedgerError =>
	new LedgerError(
		`The Data Table "${name}" does not exist, and it is made only in a workflow that was saved`,
		`Choose the table from the list. ${KEEP_TABLE} Only where nothing was paid before, save the workflow and run it again.`,
	);

const renamed = (names: string[]): string =>
	`If ${listed(names)} is the ledger that was meant, choose it from the list, or rename it back.`;

const listed = (names: string[]): string => names.map((name) => `"${name}"`).join(' or ');
