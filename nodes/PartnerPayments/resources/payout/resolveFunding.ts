import { isFundedById } from '../../ledger/payment';
import type { LedgerRecords, RecordKey } from '../../ledger/protocol/records';
import { isLive, isSetAside } from '../../ledger/protocol/rowStates';
import type { Row } from '../../ledger/table/rows';

/*
 * Which rows a person resolves together: those of one funding.
 */

/** The rows that were sent with these in one funding, and are in the same state; these alone if there are none. */
export async function withItsFunding(records: LedgerRecords, chosen: Row[]): Promise<Row[]> {
	const [first] = chosen;
	if (first === undefined) {
		return chosen;
	}
	const together = await sentTogether(records, first);
	// Of what was only prepared together, nothing was sent.
	const inState = together.filter((row) => row.state === first.state && !isSetAside(row));
	const alike = await withoutRunAgain(records, inState);
	return alike.length > 0 ? alike : chosen;
}

/** Leaves out what was run again since a person resolved it as not paid: another row says what became of that. */
async function withoutRunAgain(records: LedgerRecords, rows: Row[]): Promise<Row[]> {
	const open: Row[] = [];
	for (const row of rows) {
		if (row.state !== 'not_paid' || !(await isRunAgain(records, row))) {
			open.push(row);
		}
	}
	return open;
}

async function isRunAgain(records: LedgerRecords, row: Row): Promise<boolean> {
	const ofInvoice = await records.find(keyOfRow(row));
	return ofInvoice.some(
		(other) => other.id !== row.id && isLive(other) && isSameInvoice(other, row),
	);
}

/** What the rows of an invoice are found by: its reference, or its payable if that was funded without one. */
function keyOfRow(row: Row): RecordKey {
	const { environment, workspace_id: workspaceId, reference, payable_id: payableId } = row;
	return isFundedById(row)
		? { environment, workspaceId, payableId }
		: { environment, workspaceId, reference };
}

/** The rows of the funding of a row: by its claim ID, or where a person has resolved it, by the ID of its funding. */
export async function sentTogether(records: LedgerRecords, row: Row): Promise<Row[]> {
	if (row.claim !== '') {
		return await records.sentWith(row);
	}
	if (row.funding_id !== '') {
		return await records.ofFunding(row.environment, row.funding_id);
	}
	return [];
}

/** Whether two rows with the same reference are of one invoice. */
export const isSameInvoice = (one: Row, other: Row): boolean =>
	one.payee === other.payee && one.amount_cents === other.amount_cents;
