import { indexBy, type NonEmpty } from '../../shared/lists';
import { contentText, historyOf } from '../messages';
import { type ComparedInvoice, differentInvoiceText, isToldApart, type Payment } from '../payment';
import { nameOfRow, type Row } from '../table/rows';
import { contentOf, isLive, isSetAside, isUnconfirmed, wasSentInVain } from './rowStates';

/** Another payment that a payment may repeat. */
export interface PossibleDuplicate {
	/** The other payment, and what both share, as a part of a message. */
	text: string;
	apart: Apart;
	/** Whether the other payment was paid, or may be. A void one counts, too: a person may have paid it by hand. */
	mayBePaid: boolean;
	/** Whether a person has resolved the other payment as void, or as not paid. */
	isResolved: boolean;
}

/** How a person tells two payments apart. */
type Apart =
	/** With this line, as from `differentInvoiceText`. */
	| { kind: 'line'; line: string }
	/** Not before they have found out whether the other one was paid. */
	| { kind: 'unknown' }
	/** It is the same invoice in another workspace. */
	| { kind: 'never' };

/** The rows of the ledger by their invoices, and what a person is told of them. */
export class InvoiceRows {
	private readonly byKey: Map<string, NonEmpty<Row>>;

	/** @param namesInRun the payments of the run, as from `nameOfRow` */
	constructor(
		rows: Row[],
		private readonly namesInRun: Set<string>,
	) {
		this.byKey = indexBy(rows, ({ key }) => key);
	}

	/** The rows of an invoice, by its key. */
	of(key: string): Row[] {
		return this.byKey.get(key) ?? [];
	}

	/** Whether a person has told a payment apart from a row; from one that waits in this run, also before the run. */
	isToldApartFrom(payment: Payment, row: Row): boolean {
		if (isToldApart(payment, this.comparedWith(row))) {
			return true;
		}
		// One yes is for both, and the person saw this one as it still is.
		const { reference, payee, amount } = contentOf(row);
		const asItIs = { reference, payee, amount, state: row.state };
		return this.isWaitingInRun(row) && isToldApart(payment, asItIs);
	}

	/**
	 * A row as an invoice to compare with. If it waits and this run sends it, its state is left out: so the line is
	 * the same as for a payment of the run.
	 */
	private comparedWith(row: Row): ComparedInvoice {
		const { reference, payee, amount } = contentOf(row);
		if (this.isWaitingInRun(row)) {
			return { reference, payee, amount };
		}
		return { reference, payee, amount, state: this.decidingRowOf(row).state };
	}

	private isWaitingInRun(row: Row): boolean {
		return isSetAside(row) && this.namesInRun.has(nameOfRow(row));
	}

	duplicateOf(payment: Payment, row: Row, likeness: string): PossibleDuplicate {
		const workspaceText = isElsewhere(payment, row) ? ` in workspace ${row.workspace_id}` : '';
		const deciding = this.decidingRowOf(row);
		const content = contentOf(deciding);
		const history = this.isWaitingInRun(row) ? 'is in this run' : historyOf(content);
		const isSameAmount = deciding.amount_cents === row.amount_cents;
		const otherContent = isSameAmount ? '' : `, with ${contentText(content)}`;
		return {
			text: `"${row.reference}" to ${row.payee}${workspaceText}, which ${history}${otherContent}: ${likeness}`,
			apart: this.apartFrom(payment, row),
			mayBePaid: isLive(deciding) || this.isWaitingInRun(row),
			isResolved: deciding.state === 'void' || wasSentInVain(deciding),
		};
	}

	/**
	 * The row that says what became of the invoice of a row: a live one of the same vendor, since the invoice may have
	 * been paid with another amount, or one that was sent and that a person resolved as not paid, or else the row itself.
	 */
	private decidingRowOf(row: Row): Row {
		if (isLive(row)) {
			return row;
		}
		const ofVendor = this.of(row.key).filter(({ payee }) => payee === row.payee);
		return ofVendor.find(isLive) ?? ofVendor.find(wasSentInVain) ?? row;
	}

	private apartFrom(payment: Payment, row: Row): Apart {
		if (isUnconfirmed(row)) {
			return { kind: 'unknown' };
		}
		if (isElsewhere(payment, row) && isSameContent(payment, row)) {
			return { kind: 'never' };
		}
		return { kind: 'line', line: differentInvoiceText(payment, this.comparedWith(row)) };
	}
}

const isElsewhere = ({ workspaceId }: Payment, row: Row): boolean =>
	row.workspace_id !== workspaceId.toLowerCase();

/** Whether a row has the reference, the payee, and the amount of a payment, in whichever workspace. */
const isSameContent = ({ reference, payee, amount }: Payment, row: Row): boolean =>
	row.reference === reference && row.payee === payee && row.amount_cents === amount;
