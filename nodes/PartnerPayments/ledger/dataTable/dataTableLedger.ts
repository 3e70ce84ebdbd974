import { randomUUID } from 'crypto';

import { withMutex } from '../../shared/concurrency';
import { InputError } from '../../shared/inputError';
import { groupBy } from '../../shared/lists';
import {
	isSending,
	LedgerError,
	TakenOverError,
	type Claim,
	type ClaimedEntry,
	type EntryFacts,
	type EntryState,
	type EntryUpdate,
	type Ledger,
	type LedgerEntry,
	type SendingState,
	type SettledState,
} from '../ledger';
import type { OwnReferences } from '../nodeStore/storeChange';
import { enterReferences } from './enterReferences';
import { enterSettled } from './enterSettled';
import { HeldRows, stateOf, type HeldRow } from './heldRows';
import { spentSince } from './ledgerTable';
import { valuesOf, type TableRow } from './row';
import { equals } from './rows';
import type { TableRun } from './tableRun';
import { resolveKnown } from './takeOver';

/**
 * The entries of one run in a Data Table.
 *
 * Why a request begins once: `begin` is one statement of the database that changes a row only where
 * it carries this run's token and the state before the request. The database runs such statements on
 * one row one after the other, each on what the one before has left (PostgreSQL looks at a row again
 * when it had to wait for it; SQLite has one writer), so a second one finds another state. The token
 * changes by compare-and-set alone, so a run that was taken over finds another token.
 */
export class DataTableLedger implements Ledger {
	private readonly held: HeldRows;

	/** @param own knows what the node has sent by itself before */
	constructor(
		private readonly run: TableRun,
		private readonly own: Pick<OwnReferences, 'resolve'>,
	) {
		this.held = new HeldRows(run);
	}

	async exclusively<Result>(claims: Claim[], work: () => Promise<Result>): Promise<Result> {
		const names = claims.map((claim) => `${this.run.rows.tableId} ${this.held.keyOf(claim)}`);
		return await withMutex(names, work, this.run.signal);
	}

	async claim(claims: Claim[]): Promise<Array<ClaimedEntry | InputError>> {
		const results = new Map<Claim, ClaimedEntry | InputError>(await this.own.resolve(claims));
		await enterSettled(this.run, results);
		const unknown = (): Claim[] => claims.filter((claim) => !results.has(claim));
		for (let rest = unknown(); rest.length > 0; rest = unknown()) {
			const known = new Map<Claim, TableRow>();
			for (const [claim, entered] of await enterReferences(this.run, rest)) {
				if (entered instanceof InputError) results.set(claim, entered);
				else if (entered.isNew) results.set(claim, this.held.add(claim, entered.row, true, false));
				else known.set(claim, entered.row);
			}
			for (const [claim, found] of await resolveKnown(this.run, known)) {
				if (found instanceof InputError) results.set(claim, found);
				else results.set(claim, this.held.add(claim, found.row, false, found.isInterrupted));
			}
		}
		return claims.flatMap((claim) => results.get(claim) ?? []);
	}

	async advance(claims: Claim[], update: EntryUpdate): Promise<void> {
		if (!claims.every((claim) => this.held.isOwn(claim))) throw new TakenOverError();
		const failed = await this.held.changeOwn(this.held.owned(claims), valuesOf(update));
		if (failed.length > 0) throw new TakenOverError();
	}

	async begin(claims: Claim[], state: SendingState): Promise<Map<Claim, LedgerEntry>> {
		const mayNotBegin = (claim: Claim): boolean =>
			!this.held.isOwn(claim) || !this.held.mayBegin(claim);
		for (let attempt = 1; ; attempt += 1) {
			const unowned = claims.filter(mayNotBegin);
			if (unowned.length > 0) return await this.held.read(unowned);
			const held = this.held.owned(claims);
			const failed = await this.beginRows(held, state);
			if (failed.length === 0) return new Map();
			const entries = await this.held.read(failed.map(({ claim }) => claim));
			// Another run's tag may have hidden rows from the statement that changes them together.
			if (attempt === 2 || failed.some(({ claim }) => mayNotBegin(claim))) return entries;
		}
	}

	async beginAgain(claims: Claim[], state: SendingState): Promise<Map<Claim, LedgerEntry>> {
		const begun = this.held.owned(claims).filter(({ row }) => isSending(row.state));
		const failed = await this.held.changeOwn(begun, { state });
		const isLost = (claim: Claim): boolean =>
			!begun.some((one) => one.claim === claim && !failed.includes(one));
		return await this.held.read(claims.filter(isLost));
	}

	async settle(claims: Claim[], state: SettledState, facts: EntryFacts): Promise<boolean> {
		const values = { ...valuesOf({ state, facts }), run: '', batch: randomUUID() };
		return await this.held.settle(claims, values).catch((error: unknown) => {
			if (error instanceof LedgerError) return false;
			throw error;
		});
	}

	async resend(claims: Claim[]): Promise<Set<Claim>> {
		const { token, execution } = this.run;
		const doubtful = claims.flatMap((claim) => {
			const held = this.held.get(claim);
			const isDoubtful = held && !held.isOwn && isSending(held.row.state) && isLeft(held);
			return isDoubtful ? [held] : [];
		});
		for (const group of groupBy(doubtful, ({ row }) => JSON.stringify(row.writtenRun))) {
			await this.held.change(group, group[0]?.row.writtenRun ?? null, { run: token, execution });
		}
		return new Set(doubtful.filter(({ isOwn }) => isOwn).map(({ claim }) => claim));
	}

	async reopen(claims: Claim[], state: EntryState): Promise<void> {
		const begun = this.held.owned(claims).filter(({ row }) => isSending(row.state));
		await this.held.changeOwn(begun, { state });
	}

	async spentSince(workspaceId: string, since: string): Promise<number | undefined> {
		return await spentSince(this.run.rows, {
			workspaceId,
			environment: this.run.scope.environment,
			since,
		});
	}

	async payoutsOf(payableIds: string[]): Promise<Map<string, string>> {
		const rows = await this.run.rows.readAny('payable_id', payableIds);
		const { environment } = this.run.scope;
		const payouts = rows.filter(
			(row) => row.operation === 'payout' && row.environment === environment,
		);
		return new Map(payouts.map((row) => [row.payable_id, row.reference]));
	}

	async finish(claims: Claim[]): Promise<void> {
		const isForgotten = ({ row }: HeldRow): boolean =>
			row.state === 'claimed' && row.payable_id === '';
		const held = this.held.owned(claims);
		const forgotten = held.filter(isForgotten).map(({ row }) => row.id);
		const kept = held.filter((one) => !isForgotten(one)).map(({ row }) => row.id);
		const own = equals('run', this.run.token);
		await this.run.rows.deleteThese(forgotten, [own, equals('state', 'claimed')]);
		await this.run.rows.updateThese(kept, [own], { run: '', batch: randomUUID() });
		for (const claim of claims) this.held.delete(claim);
	}

	/**
	 * Changes rows to the state in which their request is on its way: all of them, or none.
	 *
	 * @returns those that it did not find as they should be
	 */
	private async beginRows(held: HeldRow[], state: SendingState): Promise<HeldRow[]> {
		const before = new Map(held.map((one) => [one, one.row]));
		const giveBack = async (begun: HeldRow[]): Promise<void> => {
			for (const group of groupBy(begun, (one) => stateOf(before.get(one) ?? one.row))) {
				const [first] = group;
				if (first === undefined) continue;
				await this.held.changeOwn(group, { state: stateOf(before.get(first) ?? first.row) });
			}
		};
		const failed = await this.held.changeOwn(held, { state }).catch(async (error: unknown) => {
			// Rows may have changed although n8n did not say so; nothing is sent for them.
			for (const one of held) one.row = { ...one.row, state, writtenState: state };
			await giveBack(held).catch(() => undefined);
			for (const [one, row] of before) one.row = row;
			throw error;
		});
		if (failed.length > 0) await giveBack(held.filter((one) => !failed.includes(one)));
		return failed;
	}
}

/** How long a funding may wait for its answer, with a token that is renewed and another attempt. */
const LONGEST_ATTEMPT_MS = 3 * 60_000;

/** Whether nobody waits for the answer any more: its run has ended, or was cut off long ago. */
const isLeft = ({ row }: HeldRow): boolean =>
	row.run === '' || Date.now() - Date.parse(row.updatedAt) > LONGEST_ATTEMPT_MS;
