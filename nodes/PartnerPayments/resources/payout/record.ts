import type { IDataObject } from 'n8n-workflow';

import type { LedgerRecord } from '../../ledger/dataTable/ledgerTable';
import { DENOMINATION } from '../../shared/money';

/** What comes out of a ledger entry. */
export const outputOf = (record: LedgerRecord): IDataObject => ({
	status: isInDoubt(record) ? 'in_doubt' : record.state,
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
	is_running: record.isHeld,
	execution: record.execution,
	created_at: record.createdAt,
	updated_at: record.updatedAt,
});

/** Whether its request was sent, or was about to be, and nobody waits for the answer any more. */
const isInDoubt = ({ state, isHeld }: LedgerRecord): boolean =>
	!isHeld && (state === 'funding' || state === 'creating');
