import { ANA, startPayoutService } from './payoutService';
import { byId, type Changes, tablesOf, WORKSPACE } from './support';

/** The invoice that others in a test look like. */
export const INVOICE = { ...ANA, reference: 'INV-7' };

/** The option that holds possible duplicates. */
export const holding = { options: { holdDuplicatesDays: 6 } };

/** The option "Different Invoice" with a line, beside the hold. */
export const tellingApart = (line: unknown) => ({
	options: { ...holding.options, differentInvoice: typeof line === 'string' ? line : '' },
});

/** The service of `startPayoutService`, with a person who resolves that invoice. */
export function startHoldingService() {
	const started = startPayoutService();

	return {
		...started,
		/** Has a person resolve INV-7, unless told otherwise. */
		resolveAs: async (outcome: string, changes: Changes, reference = INVOICE.reference) => {
			const which = { findBy: 'uniqueReference', uniqueReference: reference };
			const parameters = { workspaceId: byId(WORKSPACE), ...which, outcome };
			return await started.service.execute('payout.resolve', parameters, changes);
		},
	};
}

/** Has all rows of the ledger be so old. */
export function writtenDaysAgo(days: number, { workflowId }: { workflowId: string }): void {
	const createdAt = new Date(Date.now() - days * 86_400_000).toISOString();
	for (const row of tablesOf(workflowId).tables[0]?.rows ?? []) {
		row['createdAt'] = createdAt;
	}
}

/** Moves the rows of a workflow's ledger so many days back. */
export function daysPass(days: number, { workflowId }: { workflowId: string }): void {
	for (const row of tablesOf(workflowId).tables[0]?.rows ?? []) {
		const createdAt = row['createdAt'];
		if (typeof createdAt === 'string') {
			row['createdAt'] = new Date(Date.parse(createdAt) - days * 86_400_000).toISOString();
		}
	}
}
