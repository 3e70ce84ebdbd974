import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isHarmless, ServiceError } from '../service/http/errors';
import { InputError } from '../shared/inputError';
import { Gate, type Standing } from './gate';
import { alone } from './inFlight';
import { keysOf, nodeName, type Keys } from './keys';
import { Memory } from './memory';

/** A reference and what it stands for. */
export interface Claim {
	reference: string;
	/** What is paid to whom, in words. The same words mean the same payment. */
	content: string;
}

/** How a reference stands when a run begins with it. */
export type Beginning =
	/** Nobody has used it. */
	| { is: 'new' }
	/** An earlier run has; what came of it is known. */
	| { is: 'known'; output: IDataObject }
	/** An earlier run has; what came of it is not known, but how its gate stands. */
	| { is: 'begun'; standing: Standing }
	/** It stands for another payment. */
	| { is: 'taken'; error: InputError };

/**
 * The unique references of a node: each leads to its request once, however often the node runs.
 * docs/paying-once.md says what holds, by what, and where it ends.
 */
export class References {
	/** Stands directly before the request that must not be repeated. */
	readonly gate: Gate;

	private readonly keys: Keys;

	private readonly memory: Memory;

	private readonly node: string;

	private readonly signal: AbortSignal | undefined;

	/**
	 * @param scope what the references belong to, such as an operation of an account; the same
	 *   reference in another scope is another one
	 * @throws InputError when the workflow was never saved
	 */
	constructor(
		context: IExecuteFunctions,
		private readonly scope: string,
	) {
		this.keys = keysOf(context, scope);
		this.memory = new Memory(context, scope);
		this.gate = new Gate(this.keys);
		this.node = nodeName(context);
		this.signal = context.getExecutionCancelSignal();
	}

	/** Works on references that nobody else in this process may work on meanwhile. */
	async hold<Done>(references: string[], work: () => Promise<Done>): Promise<Done> {
		const names = references.map((reference) => `${this.node} ${this.scope} ${reference}`);
		return await alone(names, work, this.signal);
	}

	/**
	 * Claims references at the beginning of a run, in one write, and says how each stands.
	 *
	 * @returns in the order of the claims
	 */
	async begin(claims: Claim[]): Promise<Beginning[]> {
		const unknown = claims.filter(({ reference }) => this.memory.read(reference) === undefined);
		const { fresh } = await this.keys.add(unknown.flatMap(keysOfClaim));
		const isFresh = (key: string): boolean => fresh.has(key);
		const differing = new Set(
			unknown.filter((claim) => !isFresh(begun(claim)) && isFresh(meaning(claim))),
		);
		await this.keys.remove([...differing].map(meaning));
		const again = unknown.filter((claim) => !keysOfClaim(claim).some(isFresh));
		const standings = await this.gate.look(again.map(({ reference }) => reference));
		return claims.map((claim) => {
			const result = this.memory.read(claim.reference);
			const standing = standings.get(claim.reference);
			if (differing.has(claim) || (result && result.content !== claim.content))
				return { is: 'taken', error: conflict(claim, result?.content) };
			if (result !== undefined) return { is: 'known', output: result.output };
			return standing === undefined ? { is: 'new' } : { is: 'begun', standing };
		});
	}

	/** Nothing was done for these: they may be used again, also for something else. */
	async release(claims: Claim[]): Promise<void> {
		await this.keys.remove(claims.flatMap(keysOfClaim));
	}

	/** Hands n8n what is known of all references. */
	store(): void {
		this.memory.store();
	}

	/** Keeps how far a reference has come, for later runs. */
	remember({ reference, content }: Claim, output: IDataObject): void {
		this.memory.remember(reference, { content, output });
	}

	/**
	 * Sends one request once for a reference.
	 *
	 * @param act does it; passes the gate that it is given directly before the request
	 * @returns what came of it, now or in an earlier run, which `duplicate` tells
	 * @throws InputError when the reference stands for something else
	 * @throws ServiceError, in doubt when an earlier run's request was not answered
	 */
	async once(
		claim: Claim,
		act: (gate: () => Promise<void>) => Promise<IDataObject>,
	): Promise<IDataObject> {
		return await this.hold([claim.reference], async () => {
			const [beginning = { is: 'new' }] = await this.begin([claim]);
			return await this.goOn(claim, beginning, act);
		});
	}

	private async goOn(
		claim: Claim,
		beginning: Beginning,
		act: (gate: () => Promise<void>) => Promise<IDataObject>,
	): Promise<IDataObject> {
		const { reference } = claim;
		const named = { unique_reference: reference };
		if (beginning.is === 'taken') throw beginning.error;
		if (beginning.is === 'known') return { ...beginning.output, ...named, duplicate: true };
		const standing = beginning.is === 'begun' ? beginning.standing : 'open';
		if (standing === 'inDoubt') throw inDoubtBefore(reference);
		if (standing === 'done') return { ...named, duplicate: true };
		let hasPassed = false;
		const pass = async (): Promise<void> => {
			if (hasPassed) return;
			if ((await this.gate.pass([reference])).size > 0) throw inDoubtBefore(reference);
			hasPassed = true;
		};
		const output = await act(pass).catch(async (error: unknown) => {
			if (!isHarmless(error)) throw error;
			if (hasPassed) await this.gate.open([reference]);
			await this.release([claim]);
			throw error;
		});
		this.remember(claim, output);
		// What cannot be kept reads as in doubt later, never as undone.
		await this.gate.settle([reference]).catch(() => undefined);
		return { ...output, ...named };
	}
}

/** The references that a run of a node uses, by what they belong to. */
export class ReferencesOfRun {
	private readonly used = new Map<string, References>();

	constructor(private readonly context: IExecuteFunctions) {}

	/** @param scope see {@link References} */
	of(scope: string): References {
		const known = this.used.get(scope) ?? new References(this.context, scope);
		this.used.set(scope, known);
		return known;
	}

	/** Hands n8n what is known of all of them, at the end of the run. */
	store(): void {
		for (const references of this.used.values()) references.store();
	}
}

/** The error for a reference whose request an earlier run has sent, without an answer. */
export function inDoubtBefore(reference: string): ServiceError {
	return new ServiceError(
		`In doubt what came of "${reference}": an earlier run sent its request, or was just about to, and knows no answer`,
		'Look it up in the service. If it was done, nothing is left to do. If it was not, run this item again with another unique reference.',
		'inDoubt',
	);
}

/** The error for a reference that stands for something else, which need not be known any more. */
export function conflict({ reference, content }: Claim, before = 'another payment'): InputError {
	return new InputError(
		`Unique Reference "${reference}" stands for ${before} already, and now it is for ${content}`,
		'Use another reference for another payment, or correct the values to go on with the first one.',
	);
}

const begun = ({ reference }: Claim): string => reference;
const meaning = ({ reference, content }: Claim): string => `${reference} is ${content}`;
const keysOfClaim = (claim: Claim): string[] => [begun(claim), meaning(claim)];
