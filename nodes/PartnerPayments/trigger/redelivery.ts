import { createHash } from 'crypto';

/** How many events one trigger remembers. */
const REMEMBERED = 5000;
/** Characters of a remembered event: 48 bits, so that one new event in 10^10 looks like a known one. */
const LENGTH = 8;

/** An event is new, has started an execution, or another delivery is just starting one for it. */
export type Claim = 'new' | 'known' | { isStarted: Promise<boolean> };

interface Start {
	isStarted: Promise<boolean>;
	settle: (isStarted: boolean) => void;
}

/**
 * The events that one trigger has heard of. Those that have started an execution outlive the process
 * in the workflow's static data; those that an execution is being started for are known here alone.
 */
export class EventMemory {
	private readonly known = new Set<string>();

	private readonly starting = new Map<string, Start>();

	private stored = '';

	/** Takes over what is stored, also what another process of this n8n has stored meanwhile. */
	load(stored: unknown): void {
		if (typeof stored !== 'string' || stored === this.stored) return;
		for (let at = 0; at < stored.length; at += LENGTH) this.add(stored.slice(at, at + LENGTH));
		this.stored = stored;
	}

	/** Claims an event; a new one has to be kept or released. */
	claim(event: string): Claim {
		if (this.known.has(event)) return 'known';
		const other = this.starting.get(event);
		if (other !== undefined) return { isStarted: other.isStarted };
		let settle: Start['settle'] = () => undefined;
		const isStarted = new Promise<boolean>((resolve) => (settle = resolve));
		this.starting.set(event, { isStarted, settle });
		return 'new';
	}

	/** Remembers events for which an execution has started; returns what is to be stored. */
	keep(events: string[]): string {
		for (const event of events) this.add(event);
		this.settle(events, true);
		this.stored = [...this.known].join('');
		return this.stored;
	}

	/** Gives events back for which none has started: the next delivery may. */
	release(events: string[]): void {
		this.settle(events, false);
	}

	private settle(events: string[], isStarted: boolean): void {
		for (const event of events) {
			this.starting.get(event)?.settle(isStarted);
			this.starting.delete(event);
		}
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
