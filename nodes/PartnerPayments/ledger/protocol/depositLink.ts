import { randomUUID } from 'crypto';

import { InputError } from '../../shared/errors';
import { LedgerError } from '../ledger';
import { rowName } from '../messages';
import type { LedgerTable } from '../table/ledgerTable';
import { equals, where, type Condition, type Row, type RowValues } from '../table/rows';
import type { Step } from '../table/tableStore';
import { MAX_BEGINNING_MS } from '../times';
import { isLinking, isLive, shownState } from './rowStates';

/** Which deposit is linked to which funding. The service gives IDs within an environment. */
export interface LinkOrder {
	environment: string;
	fundingId: string;
	depositId: string;
}

const AWAITING = equals('state', 'awaiting_deposit');

/**
 * The link of one deposit to a funding whose rows the ledger has. The numbers are those of
 * docs/contributing/at-most-once.md.
 */
export class DepositLink {
	/** Whether an earlier run may have linked this same deposit. */
	isRepeat = false;
	private readonly claimId = randomUUID();
	/** Whether rows may have its mark. */
	private mayBeMarked = false;

	constructor(
		private readonly table: LedgerTable,
		private readonly order: LinkOrder,
	) {}

	/**
	 * Marks the rows of the funding with the deposit, so that no other run links one. May be called again before
	 * the request is sent again.
	 *
	 * @param rows those of the funding, read just before
	 * @throws InputError if the deposit must not be linked, or a LedgerError; then nothing may be sent
	 */
	async begin(rows: Row[]): Promise<void> {
		const begunAt = Date.now();
		// (10) Each row must wait for a deposit. No other run may have marked it, unless long ago with the same deposit.
		this.assertMayBegin(rows);
		const found = await this.markAndRead(rows);

		// (12) All rows must have this mark, and no other funding may pay their payables.
		const ofFunding = found.filter((row) => this.isOfFunding(row));
		this.assertMayBegin(ofFunding);
		const areMarked =
			ofFunding.length > 0 && ofFunding.every(({ claim }) => claim === this.claimId);
		if (!areMarked) {
			throw busyError(this.order);
		}
		assertNotPaidOtherwise(found, this.order);

		if (Date.now() - begunAt > MAX_BEGINNING_MS) {
			throw slowError();
		}
	}

	/** (13) Writes down that the deposit is linked, whichever run has marked it last, and whatever a person has said. */
	async complete(): Promise<void> {
		if (!this.mayBeMarked) {
			return;
		}
		const withDeposit = equals('deposit_id', this.order.depositId);
		const linked = [...this.fundingConditions(), withDeposit, where('state', 'neq', 'paid')];
		await this.table.changeDurably([{ kind: 'update', all: linked, values: { state: 'funded' } }]);
	}

	/** (14) Withdraws the mark when the request has certainly linked nothing, unless an earlier run may have linked it. */
	async withdraw(): Promise<void> {
		if (!this.mayBeMarked || this.isRepeat) {
			return;
		}
		const all = [...this.fundingConditions(), equals('claim', this.claimId), AWAITING];
		await this.table.changeDurably([{ kind: 'update', all, values: { deposit_id: '' } }]);
	}

	/** (11) Marks the rows if they are as they were read, then reads them, and all rows of their payables. */
	private async markAndRead(rows: Row[]): Promise<Row[]> {
		const [first] = rows;
		if (first === undefined) {
			return [];
		}

		const { depositId, fundingId } = this.order;
		const hasEarlierMark = first.deposit_id !== '' && first.claim !== this.claimId;
		this.isRepeat ||= hasEarlierMark;
		this.mayBeMarked = true;

		const values: Partial<RowValues> = { deposit_id: depositId, claim: this.claimId };
		const unchanged = [...this.fundingConditions(), equals('claim', first.claim), AWAITING];
		const mark: Step = { kind: 'update', all: unchanged, values };
		const payableIds = rows.map((row) => row.payable_id).filter((id) => id !== '');
		const conditions = [
			equals('funding_id', fundingId),
			...payableIds.map((id) => equals('payable_id', id)),
		];
		const found = await this.table.changeAndFind([mark], conditions);
		return found.filter(({ environment }) => environment === this.order.environment);
	}

	/** Throws if rows of the funding say that the deposit must not be linked, or not now. */
	private assertMayBegin(rows: Row[]): void {
		const { order } = this;
		assertNoneResolved(rows, order);
		assertNotPaid(rows, order);
		const notAwaiting = rows.find(({ state }) => state !== 'awaiting_deposit');
		if (notAwaiting !== undefined) {
			throw notAwaitingError(notAwaiting, order);
		}

		const withOtherDeposit = rows.find(
			({ deposit_id: known }) => known !== '' && known !== order.depositId,
		);
		if (withOtherDeposit !== undefined) {
			throw otherDepositError(withOtherDeposit, order);
		}

		const isOfAnotherRun = (row: Row): boolean => isLinking(row) && row.claim !== this.claimId;
		// Without one claim ID that all rows have, it would not show who has marked them.
		const isOneClaim = rows.every(({ claim }) => claim !== '' && claim === rows[0]?.claim);
		if (rows.some(isOfAnotherRun) || !isOneClaim) {
			throw busyError(order);
		}
	}

	private isOfFunding({ funding_id: fundingId }: Row): boolean {
		return fundingId === this.order.fundingId;
	}

	/** What the rows of the funding meet. */
	private fundingConditions(): Condition[] {
		const { environment, fundingId } = this.order;
		return [equals('environment', environment), equals('funding_id', fundingId)];
	}
}

/** Throws if a person has resolved a payout of the funding as not paid, or never to be paid. */
function assertNoneResolved(rows: Row[], { fundingId }: LinkOrder): void {
	const resolved = rows.find(({ state }) => state === 'not_paid' || state === 'void');
	if (resolved === undefined) {
		return;
	}
	throw new InputError(
		`Funding ${fundingId} pays ${rowName(resolved)}, which a person resolved as "${resolved.state}"`,
		'Linking a deposit would pay it all the same. Ask the operator of the service to cancel the funding, and what to do with the deposit.',
	);
}

/** Throws if the funding is paid: one funding pays all of its payouts, or none. */
function assertNotPaid(rows: Row[], { fundingId }: LinkOrder): void {
	const paid = rows.find(({ state }) => state === 'funded' || state === 'paid');
	if (paid === undefined) {
		return;
	}
	const by = paid.deposit_id === '' ? '' : ` with deposit ${paid.deposit_id}`;
	throw new InputError(
		`Funding ${fundingId} is paid already${by}: the ledger has ${rowName(paid)} as ${paid.state}`,
		'Do not link a deposit to it. If a deposit is left over, ask the operator of the service what to do with it.',
	);
}

/** Throws if another funding pays one of its payables, or may, as where an event came after a person's Not Paid. */
function assertNotPaidOtherwise(rows: Row[], { fundingId }: LinkOrder): void {
	const liveElsewhere = rows.find((row) => isLive(row) && row.funding_id !== fundingId);
	if (liveElsewhere === undefined) {
		return;
	}
	const { funding_id: otherId } = liveElsewhere;
	const by = otherId === '' ? 'another funding' : `funding ${otherId}`;
	throw new InputError(
		`${rowName(liveElsewhere)} is ${shownState(liveElsewhere)} with ${by}, so funding ${fundingId} could pay it again`,
		'Ask the operator of the service to cancel the funding, and what to do with the deposit.',
	);
}

const notAwaitingError = (row: Row, { fundingId }: LinkOrder): InputError =>
	new InputError(
		`Funding ${fundingId} does not wait for a deposit: the ledger has ${rowName(row)} as ${shownState(row)}`,
		'Look at it with "Get Many" of "Payout". If it is sending, wait until its execution has ended. If it is unconfirmed, find out, then resolve it.',
	);

const otherDepositError = (row: Row, { fundingId }: LinkOrder): InputError =>
	new InputError(
		`Another run has linked deposit ${row.deposit_id} to funding ${fundingId}, or may have`,
		`After 20 minutes, look in the service at which funding has ${row.deposit_id}. This one: use "Resolve" of "Payout" as "Paid" with "Its Whole Funding". None, and it is the right deposit: run this again with ${row.deposit_id}. Otherwise, resolve nothing: ask the operator of the service.`,
	);

const busyError = ({ fundingId, depositId }: LinkOrder): InputError =>
	new InputError(
		`Another run is linking a deposit to funding ${fundingId}, or its answer was lost`,
		`Nothing was sent. Wait 20 minutes, then run this again with the same IDs, and do not link another deposit than ${depositId}.`,
	);

const slowError = (): LedgerError =>
	new LedgerError(
		'The ledger took more than five minutes to answer, so no deposit was linked',
		'Run it again with the same IDs.',
	);
