import type { IDataObject } from 'n8n-workflow';

import type { Ledger } from '../../../nodes/PartnerPayments/ledger/ledger';
import { LedgerProtocol } from '../../../nodes/PartnerPayments/ledger/protocol/ledgerProtocol';
import type { Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import { LedgerTable } from '../../../nodes/PartnerPayments/ledger/table/ledgerTable';
import { ProjectStore } from '../../../nodes/PartnerPayments/ledger/table/projectStore';
import { rowOf, type RowValues } from '../../../nodes/PartnerPayments/ledger/table/rows';
import type { Patience } from '../../../nodes/PartnerPayments/ledger/times';
import { DataTables } from '../../support/dataTables';
import type { RunOptions } from './ledgerRuns';

const NAME = 'Payout Ledger';
const SHORT_PATIENCE: Patience = { totalMs: 50, maxPauseMs: 5 };

/** A ledger in the Data Tables of a project in memory. */
export class Project {
	readonly tables = new DataTables();
	readonly store = new ProjectStore(this.tables.host());

	table(): LedgerTable {
		return new LedgerTable(this.store, async (tables) => {
			const [found] = tables ?? [];
			if (found !== undefined) {
				return found.id;
			}
			await this.store.create(NAME);
			return (await this.store.list())?.[0]?.id ?? '';
		});
	}

	open({ environment = 'sandbox', patience = SHORT_PATIENCE }: RunOptions = {}): Ledger {
		return new LedgerProtocol(this.table(), { execution: '1', environment }, patience);
	}

	get rows(): IDataObject[] {
		return this.tables.tables[0]?.rows ?? [];
	}

	/** What the rows have in a column. */
	column(name: string): unknown[] {
		return this.rows.map((row) => row[name]);
	}

	/** Changes the row of a payable or of a claim, as a person, an event or another run does. */
	change(id: string, values: IDataObject): void {
		const row = this.rows.find(({ payable_id: payable, claim }) => payable === id || claim === id);
		if (row === undefined) {
			throw new Error(`There is no row ${id}`);
		}

		Object.assign(row, values);
	}

	/** Adds the row of another run for a payment. Its claim ID is "rival". */
	addRival(payment: Payment, values: Partial<RowValues>): void {
		const run = {
			state: 'sending',
			claim: 'rival',
			execution: '9',
			environment: 'sandbox',
		} as const;
		this.tables.add({ ...rowOf(payment, run), payable_id: 'pay-rival', ...values });
	}

	/** Has something happen directly before the nth sub-execution of a kind. */
	beforeNth(kinds: string, act: () => void, position = 1): void {
		let seen = 0;
		this.tables.before = async (next) => {
			await Promise.resolve();
			seen += next === kinds ? 1 : 0;
			if (next === kinds && seen === position) {
				act();
			}
		};
	}

	/** The ledger of a run that has recorded the payable of each payment. */
	async record(...payments: Payment[]): Promise<Ledger> {
		const ledger = this.open();
		await ledger.recordPayables(payments);
		return ledger;
	}
}
