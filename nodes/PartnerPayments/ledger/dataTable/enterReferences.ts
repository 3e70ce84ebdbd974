import { randomUUID } from 'crypto';

import type { InputError } from '../../shared/inputError';
import { indexBy } from '../../shared/lists';
import { otherSpellings } from '../../shared/reference';
import { otherUseError, spellingError } from '../conflict';
import { LedgerError, type Claim, type LedgerKind } from '../ledger';
import { identityOf, keyOf, nameOf, progressOf, type RowValues, type TableRow } from './row';
import { equals } from './rows';
import type { TableRun } from './tableRun';

/** After how many looks a row that enters and does not change has been left by its author. */
const MAX_LOOKS = 12;
const PAUSE_MS = 50;
const MAX_PAUSE_MS = 500;

/** The row that stands for a claim, and whether this run has made it. */
interface EnteredRow {
	row: TableRow;
	isNew: boolean;
}

/**
 * How a claim enters: it needs a row (`absent`), has one (`entering`), or lets another run's row go
 * first (`waiting`).
 */
type Entrance = 'absent' | 'entering' | 'waiting';

/**
 * Whether rows of two operations exclude each other. What a payout stands for is paid by that payout
 * alone; a payable and the funding that pays it may share their reference.
 */
const excludeEachOther = (operation: string, kind: LedgerKind): boolean =>
	operation === kind || operation === 'payout' || kind === 'payout';

/**
 * Finds the row of each claim, or makes it: one for a reference, however many runs try. A Data Table
 * has no unique columns, so a new row enters first: its run inserts it, then reads all rows of the
 * reference, and claims it only when no other excludes it.
 *
 * Why no two rows that exclude each other are ever claimed: say that A and B both read themselves alone, A
 * first. A's insert was committed before A read, so before B read, and B did not see A's row. So the
 * row was gone: either A had given the reference up again, or somebody had deleted a row that stayed
 * `entering`, and then A's compare-and-set from `entering` finds nothing, and A does not claim it.
 *
 * @returns an InputError for a reference that another operation has used, or that stands in the table
 *   with other capitals
 */
export async function enterReferences(
	run: TableRun,
	claims: Claim[],
): Promise<Map<Claim, EnteredRow | InputError>> {
	const entered = new Map<Claim, EnteredRow | InputError>();
	const entrances = new Map<Claim, Entrance>(claims.map((claim) => [claim, 'absent']));
	const looks = new Map<string, number>();
	let batch = '';
	for (let look = 1; entrances.size > 0; look += 1) {
		if (look > 1) await pause(run, look);
		batch = await insertAbsent(run, entrances, batch);
		const { unopposed, unneeded, abandoned } = await lookAt(run, entrances, entered, looks);
		await run.rows.deleteThese(
			unneeded.map(({ id }) => id),
			[equals('run', run.token), equals('state', 'entering')],
		);
		for (const { id, batch: own } of abandoned) {
			await run.rows.deleteThese([id], [equals('batch', own), equals('state', 'entering')]);
		}
		const rows = [...unopposed.values()];
		const areTogether = rows.length > 1 && rows.every((row) => row.batch === batch);
		const isCompleteBatch = areTogether && entrances.size === rows.length;
		const claimsById = new Map([...unopposed].map(([claim, { id }]) => [id, claim]));
		for (const row of await claimRows(run, rows, isCompleteBatch ? batch : undefined)) {
			const claim = claimsById.get(row.id);
			if (claim === undefined) continue;
			entered.set(claim, { row, isNew: true });
			entrances.delete(claim);
		}
	}
	return entered;
}

const pause = async ({ clock, signal }: TableRun, look: number): Promise<void> => {
	const longestMs = Math.min(MAX_PAUSE_MS, PAUSE_MS * look);
	await clock.wait(longestMs * (0.5 + Math.random() / 2), signal);
};

/** @returns the token that the new rows carry; the former one when there are none */
async function insertAbsent(
	run: TableRun,
	entrances: Map<Claim, Entrance>,
	former: string,
): Promise<string> {
	const absent = [...entrances].filter(([, entrance]) => entrance === 'absent');
	if (absent.length === 0) return former;
	const batch = randomUUID();
	await run.rows.insert(
		absent.map(([claim]) => enteringRow(run, claim, batch)),
		batch,
	);
	for (const [claim] of absent) entrances.set(claim, 'entering');
	return batch;
}

/** The row of a claim that is about to enter. */
export const enteringRow = (run: TableRun, claim: Claim, batch: string): RowValues => ({
	...identityOf(claim, run.scope),
	payee: claim.payee,
	amount_cents: claim.amount,
	content: claim.content,
	state: 'entering',
	payable_id: '',
	funding_id: '',
	pdf_url: '',
	unused_payables: 0,
	approval: '',
	execution: run.execution,
	run: run.token,
	batch,
});

/** What a look has found, beside what it has noted in the maps. */
interface Look {
	/** Own rows that are the only ones of their references. */
	unopposed: Map<Claim, TableRow>;
	/** Own rows that are to be deleted. */
	unneeded: TableRow[];
	/** Rows whose authors seem to be gone. */
	abandoned: TableRow[];
}

async function lookAt(
	run: TableRun,
	entrances: Map<Claim, Entrance>,
	entered: Map<Claim, EnteredRow | InputError>,
	looks: Map<string, number>,
): Promise<Look> {
	const found: Look = { unopposed: new Map(), unneeded: [], abandoned: [] };
	const references = [...entrances.keys()].map((claim) => identityOf(claim, run.scope).reference);
	const known = await run.rows.readAny(
		'reference',
		references.flatMap((reference) => [reference, ...otherSpellings(reference)]),
	);
	assertIdentified(known);
	const byName = indexBy(known, nameOf);
	for (const claim of [...entrances.keys()]) {
		const identity = identityOf(claim, run.scope);
		const { row, own, doubles, others } = sortOut(run, byName.get(nameOf(identity)) ?? []);
		const misspelt = otherSpellings(identity.reference).flatMap(
			(reference) => byName.get(nameOf({ ...identity, reference })) ?? [],
		);
		found.unneeded.push(...doubles);
		const standing = row ?? sortOut(run, misspelt).row;
		if (standing !== undefined) {
			entered.set(claim, resultOf(run, claim, standing));
			entrances.delete(claim);
			if (own) found.unneeded.push(own);
			continue;
		}
		found.abandoned.push(...others.filter((other) => isAbandoned(other, looks)));
		if (own === undefined) entrances.set(claim, others.length === 0 ? 'absent' : 'waiting');
		else if (others.length === 0) found.unopposed.set(claim, own);
		else if (others.some(({ id }) => id < own.id)) {
			// Of several, the first stays, so that one of them gets on.
			found.unneeded.push(own);
			entrances.set(claim, 'waiting');
		}
	}
	return found;
}

/** How a claim stands of whose reference there is a row, or of one that differs only in capitals. */
function resultOf({ scope }: TableRun, claim: Claim, row: TableRow): EnteredRow | InputError {
	if (row.reference !== identityOf(claim, scope).reference) return spellingError(claim, row);
	return row.operation === scope.kind ? { row, isNew: false } : otherUseError(claim, row);
}

/** How those rows of a reference stand for a run that exclude its own. */
interface SortedRows {
	/** The one that has entered, and stands for the reference. */
	row: TableRow | undefined;
	/** Entering rows of this run, which needs only one, and of others. */
	own: TableRow | undefined;
	doubles: TableRow[];
	others: TableRow[];
}

function sortOut({ scope: { kind }, token }: TableRun, named: TableRow[]): SortedRows {
	const rows = named.filter(({ operation }) => excludeEachOther(operation, kind));
	const known = rows
		.filter(({ state }) => state !== 'entering')
		.sort((one, two) => progressOf(two) - progressOf(one) || byId(one, two));
	const entering = rows.filter(({ state }) => state === 'entering').sort(byId);
	const [own, ...doubles] = entering.filter(({ run }) => run === token);
	const others = entering.filter(({ run }) => run !== token);
	return {
		row: known.find(({ operation }) => operation === kind) ?? known[0],
		own,
		doubles,
		others,
	};
}

/** @throws LedgerError for a row of which nobody can say any more what it stands for */
function assertIdentified(rows: TableRow[]): void {
	const broken = rows.find(
		({ operation, environment, workspace_id }) => !operation || !environment || !workspace_id,
	);
	if (broken === undefined) return;
	throw new LedgerError(
		`The row of "${broken.reference}" in the ledger table lacks its operation, environment or workspace_id`,
		'Somebody has emptied a field. Fill it in again, as in the other rows of the same workspace. Until then it cannot be told whether it was paid.',
	);
}

const byId = (one: TableRow, two: TableRow): number => one.id - two.id;

/** Counts how often a row was seen as it is. */
function isAbandoned({ id, batch, updatedAt }: TableRow, looks: Map<string, number>): boolean {
	const key = `${id} ${batch} ${updatedAt}`;
	const count = (looks.get(key) ?? 0) + 1;
	looks.set(key, count);
	return count >= MAX_LOOKS;
}

/** @returns the rows that are this run's now */
async function claimRows(run: TableRun, rows: TableRow[], batch?: string): Promise<TableRow[]> {
	const changed = await run.rows.updateThese(
		rows.map(({ id }) => id),
		[equals('run', run.token), equals('state', 'entering')],
		{ state: 'claimed' },
		batch,
	);
	const keys = new Map(rows.map((row) => [row.id, keyOf(row)]));
	return changed.filter(
		(row) => row.run === run.token && row.state === 'claimed' && keys.get(row.id) === keyOf(row),
	);
}
