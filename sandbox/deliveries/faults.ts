import { chance } from '../shared/random';
import type { Due } from './queue';

/** Which deliveries a fault strikes; what is left out matches everything. */
export interface DeliveryMatch {
	eventType?: string;
	subscriptionId?: string;
	workspaceId?: string;
}

/** What each kind takes. */
interface Parameters {
	/** Goes out so many milliseconds later, on the sandbox's clock. */
	delay: { ms: number };
	/** Goes out at any time within so many milliseconds: deliveries overtake one another. */
	reorder: { ms: number };
	/** Is never sent. */
	drop: unknown;
	/** Goes out so many times at once. */
	duplicate: { copies: number };
	/** Carries a signature of the right shape under a secret that nobody has. */
	forged_signature: unknown;
	/** Carries no signature. */
	missing_signature: unknown;
	/** Is signed with the secret of another workspace's subscription, or forged without any. */
	foreign_signature: unknown;
	/** With it, the subscription's oldest delivered event goes out again, signed as it was. */
	stale: unknown;
	/** Carries this text, or without it the half of its JSON, rightly signed. */
	malformed: { body?: string };
	/** Is filled up with blanks to so many bytes, rightly signed. */
	oversized: { bytes: number };
}

/** The kinds of faults. */
export type DeliveryFaultKind = keyof Parameters;

interface Order {
	match?: DeliveryMatch;
	/** How many it strikes; one when neither this nor a ratio is given. */
	times?: number;
	/** The share of deliveries it strikes, from 0 to 1, by seeded chance; all when left out. */
	ratio?: number;
}

/** A fault of certain kinds. */
export type FaultOf<K extends DeliveryFaultKind> = {
	[P in K]: Order & { kind: P } & Parameters[P];
}[K];

/** What goes wrong with deliveries. It strikes attempts: what is refused is tried again as ever. */
export type DeliveryFault = FaultOf<DeliveryFaultKind>;

/** A fault that waits for its deliveries; `remaining` is null for one that never ends by itself. */
export type ArmedDeliveryFault = DeliveryFault & { id: number; remaining: number | null };

type TimingKind = 'delay' | 'reorder' | 'drop';
/** A fault that decides when a delivery goes out, or whether. */
export type TimingFault = FaultOf<TimingKind>;
/** A fault that changes what goes out. */
export type ContentFault = FaultOf<Exclude<DeliveryFaultKind, TimingKind>>;

const isTiming = (fault: DeliveryFault): fault is TimingFault =>
	fault.kind === 'delay' || fault.kind === 'reorder' || fault.kind === 'drop';

/** The faults of deliveries that were ordered and still strike. */
export class DeliveryFaults {
	#armed: ArmedDeliveryFault[] = [];
	#next = 1;

	/** Orders a fault. Faults strike in the order in which they were ordered. */
	arm(fault: DeliveryFault): ArmedDeliveryFault {
		const once = fault.ratio === undefined ? 1 : null;
		const armed = { ...fault, id: this.#next++, remaining: fault.times ?? once };
		this.#armed.push(armed);
		return armed;
	}

	/** Those that still wait. */
	read(): ArmedDeliveryFault[] {
		return this.#armed;
	}

	/** Calls all off; the next ones are numbered, and so decided by chance, as at the beginning. */
	clear(): void {
		this.#armed = [];
		this.#next = 1;
	}

	/** Takes the first fault that decides when this delivery goes out. */
	takeTiming(due: Due, seed: number): TimingFault | undefined {
		return this.#armed.length === 0 ? undefined : this.#take(due, seed, isTiming);
	}

	/** Takes the first fault that changes what goes out, of those that are possible now. */
	takeContent(
		due: Due,
		seed: number,
		possible: (fault: ContentFault) => boolean,
	): ContentFault | undefined {
		const wanted = (fault: DeliveryFault): fault is ContentFault =>
			!isTiming(fault) && possible(fault);
		return this.#armed.length === 0 ? undefined : this.#take(due, seed, wanted);
	}

	#take<F extends DeliveryFault>(
		due: Due,
		seed: number,
		wanted: (fault: DeliveryFault) => fault is F,
	): F | undefined {
		for (const fault of this.#armed) {
			if (!wanted(fault) || !strikes(fault, due, seed)) continue;
			if (fault.remaining !== null) fault.remaining -= 1;
			this.#armed = this.#armed.filter(({ remaining }) => remaining !== 0);
			return fault;
		}
		return undefined;
	}
}

function strikes(fault: ArmedDeliveryFault, due: Due, seed: number): boolean {
	const { eventType, subscriptionId, workspaceId } = fault.match ?? {};
	const { event, subscription } = due;
	return (
		(eventType === undefined || eventType === event.event_type) &&
		(subscriptionId === undefined || subscriptionId === subscription.id) &&
		(workspaceId === undefined || workspaceId === event.workspace_id) &&
		(fault.ratio === undefined ||
			chance(seed, 'fault', fault.id, ...attemptNames(due)) < fault.ratio)
	);
}

/** What tells an attempt from every other of a run, and is the same in a run with the same seed. */
export const attemptNames = ({ sequence, subscription, attempts }: Due): number[] => [
	sequence,
	subscription.place,
	attempts,
];
