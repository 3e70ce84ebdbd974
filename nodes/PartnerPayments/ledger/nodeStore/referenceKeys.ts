import type { Claim, EntryState, LedgerScope, SendingState, SettledState } from '../ledger';
import { withMutex } from '../../shared/concurrency';
import { chunk } from '../../shared/lists';
import { databaseError, nodeIdentity, type LedgerHost } from './host';
import { keySetOf, type KeySet } from './keySet';

/** How often a change is made anew that found what a process has left. */
const MAX_ATTEMPTS = 3;

/** References whose keys one transaction adds and removes again, so that it is short. */
const MAX_PER_TRANSACTION = 50;

/** The node keeps references by itself. */
const IN_USE = JSON.stringify(['in use']);

/**
 * A Data Table keeps the references of the node. There are two keys, since a process that dies while it
 * looks for the first one may leave it.
 */
const IN_TABLE = JSON.stringify(['in table']);
const IS_CERTAIN = JSON.stringify(['is certain']);
/** The note of a Data Table. */
export const TABLE_KEYS = [IN_TABLE, IS_CERTAIN];

/** What a claim found. */
interface ClaimResult {
	/** Those that nobody had claimed before. */
	added: Set<Claim>;
	/** Those that stand for something else. */
	conflicting: Set<Claim>;
	/** Whether a Data Table keeps the references of the node, so that nothing is added. */
	isInTable: boolean;
}

/**
 * The keys of references in n8n's database. n8n tells of a key whether it was there only by adding it,
 * so what a key means is chosen such that a process which ends in between leaves a doubt at worst.
 *
 * - `known`: the reference is in use; `content`: for this payment.
 * - `sent` and `doubt`: its request was sent, or was about to be. They are added together.
 * - `sent` without `doubt`: the request was answered; with `deposit`, its money is awaited.
 */
export class ReferenceKeys {
	private readonly set: KeySet;

	constructor(
		private readonly n8n: LedgerHost,
		private readonly scope: LedgerScope,
	) {
		this.set = keySetOf(n8n);
	}

	/**
	 * Takes note that references are in use, each for its payment. What is added for one that stands for
	 * something else is removed again, and all of it when a Data Table keeps the references of the node.
	 */
	async claim(claims: Claim[], attempt = 1): Promise<ClaimResult> {
		const conflictsIn = (keys: Set<string>): Claim[] =>
			claims.filter((claim) => !keys.has(this.known(claim)) && keys.has(this.content(claim)));
		const { added, absent } = await this.set.change(this.n8n, {
			add: [IN_USE, ...claims.flatMap(this.claimKeys)],
			look: [IN_TABLE],
			remove: (keys, missed) =>
				missed.has(IN_TABLE) ? conflictsIn(keys).map(this.content) : [...keys],
			isRemovalDeferrable: true,
		});
		const mayBeInTable = !absent.has(IN_TABLE);
		if (mayBeInTable && !(await this.isTableNoted(attempt)))
			return await this.claim(claims, attempt + 1);
		return {
			added: new Set(claims.filter((claim) => added.has(this.known(claim)))),
			conflicting: new Set(conflictsIn(added)),
			isInTable: mayBeInTable,
		};
	}

	/**
	 * Takes note that a Data Table keeps the references of the node. Requests of this store have begun
	 * before it, or are refused.
	 *
	 * @returns whether that is kept for certain
	 */
	async noteTable(): Promise<boolean> {
		const change = { add: TABLE_KEYS, remove: () => [] };
		const note = async () => await this.set.changeAnyway(this.n8n, change);
		return (await withMutex([this.tableMutex], note)).isCertain;
	}

	/**
	 * Whether the note of a table is one; what a process that died has left of its look is removed.
	 *
	 * @throws LedgerError when it was to be removed before
	 */
	private async isTableNoted(attempt: number): Promise<boolean> {
		if (attempt > MAX_ATTEMPTS) throw databaseError(new Error('it removes no key'));
		const look = async () =>
			await this.set.change(this.n8n, {
				add: [],
				look: [IS_CERTAIN],
				remove: (_, missed) => (missed.has(IS_CERTAIN) ? [IN_TABLE] : []),
			});
		// In one transaction with a note, it would remove the note.
		const { absent } = await withMutex([this.tableMutex], look);
		return !absent.has(IS_CERTAIN);
	}

	/** As `look`, for references of which most are not in use, so that fewer keys are looked for. */
	async find(claims: Claim[]): Promise<Map<Claim, EntryState>> {
		const known: Claim[] = [];
		for (const some of chunk(claims, MAX_PER_TRANSACTION)) {
			const absent = await this.absent(some.map(this.known));
			known.push(...some.filter((claim) => !absent.has(this.known(claim))));
		}
		return await this.look(known);
	}

	/** Which of references that are in use stand for something else. */
	async conflicting(claims: Claim[]): Promise<Set<Claim>> {
		const conflicting = new Set<Claim>();
		for (const some of chunk(claims, MAX_PER_TRANSACTION)) {
			const absent = await this.absent(some.map(this.content));
			for (const claim of some) if (absent.has(this.content(claim))) conflicting.add(claim);
		}
		return conflicting;
	}

	/** Says of which references the request was sent, and whether it was answered. */
	async look(claims: Claim[]): Promise<Map<Claim, EntryState>> {
		const states = new Map<Claim, EntryState>();
		for (const some of chunk(claims, MAX_PER_TRANSACTION)) {
			const absent = await this.absent(
				some.flatMap((claim) => [...this.sendingKeys(claim), this.deposit(claim)]),
			);
			for (const claim of some) {
				if (!absent.has(this.doubt(claim))) states.set(claim, this.sending);
				else if (!absent.has(this.sent(claim)))
					states.set(claim, absent.has(this.deposit(claim)) ? this.settled : 'awaiting_deposit');
			}
		}
		return states;
	}

	/**
	 * Takes note that a request is about to be sent for references of which none was sent before, unless a
	 * Data Table keeps the references of the node.
	 *
	 * @returns those for which it must not be sent, with how they stand; with one of them, none has begun
	 */
	async begin(claims: Claim[], state: SendingState, attempt = 1): Promise<Map<Claim, EntryState>> {
		const isRefused = (keys: Set<string>, claim: Claim): boolean =>
			!this.sendingKeys(claim).every((key) => keys.has(key));
		const { added, absent, isCertain } = await this.set.change(this.n8n, {
			// Another run may have forgotten that the reference is in use.
			add: claims.flatMap((claim) => [...this.claimKeys(claim), ...this.sendingKeys(claim)]),
			look: [IN_TABLE],
			remove: (keys, missed) => {
				const areRefused = claims.some((claim) => isRefused(keys, claim));
				return areRefused || !missed.has(IN_TABLE) ? [...keys] : [];
			},
		});
		if (!isCertain) return new Map(claims.map((claim) => [claim, state]));
		const mayBeInTable = !absent.has(IN_TABLE);
		if (mayBeInTable && !(await this.isTableNoted(attempt)))
			return await this.begin(claims, state, attempt + 1);
		const refused = mayBeInTable ? claims : claims.filter((claim) => isRefused(added, claim));
		const states = await this.look(refused);
		return new Map(refused.map((claim) => [claim, states.get(claim) ?? 'claimed']));
	}

	/**
	 * Takes note that the request was answered.
	 *
	 * @returns whether that is kept for certain; it may be repeated
	 */
	async settle(claims: Claim[], state: SettledState): Promise<boolean> {
		const isAwaited = state === 'awaiting_deposit';
		const { isCertain, isRemoved } = await this.set.change(this.n8n, {
			// Should a process that was stopped for long have undone the first key.
			add: claims.flatMap((claim) => [
				this.sent(claim),
				...(isAwaited ? [this.deposit(claim)] : []),
			]),
			// A process that died while it looked may have left the second one.
			remove: () =>
				claims.flatMap((claim) => [this.doubt(claim), ...(isAwaited ? [] : [this.deposit(claim)])]),
		});
		return isCertain && isRemoved;
	}

	/** Takes note that the request was not done; says whether that could be kept. */
	async reopen(claims: Claim[]): Promise<boolean> {
		const { isRemoved } = await this.set.change(this.n8n, {
			add: [],
			remove: () => claims.flatMap(this.sendingKeys),
		});
		return isRemoved;
	}

	/** The references are not in use any more. */
	async forget(claims: Claim[]): Promise<void> {
		for (const some of chunk(claims, MAX_PER_TRANSACTION)) {
			await this.set.forget(this.n8n, some.flatMap(this.claimKeys));
		}
	}

	/** Which of the keys are not there. */
	private async absent(keys: string[]): Promise<Set<string>> {
		return (await this.set.change(this.n8n, { add: [], look: keys, remove: () => [] })).absent;
	}

	private get tableMutex(): string {
		return `table of ${nodeIdentity(this.n8n)}`;
	}

	private get sending(): EntryState {
		return this.scope.kind === 'payable' ? 'creating' : 'funding';
	}

	private get settled(): EntryState {
		return this.scope.kind === 'payable' ? 'created' : 'funded';
	}

	private readonly known = (claim: Claim): string => this.key('known', claim);
	private readonly content = (claim: Claim): string => this.key('content', claim, claim.content);
	private readonly sent = (claim: Claim): string => this.key('sent', claim);
	private readonly doubt = (claim: Claim): string => this.key('doubt', claim);
	private readonly deposit = (claim: Claim): string => this.key('deposit', claim);
	private readonly claimKeys = (claim: Claim): string[] => [this.known(claim), this.content(claim)];
	private readonly sendingKeys = (claim: Claim): string[] => [this.sent(claim), this.doubt(claim)];

	/** As JSON, so that no two different keys are written alike. */
	private key(name: string, { workspaceId, reference }: Claim, ...more: string[]): string {
		const { kind, environment } = this.scope;
		return JSON.stringify([name, kind, environment, workspaceId, reference, ...more]);
	}
}
