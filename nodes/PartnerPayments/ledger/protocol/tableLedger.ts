import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import { groupBy, type NonEmpty } from '../../shared/lists';
import {
	isOpen,
	keyOf,
	LedgerError,
	type Beginning,
	type Entry,
	type Leftover,
	type Ledger,
	type Payment,
	type Rules,
} from '../ledger';
import type { LedgerTable } from '../table/ledgerTable';
import { dayBefore, equals, rowOf, type Condition, type Row, type RowValues } from '../table/rows';
import type { Step } from '../table/tableStore';
import { FundingAttempt, withdrawal } from './fundingAttempt';
import { isLive, isPreparing, isSending, judge } from './judge';
import { OwnRows, type OwnRow } from './ownRows';
import { conditionsFor, earlierPayables, rowsByPayment } from './paymentRows';
import { Review } from './review';

/** For so long a run waits for others that work on the same payments, in milliseconds. */
const PATIENCE_MS = 10_000;
const MAX_PAUSE_MS = 250;
const RENEWAL_SECONDS = 120;
const MAX_BEGINNINGS = 5;

/** How a look after the beginning has ended. */
type Look =
	| { kind: 'alone'; rows: Row[] }
	| { kind: 'blocked'; entries: Entry[] }
	/** Others begin at the same time. */
	| { kind: 'contended' };

/**
 * The ledger in a Data Table. The numbers in its comments are those of docs/contributing/at-most-once.md,
 * which explains why at most one run sends a funding.
 */
export class TableLedger implements Ledger {
	private readonly ownRows = new OwnRows();
	private readonly announcedTokens = new Set<string>();
	private readonly reviewer: Review;

	constructor(
		private readonly table: LedgerTable,
		private readonly run: Pick<Row, 'execution' | 'environment'>,
		private readonly patienceMs = PATIENCE_MS,
	) {
		this.reviewer = new Review(table, run);
	}

	async locate(): Promise<void> {
		await this.table.locate();
	}

	async find(payments: Payment[]): Promise<Entry[]> {
		return await this.findAmong(payments, (_, row) => !this.isOwnPreparation(row));
	}

	async announce(payments: Payment[]): Promise<() => Promise<void>> {
		const token = randomUUID();
		this.announcedTokens.add(token);
		const rows = this.rowsFor(payments, token);
		await this.table.insert(rows.map((row) => ({ ...row, payable_id: '' })));
		void this.renew(token);
		return async () => {
			this.announcedTokens.delete(token);
			await this.table.change([
				{ kind: 'delete', all: [equals('attempt', token), equals('state', 'preparing')] },
			]);
		};
	}

	async record(payments: Payment[]): Promise<Entry[]> {
		if (payments.length === 0) {
			return [];
		}
		const token = randomUUID();
		this.ownRows.add(payments, { token, isNewPayable: true, isFirst: false });
		const rows = this.rowsFor(payments, token);
		// (0) Funding: Create writes before it reads, as this does: so one of the two sees the other.
		const byPayable = payments.map(({ payableId = '' }) => equals('payable_id', payableId));
		const found = await this.table.insertAndFind(rows, recentlyFundedById(), byPayable);
		const others = found.filter(({ attempt }) => attempt !== token);
		const shared = new Set(others.map((row) => row.payable_id));
		const alone = payments.filter(({ payableId = '' }) => !shared.has(payableId));
		this.ownRows.add(alone, { token, isNewPayable: true, isFirst: true });
		const ofPayments = rowsByPayment(payments, others, this.run.environment);
		return this.judgeAll(payments, ofPayments);
	}

	async begin(payments: Payment[], rules?: Rules): Promise<Beginning> {
		let { token: previous, missing } = await this.gatherRows(payments);

		for (let beginnings = 1; ; beginnings += 1) {
			// Each beginning has a token of its own: a late answer to an earlier one cannot change its rows.
			const token = randomUUID();
			this.ownRows.move(payments, token);
			const mark: Step = {
				kind: 'update',
				all: [equals('attempt', previous), equals('state', 'preparing')],
				values: { attempt: token, state: 'sending' },
			};
			const withdraw = async (): Promise<void> => {
				await this.table.record([withdrawal(token)]);
			};
			const steps = [...insertOf(missing), mark];
			const look = await this.markAndLook(payments, token, steps, rules).catch(
				async (error: unknown) => {
					await withdraw().catch(() => undefined);
					throw error;
				},
			);
			previous = token;
			missing = [];
			if (look.kind === 'alone') {
				return { kind: 'begun', attempt: new FundingAttempt(this.table, token, look.rows) };
			}

			// (4) Who is not alone sends nothing.
			await withdraw();
			if (look.kind === 'blocked') {
				return look;
			}
			await pause();
			// Others that prepare the same payments may be waiting for this run.
			const entries = await this.findAmong(payments, blocksAttempt);
			if (!entries.every(isOpen) || beginnings === MAX_BEGINNINGS) {
				return { kind: 'blocked', entries };
			}
		}
	}

	async review(payments: Payment[], rules: Rules): Promise<Array<Entry | undefined>> {
		return await this.reviewer.entries(payments, rules);
	}

	async release(payments: Payment[], leftover: Leftover): Promise<void> {
		const recorded = payments.filter((payment) => this.ownRows.of(payment) !== undefined);
		const byToken = groupBy(recorded, (payment) => this.ownRows.of(payment)?.token ?? '');
		const steps = byToken.flatMap((alike) => this.releaseSteps(alike, leftover));
		await this.table.change(steps);
		this.ownRows.delete(recorded);
	}

	async hold(payments: Payment[]): Promise<void> {
		const recorded = payments.filter((payment) => this.ownRows.of(payment) !== undefined);
		await this.release(recorded, 'held');
		const others = payments.filter((payment) => !recorded.includes(payment));
		const found = await this.read(others);
		const missing = others.filter(
			({ payee, amount }, index) =>
				found[index]?.some(
					(row) => row.state === 'held' && row.payee === payee && row.amount_cents === amount,
				) !== true,
		);
		const rows = this.rowsFor(missing, randomUUID());
		await this.table.insert(rows.map((row) => ({ ...row, state: 'held' as const })));
	}

	/** Judges payments by the rows that count, when those that end soon have ended. */
	private async findAmong(
		payments: Payment[],
		counts: (payment: Payment, row: Row) => boolean,
	): Promise<Entry[]> {
		const patientUntil = Date.now() + this.patienceMs;
		for (;;) {
			const found = await this.read(payments);
			const counted = payments.map(
				(payment, index) => found[index]?.filter((row) => counts(payment, row)) ?? [],
			);
			if (!counted.flat().some(endsSoon) || Date.now() >= patientUntil) {
				return this.judgeAll(payments, counted);
			}
			await pause();
		}
	}

	/**
	 * Gives the rows of these payments one token that only they have.
	 *
	 * @returns the token, and the rows that are not in the table yet
	 */
	private async gatherRows(payments: Payment[]): Promise<{ token: string; missing: RowValues[] }> {
		const shared = this.ownRows.sharedToken(payments);
		if (shared !== undefined) {
			return { token: shared, missing: [] };
		}
		const token = randomUUID();
		const missing = payments.filter((payment) => this.ownRows.of(payment) === undefined);
		const moved = payments.filter((payment) => !missing.includes(payment));
		const steps = moved.map((payment): Step => ({
			kind: 'update',
			all: ownRowConditions(payment, this.ownRows.of(payment)),
			values: { attempt: token },
		}));
		await this.table.change(steps);
		this.ownRows.move(moved, token);
		this.ownRows.add(missing, { token, isNewPayable: false, isFirst: false });
		return { token, missing: this.rowsFor(missing, token) };
	}

	/** Marks the rows of an attempt as sending, then looks whether the funding may be sent. */
	private async markAndLook(
		payments: Payment[],
		token: string,
		steps: Step[],
		rules: Rules | undefined,
	): Promise<Look> {
		const conditions = this.conditionsFor(payments);
		let failure: unknown = vanishedError();
		// (1) Its rows are marked, and (2) all rows are read after that.
		let rows = await this.table.changeAndFind(steps, conditions).catch(async (error: unknown) => {
			// An insert without an answer is looked for, not repeated: a row that appears later only blocks.
			failure = error;
			const marks = steps.filter(({ kind }) => kind === 'update');
			return await this.table.changeAndFind(marks, conditions);
		});

		const patientUntil = Date.now() + this.patienceMs;
		for (;;) {
			const found = await this.rowsByPayment(payments, rows, token);
			const isOwn = ({ attempt }: Row): boolean => attempt === token;
			const others = payments.map(
				(payment, index) =>
					found[index]?.filter((row) => !isOwn(row) && blocksAttempt(payment, row)) ?? [],
			);
			const entries = this.judgeAll(payments, others);
			const isThere = payments.every((payment, index) =>
				found[index]?.some((row) => isOwn(row) && isRowOf(payment, row)),
			);
			if (!isThere) {
				// A person or an event may have changed its rows before they were marked.
				if (entries.every(isOpen)) {
					throw failure;
				}
				return { kind: 'blocked', entries };
			}
			// (3) They may have changed them since, and then its own rows block it too.
			const rivals = found
				.flat()
				.filter((row) => (isOwn(row) ? row.state !== 'sending' : isLive(row)));
			if (rivals.length === 0 && entries.every(isOpen)) {
				return await this.reviewed(payments, token, entries, rows, rules);
			}
			// A lower ID may be committed later: the first one waits, and never sends while it sees another.
			const isFirst = found.every((ofPayment) => isOwnFirst(ofPayment, token));
			const isWorthWaiting = rivals.length > 0 && rivals.every(isSending);
			if (!isFirst || !isWorthWaiting || Date.now() > patientUntil) {
				return { kind: 'contended' };
			}
			await pause();
			rows = await this.table.any(conditions);
		}
	}

	/** Judges the payments of an attempt by the rules, with its own rows in the ledger, so that two runs see each other. */
	private async reviewed(
		payments: Payment[],
		token: string,
		entries: Entry[],
		rows: Row[],
		rules: Rules | undefined,
	): Promise<Look> {
		if (rules === undefined) {
			return { kind: 'alone', rows };
		}
		const reviewed = await this.reviewer.entries(payments, rules, token);
		if (reviewed.every((entry) => entry === undefined)) {
			return { kind: 'alone', rows };
		}
		return { kind: 'blocked', entries: entries.map((entry, index) => reviewed[index] ?? entry) };
	}

	/** @param payments that have rows of this run with one token */
	private releaseSteps(payments: NonEmpty<Payment>, leftover: Leftover): Step[] {
		const own = this.ownRows.of(payments[0]);
		if (own === undefined) {
			return [];
		}
		const isWhole = this.ownRows.sharedToken(payments) !== undefined;
		const areNew = payments.every((payment) => this.ownRows.of(payment)?.isFirst === true);
		if (isWhole && (areNew || leftover === 'held')) {
			const all = [equals('attempt', own.token), equals('state', 'preparing')];
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

	private async renew(token: string): Promise<void> {
		for (let seconds = 1; this.announcedTokens.has(token); seconds += 1) {
			if (seconds % RENEWAL_SECONDS === 0) {
				const renewal: Step = {
					kind: 'update',
					all: [equals('attempt', token), equals('state', 'preparing')],
					values: this.run,
				};
				await this.table.change([renewal]).catch(() => undefined);
			}
			await sleep(1000);
		}
	}

	/** Whether a row says that this run itself prepares a payment. */
	private isOwnPreparation({ state, attempt }: Row): boolean {
		return (
			state === 'preparing' && (this.announcedTokens.has(attempt) || this.ownRows.has(attempt))
		);
	}

	private rowsFor(payments: Payment[], attempt: string) {
		const { execution, environment } = this.run;
		return payments.map((payment) =>
			rowOf(payment, { state: 'preparing', attempt, execution, environment }),
		);
	}

	private judgeAll(payments: Payment[], found: Row[][]): Entry[] {
		return payments.map((payment, index) =>
			judge(payment, found[index] ?? [], this.run.environment),
		);
	}

	private conditionsFor(payments: Payment[]): Condition[] {
		return conditionsFor(payments, (payment) => this.ownRows.of(payment)?.isFirst === true);
	}

	private async read(payments: Payment[]): Promise<Row[][]> {
		const rows = await this.table.any(this.conditionsFor(payments));
		return await this.rowsByPayment(payments, rows);
	}

	/** The rows that concern each payment: those that were found, and those of payables that it had earlier. */
	private async rowsByPayment(
		payments: Payment[],
		found: Row[],
		ownToken?: string,
	): Promise<Row[][]> {
		const { environment } = this.run;
		const others = found.filter(({ attempt }) => attempt !== ownToken);
		const payables = earlierPayables(payments, others, environment);
		const more = await this.table.any(payables.map((id) => equals('payable_id', id)));
		const rows = new Map([...found, ...more].map((row) => [row.id, row]));
		return rowsByPayment(payments, [...rows.values()], environment);
	}
}

/**
 * Whether a row can be in the way of a beginning. What others prepare for the same reference cannot, since
 * they begin themselves; but a payable that belongs to a reference is never funded by its ID.
 */
const blocksAttempt = ({ reference }: Payment, { state }: Row): boolean =>
	state !== 'preparing' || reference === '';

/** Whether what another run does with a row is over in a moment: then it is worth waiting for. */
const endsSoon = (row: Row): boolean =>
	isSending(row) || (isPreparing(row) && row.payable_id !== '');

/** Whether the first one of the rows that are being sent has this token. */
function isOwnFirst(rows: Row[], token: string): boolean {
	const sending = rows.filter(isSending);
	const firstId = Math.min(...sending.map(({ id }) => id));
	return sending.every(({ id, attempt }) => id !== firstId || attempt === token);
}

/**
 * The rows of the last days that are funded by their ID. The payables of this run are a moment old: the days
 * are for a database whose clock goes wrong.
 */
const recentlyFundedById = (): Condition[] => [
	equals('reference', ''),
	equals('createdAt', dayBefore(dayBefore(new Date().toISOString())), 'gte'),
];

const isRowOf = (payment: Payment, row: Row): boolean =>
	row.key === keyOf(payment) && row.payable_id === payment.payableId;

const ownRowConditions = ({ payableId = '' }: Payment, row: OwnRow | undefined) => [
	equals('attempt', row?.token ?? ''),
	equals('payable_id', payableId),
	equals('state', 'preparing'),
];

const insertOf = (rows: RowValues[]): Step[] =>
	rows.length === 0 ? [] : [{ kind: 'insert', rows }];

const pause = async (): Promise<void> => {
	await sleep(20 + Math.random() * MAX_PAUSE_MS);
};

const vanishedError = (): LedgerError =>
	new LedgerError(
		'The ledger table does not show what was just written to it',
		'Run it again with the same unique references. If it fails again, check what is between this n8n and its database or, with an n8n API key, its public API.',
	);
