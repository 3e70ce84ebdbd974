import { createHash } from 'crypto';

/** How many events one trigger remembers. */
const REMEMBERED = 5000;
/** Characters of a remembered event: 48 bits, so that two events are the same one time in 10^10. */
const LENGTH = 8;

/** Milliseconds after which a start that nothing was heard of counts as failed. */
const PATIENCE = 60_000;

/**
 * The events that one trigger has heard of: those that have started an execution, which outlive the
 * process in the workflow's static data, and those that a delivery is just starting one for.
 */
export class EventMemory {
	/** The newest last. */
	private known = new Set<string>();

	/** Since when. */
	private readonly inWork = new Map<string, number>();

	private stored = '';

	/**
	 * Takes over what is stored. That may be older than what is known here, when deliveries overlap,
	 * or newer, when another process of this n8n has stored it.
	 */
	load(stored: unknown): void {
		if (typeof stored !== 'string' || stored === this.stored) return;
		const own = this.known;
		this.known = new Set();
		for (let at = 0; at < stored.length; at += LENGTH)
			this.known.add(stored.slice(at, at + LENGTH));
		for (const event of own) this.known.add(event);
		this.forgetOldest();
		this.stored = stored;
	}

	/** Whether a delivery is just starting an execution for the event. */
	isInWork(event: string): boolean {
		const since = this.inWork.get(event);
		return since !== undefined && Date.now() - since < PATIENCE;
	}

	/** Claims an event, if it is new; it has to be kept or released then. */
	claim(event: string): boolean {
		if (this.known.has(event) || this.isInWork(event)) return false;
		this.inWork.set(event, Date.now());
		return true;
	}

	/** Remembers claimed events for good; returns what is to be stored. */
	keep(events: string[]): string {
		for (const event of events) {
			this.inWork.delete(event);
			this.known.add(event);
		}
		this.forgetOldest();
		this.stored = [...this.known].join('');
		return this.stored;
	}

	/** Gives claimed events back: the next delivery may start them. */
	release(events: string[]): void {
		for (const event of events) this.inWork.delete(event);
	}

	private forgetOldest(): void {
		for (const oldest of this.known) {
			if (this.known.size <= REMEMBERED) return;
			this.known.delete(oldest);
		}
	}
}

const memories = new Map<string, EventMemory>();

/** The memory of a trigger, shared by all deliveries to it in this process. */
export function memoryOf(trigger: string): EventMemory {
	const memory = memories.get(trigger) ?? new EventMemory();
	memories.set(trigger, memory);
	return memory;
}

/** What an event is remembered as: its own ID, or all of it when it has none. */
export function fingerprint(id: string | undefined, event: unknown): string {
	const identity = id === undefined ? `body:${JSON.stringify(event)}` : `id:${id}`;
	return createHash('sha256').update(identity).digest('base64').slice(0, LENGTH);
}
