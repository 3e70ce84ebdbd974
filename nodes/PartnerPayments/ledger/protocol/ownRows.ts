import type { Payment } from '../payment';
import { equals, rowOf, type Condition, type Row, type RowValues } from '../table/rows';

/** The row that a run has for one payment. */
export interface OwnRow {
	/** The value of its column `claim`, which only rows of this run have. */
	claimId: string;
	/** Whether the payable was made by this run. */
	isNewPayable: boolean;
	/**
	 * Whether (0) of docs/contributing/at-most-once.md found no one who funds the payable by its ID. Then (2) need
	 * not read by it: the service gives each payable an ID of its own, so no other payout has it, and who funds it
	 * by its ID later sees this row.
	 */
	isUncontested: boolean;
}

/** A payment for which a run has a row. */
export interface OwnPayment {
	payment: Payment;
	row: OwnRow;
}

const PREPARING = equals('state', 'preparing');

/** The rows that a run has for its payments, while they are `preparing` or `sending`. */
export class OwnRows {
	private readonly rows = new Map<string, OwnRow>();
	private readonly claimIds = new Set<string>();

	of(payment: Payment): OwnRow | undefined {
		return this.rows.get(payableNameOf(payment));
	}

	/** Those of these payments for which the run has rows. */
	among(payments: Payment[]): OwnPayment[] {
		const found: OwnPayment[] = [];
		for (const payment of payments) {
			const row = this.of(payment);
			if (row !== undefined) {
				found.push({ payment, row });
			}
		}
		return found;
	}

	/** Whether a claim ID is, or was, one of this run. */
	has(claimId: string): boolean {
		return this.claimIds.has(claimId);
	}

	add(payments: Payment[], row: Pick<OwnRow, 'claimId' | 'isNewPayable'>): void {
		this.claimIds.add(row.claimId);
		for (const payment of payments) {
			this.rows.set(payableNameOf(payment), { ...row, isUncontested: false });
		}
	}

	markUncontested(payments: Payment[]): void {
		for (const { payment, row } of this.among(payments)) {
			this.rows.set(payableNameOf(payment), { ...row, isUncontested: true });
		}
	}

	/** Gives the rows of payments another claim ID. */
	move(payments: Payment[], claimId: string): void {
		this.claimIds.add(claimId);
		for (const { payment, row } of this.among(payments)) {
			this.rows.set(payableNameOf(payment), { ...row, claimId });
		}
	}

	delete(payments: Payment[]): void {
		for (const payment of payments) {
			this.rows.delete(payableNameOf(payment));
		}
	}

	/** The claim ID that these payments have, and no others; undefined if there is none. */
	sharedClaim(payments: Payment[]): string | undefined {
		const [first] = payments;
		const claimId = first === undefined ? undefined : this.of(first)?.claimId;
		if (payments.some((payment) => this.of(payment)?.claimId !== claimId)) {
			return undefined;
		}
		const rows = [...this.rows.values()].filter((row) => row.claimId === claimId);
		return rows.length === payments.length ? claimId : undefined;
	}
}

/** The rows with which a run says that it makes payments ready. */
export function preparingRows(
	payments: Payment[],
	claimId: string,
	{ execution, environment }: Pick<Row, 'execution' | 'environment'>,
): RowValues[] {
	return payments.map((payment) =>
		rowOf(payment, { state: 'preparing', claim: claimId, execution, environment }),
	);
}

/** The conditions of the `preparing` rows of a claim. */
export const preparingOf = (claimId: string): Condition[] => [equals('claim', claimId), PREPARING];

/** The conditions of one `preparing` row of a run. */
export const preparingRowOf = ({ payment, row }: OwnPayment): Condition[] => [
	equals('claim', row.claimId),
	equals('payable_id', payment.payableId ?? ''),
	PREPARING,
];

/** Names a payment by its payable. */
const payableNameOf = ({ workspaceId, payableId = '' }: Payment): string =>
	`${workspaceId} ${payableId}`;
