import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type {
	ApiAnswer,
	ApiRequest,
} from '../../../nodes/PartnerPayments/ledger/dataTable/apiRequest';
import { DataTableLedger } from '../../../nodes/PartnerPayments/ledger/dataTable/dataTableLedger';
import { LedgerTable } from '../../../nodes/PartnerPayments/ledger/dataTable/ledgerTable';
import { N8nApi } from '../../../nodes/PartnerPayments/ledger/dataTable/n8nApi';
import { COLUMNS } from '../../../nodes/PartnerPayments/ledger/dataTable/row';
import { TableRows, type Filter } from '../../../nodes/PartnerPayments/ledger/dataTable/rows';
import type { Patience } from '../../../nodes/PartnerPayments/ledger/dataTable/tableRun';
import type { LedgerKind } from '../../../nodes/PartnerPayments/ledger/ledger';
import type { OwnReferences } from '../../../nodes/PartnerPayments/ledger/nodeStore/storeChange';
import type { Clock } from '../../../nodes/PartnerPayments/service/http/clock';
import { isRecord } from '../../../nodes/PartnerPayments/shared/json';
import { NO_OWN_REFERENCES } from '../ledger/ledgerContract-support';

/** Skips what a run waits. */
let skippedMs = 0;
const clock: Clock = {
	now: () => performance.now() + skippedMs,
	wait: async (ms, signal) => {
		await new Promise(setImmediate);
		signal?.throwIfAborted();
		skippedMs += ms;
	},
};

type Row = Record<string, string | number | null>;

/** Short, so that tests of runs that were cut off need not wait. */
const PATIENCE: Patience = { idleMs: 20, inDoubtMs: 20, pollMs: 5 };

/** A Data Table in memory, with the public API of n8n in front of it. */
export class FakeTable {
	readonly rows: Row[] = [];
	/** Called before a request takes effect. */
	before: (request: ApiRequest) => Promise<void> = async () => {
		await Promise.resolve();
	};
	private lastId = 0;

	/** A run, as another process would open it; `own` is what its node has sent by itself before. */
	open({
		kind = 'payout',
		environment = 'sandbox',
		own = NO_OWN_REFERENCES,
	}: {
		kind?: LedgerKind;
		environment?: string;
		own?: Pick<OwnReferences, 'resolve'>;
	} = {}): DataTableLedger {
		const run = {
			rows: this.tableRows(),
			scope: { kind, environment },
			token: randomUUID(),
			execution: '1',
			clock,
			signal: undefined,
			patience: PATIENCE,
		};
		return new DataTableLedger(run, own);
	}

	/** A run in a process of its own: those of one process wait for each other. */
	openElsewhere(): DataTableLedger {
		const ledger = this.open();
		ledger.exclusively = async (_, work) => await work();
		return ledger;
	}

	/** The table as people work with it. */
	ledgerTable(): LedgerTable {
		return new LedgerTable(this.tableRows());
	}

	/** The row of a reference; fails when there is not exactly one. */
	row(reference: string): Row {
		const [row, ...others] = this.rows.filter((one) => one.reference === reference);
		if (row === undefined || others.length > 0) throw new Error('There is not one row');
		return row;
	}

	/** Answers a request to the public API. */
	readonly send = async (request: ApiRequest): Promise<ApiAnswer> => {
		await this.before(request);
		return { status: 200, body: this.answer(request) };
	};

	private tableRows(): TableRows {
		return new TableRows(new N8nApi(this.send, 'n8n.example', clock), 'table-1');
	}

	private answer({ method, path, body = {} }: ApiRequest): unknown {
		const url = new URL(path, 'http://n8n.example');
		const query = (name: string): string => url.searchParams.get(name) ?? '';
		if (method === 'POST') return this.insert(Array.isArray(body.data) ? body.data : []);
		const found = this.find(method === 'PATCH' ? body.filter : JSON.parse(query('filter')));
		if (method === 'PATCH') {
			const data = isRecord(body.data) ? body.data : {};
			for (const row of found) Object.assign(row, data, { updatedAt: now() });
			return found.map((row) => ({ ...row }));
		}
		if (method === 'DELETE') {
			for (const row of found) this.rows.splice(this.rows.indexOf(row), 1);
			return true;
		}
		const sorted = query('sortBy').endsWith('desc') ? found.reverse() : found;
		return { data: sorted.slice(0, Number(query('limit'))).map((row) => ({ ...row })) };
	}

	private insert(rows: unknown[]): unknown {
		for (const row of rows.filter(isRecord)) {
			this.lastId += 1;
			const empty = Object.fromEntries(Object.keys(COLUMNS).map((column) => [column, null]));
			const own = { id: this.lastId, createdAt: now(), updatedAt: now() };
			this.rows.push({ ...empty, ...valuesOf(row), ...own });
		}
		return { insertedRows: rows.length };
	}

	private find(filter: unknown): Row[] {
		if (!isFilter(filter)) throw new Error('There is no filter');
		const { type, filters } = filter;
		return this.rows.filter((row) => {
			const results = filters.map(({ columnName, condition, value }) => {
				const actual = row[columnName] ?? null;
				if (condition === 'eq') return actual === value;
				if (condition === 'neq') return actual !== value;
				if (actual === null || value === null) return false;
				if (condition === 'lt') return actual < value;
				return condition === 'gt' ? actual > value : actual >= value;
			});
			return type === 'and' ? results.every(Boolean) : results.some(Boolean);
		});
	}
}

const now = (): string => new Date().toISOString();

const isFilter = (value: unknown): value is Filter =>
	isRecord(value) && Array.isArray(value.filters) && typeof value.type === 'string';

const valuesOf = (row: IDataObject): Row =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => [
			name,
			typeof value === 'number' || typeof value === 'string' ? value : null,
		]),
	);
