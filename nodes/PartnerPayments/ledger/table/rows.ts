import type { IDataObject } from 'n8n-workflow';

import { formatDollars } from '../../shared/money';
import type { State } from '../states';
import { amountKeyOf, keyOf, numberKeyOf, type Payment } from '../payment';
import { DAY_MS } from '../../shared/dates';

/** The type of a column, as n8n names it. */
export interface Column {
	name: keyof RowValues;
	type: 'string' | 'number';
}

/** The columns of the ledger, in the order in which people see them. */
export const COLUMNS: Column[] = [
	{ name: 'reference', type: 'string' },
	{ name: 'state', type: 'string' },
	{ name: 'payee', type: 'string' },
	{ name: 'amount_usd', type: 'string' },
	{ name: 'amount_cents', type: 'number' },
	{ name: 'invoice_date', type: 'string' },
	{ name: 'payable_id', type: 'string' },
	{ name: 'funding_id', type: 'string' },
	{ name: 'deposit_id', type: 'string' },
	{ name: 'approved_by', type: 'string' },
	{ name: 'paid_at', type: 'string' },
	{ name: 'pdf_url', type: 'string' },
	{ name: 'execution', type: 'string' },
	{ name: 'environment', type: 'string' },
	{ name: 'workspace_id', type: 'string' },
	{ name: 'key', type: 'string' },
	{ name: 'number_key', type: 'string' },
	{ name: 'amount_key', type: 'string' },
	{ name: 'claim', type: 'string' },
];

/** The texts that a row holds, each in the column of its name. */
interface Texts {
	reference: string;
	state: string;
	payee: string;
	/** For people, such as "19.99". */
	amount_usd: string;
	/** The date on the invoice, as YYYY-MM-DD. */
	invoice_date: string;
	payable_id: string;
	funding_id: string;
	/** The deposit that is linked to the funding, or may be. */
	deposit_id: string;
	/** Who agreed to the payment, as its run was told. */
	approved_by: string;
	/** ISO 8601. */
	paid_at: string;
	pdf_url: string;
	/** The ID of the n8n execution that wrote the row. */
	execution: string;
	environment: string;
	workspace_id: string;
	/** As from `keyOf`. */
	key: string;
	/** As from `numberKeyOf`. */
	number_key: string;
	/** As from `amountKeyOf`. */
	amount_key: string;
	/**
	 * The ID of the claim that a row belongs to: random, and a new one with each mark. Empty where a person has resolved
	 * the row, and no answer is awaited. In a row that confirms a table, it is the ID of that table.
	 */
	claim: string;
}

/** What is written into a row. */
export interface RowValues extends Texts {
	state: State | typeof CONFIRMED;
	/** Minor units. */
	amount_cents: number;
}

/** A row as n8n returns it. People may have edited it. Times are in ISO 8601. */
export interface Row extends Texts {
	id: number;
	/** Minor units; null if a person has written something else. */
	amount_cents: number | null;
	createdAt: string;
	updatedAt: string;
}

/** The state of a row that is no payment: a person has confirmed the table as the ledger. */
export const CONFIRMED = 'confirmed';

export interface Condition {
	columnName: keyof RowValues | 'id' | 'createdAt' | 'updatedAt';
	condition: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte';
	value: string | number;
}

export const where = (
	columnName: Condition['columnName'],
	condition: Condition['condition'],
	value: Condition['value'],
): Condition => ({ columnName, condition, value });

export const equals = (columnName: Condition['columnName'], value: Condition['value']): Condition =>
	where(columnName, 'eq', value);

/** Names the payment of a row, as `nameOf` names a payment. Rows with the same name are of one payment. */
export const nameOfRow = ({
	key,
	payee,
	amount_cents: amount,
}: Pick<Row, 'key' | 'payee' | 'amount_cents'>): string => JSON.stringify([key, payee, amount]);

/** The conditions of rows with these IDs, of which each row meets one. */
export const haveIds = (ids: number[]): Condition[] => ids.map((id) => equals('id', id));

/** A day before a time (ISO 8601): n8n on SQLite compares times as texts in two formats, wrong within a day. */
export const dayBefore = (time: string): string =>
	new Date(Date.parse(time) - DAY_MS).toISOString();

const EMPTY: Omit<RowValues, 'state'> = {
	reference: '',
	payee: '',
	amount_usd: '',
	amount_cents: 0,
	invoice_date: '',
	payable_id: '',
	funding_id: '',
	deposit_id: '',
	approved_by: '',
	paid_at: '',
	pdf_url: '',
	execution: '',
	environment: '',
	workspace_id: '',
	key: '',
	number_key: '',
	amount_key: '',
	claim: '',
};

export function rowOf(
	payment: Payment,
	more: Pick<RowValues, 'state' | 'claim' | 'execution' | 'environment'>,
): RowValues {
	return {
		...EMPTY,
		...more,
		reference: payment.reference,
		payee: payment.payee,
		amount_usd: formatDollars(payment.amount),
		amount_cents: payment.amount,
		invoice_date: payment.invoiceDate ?? '',
		payable_id: payment.payableId ?? '',
		approved_by: payment.approvedBy ?? '',
		workspace_id: payment.workspaceId.toLowerCase(),
		key: keyOf(payment),
		number_key: numberKeyOf(payment),
		amount_key: amountKeyOf(payment),
	};
}

/** The key of the rows with which people confirm a table. No payment has it: those begin with a UUID, or "payable". */
const CONFIRMATION_KEY = 'confirmation';

/** The row with which a person confirms a table as the ledger. A copy of the table has another ID. */
export const confirmationOf = (tableId: string, execution: string): RowValues => ({
	...EMPTY,
	state: CONFIRMED,
	key: CONFIRMATION_KEY,
	claim: tableId,
	execution,
});

export const isConfirmationOf = (tableId: string): Condition[] => [
	equals('key', CONFIRMATION_KEY),
	equals('state', CONFIRMED),
	equals('claim', tableId),
];

/** Reads a row that n8n has returned. */
export function toRow(fields: IDataObject): Row {
	const text = (name: string): string => {
		const field: unknown = fields[name];
		if (field instanceof Date) {
			return field.toISOString();
		}
		return typeof field === 'string' || typeof field === 'number' ? String(field) : '';
	};
	const amount = fields.amount_cents;
	const isAmount = typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0;
	return {
		id: Number(fields.id),
		reference: text('reference'),
		state: text('state'),
		payee: text('payee'),
		amount_usd: text('amount_usd'),
		amount_cents: isAmount ? amount : null,
		invoice_date: text('invoice_date'),
		payable_id: text('payable_id'),
		funding_id: text('funding_id'),
		deposit_id: text('deposit_id'),
		approved_by: text('approved_by'),
		paid_at: text('paid_at'),
		pdf_url: text('pdf_url'),
		execution: text('execution'),
		environment: text('environment'),
		workspace_id: text('workspace_id'),
		key: text('key'),
		number_key: text('number_key'),
		amount_key: text('amount_key'),
		claim: text('claim'),
		createdAt: text('createdAt'),
		updatedAt: text('updatedAt'),
	};
}
