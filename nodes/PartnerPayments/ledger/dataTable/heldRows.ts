import { randomUUID } from 'crypto';

import { forEachConcurrent } from '../../shared/concurrency';
import { groupBy } from '../../shared/lists';
import type { Claim, ClaimedEntry, EntryState, LedgerEntry } from '../ledger';
import { entryOf, identityOf, keyOf, type RowValues, type TableRow } from './row';
import { equals, type Condition } from './rows';
import type { TableRun } from './tableRun';
import { isRowOf } from './takeOver';

const MAX_CONCURRENT_WRITES = 8;

/** What a run knows of the row of a claim. */
export interface HeldRow {
	claim: Claim;
	/** As it was seen last. */
	row: TableRow;
	/** Whether this run works on it, as far as it knows. */
	isOwn: boolean;
}

/** The rows of the claims of one run. */
export class HeldRows {
	private readonly held = new Map<string, HeldRow>();

	constructor(private readonly run: TableRun) {}

	/** What tells the rows of the run's claims apart. */
	readonly keyOf = (claim: Claim): string => keyOf(identityOf(claim, this.run.scope));

	/** What the run knows of the row of a claim; undefined before it was added. */
	get(claim: Claim): HeldRow | undefined {
		return this.held.get(this.keyOf(claim));
	}

	/** Notes the row of a claim; returns how the claim stands by it. */
	add(claim: Claim, row: TableRow, isNew: boolean, isInterrupted: boolean): ClaimedEntry {
		this.held.set(this.keyOf(claim), { claim, row, isOwn: row.run === this.run.token });
		return { ...entryOf(row), isNew, isInterrupted };
	}

	/** Forgets the row of a claim, which is in the table all the same. */
	delete(claim: Claim): void {
		this.held.delete(this.keyOf(claim));
	}

	/** Whether this run works on the row of a claim, as far as it knows. */
	isOwn(claim: Claim): boolean {
		return this.get(claim)?.isOwn === true;
	}

	/** The rows of those claims that this run works on. */
	owned(claims: Claim[]): HeldRow[] {
		return claims.flatMap((claim) => {
			const held = this.get(claim);
			return held?.isOwn ? [held] : [];
		});
	}

	/** Whether a claim's request was neither sent nor answered, as far as the run knows. */
	mayBegin(claim: Claim): boolean {
		const state = this.get(claim)?.row.state;
		if (state === 'created') return this.run.scope.kind !== 'payable';
		return state === 'claimed' || state === 'approved';
	}

	/** Compare-and-set on the run and the known state; returns those that it did not change. */
	async changeOwn(held: HeldRow[], values: Partial<RowValues>): Promise<HeldRow[]> {
		return await this.change(held, this.run.token, values);
	}

	/**
	 * Compare-and-set on the run and the known state, and notes how the rows stand then.
	 *
	 * @param token of the run that works on them; null or empty when none does
	 * @returns those that are not this run's with these values now
	 */
	async change(
		held: HeldRow[],
		token: string | null,
		values: Partial<RowValues>,
	): Promise<HeldRow[]> {
		const failed: HeldRow[] = [];
		for (const group of groupBy(held, ({ row }) => JSON.stringify(row.writtenState))) {
			const written = group[0]?.row.writtenState ?? null;
			const conditions = [equals('run', token), equals('state', written)];
			failed.push(...(await this.changeGroup(group, conditions, values)));
		}
		return failed;
	}

	/** Reads how claims stand; those whose rows are gone read as claimed, and are not this run's. */
	async read(claims: Claim[]): Promise<Map<Claim, LedgerEntry>> {
		const ids = claims.flatMap((claim) => this.get(claim)?.row.id ?? []);
		const rows = await this.run.rows.readAny('id', ids);
		const byId = new Map(rows.map((row) => [row.id, row]));
		return new Map(claims.map((claim) => [claim, this.note(claim, byId)]));
	}

	/**
	 * Writes the outcome, whoever works on the rows.
	 *
	 * @returns whether all rows show it
	 */
	async settle(claims: Claim[], values: Partial<RowValues>): Promise<boolean> {
		const held = claims.flatMap((claim) => this.get(claim) ?? []);
		for (const one of held) one.isOwn = false;
		let areSettled = held.length === claims.length;
		await forEachConcurrent(
			await this.settleTogether(held, values),
			MAX_CONCURRENT_WRITES,
			async (one) => {
				const { reference, workspace_id } = identityOf(one.claim, this.run.scope);
				const same = [equals('reference', reference), equals('workspace_id', workspace_id)];
				const [row] = await this.run.rows
					.updateThese([one.row.id], same, values)
					.catch((): TableRow[] => []);
				areSettled = this.isSettled(one, row, values.state) && areSettled;
			},
			() => false,
		);
		return areSettled;
	}

	/**
	 * Every change writes a new `batch` and asks for the last one that is known. So a statement that n8n
	 * carries out late, after its answer was given up and it was repeated, finds nothing any more.
	 */
	private async changeGroup(
		held: HeldRow[],
		conditions: Condition[],
		values: Partial<RowValues>,
		isRepeated = false,
	): Promise<HeldRow[]> {
		const { rows, token } = this.run;
		const ids = held.map(({ row }) => row.id);
		const withBatch = { ...values, batch: randomUUID() };
		const known = held.length === 1 ? held[0]?.row.batch : '';
		const changed = known
			? await rows.updateThese(ids, [...conditions, equals('batch', known)], withBatch)
			: await rows.updateThese(ids, conditions, withBatch, this.commonBatch(held));
		const byId = new Map(changed.map((row) => [row.id, row]));
		const missed = held.filter((one) => {
			const row = byId.get(one.row.id);
			const isOwn = row?.run === token && isRowOf(this.run, one.claim, row);
			if (!isOwn || (values.state ?? row.state) !== row.state) return true;
			Object.assign(one, { row, isOwn });
			return false;
		});
		if (isRepeated || missed.length === 0) return missed;
		const unchanged = await this.readUnchanged(missed);
		if (unchanged.length === 0) return missed;
		const failed = await this.changeGroup(unchanged, conditions, values, true);
		return missed.filter((one) => failed.includes(one) || !unchanged.includes(one));
	}

	/** The batch that these rows share with no others of this run; undefined when there is none. */
	private commonBatch(held: HeldRow[]): string | undefined {
		const batch = held[0]?.row.batch;
		if (batch === undefined || batch === '') return undefined;
		const members = [...this.held.values()].filter(({ row }) => row.batch === batch);
		const areAll = members.length === held.length && held.every(({ row }) => row.batch === batch);
		return areAll ? batch : undefined;
	}

	/** Those of some rows that stand as they were known, but for their batch, which a tag may change. */
	private async readUnchanged(held: HeldRow[]): Promise<HeldRow[]> {
		const rows = await this.run.rows.readAny(
			'id',
			held.map(({ row }) => row.id),
		);
		const byId = new Map(rows.map((row) => [row.id, row]));
		return held.filter((one) => {
			const row = byId.get(one.row.id);
			const { run, writtenState } = one.row;
			if (row?.run !== run || row.writtenState !== writtenState) return false;
			one.row = row;
			return isRowOf(this.run, one.claim, row);
		});
	}

	private note(claim: Claim, byId: Map<number, TableRow>): LedgerEntry {
		const held = this.get(claim);
		const row = held && byId.get(held.row.id);
		if (held === undefined || row === undefined || !isRowOf(this.run, claim, row)) {
			this.delete(claim);
			return { state: 'claimed', facts: {}, isApprovalUnanswered: false };
		}
		Object.assign(held, { row, isOwn: row.run === this.run.token });
		return entryOf(row);
	}

	/** Settles rows that have begun together in one request; returns those that it missed. */
	private async settleTogether(held: HeldRow[], values: Partial<RowValues>): Promise<HeldRow[]> {
		const batch = this.commonBatch(held);
		if (batch === undefined) return held;
		const ids = held.map(({ row }) => row.id);
		const rows = await this.run.rows.updateThese(ids, [], values, batch);
		const byId = new Map(rows.map((row) => [row.id, row]));
		return held.filter((one) => !this.isSettled(one, byId.get(one.row.id), values.state));
	}

	private isSettled(one: HeldRow, row: TableRow | undefined, state?: string): boolean {
		if (row === undefined || !isRowOf(this.run, one.claim, row) || row.state !== state)
			return false;
		one.row = row;
		return true;
	}
}

/** The state of a row that has entered. */
export const stateOf = ({ state }: TableRow): EntryState =>
	state === 'entering' ? 'claimed' : state;
