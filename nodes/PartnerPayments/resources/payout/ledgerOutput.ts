import type { IDataObject } from 'n8n-workflow';

import type { LedgerRecord } from '../../ledger/dataTable/ledgerTable';
import { isSending } from '../../ledger/ledger';
import { DENOMINATION } from '../../shared/money';

/** For so long a request that is refused for the account's limit is tried again, at most. */
const LONGEST_REQUEST_MS = 20 * 60_000;

/** What comes out of a ledger entry. */
export const outputOf = (record: LedgerRecord): IDataObject => ({
	status: isSending(record.state) && !isRunning(record) ? 'in_doubt' : record.state,
	unique_reference: record.reference,
	operation: record.kind,
	payee: record.payee,
	amount: record.amount,
	amount_denomination: DENOMINATION,
	payable_id: null,
	funding_id: null,
	...record.facts,
	workspace_id: record.workspaceId,
	environment: record.environment,
	is_running: isRunning(record),
	execution: record.execution,
	created_at: record.createdAt,
	updated_at: record.updatedAt,
});

/**
 * Whether a run may work on it: one that was killed leaves the entry as it is, so that an entry whose
 * request was sent counts as left after the time that such a request can wait.
 */
export const isRunning = (record: LedgerRecord): boolean =>
	record.isHeld && !(isSending(record.state) && Date.now() > latestAnswerAt(record));

/** When no request of an entry can wait for its answer any more, in milliseconds since 1970. */
export const latestAnswerAt = ({ updatedAt }: LedgerRecord): number =>
	Date.parse(updatedAt) + LONGEST_REQUEST_MS;
