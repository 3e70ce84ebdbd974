import { isDone } from '../../ledger/ledger';
import { contentText, rowName } from '../../ledger/messages';
import {
	contentOf,
	isLinking,
	isResolvedFunding,
	isUnconfirmed,
} from '../../ledger/protocol/rowStates';
import type { LedgerRecords } from '../../ledger/protocol/records';
import type { Row } from '../../ledger/table/rows';
import { joinNames } from '../../shared/lists';
import { throwInputError } from '../../shared/errors';

/*
 * What keeps a person from resolving payouts in a way that the service would contradict.
 */

/** Throws for what this execution has sent: no one can have looked in the service before it has ended. */
export function assertOfOtherExecution(rows: Row[], execution: string): void {
	const own = rows.find((row) => isUnconfirmed(row) && row.execution === execution);
	if (own === undefined) {
		return;
	}
	throwInputError(
		`${rowName(own)} became unconfirmed in this same execution`,
		'Find out first whether it was paid. Then resolve it in a workflow of its own, with this node alone.',
	);
}

/** (12) Throws while a run may still wait for the answer to its deposit, which tells more than a person can know. */
export function assertNotLinking(rows: Row[]): void {
	const linking = rows.find(isLinking);
	if (linking === undefined) {
		return;
	}
	throwInputError(
		`${rowName(linking)} was not resolved: deposit ${linking.deposit_id} is being linked to its funding`,
		'Nothing has changed. An execution may still get its answer. Resolve it after 20 minutes, and do not pay it in another way.',
	);
}

/**
 * Throws for a payout that is only prepared: people resolve it as paid because they agree to it, and then it would
 * never be paid. A person who has found its funding can find the payout by its payable instead.
 */
export function assertSent(rows: Row[]): void {
	const prepared = rows.find(({ state }) => state === 'prepared');
	if (prepared === undefined) {
		return;
	}
	throwInputError(
		`${rowName(prepared)} was not resolved: it is only prepared, so it is not paid`,
		`Nothing has changed. To pay it, use "Send" of "Payout". Only if the service shows a funding with payable ${prepared.payable_id}, set "Find By" to "Payable ID".`,
	);
}

/** Throws for one of several payouts of an invoice: it is canceled as a whole, or the others still wait for its deposit. */
export async function assertAloneInFunding(records: LedgerRecords, chosen: Row[]): Promise<void> {
	const waiting = chosen.find((row) => row.state === 'awaiting_deposit' && row.funding_id !== '');
	if (waiting === undefined) {
		return;
	}
	const ofFunding = await records.ofFunding(waiting.environment, waiting.funding_id);
	const ids = new Set(chosen.map(({ id }) => id));
	const others = ofFunding.filter((row) => row.state === 'awaiting_deposit' && !ids.has(row.id));
	if (others.length === 0) {
		return;
	}
	const names = others.map(rowName);
	throwInputError(
		`${rowName(waiting)} was not resolved: its invoice also pays ${joinNames(names)}`,
		'Nothing has changed. Ask the operator of the service to cancel this invoice, as a whole. Once they confirm, use "Not Paid" with "Its Whole Funding". Then run its payouts again, without the wrong one. Void blocks a number forever.',
	);
}

/**
 * Throws for a payout by invoice whose deposit the ledger does not know: once a payout counts as paid, no deposit is
 * linked to its funding. The funding of a payout that a person resolved as not paid may still wait for one, too.
 *
 * @param rows all of a vendor's invoice, also those that a person has resolved
 */
export function assertNotAwaitingDeposit(rows: Row[]): void {
	const withoutDeposit = rows.filter((row) => row.deposit_id === '');
	const resolvedAsNotPaid = withoutDeposit.find(isResolvedFunding);
	if (resolvedAsNotPaid !== undefined) {
		throwInputError(
			`${rowName(resolvedAsNotPaid)} was not resolved: invoice ${resolvedAsNotPaid.funding_id} of it was resolved as "Not Paid"`,
			'Nothing has changed. Ask the operator of the service what paid each payout that was sent with it. If nothing paid one, have its open invoice canceled, use "Not Paid", and run it again first. Then use "Paid" with "Its Whole Funding".',
		);
	}
	const waiting = withoutDeposit.find((row) => row.state === 'awaiting_deposit');
	if (waiting === undefined) {
		return;
	}
	throwInputError(
		`${rowName(waiting)} was not resolved: it waits for the deposit of its invoice`,
		'Link the deposit with "Link Deposit" of "Funding": then it is paid. Only if the service shows a deposit on this funding, turn on "Its Whole Funding" and resolve it as "Paid".',
	);
}

/**
 * Throws for a payout whose funding has paid another one, or waits for its deposit: one funding pays all of its payouts, or none.
 *
 * @param together all that were sent in one funding
 * @param rows those that are resolved, of which `sent` is one
 */
export function assertNonePaid(together: Row[], rows: Row[], sent: Row): void {
	const ids = new Set(rows.map(({ id }) => id));
	const other = together.find((row) => isDone(row) && !ids.has(row.id));
	if (other === undefined) {
		return;
	}
	if (other.state === 'awaiting_deposit') {
		throwInputError(
			`${rowName(sent)} was not resolved: ${rowName(other)}, sent together with it, waits for its deposit`,
			'Nothing has changed. Transfer nothing. Ask the operator of the service to cancel this invoice, as a whole. Once they confirm, resolve the other one as "Not Paid" first, then this one. Then run both again.',
		);
	}
	throwInputError(
		`${rowName(sent)} was not resolved: ${rowName(other)} was sent together with it, and counts as paid`,
		'Nothing has changed. One funding pays all of its payouts, or none. Found, not canceled, and no deposit outstanding: use "Paid" with "Its Whole Funding". Otherwise, ask the operator of the service. Only if they confirm that nothing paid it: "Void", then another reference.',
	);
}

/**
 * What a person is told of payouts of one funding that have another outcome than those that were resolved: one funding
 * pays all of its payouts, or none. Undefined if there are none.
 *
 * @param together all that were sent in one funding
 */
export function otherOutcomesText(together: Row[], resolved: Row[]): string | undefined {
	const arePaid = resolved.some(({ state }) => state === 'paid');
	const resolvedIds = new Set(resolved.map(({ id }) => id));
	const others = together.filter(({ id }) => !resolvedIds.has(id));
	const isOther = arePaid ? wasResolvedAsNotPaid : isDone;
	const names = others.filter(isOther).map(rowName);
	if (names.length === 0) {
		return undefined;
	}
	return arePaid
		? `Sent together with it, but resolved as "Not Paid": ${joinNames(names)}. If its funding has them, resolve them as "Paid" before their next run.`
		: `Sent together with it, but paid: ${joinNames(names)}. One funding pays all of its payouts, or none. Look at that funding before you run this again.`;
}

const wasResolvedAsNotPaid = ({ state }: Row): boolean => state === 'not_paid';

/**
 * What a person is told if the invoice that they resolved counts as paid with another amount; undefined if it does not.
 *
 * @param found all rows with its reference, in any spelling, or with its payable
 */
export function otherPaymentText(found: Row[], resolved: Row[]): string | undefined {
	const [first] = resolved;
	const other = found.find(
		(row) => isDone(row) && row.payee === first?.payee && row.amount_cents !== first.amount_cents,
	);
	if (other === undefined) {
		return undefined;
	}
	return `${rowName(other)} also has a payout of ${contentText(contentOf(other))} that counts as paid. Look at both in the service: an invoice is paid once.`;
}
