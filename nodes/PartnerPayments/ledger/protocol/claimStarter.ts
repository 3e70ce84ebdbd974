import { randomUUID } from 'crypto';

import { LedgerError, allowsSending, type BeginResult, type Rules, type Verdicts } from '../ledger';
import { isFundedById, keyOf, type Payment } from '../payment';
import type { LedgerTable } from '../table/ledgerTable';
import type { Row, RowValues } from '../table/rows';
import type { Step } from '../table/tableStore';
import { isLive, isSending } from './rowStates';
import { FundingClaim, withdrawalStep } from './fundingClaim';
import { claimConditions, preparingRows, rowConditions, type OwnRows } from './ownRows';
import type { PaymentReader } from './paymentReader';
import type { PaymentRows } from './paymentRows';
import type { RuleChecker } from './ruleChecker';

const MAX_ATTEMPTS = 5;

/** One attempt to begin a claim to payments. */
interface Attempt {
	payments: Payment[];
	/** (4) Each attempt has a new one, so a late answer to an earlier attempt cannot change its rows. */
	claimId: string;
	rules: Rules | undefined;
}

/** The rows of a claim before its mark. */
interface GatheredRows {
	/** The claim ID of those that are in the table. */
	claimId: string;
	/** Those that are not in the table yet. They have the same claim ID. */
	missing: RowValues[];
}

/** What was read after the mark, by number and payable. */
interface MarkedRows {
	rows: Row[];
	/** Why the mark got no answer, if it got none. */
	failure?: unknown;
}

/** What a run decides after its mark. */
type Decision =
	/** Nothing is in the way of the funding. `rows`: those that were found by number and payable. */
	| { kind: 'send'; rows: Row[] }
	/** A row of others blocks it while its own rows are gone, or a rule forbids it. */
	| { kind: 'stop'; verdicts: Verdicts }
	/** A row is in the way, perhaps only for a moment: the verdicts after the withdrawal show that. */
	| { kind: 'tryAgain' };

/** Begins claims: (1) to (4) of docs/contributing/at-most-once.md. */
export class ClaimStarter {
	constructor(
		private readonly table: LedgerTable,
		private readonly run: Pick<Row, 'execution' | 'environment'>,
		private readonly ownRows: OwnRows,
		private readonly reader: PaymentReader,
		private readonly ruleChecker: RuleChecker,
	) {}

	async begin(payments: Payment[], rules: Rules | undefined): Promise<BeginResult> {
		let gathered = await this.gatherRows(payments);

		for (let attempts = 1; ; attempts += 1) {
			const claimId = randomUUID();
			// The rows may have it even if the mark gets no answer.
			this.ownRows.setClaim(payments, claimId);
			const attempt: Attempt = { payments, claimId, rules };
			const decision = await this.markAndDecide(attempt, gathered).catch(
				async (error: unknown) => await this.withdrawAndThrow(claimId, error),
			);
			if (decision.kind === 'send') {
				return { kind: 'begun', claim: new FundingClaim(this.table, claimId, decision.rows) };
			}

			// (4) If anything is in the way, withdraw, and send nothing.
			await this.withdraw(claimId);
			if (decision.kind === 'stop') {
				return { kind: 'blocked', verdicts: decision.verdicts };
			}

			await this.reader.pause();
			// Without rows that are `preparing`: two runs that prepare the same payments would wait for each other.
			const { verdicts } = await this.reader.waitForRows(payments, mayBlock);
			if (!allAllowSending(verdicts) || attempts === MAX_ATTEMPTS) {
				return { kind: 'blocked', verdicts };
			}
			// The rows are `preparing` again, and have the claim ID of this attempt.
			gathered = { claimId, missing: [] };
		}
	}

	/** (1) Gives the rows of these payments one claim ID that only they have. A payment without a row gets one with the mark. */
	private async gatherRows(payments: Payment[]): Promise<GatheredRows> {
		const shared = this.ownRows.sharedClaim(payments);
		if (shared !== undefined) {
			return { claimId: shared, missing: [] };
		}

		// They have none that is theirs alone: as half of a refused group, or where one has no row yet.
		const claimId = randomUUID();
		const missing = payments.filter((payment) => this.ownRows.of(payment) === undefined);
		const steps = this.ownRows.among(payments).map((own): Step => ({
			kind: 'update',
			all: rowConditions(own),
			values: { claim: claimId },
		}));
		// Without an answer, the rows may have either ID. Its error ends the claim, so nothing is sent.
		await this.table.change(steps);

		this.ownRows.setClaim(payments, claimId);
		this.ownRows.add(missing, { claimId, isNewPayable: false });
		return { claimId, missing: preparingRows(missing, claimId, this.run) };
	}

	/** Marks the rows of a claim as sending, then decides whether the funding may be sent. */
	private async markAndDecide(attempt: Attempt, gathered: GatheredRows): Promise<Decision> {
		const marked = await this.markAndRead(attempt, gathered);
		return await this.decide(attempt, marked);
	}

	/**
	 * (3) and (4): decides by the rows that were read after the mark, and waits for others that withdraw in a moment.
	 * It sends only if all its rows are there as `sending`, and no other row blocks one of them.
	 */
	private async decide(attempt: Attempt, marked: MarkedRows): Promise<Decision> {
		const { payments, claimId } = attempt;
		const patientUntil = Date.now() + this.reader.patience.totalMs;
		let { rows } = marked;
		for (;;) {
			const ofPayments = await this.reader.withEarlierPayables(payments, rows, claimId);
			// The verdicts are about rows of others. Its own rows only have to be there, as `sending`.
			const verdicts = this.reader.judge(blockingCandidates(ofPayments, claimId));
			if (!ofPayments.every((ofPayment) => hasOwnRow(ofPayment, claimId))) {
				return decideWithoutRows(verdicts, marked.failure);
			}

			const isChanged = ofPayments.some((ofPayment) => hasChangedOwnRow(ofPayment, claimId));
			// Also those that `mayBlock` leaves out: a `preparing` row with an answer is live.
			const liveOthers = liveRowsOfOthers(ofPayments, claimId);
			const isAlone = !isChanged && liveOthers.length === 0;
			if (isAlone && allAllowSending(verdicts)) {
				const broken = await this.checkRules(attempt, rows);
				if (broken.size === 0) {
					return { kind: 'send', rows };
				}
				return { kind: 'stop', verdicts: new Map([...verdicts, ...broken]) };
			}

			// Of several that are sending, the first stays until it is alone. It never sends while it sees another, since a
			// row with a lower ID may be committed later.
			const isFirst = ofPayments.every(({ rows: all }) => isFirstToSend(all, claimId));
			const othersAreSending = liveOthers.length > 0 && liveOthers.every(isSending);
			const mayStay = isFirst && !isChanged && othersAreSending;
			if (!mayStay || Date.now() > patientUntil) {
				return { kind: 'tryAgain' };
			}

			await this.reader.pause();
			// (2) Every read is after the mark.
			rows = await this.table.any(this.reader.searchConditions(payments));
		}
	}

	/** (1) and (2): inserts the rows that a claim lacks, marks all of its rows, and reads all rows after that. */
	private async markAndRead(attempt: Attempt, gathered: GatheredRows): Promise<MarkedRows> {
		const inserts = insertSteps(gathered.missing);
		const mark = markStep({ from: gathered.claimId, to: attempt.claimId });
		const conditions = this.reader.searchConditions(attempt.payments);

		try {
			const rows = await this.table.changeAndFind([...inserts, mark], conditions);
			return { rows };
		} catch (failure) {
			// An insert without an answer is looked for, not repeated: a row that appears later only blocks.
			const rows = await this.table.changeAndFind([mark], conditions);
			return { rows, failure };
		}
	}

	/**
	 * The verdicts by rules, with the claim's own rows in the ledger, so that two runs see each other.
	 *
	 * @param withNumbers the rows that were found by the numbers of the payments after the mark
	 */
	private async checkRules(attempt: Attempt, withNumbers: Row[]): Promise<Verdicts> {
		const { payments, claimId, rules } = attempt;
		if (rules === undefined) {
			return new Map();
		}
		return await this.ruleChecker.check(payments, rules, { claimId, withNumbers });
	}

	/** (4) Ends an attempt that failed before anything was sent. */
	private async withdrawAndThrow(claimId: string, error: unknown): Promise<never> {
		await this.withdraw(claimId).catch(() => undefined);
		throw error;
	}

	private async withdraw(claimId: string): Promise<void> {
		await this.table.changeDurably([withdrawalStep(claimId)]);
	}
}

/** (1) The step that marks the rows of one claim ID as sending, with another claim ID. */
const markStep = ({ from, to }: { from: string; to: string }): Step => ({
	kind: 'update',
	all: claimConditions(from),
	values: { claim: to, state: 'sending' },
});

const insertSteps = (rows: RowValues[]): Step[] =>
	rows.length === 0 ? [] : [{ kind: 'insert', rows }];

const allAllowSending = (verdicts: Verdicts): boolean =>
	[...verdicts.values()].every(allowsSending);

/**
 * Whether another run's row can block a payment. One that is `preparing` need not block: its run marks it and reads
 * before it sends, so it sees this run. If this run funds a payable by its ID (Funding: Create), any row of a
 * reference blocks it, also one that is `preparing`.
 */
function mayBlock(payment: Payment, row: Row): boolean {
	return isFundedById(payment) || row.state !== 'preparing';
}

/** The rows of others that can block the payments of a claim. */
const blockingCandidates = (ofPayments: PaymentRows[], claimId: string): PaymentRows[] =>
	ofPayments.map((ofPayment) => ({
		...ofPayment,
		rows: ofPayment.rows.filter((row) => row.claim !== claimId && mayBlock(ofPayment.payment, row)),
	}));

/** Whether the row of this run is there, for the payment with its payable. */
const hasOwnRow = ({ payment, rows }: PaymentRows, claimId: string): boolean =>
	rows.some(
		(row) =>
			row.claim === claimId && row.key === keyOf(payment) && row.payable_id === payment.payableId,
	);

/** Whether a person or an event has changed a row of this run since its mark. */
const hasChangedOwnRow = ({ rows }: PaymentRows, claimId: string): boolean =>
	rows.some((row) => row.claim === claimId && row.state !== 'sending');

const liveRowsOfOthers = (ofPayments: PaymentRows[], claimId: string): Row[] =>
	ofPayments.flatMap(({ rows }) => rows.filter((row) => row.claim !== claimId && isLive(row)));

/** Whether a claim has the first of the rows that are being sent, by their ID. */
function isFirstToSend(rows: Row[], claimId: string): boolean {
	const [first] = rows.filter(isSending).sort((one, other) => one.id - other.id);
	return first === undefined || first.claim === claimId;
}

/**
 * The decision of a run that does not see all its rows as it has marked them. A person or an event may have changed
 * them before the mark: then a verdict says what they are.
 *
 * @param failure why the mark got no answer, if it got none
 */
function decideWithoutRows(verdicts: Verdicts, failure: unknown): Decision {
	if (allAllowSending(verdicts)) {
		throw missingRowsError(failure);
	}
	return { kind: 'stop', verdicts };
}

/** The error for own rows that are not in the table. */
function missingRowsError(failure: unknown): Error {
	if (failure instanceof Error) {
		return failure;
	}
	return new LedgerError(
		'The ledger table does not show what was just written to it',
		'Run it again with the same unique references. If it fails again, check what is between this n8n and its database or, with an n8n API key, its public API.',
	);
}
