import { sleep } from 'n8n-workflow';

import type { Claim } from '../ledger';
import type { FundedState } from '../states';
import type { LedgerTable } from '../table/ledgerTable';
import { equals, where, type Condition, type Row, type RowValues } from '../table/rows';
import { MissingTableError, type DurableResult, type Step } from '../table/tableStore';
import { SENDING_MS } from '../times';
import { isReusable, isSetAside } from './rowStates';

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 15_000;

const SENDING = equals('state', 'sending');

/** The rows of one funding, which have a claim ID that no other run has. The numbers are those of docs/contributing/at-most-once.md. */
export class FundingClaim implements Claim {
	private readonly own: Row[];
	/** Its rows count as sending from the mark on, which is at most `MAX_BEGINNING_MS` earlier. */
	private readonly begunAt = Date.now();

	/** @param found the rows with the numbers and payables of its payments, when it was seen to be alone */
	constructor(
		private readonly table: LedgerTable,
		private readonly claimId: string,
		private readonly found: Row[],
	) {
		this.own = found.filter(({ claim }) => claim === claimId);
	}

	async complete(state: FundedState, fundingId: string): Promise<boolean> {
		const written = await this.writeUntilAccepted([
			// (9) The ID is written whatever the state is by now: an event or a person may have changed it first.
			this.updateStep({ funding_id: fundingId }),
			this.updateStep({ state }, SENDING),
			this.findStep(),
		]);
		const rows = written.kind === 'done' ? written.rows : [];
		// A person may have deleted rows, and what was only handed over may not be written.
		const isRecorded = rows.length > 0 && rows.every((row) => row.funding_id === fundingId);
		if (isRecorded) {
			await this.table.change(this.tidyingSteps()).catch(() => undefined);
		}
		return isRecorded;
	}

	async withdraw(): Promise<boolean> {
		const written = await this.writeUntilAccepted([withdrawalStep(this.claimId)]);
		return written.kind === 'done';
	}

	async leaveUnconfirmed(): Promise<boolean> {
		const unconfirmed = this.updateStep({ state: 'unconfirmed' }, SENDING);
		const written = await this.writeUntilAccepted([unconfirmed]);
		return written.kind === 'done';
	}

	async addInvoice(pdfUrl: string): Promise<void> {
		await this.table.changeDurably([this.updateStep({ pdf_url: pdfUrl })]);
	}

	/** (9) Writes an answer into the table, again and again while its rows count as sending, and the table is there. */
	private async writeUntilAccepted(steps: Step[]): Promise<DurableResult | { kind: 'failed' }> {
		const until = this.begunAt + SENDING_MS;
		for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
			try {
				return await this.table.changeDurably(steps);
			} catch (error) {
				// A table that was deleted never comes back with its ID.
				const isGone = error instanceof MissingTableError;
				if (isGone || Date.now() + pauseMs >= until) {
					return { kind: 'failed' };
				}
			}
			await sleep(pauseMs);
		}
	}

	/** The conditions of its rows. With the lowest ID, the database does not compare all rows. */
	private get ownConditions(): Condition[] {
		const firstId = Math.min(...this.own.map(({ id }) => id));
		return [equals('claim', this.claimId), where('id', 'gte', firstId)];
	}

	private findStep(): Step {
		return { kind: 'find', match: 'all', conditions: this.ownConditions, order: 'ascending' };
	}

	private updateStep(values: Partial<RowValues>, ...more: Condition[]): Step {
		return { kind: 'update', all: [...this.ownConditions, ...more], values };
	}

	/** Tidies up the rows for which nothing was sent, now that these payments are paid. */
	private tidyingSteps(): Step[] {
		const steps: Step[] = [];
		for (const row of this.found) {
			const paid = this.own.find(({ key, payee }) => key === row.key && payee === row.payee);
			if (paid !== undefined && mayBeTidied(row)) {
				steps.push(...stepsToTidy(row, paid));
			}
		}
		return steps;
	}
}

/**
 * Whether a row is not needed once its payment is paid. Own rows are needed: they were `sending` when they were found. A row
 * with a funding ID is kept, so that its funding stays known.
 */
const mayBeTidied = (row: Row): boolean => isReusable(row) && row.funding_id === '';

/** @param paid the row with which the payment of `row` was paid */
function stepsToTidy(row: Row, paid: Row): Step[] {
	const sameRow = [equals('id', row.id), equals('claim', row.claim)];
	const unchanged = [...sameRow, equals('state', row.state)];
	const isHeldWithoutPayable = row.payable_id === '' && row.state === 'held';

	if (row.payable_id === paid.payable_id) {
		// The event of this payment may have come first, and marked all rows of its payable.
		const marked = [...sameRow, equals('state', 'paid'), equals('funding_id', '')];
		return [
			{ kind: 'delete', all: unchanged },
			{ kind: 'delete', all: marked },
		];
	}
	if (isHeldWithoutPayable) {
		return [{ kind: 'delete', all: unchanged }];
	}
	if (isSetAside(row)) {
		// It has another payable, which is not needed any more.
		return [{ kind: 'update', all: unchanged, values: { state: 'surplus' } }];
	}
	// What a person resolved as not paid stays as they left it.
	return [];
}

/**
 * The step that withdraws a claim: (4) before it has sent anything, and after a funding that was refused. Its rows
 * keep their payables for the next attempt, so that none is forgotten.
 */
export const withdrawalStep = (claimId: string): Step => ({
	kind: 'update',
	all: [equals('claim', claimId), SENDING],
	values: { state: 'preparing' },
});
