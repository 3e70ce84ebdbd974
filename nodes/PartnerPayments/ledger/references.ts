import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isNotDone, ServiceError } from '../service/http/errors';
import type { BeforeSend } from '../service/http/request';
import { withMutex } from '../shared/concurrency';
import { InputError } from '../shared/inputError';
import { conflictError } from './conflict';
import type { Claim, LedgerEntry } from './entry';
import { EntryCache } from './entryCache';
import { keyStoreOf, nodeIdentity, type KeyStore } from './keyStore';
import { LockedError, LockedRequest, RequestLock } from './requestLock';

export { conflictError };

/** How a reference stands when a run claims it. */
export interface ClaimedEntry extends LedgerEntry {
	/** Whether nobody has used the reference before. */
	isNew: boolean;
}

/**
 * The unique references of a node: each leads to its request once, however often the node runs.
 * docs/paying-once.md says what holds, by what, and where it ends.
 */
export class References {
	private readonly keys: KeyStore;
	private readonly cache: EntryCache;
	private readonly lock: RequestLock;
	private readonly node: string;
	private readonly signal: AbortSignal | undefined;

	/**
	 * @param scope what the references belong to, such as an operation of an account; the same
	 *   reference in another scope is another one
	 * @throws InputError when the workflow was never saved
	 */
	constructor(
		n8n: IExecuteFunctions,
		private readonly scope: string,
	) {
		this.keys = keyStoreOf(n8n, scope);
		this.cache = new EntryCache(n8n, scope);
		this.lock = new RequestLock(this.keys);
		this.node = nodeIdentity(n8n);
		this.signal = n8n.getExecutionCancelSignal();
	}

	/** Works on references that nobody else in this process may work on meanwhile. */
	async exclusively<Result>(references: string[], work: () => Promise<Result>): Promise<Result> {
		const names = references.map((reference) => `${this.node} ${this.scope} ${reference}`);
		return await withMutex(names, work, this.signal);
	}

	/**
	 * Claims references at the beginning of a run, in one write.
	 *
	 * @returns in the order of the claims: how each stands, or that it stands for something else
	 */
	async claim(claims: Claim[]): Promise<Array<ClaimedEntry | InputError>> {
		const unknown = claims.filter(({ reference }) => this.cache.read(reference) === undefined);
		const { added } = await this.keys.add(unknown.flatMap(keysOfClaim));
		const isAdded = (key: string): boolean => added.has(key);
		const differing = new Set(
			unknown.filter((claim) => !isAdded(claimKey(claim)) && isAdded(contentKey(claim))),
		);
		await this.keys.remove([...differing].map(contentKey));
		const known = unknown.filter((claim) => !keysOfClaim(claim).some(isAdded));
		const states = await this.lock.inspect(known.map(({ reference }) => reference));
		return claims.map((claim) => {
			const cached = this.cache.read(claim.reference);
			if (differing.has(claim) || (cached && cached.content !== claim.content))
				return conflictError(claim, cached?.content);
			if (cached !== undefined) {
				const { state, facts, isApprovalUnanswered = false } = cached;
				return { state, facts, isApprovalUnanswered, isNew: false };
			}
			const state = states.get(claim.reference);
			return { state: state ?? 'claimed', facts: {}, isNew: state === undefined };
		});
	}

	/** Nothing was done for these: they may be used again, also for something else. */
	async release(claims: Claim[]): Promise<void> {
		await this.keys.remove(claims.flatMap(keysOfClaim));
	}

	/** Keeps how far a reference has come, for later runs. */
	update({ reference, content }: Claim, entry: LedgerEntry): void {
		this.cache.write(reference, { ...entry, content });
	}

	/** Hands n8n what is known of all references. */
	store(): void {
		this.cache.store();
	}

	/** A request for these references that is sent once. */
	request(references: string[]): LockedRequest {
		return new LockedRequest(this.lock, references);
	}

	/**
	 * Sends one request once for a reference.
	 *
	 * @param send sends it; calls the hook that it is given directly before the request
	 * @returns its result, now or of an earlier run, which `duplicate` tells
	 * @throws InputError when the reference stands for something else
	 * @throws ServiceError, in doubt when an earlier run's request was not answered
	 */
	async sendOnce(
		claim: Claim,
		send: (beforeSend: BeforeSend) => Promise<IDataObject>,
	): Promise<IDataObject> {
		return await this.exclusively([claim.reference], async () => {
			const [entry] = await this.claim([claim]);
			if (entry instanceof InputError) throw entry;
			const named = { unique_reference: claim.reference };
			if (entry?.state === 'funded') return { ...entry.facts, ...named, duplicate: true };
			if (entry?.state === 'funding') throw inDoubtError(claim.reference);
			return { ...(await this.sendLocked(claim, send)), ...named };
		});
	}

	private async sendLocked(
		claim: Claim,
		send: (beforeSend: BeforeSend) => Promise<IDataObject>,
	): Promise<IDataObject> {
		const request = this.request([claim.reference]);
		const facts = await send(request.beforeSend).catch(async (error: unknown) => {
			if (error instanceof LockedError) throw inDoubtError(claim.reference);
			if (!isNotDone(error)) throw error;
			await request.release();
			await this.release([claim]);
			throw error;
		});
		this.update(claim, { state: 'funded', facts });
		await request.settle();
		return facts;
	}
}

/** The error for a reference whose request an earlier run has sent, without an answer. */
const inDoubtError = (reference: string): ServiceError =>
	new ServiceError({
		message: `In doubt what came of "${reference}": an earlier run sent its request, or was just about to, and knows no answer`,
		hint: 'Look it up in the service. If it was done, nothing is left to do. If it was not, run this item again with another unique reference.',
		outcome: 'unknown',
	});

const claimKey = ({ reference }: Claim): string => reference;
const contentKey = ({ reference, content }: Claim): string => `${reference} is ${content}`;
const keysOfClaim = (claim: Claim): string[] => [claimKey(claim), contentKey(claim)];
