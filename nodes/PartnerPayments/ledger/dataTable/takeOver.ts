import type { InputError } from '../../shared/inputError';
import { groupBy } from '../../shared/lists';
import { conflictError } from '../conflict';
import { isSending, isSettled, type Claim } from '../ledger';
import { identityOf, keyOf, type TableRow } from './row';
import { equals } from './rows';
import type { TableRun } from './tableRun';

/** How a row stands that was there before this run. */
interface KnownRow {
	row: TableRow;
	/** Whether the run that worked on it before was cut off. */
	isInterrupted: boolean;
}

/** A claim whose row is worked on by another run, as it was seen last. */
interface Waiting {
	row: TableRow;
	/** When the row was seen to change last, by this process's clock. */
	since: number;
}

/** What to do with a row: it counts as it is, is taken over, or another run is waited for. */
type Decision = 'keep' | 'takeOver' | 'wait';

/**
 * Sees how rows stand that were there before this run, all together: takes over those that no other
 * run works on, and waits a while for the others. Time decides only how long to wait; taking over is
 * a compare-and-set on the token of the run before.
 *
 * @returns without the claims whose rows were deleted meanwhile
 */
export async function resolveKnown(
	run: TableRun,
	known: Map<Claim, TableRow>,
): Promise<Map<Claim, KnownRow | InputError>> {
	const resolved = new Map<Claim, KnownRow | InputError>();
	const now = run.clock.now();
	let waiting = new Map([...known].map(([claim, row]) => [claim, { row, since: now }]));
	for (;;) {
		const free = new Map<Claim, TableRow>();
		for (const [claim, { row, since }] of waiting) {
			if (row.content !== claim.content) {
				resolved.set(claim, conflictError(claim, row.content));
				continue;
			}
			const decision = decide(run, row, run.clock.now() - since);
			if (decision === 'takeOver') free.set(claim, row);
			if (decision === 'keep') resolved.set(claim, { row, isInterrupted: false });
		}
		for (const [claim, row] of await takeOver(run, free)) {
			resolved.set(claim, { row, isInterrupted: free.get(claim)?.run !== '' });
		}
		const rest = new Map([...waiting].filter(([claim]) => !resolved.has(claim)));
		if (rest.size === 0) return resolved;
		if ([...rest.keys()].some((claim) => !free.has(claim))) {
			await run.clock.wait(run.patience.pollMs * (0.5 + Math.random()), run.signal);
		}
		waiting = await lookAgain(run, rest);
	}
}

function decide(run: TableRun, row: TableRow, idleMs: number): Decision {
	const { state } = row;
	if (isSettled(state, run.scope.kind) || row.run === run.token) return 'keep';
	if (isSending(state)) {
		return row.run === '' || idleMs >= run.patience.inDoubtMs ? 'keep' : 'wait';
	}
	return row.run === '' || idleMs >= run.patience.idleMs ? 'takeOver' : 'wait';
}

/** @returns the rows that are this run's now */
async function takeOver(run: TableRun, free: Map<Claim, TableRow>): Promise<Map<Claim, TableRow>> {
	const takenOver = new Map<Claim, TableRow>();
	const groups = groupBy([...free], ([, row]) => JSON.stringify([row.writtenRun, row.state]));
	for (const group of groups) {
		const [first] = group;
		if (first === undefined) continue;
		const changed = await run.rows.updateThese(
			group.map(([, { id }]) => id),
			[equals('run', first[1].writtenRun), equals('state', first[1].writtenState)],
			{ run: run.token, execution: run.execution },
		);
		const byId = new Map(changed.map((row) => [row.id, row]));
		for (const [claim, { id, state, content }] of group) {
			const row = byId.get(id);
			const isSame = row !== undefined && isRowOf(run, claim, row) && row.content === content;
			if (isSame && row.run === run.token && row.state === state) takenOver.set(claim, row);
		}
	}
	return takenOver;
}

/** Reads rows again; those that are gone are left out. */
async function lookAgain(
	run: TableRun,
	waiting: Map<Claim, Waiting>,
): Promise<Map<Claim, Waiting>> {
	const ids = [...waiting.values()].map(({ row }) => row.id);
	const byId = new Map((await run.rows.readAny('id', ids)).map((row) => [row.id, row]));
	const now = run.clock.now();
	return new Map(
		[...waiting].flatMap(([claim, { row, since }]): Array<[Claim, Waiting]> => {
			const current = byId.get(row.id);
			if (current === undefined || !isRowOf(run, claim, current)) return [];
			const hasChanged =
				current.updatedAt !== row.updatedAt ||
				current.run !== row.run ||
				current.state !== row.state;
			return [[claim, { row: current, since: hasChanged ? now : since }]];
		}),
	);
}

/** Whether a row stands for a claim: n8n may use the id of a deleted row again. */
export const isRowOf = ({ scope }: TableRun, claim: Claim, row: TableRow): boolean =>
	row.state !== 'entering' && keyOf(row) === keyOf(identityOf(claim, scope));
