import type { Payment } from '../payment';
import { equals, rowOf, type Condition, type Row, type RowValues } from '../table/rows';

/** The row that a run has for one payment. */
export interface OwnRow {
	/** The value of its column `claim`, which only rows of this run have. */
	claimId: string;
	/** Whether the payable was made by this run. */
	isNewPayable: boolean;
	/**
	 * (0) Whether nobody else had the payable when its row was recorded. Then (2), the read after the mark, leaves out
	 * the ID of the payable: no other payout gets it, and a run that funds it by its ID later sees this row.
	 */
	isUncontested: boolean;
}

/** A payment for which a run has a row. */
export interface OwnPayment {
	payment: Payment;
	row: OwnRow;
}

const PREPARING = equals('state', 'preparing');

/** What a run remembers of its rows while they are `preparing` or `sending`. Nothing here changes the table. */
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
	hasClaim(claimId: string): boolean {
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

	/** Notes that the rows of payments have another claim ID. */
	setClaim(payments: Payment[], claimId: string): void {
		this.claimIds.add(claimId);
		for (const { payment, row } of this.among(payments)) {
			this.rows.set(payableNameOf(payment), { ...row, claimId });
		}
	}

	forget(payments: Payment[]): void {
		for (const payment of payments) {
			this.rows.delete(payableNameOf(payment));
		}
	}

	/** The claim ID that all of these payments have, and no others; undefined if there is none. */
	sharedClaim(payments: Payment[]): string | undefined {
		const own = this.among(payments);
		const [first] = own;
		if (first === undefined || own.length < payments.length) {
			return undefined;
		}

		const { claimId } = first.row;
		const areOfClaim = own.every(({ row }) => row.claimId === claimId);
		const ofClaim = [...this.rows.values()].filter((row) => row.claimId === claimId);
		return areOfClaim && ofClaim.length === own.length ? claimId : undefined;
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

/** What the `preparing` rows of a claim meet. */
export const claimConditions = (claimId: string): Condition[] => [
	equals('claim', claimId),
	PREPARING,
];

/** What the `preparing` row of a payment meets. */
export const rowConditions = ({ payment, row }: OwnPayment): Condition[] => [
	equals('claim', row.claimId),
	equals('payable_id', payment.payableId ?? ''),
	PREPARING,
];

/** Names a payment by its payable. */
const payableNameOf = ({ workspaceId, payableId = '' }: Payment): string =>
	`${workspaceId} ${payableId}`;
