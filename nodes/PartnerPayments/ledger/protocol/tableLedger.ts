import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import { groupBy, type NonEmpty } from '../../shared/lists';
import {
	LedgerError,
	mayBeSent,
	type BeginResult,
	type Leftover,
	type Ledger,
	type Rules,
	type Verdict,
	type Verdicts,
} from '../ledger';
import { nameOf, type Payment } from '../payment';
import type { LedgerTable } from '../table/ledgerTable';
import {
	dayBefore,
	equals,
	rowOf,
	where,
	type Condition,
	type Row,
	type RowValues,
} from '../table/rows';
import type { Step } from '../table/tableStore';
import { PATIENCE, RENEWAL_MS, type Patience } from '../times';
import { classifyRows, contentOf, isOpen, isPreparing, isSending } from './classifyRows';
import { FundingClaim, withdrawal } from './fundingClaim';
import { approvalSteps, heldRowOf } from './heldRows';
import { OwnRows, type OwnRow } from './ownRows';
import { assignRows, conditionsFor, earlierPayables, type PaymentRows } from './paymentRows';
import { blocksClaim, hasOwnRow, isFirstToSend, rivalsOf, withoutOwn } from './rivals';
import { RuleChecker } from './ruleChecker';

const MAX_BEGINNINGS = 5;

/** What a run finds when it looks at the ledger after the mark. */
type Look =
	/** No other row is in the way. `rows`: all that were read. */
	| { kind: 'alone'; rows: Row[] }
	| { kind: 'blocked'; verdicts: Verdicts }
	/** Others begin at the same time. */
	| { kind: 'contended' };

/** The rows of a claim before its mark. */
interface GatheredRows {
	/** The claim ID of those that are in the table. */
	claimId: string;
	/** Those that are not in the table yet. They have the same claim ID. */
	missing: RowValues[];
}

/** Whether a row counts for a question about a payment. */
type RowFilter = (payment: Payment, row: Row) => boolean;

/**
 * The ledger in a Data Table. The numbers in its comments are those of docs/contributing/at-most-once.md,
 * which explains why at most one run sends a funding.
 */
export class TableLedger implements Ledger {
	private readonly ownRows = new OwnRows();
	private readonly announcedClaims = new Set<string>();
	private readonly ruleChecker: RuleChecker;

	constructor(
		private readonly table: LedgerTable,
		private readonly run: Pick<Row, 'execution' | 'environment'>,
		private readonly patience: Patience = PATIENCE,
	) {
		this.ruleChecker = new RuleChecker(table, run);
	}

	async locate(): Promise<void> {
		await this.table.locate();
	}

	async find(payments: Payment[]): Promise<Verdicts> {
		return await this.waitForVerdicts(payments, (_, row) => !this.isOwnPreparation(row));
	}

	async announce(payments: Payment[]): Promise<() => Promise<void>> {
		const claimId = randomUUID();
		this.announcedClaims.add(claimId);
		const rows = this.rowsFor(payments, claimId);
		await this.table.insert(rows.map((row) => ({ ...row, payable_id: '' })));
		void this.renew(claimId);

		return async () => {
			this.announcedClaims.delete(claimId);
			const all = [equals('claim', claimId), equals('state', 'preparing')];
			await this.table.change([{ kind: 'delete', all }]);
		};
	}

	async recordPayables(payments: Payment[]): Promise<Verdicts> {
		if (payments.length === 0) {
			return new Map();
		}
		const claimId = randomUUID();
		// Also a row whose insert gets no answer may be in the table.
		this.ownRows.add(payments, { claimId, isNewPayable: true, isFirst: false });

		// (0) Writes before it reads. Funding: Create does the same, so one of the two sees the other.
		const rows = this.rowsFor(payments, claimId);
		const byPayable = payments.map(({ payableId = '' }) => equals('payable_id', payableId));
		const found = await this.table.insertAndFind(rows, recentlyFundedById(), byPayable);

		const others = found.filter(({ claim }) => claim !== claimId);
		const taken = new Set(others.map((row) => row.payable_id));
		const alone = payments.filter(({ payableId = '' }) => !taken.has(payableId));
		this.ownRows.add(alone, { claimId, isNewPayable: true, isFirst: true });
		return this.verdictsOn(assignRows(payments, others, this.run.environment));
	}

	async begin(payments: Payment[], rules?: Rules): Promise<BeginResult> {
		let gathered = await this.gatherRows(payments);

		for (let beginnings = 1; ; beginnings += 1) {
			// (1) Each beginning has a claim ID of its own: a late answer to an earlier one cannot change its rows.
			const claimId = randomUUID();
			// The rows may have it even if the mark gets no answer.
			this.ownRows.move(payments, claimId);
			const steps = [...insertOf(gathered.missing), markOf(gathered.claimId, claimId)];
			const look = await this.markAndLook(payments, claimId, steps, rules).catch(
				async (error: unknown) => {
					await this.withdraw(claimId).catch(() => undefined);
					throw error;
				},
			);
			if (look.kind === 'alone') {
				return { kind: 'begun', claim: new FundingClaim(this.table, claimId, look.rows) };
			}

			// (4) Who is not alone takes its rows back, and sends nothing.
			await this.withdraw(claimId);
			if (look.kind === 'blocked') {
				return look;
			}

			await this.pause();
			// Others that prepare the same payments may be waiting for this run.
			const verdicts = await this.waitForVerdicts(payments, blocksClaim);
			if (!allMayBeSent(verdicts) || beginnings === MAX_BEGINNINGS) {
				return { kind: 'blocked', verdicts };
			}
			gathered = { claimId, missing: [] };
		}
	}

	async applyRules(payments: Payment[], rules: Rules): Promise<Verdicts> {
		return await this.ruleChecker.apply(payments, rules);
	}

	async release(payments: Payment[], leftover: Leftover): Promise<void> {
		const recorded = payments.filter((payment) => this.ownRows.of(payment) !== undefined);
		const byClaim = groupBy(recorded, (payment) => this.ownRows.of(payment)?.claimId ?? '');
		const steps = byClaim.flatMap((alike) => this.releaseSteps(alike, leftover));
		await this.table.change(steps);
		this.ownRows.delete(recorded);
	}

	async hold(payments: Payment[]): Promise<void> {
		const recorded = payments.filter((payment) => this.ownRows.of(payment) !== undefined);
		await this.release(recorded, 'held');

		const others = payments.filter((payment) => !recorded.includes(payment));
		const found = await this.read(others);
		await this.table.change(found.flatMap(approvalSteps));

		const missing = found.filter((ofPayment) => heldRowOf(ofPayment) === undefined);
		const newRows = this.rowsFor(
			missing.map(({ payment }) => payment),
			randomUUID(),
		);
		await this.table.insert(newRows.map((row) => ({ ...row, state: 'held' as const })));
	}

	/** The verdicts about payments by the rows that count. Waits for rows that change in a moment. */
	private async waitForVerdicts(payments: Payment[], counts: RowFilter): Promise<Verdicts> {
		const patientUntil = Date.now() + this.patience.totalMs;
		for (;;) {
			const found = await this.read(payments);
			const counted = found.map((ofPayment) => ({
				...ofPayment,
				rows: ofPayment.rows.filter((row) => counts(ofPayment.payment, row)),
			}));
			const mayEndSoon = counted.some(({ rows }) => rows.some(endsSoon));
			if (!mayEndSoon || Date.now() >= patientUntil) {
				return this.verdictsOn(counted);
			}
			await this.pause();
		}
	}

	/** Gives the rows of these payments one claim ID that only they have. */
	private async gatherRows(payments: Payment[]): Promise<GatheredRows> {
		const shared = this.ownRows.sharedClaim(payments);
		if (shared !== undefined) {
			return { claimId: shared, missing: [] };
		}
		const claimId = randomUUID();
		const missing = payments.filter((payment) => this.ownRows.of(payment) === undefined);
		const moved = payments.filter((payment) => !missing.includes(payment));
		const steps = moved.map((payment): Step => ({
			kind: 'update',
			all: ownRowConditions(payment, this.ownRows.of(payment)),
			values: { claim: claimId },
		}));
		await this.table.change(steps);
		this.ownRows.move(moved, claimId);
		this.ownRows.add(missing, { claimId, isNewPayable: false, isFirst: false });
		return { claimId, missing: this.rowsFor(missing, claimId) };
	}

	/** Marks the rows of a claim as sending, then looks whether the funding may be sent. */
	private async markAndLook(
		payments: Payment[],
		claimId: string,
		steps: Step[],
		rules: Rules | undefined,
	): Promise<Look> {
		const conditions = this.conditionsFor(payments);
		const marked = await this.markAndRead(steps, conditions);

		const patientUntil = Date.now() + this.patience.totalMs;
		let { rows } = marked;
		for (;;) {
			const found = await this.completeRows(payments, rows, claimId);
			const verdicts = this.verdictsOn(withoutOwn(found, claimId));

			if (!found.every((ofPayment) => hasOwnRow(ofPayment, claimId))) {
				// A person or an event may have changed its rows before the mark: then a verdict says what they are.
				if (allMayBeSent(verdicts)) {
					throw missingRowsError(marked.failure);
				}
				return { kind: 'blocked', verdicts };
			}

			const rivals = rivalsOf(found, claimId);
			if (rivals.length === 0 && allMayBeSent(verdicts)) {
				return await this.lookByRules(payments, claimId, verdicts, rows, rules);
			}

			// A row with a lower ID may be committed later. So the first one waits, and never sends beside another.
			const isFirst = found.every(({ rows: all }) => isFirstToSend(all, claimId));
			const isWorthWaiting = rivals.length > 0 && rivals.every(isSending);
			if (!isFirst || !isWorthWaiting || Date.now() > patientUntil) {
				return { kind: 'contended' };
			}
			await this.pause();
			rows = await this.table.any(conditions);
		}
	}

	/** (1) and (2): marks the rows of a claim, and reads all rows after that. `failure`: why the mark got no answer. */
	private async markAndRead(
		steps: Step[],
		conditions: Condition[],
	): Promise<{ rows: Row[]; failure?: unknown }> {
		try {
			return { rows: await this.table.changeAndFind(steps, conditions) };
		} catch (failure) {
			// An insert without an answer is looked for, not repeated: a row that appears later only blocks.
			const marks = steps.filter(({ kind }) => kind === 'update');
			return { rows: await this.table.changeAndFind(marks, conditions), failure };
		}
	}

	/** Applies the rules to the payments of a claim, with its own rows in the ledger, so that two runs see each other. */
	private async lookByRules(
		payments: Payment[],
		claimId: string,
		verdicts: Verdicts,
		rows: Row[],
		rules: Rules | undefined,
	): Promise<Look> {
		if (rules === undefined) {
			return { kind: 'alone', rows };
		}
		const broken = await this.ruleChecker.apply(payments, rules, claimId);
		if (broken.size === 0) {
			return { kind: 'alone', rows };
		}
		return { kind: 'blocked', verdicts: new Map([...verdicts, ...broken]) };
	}

	/** (4) Marks the rows of a claim as preparing again. */
	private async withdraw(claimId: string): Promise<void> {
		await this.table.changeDurably([withdrawal(claimId)]);
	}

	/** @param payments that have rows of this run with one claim ID */
	private releaseSteps(payments: NonEmpty<Payment>, leftover: Leftover): Step[] {
		const own = this.ownRows.of(payments[0]);
		if (own === undefined) {
			return [];
		}
		const isWhole = this.ownRows.sharedClaim(payments) !== undefined;
		const areNew = payments.every((payment) => this.ownRows.of(payment)?.isNewPayable === true);
		if (isWhole && (areNew || leftover === 'held')) {
			const all = [equals('claim', own.claimId), equals('state', 'preparing')];
			return [{ kind: 'update', all, values: { state: leftover } }];
		}
		return payments.map((payment): Step => {
			const row = this.ownRows.of(payment);
			const all = ownRowConditions(payment, row);
			// The ledger has another row of a payable that an earlier run has prepared.
			return row?.isNewPayable === false && leftover !== 'held'
				? { kind: 'delete', all }
				: { kind: 'update', all, values: { state: leftover } };
		});
	}

	/** Pauses at random, so that two runs that met do not meet again. */
	private async pause(): Promise<void> {
		await sleep(this.patience.maxPauseMs * (0.1 + 0.9 * Math.random()));
	}

	private async renew(claimId: string): Promise<void> {
		let renewAt = Date.now() + RENEWAL_MS;
		while (this.announcedClaims.has(claimId)) {
			if (Date.now() >= renewAt) {
				renewAt = Date.now() + RENEWAL_MS;
				const renewal: Step = {
					kind: 'update',
					all: [equals('claim', claimId), equals('state', 'preparing')],
					values: this.run,
				};
				await this.table.change([renewal]).catch(() => undefined);
			}
			await sleep(1000);
		}
	}

	/** Whether a row says that this run itself prepares a payment. */
	private isOwnPreparation({ state, claim }: Row): boolean {
		return state === 'preparing' && (this.announcedClaims.has(claim) || this.ownRows.has(claim));
	}

	private rowsFor(payments: Payment[], claimId: string) {
		const { execution, environment } = this.run;
		return payments.map((payment) =>
			rowOf(payment, { state: 'preparing', claim: claimId, execution, environment }),
		);
	}

	private verdictsOn(found: PaymentRows[]): Verdicts {
		const verdicts = new Map<string, Verdict>();
		for (const { payment, rows, besides } of found) {
			const verdict = classifyRows(payment, rows, this.run.environment);
			const beside = besides.find(isOpen);
			const isNewBeside = verdict.kind === 'new' && beside !== undefined;
			verdicts.set(
				nameOf(payment),
				isNewBeside ? { kind: 'new', beside: contentOf(beside) } : verdict,
			);
		}
		return verdicts;
	}

	private conditionsFor(payments: Payment[]): Condition[] {
		return conditionsFor(payments, (payment) => this.ownRows.of(payment)?.isFirst === true);
	}

	private async read(payments: Payment[]): Promise<PaymentRows[]> {
		const rows = await this.table.any(this.conditionsFor(payments));
		return await this.completeRows(payments, rows);
	}

	/** The rows that concern each payment: those that were found, and those of payables that it had earlier. */
	private async completeRows(
		payments: Payment[],
		found: Row[],
		ownClaimId?: string,
	): Promise<PaymentRows[]> {
		const { environment } = this.run;
		const others = found.filter(({ claim }) => claim !== ownClaimId);
		const payables = earlierPayables(payments, others, environment);
		const more = await this.table.any(payables.map((id) => equals('payable_id', id)));
		const rows = new Map([...found, ...more].map((row) => [row.id, row]));
		return assignRows(payments, [...rows.values()], environment);
	}
}

/** Whether what another run does with a row is over in a moment: then it is worth waiting for. */
const endsSoon = (row: Row): boolean =>
	isSending(row) || (isPreparing(row) && row.payable_id !== '');

/**
 * The rows of the last days that are funded by their ID. The payables of this run are a moment old: the days
 * are for a database whose clock goes wrong.
 */
const recentlyFundedById = (): Condition[] => [
	equals('reference', ''),
	where('createdAt', 'gte', dayBefore(dayBefore(new Date().toISOString()))),
];

const allMayBeSent = (verdicts: Verdicts): boolean => [...verdicts.values()].every(mayBeSent);

const ownRowConditions = ({ payableId = '' }: Payment, row: OwnRow | undefined) => [
	equals('claim', row?.claimId ?? ''),
	equals('payable_id', payableId),
	equals('state', 'preparing'),
];

/** (1) Marks rows as sending, with another claim ID. */
const markOf = (previous: string, claimId: string): Step => ({
	kind: 'update',
	all: [equals('claim', previous), equals('state', 'preparing')],
	values: { claim: claimId, state: 'sending' },
});

const insertOf = (rows: RowValues[]): Step[] =>
	rows.length === 0 ? [] : [{ kind: 'insert', rows }];

/** The error for own rows that are not in the table. `failure`: why the mark got no answer, if it got none. */
function missingRowsError(failure: unknown): Error {
	if (failure instanceof Error) {
		return failure;
	}
	return new LedgerError(
		'The ledger table does not show what was just written to it',
		'Run it again with the same unique references. If it fails again, check what is between this n8n and its database or, with an n8n API key, its public API.',
	);
}
