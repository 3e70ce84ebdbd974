import { isRecord } from '../../shared/json';
import { normalizeReference } from '../../shared/reference';
import type {
	Claim,
	EntryFacts,
	EntryState,
	EntryUpdate,
	LedgerEntry,
	LedgerKind,
	LedgerScope,
} from '../ledger';

/** The columns of the table, those that people look at first. n8n adds `id`, `createdAt` and `updatedAt`. */
export const COLUMNS = {
	reference: 'string',
	state: 'string',
	payee: 'string',
	amount_cents: 'number',
	payable_id: 'string',
	funding_id: 'string',
	execution: 'string',
	operation: 'string',
	environment: 'string',
	workspace_id: 'string',
	content: 'string',
	unused_payables: 'number',
	pdf_url: 'string',
	approval: 'string',
	run: 'string',
	batch: 'string',
} as const;

/** A value of each column. */
export interface RowValues {
	reference: string;
	operation: LedgerKind;
	environment: string;
	workspace_id: string;
	payee: string;
	/** Minor units. */
	amount_cents: number;
	/** What is paid to whom. */
	content: string;
	/** `entering` until it is known that no other row stands for the same reference. */
	state: EntryState | 'entering';
	payable_id: string;
	funding_id: string;
	pdf_url: string;
	unused_payables: number;
	/** Whether the approval was sent and not answered. */
	approval: '' | 'unanswered';
	/** The execution that wrote the row last. */
	execution: string;
	/** Token of the run that works on it; empty when none does. */
	run: string;
	/** Token of the rows that changed together last. */
	batch: string;
}

/** A row as n8n gives it out. */
export interface TableRow extends Omit<RowValues, 'operation' | 'amount_cents'> {
	id: number;
	operation: string;
	/** Null where a person has written what is no whole number of cents, or has emptied the field. */
	amount_cents: number | null;
	/** ISO 8601. */
	createdAt: string;
	updatedAt: string;
	/** As it stands in the table, where people may have written anything; null where it is empty. */
	writtenState: string | null;
	writtenRun: string | null;
}

/** States from the least to the most advanced. */
const STATES: EntryState[] = [
	'claimed',
	'created',
	'approved',
	'creating',
	'funding',
	'awaiting_deposit',
	'funded',
];

/** How far a state is, to tell which of several rows counts. */
export const progressOf = (row: TableRow): number =>
	STATES.findIndex((state) => state === row.state);

/**
 * States that requests of a kind never come to. Somebody who has written one of them may have meant
 * that the request was made.
 */
const FOREIGN_STATES: Record<string, EntryState[] | undefined> = {
	payout: ['creating'],
	payable: ['approved', 'funding'],
	funding: ['creating', 'created', 'approved'],
} satisfies Record<LedgerKind, EntryState[]>;

/** Reads a state. What its entry cannot have is in doubt. */
function readState(written: string, operation: string): EntryState | 'entering' {
	if (written === 'entering') return written;
	const state = STATES.find((known) => known === written);
	if (state !== undefined && FOREIGN_STATES[operation]?.includes(state) !== true) return state;
	return operation === 'payable' ? 'creating' : 'funding';
}

/** Reads a number of which there is no part, and nothing below zero. */
const wholeNumber = (value: unknown): number | null =>
	typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Reads a row, in which people may have written anything. */
export function toTableRow(value: unknown): TableRow {
	const fields = isRecord(value) ? value : {};
	const text = (name: string): string => {
		const field = fields[name];
		return typeof field === 'string' || typeof field === 'number' ? String(field) : '';
	};
	const operation = text('operation');
	return {
		id: Number(fields.id),
		createdAt: text('createdAt'),
		updatedAt: text('updatedAt'),
		reference: text('reference'),
		operation,
		environment: text('environment'),
		workspace_id: text('workspace_id'),
		payee: text('payee'),
		amount_cents: wholeNumber(fields.amount_cents),
		content: text('content'),
		state: readState(text('state'), operation),
		writtenState: fields.state === null ? null : text('state'),
		payable_id: text('payable_id'),
		funding_id: text('funding_id'),
		pdf_url: text('pdf_url'),
		unused_payables: wholeNumber(fields.unused_payables) ?? 0,
		approval: text('approval') === 'unanswered' ? 'unanswered' : '',
		execution: text('execution'),
		run: text('run'),
		writtenRun: fields.run === null ? null : text('run'),
		batch: text('batch'),
	};
}

/** What a row says of its reference. */
export function entryOf(row: TableRow): LedgerEntry {
	const { payable_id, funding_id, pdf_url, unused_payables, approval, state, writtenState } = row;
	const facts: EntryFacts = {
		...(payable_id !== '' && { payable_id }),
		...(funding_id !== '' && { funding_id }),
		...(pdf_url !== '' && { pdf_url }),
		...(unused_payables > 0 && { unused_payables }),
	};
	return {
		state: state === 'entering' ? 'claimed' : state,
		facts,
		isApprovalUnanswered: approval === 'unanswered',
		...(writtenState !== state && { unknownState: writtenState ?? '' }),
	};
}

/** The values of an update; what it leaves out stays as it is. */
export const valuesOf = ({
	state,
	facts = {},
	isApprovalUnanswered,
}: EntryUpdate): Partial<RowValues> => ({
	state,
	...facts,
	...(isApprovalUnanswered !== undefined && {
		approval: isApprovalUnanswered ? 'unanswered' : '',
	}),
});

/** The values by which a claim finds its row. */
export const identityOf = (
	{ reference, workspaceId }: Claim,
	{ kind, environment }: LedgerScope,
): Pick<RowValues, 'reference' | 'operation' | 'environment' | 'workspace_id'> => ({
	reference: normalizeReference(reference),
	operation: kind,
	environment,
	workspace_id: workspaceId.toLowerCase(),
});

/** A text that is the same for a claim and its row, and no other. */
export const keyOf = (row: ReturnType<typeof identityOf> | TableRow): string =>
	JSON.stringify([row.operation, nameOf(row)]);

/** A text that is the same for the rows of one reference, whichever operation they belong to. */
export const nameOf = ({
	reference,
	environment,
	workspace_id,
}: ReturnType<typeof identityOf> | TableRow): string =>
	JSON.stringify([reference, environment, workspace_id]);
