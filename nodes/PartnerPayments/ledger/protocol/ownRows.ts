import type { Payment } from '../payment';

/** The row that a run has for one payment. */
export interface OwnRow {
	/** The value of its column `claim`, which only rows of this run have. */
	claimId: string;
	/** Whether the payable was made by this run. */
	isNewPayable: boolean;
	/** Whether the row was there, in (0), before any other row of a payable that this run has made. */
	isFirst: boolean;
}

/** The rows that a run has for its payments, while they are `preparing` or `sending`. */
export class OwnRows {
	private readonly rows = new Map<string, OwnRow>();
	private readonly claimIds = new Set<string>();

	of(payment: Payment): OwnRow | undefined {
		return this.rows.get(payableNameOf(payment));
	}

	/** Whether a claim ID is, or was, one of this run. */
	has(claimId: string): boolean {
		return this.claimIds.has(claimId);
	}

	add(payments: Payment[], row: OwnRow): void {
		this.claimIds.add(row.claimId);
		for (const payment of payments) {
			this.rows.set(payableNameOf(payment), row);
		}
	}

	/** Gives the rows of payments another claim ID. */
	move(payments: Payment[], claimId: string): void {
		for (const payment of payments) {
			const row = this.of(payment);
			if (row !== undefined) {
				this.add([payment], { ...row, claimId });
			}
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
		if (
			claimId === undefined ||
			payments.some((payment) => this.of(payment)?.claimId !== claimId)
		) {
			return undefined;
		}
		const rows = [...this.rows.values()].filter((row) => row.claimId === claimId);
		return rows.length === payments.length ? claimId : undefined;
	}
}

/** Names a payment by its payable. */
const payableNameOf = ({ workspaceId, payableId = '' }: Payment): string =>
	`${workspaceId} ${payableId}`;
