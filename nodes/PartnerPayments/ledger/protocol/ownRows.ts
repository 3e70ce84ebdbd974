import type { Payment } from '../ledger';

/** The row that a run has for one payment. */
export interface OwnRow {
	/** Its `claim`, which only rows of this run have. */
	token: string;
	/** Whether the payable was made by this run. */
	isNewPayable: boolean;
	/** Whether the row was there, in (0), before any other row of a payable that this run has made. */
	isFirst: boolean;
}

/** The rows that a run has for its payments, while they are `preparing` or `sending`. */
export class OwnRows {
	private readonly rows = new Map<string, OwnRow>();
	private readonly tokens = new Set<string>();

	of(payment: Payment): OwnRow | undefined {
		return this.rows.get(payableNameOf(payment));
	}

	/** Whether a token is, or was, one of this run. */
	has(token: string): boolean {
		return this.tokens.has(token);
	}

	add(payments: Payment[], row: OwnRow): void {
		this.tokens.add(row.token);
		for (const payment of payments) {
			this.rows.set(payableNameOf(payment), row);
		}
	}

	/** Gives the rows of payments another token. */
	move(payments: Payment[], token: string): void {
		for (const payment of payments) {
			const row = this.of(payment);
			if (row !== undefined) {
				this.add([payment], { ...row, token });
			}
		}
	}

	delete(payments: Payment[]): void {
		for (const payment of payments) {
			this.rows.delete(payableNameOf(payment));
		}
	}

	/** The token that these payments have, and no others; undefined if there is none. */
	sharedToken(payments: Payment[]): string | undefined {
		const [first] = payments;
		const token = first === undefined ? undefined : this.of(first)?.token;
		if (token === undefined || payments.some((payment) => this.of(payment)?.token !== token)) {
			return undefined;
		}
		const rows = [...this.rows.values()].filter((row) => row.token === token);
		return rows.length === payments.length ? token : undefined;
	}
}

/** Names a payment by its payable. */
const payableNameOf = ({ workspaceId, payableId = '' }: Payment): string =>
	`${workspaceId} ${payableId}`;
