import type { Clock } from '../../service/http/clock';
import type { LedgerScope } from '../ledger';
import type { TableRows } from './rows';

/** How long a run waits for what another one works on. */
export interface Patience {
	/** Without a change before a request that must not be repeated, until the other counts as cut off. */
	idleMs: number;
	/** Without a change after it, until the outcome counts as unknown. */
	inDoubtMs: number;
	/** Between two looks. */
	pollMs: number;
}

/** How long runs wait. No payment depends on it: taking over is a compare-and-set. */
export const PATIENCE: Patience = { idleMs: 5_000, inDoubtMs: 30_000, pollMs: 500 };

/** One run, and the table that it works on. */
export interface TableRun {
	rows: TableRows;
	scope: LedgerScope;
	/** Token of the run, which no other run has. */
	token: string;
	/** Name of n8n's execution, for people. */
	execution: string;
	clock: Clock;
	/** Ends the waiting. */
	signal: AbortSignal | undefined;
	patience: Patience;
}
