import { randomUUID } from 'crypto';
import { sleep } from 'n8n-workflow';

import type { Keys } from './keys';

/** Milliseconds that a claim stands before it counts: longer than n8n takes to write one. */
const SETTLING = 100;
/** A slow database makes it longer. */
const TIMES_SLOWER = 10;
/** How often a claim that other writes have undone is made again. */
const MOST_ROUNDS = 3;

/** How a reference stands at its gate. */
export type Standing =
	/** Nobody has passed. */
	| 'open'
	/** Somebody has passed, and what came of it is known to be good. */
	| 'done'
	/** Somebody has passed, and nothing is known of what came of it. */
	| 'inDoubt';

const gate = (reference: string): string => `${reference} gate`;
const doubt = (reference: string): string => `${reference} doubt`;

/**
 * The gate before a request that must not be sent twice. It stands directly before the request, so
 * that the end of a process leaves nothing in doubt but what was just being sent.
 *
 * Two keys stand for each reference: `gate`, that somebody has passed, and `doubt`, that the outcome
 * is unknown. They are added together, and only a good outcome takes `doubt` away. Whoever is cut off
 * in between leaves a doubt, never a payment that looks unmade.
 *
 * In this process keys are added one write after the other. Another worker can write at the same
 * moment, and the later write undoes the earlier one. So a claim carries a token, and is looked at
 * again when every write that began before it has ended: of those who claimed at once, only the last
 * one still finds its token (M. Fischer's protocol, in L. Lamport, "A Fast Mutual Exclusion
 * Algorithm", 1987).
 */
export class Gate {
	private readonly id = randomUUID();

	constructor(private readonly keys: Keys) {}

	/**
	 * Passes the gate for references that go together.
	 *
	 * @returns how those stand that were not let through; the others are this caller's alone
	 */
	async pass(references: string[]): Promise<Map<string, Standing>> {
		const { fresh, took } = await this.keys.add(references.flatMap(this.claim));
		const [mine, closed] = divided(references, (reference) => fresh.has(gate(reference)));
		const refused = await this.standings(closed, fresh);
		for (const reference of await this.undone(mine, took)) refused.set(reference, 'inDoubt');
		return refused;
	}

	/** Says how references stand, without passing: what has to be written for that is taken back. */
	async look(references: string[]): Promise<Map<string, Standing>> {
		const { fresh } = await this.keys.add(references.flatMap(this.claim));
		const [open, closed] = divided(references, (reference) => fresh.has(gate(reference)));
		const standings = await this.standings(closed, fresh);
		await this.open(open);
		for (const reference of open) standings.set(reference, 'open');
		return standings;
	}

	/** The request was refused, or never sent: the next one may pass. */
	async open(references: string[]): Promise<void> {
		await this.keys.remove(references.flatMap(this.claim));
	}

	/** The request was done. The gate is added again, should another worker's write have undone it. */
	async settle(references: string[]): Promise<void> {
		await this.keys.add(references.map(gate));
		await this.keys.remove(
			references.flatMap((reference) => [doubt(reference), this.token(reference)]),
		);
	}

	/** How closed gates stand; the keys that asking has added are taken out again. */
	private async standings(closed: string[], fresh: Set<string>): Promise<Map<string, Standing>> {
		const isDone = (reference: string): boolean => fresh.has(doubt(reference));
		const added = closed.flatMap(this.claim).filter((key) => fresh.has(key));
		await this.keys.remove(added);
		return new Map(closed.map((reference) => [reference, isDone(reference) ? 'done' : 'inDoubt']));
	}

	/** Waits until claims count; returns those that another worker's claim has undone. */
	private async undone(references: string[], took: number, round = 1): Promise<string[]> {
		if (references.length === 0) return [];
		await sleep(Math.max(SETTLING, took * TIMES_SLOWER));
		const again = await this.keys.add(references.flatMap(this.claim));
		const lost = references.filter((reference) => again.fresh.has(this.token(reference)));
		const [unclaimed, elsewhere] = divided(lost, (reference) => again.fresh.has(gate(reference)));
		await this.keys.remove(elsewhere.map(this.token));
		if (round === MOST_ROUNDS) return lost;
		return [...elsewhere, ...(await this.undone(unclaimed, again.took, round + 1))];
	}

	private readonly claim = (reference: string): string[] => [
		gate(reference),
		doubt(reference),
		this.token(reference),
	];

	private readonly token = (reference: string): string => `${reference} ${this.id}`;
}

function divided(
	references: string[],
	fits: (reference: string) => boolean,
): [fitting: string[], others: string[]] {
	return [references.filter(fits), references.filter((reference) => !fits(reference))];
}
