import { createHash } from 'crypto';

/** How many events one trigger remembers. */
const REMEMBERED = 5000;
/** Characters of a remembered event: 48 bits, so that two events are the same one time in 10^10. */
const LENGTH = 8;

/** Whether an event may start an execution. */
export type Claim = 'new' | 'known' | 'inWork';

/**
 * The events that one trigger has heard of: those that have started an execution, which outlive the
 * process in the workflow's static data, and those that another delivery is just starting one for.
 */
export class EventMemory {
	private readonly known = new Set<string>();

	private readonly inWork = new Set<string>();

	private stored = '';

	/** Takes over what is stored, also what another process of this n8n has stored since. */
	load(stored: unknown): void {
		if (typeof stored !== 'string' || stored === this.stored) return;
		for (let at = 0; at < stored.length; at += LENGTH) this.add(stored.slice(at, at + LENGTH));
		this.stored = stored;
	}

	/** Claims an event; a new one has to be kept or released. */
	claim(event: string): Claim {
		if (this.known.has(event)) return 'known';
		if (this.inWork.has(event)) return 'inWork';
		this.inWork.add(event);
		return 'new';
	}

	/** Remembers claimed events for good; returns what is to be stored. */
	keep(events: string[]): string {
		for (const event of events) {
			this.inWork.delete(event);
			this.add(event);
		}
		this.stored = [...this.known].join('');
		return this.stored;
	}

	/** Gives claimed events back: the next delivery may start them. */
	release(events: string[]): void {
		for (const event of events) this.inWork.delete(event);
	}

	private add(event: string): void {
		this.known.add(event);
		const [oldest] = this.known;
		if (this.known.size > REMEMBERED && oldest !== undefined) this.known.delete(oldest);
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
