import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import { groupBy } from '../../shared/lists';
import type { BeginResult, Found, Leftover, Ledger, Rules, Verdicts } from '../ledger';
import type { Payment } from '../payment';
import type { LedgerTable } from '../table/ledgerTable';
import { dayBefore, equals, where, type Condition, type Row } from '../table/rows';
import type { Step } from '../table/tableStore';
import { PATIENCE, RENEWAL_MS, type Patience } from '../times';
import { ClaimStarter } from './claimStarter';
import { heldRowOf } from './classifyRows';
import { claimConditions, OwnRows, preparingRows, rowConditions, type OwnPayment } from './ownRows';
import { PaymentReader } from './paymentReader';
import { assignRows, type PaymentRows } from './paymentRows';
import { RuleChecker } from './ruleChecker';

/**
 * The ledger as runs use it, in a Data Table. The numbers in its comments are those of docs/contributing/at-most-once.md,
 * which explains why at most one run sends a funding.
 */
export class LedgerProtocol implements Ledger {
	private readonly ownRows = new OwnRows();
	private readonly announcedClaims = new Set<string>();
	private readonly reader: PaymentReader;
	private readonly ruleChecker: RuleChecker;
	private readonly claimStarter: ClaimStarter;

	constructor(
		private readonly table: LedgerTable,
		private readonly run: Pick<Row, 'execution' | 'environment'>,
		patience: Patience = PATIENCE,
	) {
		const { ownRows } = this;
		this.reader = new PaymentReader(table, run.environment, ownRows, patience);
		this.ruleChecker = new RuleChecker(table, run);
		this.claimStarter = new ClaimStarter(table, run, ownRows, this.reader, this.ruleChecker);
	}

	async locate(): Promise<void> {
		await this.table.locate();
	}

	async find(payments: Payment[]): Promise<Found> {
		// What this run itself prepares does not keep it from sending.
		return await this.reader.waitForRows(payments, (_, row) => !this.isOwnPreparation(row));
	}

	async announce(payments: Payment[]): Promise<() => Promise<void>> {
		const claimId = randomUUID();
		this.announcedClaims.add(claimId);
		const rows = preparingRows(payments, claimId, this.run);
		// Without a payable: other runs wait only for rows that have one, and this run may take long.
		await this.table.insert(rows.map((row) => ({ ...row, payable_id: '' })));
		void this.renew(claimId);

		return async () => {
			this.announcedClaims.delete(claimId);
			await this.table.change([{ kind: 'delete', all: claimConditions(claimId) }]);
		};
	}

	async recordPayables(payments: Payment[]): Promise<Verdicts> {
		if (payments.length === 0) {
			return new Map();
		}
		const claimId = randomUUID();
		// Also a row whose insert gets no answer may be in the table.
		this.ownRows.add(payments, { claimId, isNewPayable: true });

		// (0) Writes before it reads. Funding: Create does the same, so one of the two sees the other.
		const rows = preparingRows(payments, claimId, this.run);
		const byPayable = payments.map(({ payableId = '' }) => equals('payable_id', payableId));
		const found = await this.table.insertAndFind(rows, recentlyFundedById(), byPayable);

		// By their payables, the rows of this run are found, too.
		const others = found.filter(({ claim }) => claim !== claimId);
		const contested = new Set(others.map((row) => row.payable_id));
		this.ownRows.markUncontested(
			payments.filter(({ payableId = '' }) => !contested.has(payableId)),
		);
		return this.reader.judge(assignRows(payments, others, this.run.environment));
	}

	async begin(payments: Payment[], rules?: Rules): Promise<BeginResult> {
		return await this.claimStarter.begin(payments, rules);
	}

	async checkRules(payments: Payment[], rules: Rules, found?: Found): Promise<Verdicts> {
		return await this.ruleChecker.check(payments, rules, { withNumbers: found?.rows });
	}

	async storeLeftover(payments: Payment[], leftover: Leftover): Promise<void> {
		const own = this.ownRows.among(payments);
		const byClaim = groupBy(own, ({ row }) => row.claimId);
		const steps = byClaim.flatMap((ofClaim) => this.leftoverSteps(ofClaim, leftover));
		await this.table.change(steps);
		this.ownRows.forget(own.map(({ payment }) => payment));
	}

	async deleteWithdrawn(payments: Payment[]): Promise<void> {
		const own = this.ownRows.among(payments);
		await this.table.change(own.map(deletionStep));
		this.ownRows.forget(own.map(({ payment }) => payment));
	}

	async hold(payments: Payment[]): Promise<void> {
		// A run stores its leftovers first, so it still has rows of these payments only if that failed.
		const notStored = this.ownRows.among(payments).map(({ payment }) => payment);
		await this.storeLeftover(notStored, 'held');

		const others = payments.filter((payment) => !notStored.includes(payment));
		const ofPayments = await this.reader.read(others);
		await this.table.change(ofPayments.flatMap(approvalSteps));

		const missing = ofPayments.filter((ofPayment) => heldRowOf(ofPayment) === undefined);
		const newRows = preparingRows(
			missing.map(({ payment }) => payment),
			randomUUID(),
			this.run,
		);
		await this.table.insert(newRows.map((row) => ({ ...row, state: 'held' as const })));
	}

	/** @param ofClaim payments whose rows have one claim ID */
	private leftoverSteps(ofClaim: OwnPayment[], leftover: Leftover): Step[] {
		// A payable that an earlier run has made has a row of that run, so this run's row is not needed.
		// A held payment keeps its row, which says that it is held.
		const mustDelete = ({ row }: OwnPayment): boolean => !row.isNewPayable && leftover !== 'held';

		const wholeClaim = this.ownRows.sharedClaim(ofClaim.map(({ payment }) => payment));
		if (wholeClaim !== undefined && !ofClaim.some(mustDelete)) {
			return [{ kind: 'update', all: claimConditions(wholeClaim), values: { state: leftover } }];
		}
		return ofClaim.map((own): Step => {
			if (mustDelete(own)) {
				return deletionStep(own);
			}
			return { kind: 'update', all: rowConditions(own), values: { state: leftover } };
		});
	}

	private async renew(claimId: string): Promise<void> {
		let renewAt = Date.now() + RENEWAL_MS;
		while (this.announcedClaims.has(claimId)) {
			if (Date.now() >= renewAt) {
				renewAt = Date.now() + RENEWAL_MS;
				// Any update renews `updatedAt`, by which other runs tell that this one is alive.
				const renewal: Step = { kind: 'update', all: claimConditions(claimId), values: this.run };
				await this.table.change([renewal]).catch(() => undefined);
			}
			await sleep(1000);
		}
	}

	/** Whether a row says that this run itself prepares a payment. */
	private isOwnPreparation({ state, claim }: Row): boolean {
		return (
			state === 'preparing' && (this.announcedClaims.has(claim) || this.ownRows.hasClaim(claim))
		);
	}
}

/** The step that deletes the row that a run has for a payment. */
const deletionStep = (own: OwnPayment): Step => ({ kind: 'delete', all: rowConditions(own) });

/**
 * (0) The rows of the last days that are funded by their ID. The payables of this run are a moment old: one day is
 * for a database whose clock goes wrong, and one for how SQLite compares times.
 */
const recentlyFundedById = (): Condition[] => [
	equals('reference', ''),
	where('createdAt', 'gte', dayBefore(dayBefore(new Date().toISOString()))),
];

/** Writes down who agreed to a payment that is held again. Without an approver, the earlier one stays. */
function approvalSteps(ofPayment: PaymentRows): Step[] {
	const { approvedBy } = ofPayment.payment;
	const held = heldRowOf(ofPayment);
	if (held === undefined || approvedBy === undefined || approvedBy === held.approved_by) {
		return [];
	}
	const unchanged = [equals('id', held.id), equals('state', 'held')];
	return [{ kind: 'update', all: unchanged, values: { approved_by: approvedBy } }];
}
