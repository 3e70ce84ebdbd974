import type { Environment } from '../../environment';
import { UNLIMITED } from '../../payouts/credentials';
import { clearLedger, type LedgerStore } from '../../payouts/ledgerStore';

/** The limit of the service: so many requests in any window, a tenth of its minute. */
export const LIMIT = 100;
export const WINDOW_SECONDS = 6;

/** How much is measured. */
export type BenchScale = ReturnType<typeof scaleOf>;

/** What every section works with. */
export interface PayoutBench extends Environment {
	scale: BenchScale;
}

/** What the command line scales down. */
export function scaleOf(scale: number) {
	const scaled = (count: number, least: number): number =>
		Math.max(least, Math.round(count * scale));

	return {
		/** Whole batches, as HTTP Request nodes lose time with others; and more than the first burst. */
		limitedPayouts: scaled(5, 2) * LIMIT,
		latencyPayouts: 60,
		latencyRounds: scaled(7, 3),
		/** Rounds of a single payout, and those of many in one execution. */
		singleRounds: scaled(9, 5),
		payouts: scaled(1_000, 200),
		payoutRounds: scaled(3, 2),
		/** Rows of the full tables, and the payouts of a run and its rounds beside an empty one. */
		fullRows: scaled(50_000, 1_000),
		fullPayouts: 50,
		fullRounds: scaled(7, 3),
		/** Known references in a run. */
		againPayouts: scaled(10_000, 1_000),
		againRounds: scaled(3, 2),
		/** Payouts that no money or no permission is there for. */
		refusedPayouts: 200,
		refusedRounds: scaled(5, 2),
		/** Payouts of a run whose memory is measured. */
		memoryPayouts: scaled(1_000, 200),
		memoryRounds: scaled(5, 1),
		/** How often n8n is started. */
		startRounds: scaled(7, 1),
	};
}

/** The stores of ledgers, and their names in tables. */
export const STORES: Array<{ store: LedgerStore; name: string }> = [
	{ store: 'project', name: "Project's ledger" },
	{ store: 'shared', name: 'Shared ledger' },
];

/** The names of the columns of most tables. */
export const COLUMNS = { own: 'Partner Payments', peer: 'HTTP Request' };

/** Forgets what sections before have left, so that each measures the same alone and after others. */
export async function prepareSection({ n8n, sandbox }: Environment): Promise<void> {
	clearLedger(n8n);
	await sandbox.control.reset();
	await sandbox.control.setSettings({ requestsPerMinute: UNLIMITED });
}
