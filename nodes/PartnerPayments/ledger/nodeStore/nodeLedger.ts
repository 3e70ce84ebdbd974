import { withMutex } from '../../shared/concurrency';
import type { InputError } from '../../shared/inputError';
import { conflictError } from '../conflict';
import {
	isSettled,
	LedgerError,
	type Claim,
	type ClaimedEntry,
	type EntryFacts,
	type EntryState,
	type EntryUpdate,
	type Ledger,
	type LedgerEntry,
	type LedgerScope,
	type SendingState,
	type SettledState,
} from '../ledger';
import { entryName, FactCache, type CachedEntry } from './factCache';
import { nodeIdentity, type LedgerHost } from './host';
import { ReferenceKeys } from './referenceKeys';
import { inTableError } from './storeChange';

/** How often a settlement is kept anew that another process may have undone. */
const MAX_SETTLEMENTS = 3;

/** What a run has done for a reference: nothing that must not be repeated (`open`), or it has begun. */
type Progress = 'open' | 'begun';

/**
 * Opens the ledger that n8n's own store keeps for the node that is executed.
 *
 * @throws InputError when the workflow was never saved
 */
export function openNodeLedger(n8n: LedgerHost, scope: LedgerScope): Ledger {
	return new NodeLedger(n8n, scope);
}

/** The ledger in n8n's own store. docs/paying-once.md says what holds, by what, and where it ends. */
class NodeLedger implements Ledger {
	private readonly keys: ReferenceKeys;
	private readonly facts: FactCache;
	private readonly node: string;
	/** The references that this run works on, by name. */
	private readonly progress = new Map<string, Progress>();

	constructor(
		private readonly n8n: LedgerHost,
		private readonly scope: LedgerScope,
	) {
		this.node = nodeIdentity(n8n);
		this.keys = new ReferenceKeys(n8n, scope);
		this.facts = new FactCache(n8n);
	}

	async exclusively<Result>(claims: Claim[], work: () => Promise<Result>): Promise<Result> {
		const names = claims.map((claim) => `${this.node} ${this.nameOf(claim)}`);
		return await withMutex(names, work, this.n8n.getExecutionCancelSignal());
	}

	async claim(claims: Claim[]): Promise<Array<ClaimedEntry | InputError>> {
		const { added, conflicting, isInTable } = await this.keys.claim(claims);
		for (const claim of added) this.facts.delete(this.nameOf(claim));
		const known = claims.filter((claim) => !added.has(claim) && !conflicting.has(claim));
		const sent = await this.keys.look(known.filter((claim) => !this.isStateKnown(claim)));
		return claims.map((claim) => {
			if (conflicting.has(claim)) return conflictError(claim, this.cached(claim)?.content);
			if (isInTable && this.isOpen(claim, sent.get(claim))) return inTableError(claim);
			return this.resume(claim, sent.get(claim), added.has(claim));
		});
	}

	async advance(claims: Claim[], update: EntryUpdate): Promise<void> {
		for (const claim of claims) {
			const { facts } = this.entryOf(claim);
			this.learn(claim, { ...update, facts: { ...facts, ...update.facts } });
		}
		await Promise.resolve();
	}

	async begin(claims: Claim[], state: SendingState): Promise<Map<Claim, LedgerEntry>> {
		// Should it fail, nobody knows whether they have begun, and nothing of them may be undone.
		for (const claim of claims) this.progress.delete(this.nameOf(claim));
		const refused = await this.keys.begin(claims, state);
		for (const claim of claims) {
			if (!refused.has(claim))
				this.progress.set(this.nameOf(claim), refused.size === 0 ? 'begun' : 'open');
			if (refused.size === 0) this.learn(claim, { isSent: true });
			// What this run has prepared for a request of another run leads nowhere.
			else if (refused.has(claim) && this.cached(claim)?.isSent !== true)
				this.facts.delete(this.nameOf(claim));
		}
		return new Map(
			[...refused].map(([claim, found]) => {
				const { facts, isApprovalUnanswered } = this.entryOf(claim);
				return [claim, { state: found, facts, isApprovalUnanswered }];
			}),
		);
	}

	/** Nobody but this run can change what it has begun. */
	async beginAgain(): Promise<Map<Claim, LedgerEntry>> {
		return await Promise.resolve(new Map());
	}

	async settle(claims: Claim[], state: SettledState, facts: EntryFacts): Promise<boolean> {
		for (const claim of claims) {
			this.progress.delete(this.nameOf(claim));
			const known = this.entryOf(claim).facts;
			this.learn(claim, { state, facts: { ...known, ...facts }, isSent: false });
		}
		for (let attempt = 1; attempt <= MAX_SETTLEMENTS; attempt += 1) {
			if (await this.keys.settle(claims, state).catch(() => false)) return true;
		}
		return false;
	}

	async resend(claims: Claim[]): Promise<Set<Claim>> {
		const own = claims.filter((claim) => {
			const { isSent, isFinished } = this.entryOf(claim);
			return isSent === true && isFinished === true;
		});
		for (const claim of own) {
			this.progress.set(this.nameOf(claim), 'begun');
			this.learn(claim, { isFinished: false });
		}
		return await Promise.resolve(new Set(own));
	}

	async reopen(claims: Claim[], state: EntryState): Promise<void> {
		// Others may have been begun by another run.
		const begun = claims.filter((claim) => this.progress.get(this.nameOf(claim)) === 'begun');
		if (!(await this.keys.reopen(begun))) throw notReopenedError();
		for (const claim of begun) {
			this.progress.set(this.nameOf(claim), 'open');
			this.learn(claim, { state, isSent: false });
		}
	}

	async spentSince(): Promise<number | undefined> {
		return await Promise.resolve<number | undefined>(undefined);
	}

	/** Payouts are another node's, of which this one knows nothing. */
	async payoutsOf(): Promise<Map<string, string>> {
		return await Promise.resolve(new Map());
	}

	async finish(claims: Claim[]): Promise<void> {
		const forgotten: Claim[] = [];
		for (const claim of claims) {
			const progress = this.progress.get(this.nameOf(claim));
			this.progress.delete(this.nameOf(claim));
			if (progress === undefined) continue;
			if (progress === 'begun' || this.entryOf(claim).facts.payable_id !== undefined) {
				this.facts.write(this.nameOf(claim), { ...this.entryOf(claim), isFinished: true });
			} else {
				this.facts.delete(this.nameOf(claim));
				forgotten.push(claim);
			}
		}
		this.facts.store();
		await this.keys.forget(forgotten);
	}

	/** Goes on with a reference, unless its request was sent. */
	private resume(claim: Claim, sent: EntryState | undefined, isNew: boolean): ClaimedEntry {
		const name = this.nameOf(claim);
		const entry = this.entryOf(claim);
		const { facts, isApprovalUnanswered } = entry;
		const state = sent ?? entry.state;
		const isOpen = this.isOpen(claim, sent);
		const isInterrupted = isOpen && !isNew && !this.progress.has(name) && entry.isFinished !== true;
		if (isOpen) {
			this.progress.set(name, 'open');
			this.facts.write(name, { ...entry, isSent: false, isFinished: false });
		} else {
			this.progress.delete(name);
		}
		return { state, facts, isApprovalUnanswered, isNew, isInterrupted };
	}

	/** Whether its request was not sent. */
	private isOpen(claim: Claim, sent: EntryState | undefined): boolean {
		return sent === undefined && !isSettled(this.entryOf(claim).state, this.scope.kind);
	}

	/** Whether what this process knows of a reference makes it needless to look whether it was sent. */
	private isStateKnown(claim: Claim): boolean {
		const entry = this.entryOf(claim);
		return (
			isSettled(entry.state, this.scope.kind) ||
			(entry.facts.payable_id !== undefined && entry.isSent !== true)
		);
	}

	private learn(claim: Claim, more: Partial<CachedEntry>): void {
		const name = this.nameOf(claim);
		this.facts.write(name, { ...this.entryOf(claim), ...more });
		this.facts.markLearned(name);
	}

	private entryOf(claim: Claim): CachedEntry {
		const { content } = claim;
		return (
			this.cached(claim) ?? { content, state: 'claimed', facts: {}, isApprovalUnanswered: false }
		);
	}

	private cached(claim: Claim): CachedEntry | undefined {
		return this.facts.read(this.nameOf(claim));
	}

	private nameOf(claim: Claim): string {
		return entryName(this.scope, claim);
	}
}

const notReopenedError = (): LedgerError =>
	new LedgerError(
		"n8n's database does not keep that a request was refused",
		'Its unique references read as in doubt from now on, although nothing came of the request.',
	);
