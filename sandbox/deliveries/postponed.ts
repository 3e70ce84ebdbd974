import type { DeliveryFaultKind, DeliveryFaults, FaultOf, TimingFault } from './faults';
import { attemptNames } from './faults';
import type { Due, Queue } from './queue';
import { chance } from '../shared/random';

/** How long each fault keeps a delivery back; undefined is for ever. */
const times: {
	[K in TimingFault['kind']]: (fault: FaultOf<K>, luck: number) => number | undefined;
} = {
	delay: ({ ms }) => ms,
	reorder: ({ ms }, luck) => Math.floor(ms * luck),
	drop: () => undefined,
};

const holdingTime = <K extends TimingFault['kind']>(fault: FaultOf<K>, luck: number) =>
	times[fault.kind](fault, luck);

/** What became of a delivery before it was sent. */
export type Hold = 'none' | 'held' | 'dropped';

/** Keeps deliveries back that a fault has struck, each of them once before an attempt. */
export class Holds {
	readonly #held = new Map<string, DeliveryFaultKind>();

	constructor(
		private readonly queue: Queue,
		private readonly faults: DeliveryFaults,
	) {}

	/** Puts a delivery back into the queue, or out of it, when a fault says so. */
	consider(due: Due, seed: number): Hold {
		if (this.#held.has(due.id)) return 'none';
		const fault = this.faults.takeTiming(due, seed);
		if (fault === undefined) return 'none';
		const ms = holdingTime(fault, chance(seed, 'hold', ...attemptNames(due)));
		if (ms === undefined) {
			this.queue.dropped(due.id);
			return 'dropped';
		}
		this.#held.set(due.id, fault.kind);
		this.queue.putBack(due.id, ms);
		return 'held';
	}

	/** The kinds of the faults that kept these back; they may be kept back again from now on. */
	release(deliveries: Due[]): DeliveryFaultKind[] {
		const kinds = deliveries.flatMap(({ id }) => this.#held.get(id) ?? []);
		for (const { id } of deliveries) this.#held.delete(id);
		return [...new Set(kinds)];
	}

	clear(): void {
		this.#held.clear();
	}
}
