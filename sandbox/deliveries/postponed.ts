import { chance } from '../shared/random';
import { attemptKey, type DeliveryFaults, type FaultOf, type TimingFault } from './delivery-faults';
import type { DeliveryQueue, QueuedDelivery } from './queue';

/** By how many milliseconds each kind of fault postpones a delivery; undefined is for ever. */
const delays: {
	[Kind in TimingFault['kind']]: (fault: FaultOf<Kind>, random: number) => number | undefined;
} = {
	delay: ({ ms }) => ms,
	reorder: ({ ms }, random) => Math.floor(ms * random),
	drop: () => undefined,
};

const delayMs = <Kind extends TimingFault['kind']>(fault: FaultOf<Kind>, random: number) =>
	delays[fault.kind](fault, random);

/** Postpones deliveries by faults, each of them once before an attempt. */
export class PostponedDeliveries {
	readonly #faultKinds = new Map<string, TimingFault['kind']>();

	constructor(
		private readonly queue: DeliveryQueue,
		private readonly faults: DeliveryFaults,
	) {}

	/** Puts a claimed delivery back into the queue, or drops it, when a fault says so. */
	apply(delivery: QueuedDelivery, seed: number): 'due' | 'postponed' | 'dropped' {
		if (this.#faultKinds.has(delivery.id)) return 'due';
		const fault = this.faults.useTimingFault(delivery, seed);
		if (fault === undefined) return 'due';
		const delayBy = delayMs(fault, chance(seed, 'postpone', ...attemptKey(delivery)));
		if (delayBy === undefined) {
			this.queue.drop(delivery.id);
			return 'dropped';
		}
		this.#faultKinds.set(delivery.id, fault.kind);
		this.queue.requeue(delivery.id, delayBy);
		return 'postponed';
	}

	/** The kinds of the faults that postponed these; they may be postponed again from now on. */
	release(deliveries: QueuedDelivery[]): TimingFault['kind'][] {
		const kinds = deliveries.flatMap(({ id }) => this.#faultKinds.get(id) ?? []);
		for (const { id } of deliveries) this.#faultKinds.delete(id);
		return [...new Set(kinds)];
	}

	clear(): void {
		this.#faultKinds.clear();
	}
}
