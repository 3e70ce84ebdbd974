import type { components } from '../../contract/service';
import type { Clock } from '../store/clock';
import { notFound } from '../shared/errors';
import type { Store } from '../store/store';
import { takesSeveral } from './envelopes';
import { DeliveryFaults } from './faults';
import { Flight } from './attempt';
import { Holds } from './postponed';
import { AttemptLog } from './attempt-log';
import { defaultOptions, readOptions, writeOptions, type DeliveryOptions } from './options';
import { Queue, type Due } from './queue';
import { readDeliveries, type DeliveryView } from './views';

type Event = components['schemas']['Event'];

/** What to deliver again: one delivery, or every delivery of an event. */
export type Redelivery = { delivery: string } | { event: string };

/** How long a stop waits for what is on its way. */
const GRACE_MS = 500;
/** So many deliveries are packed before requests to the API have their turn. */
const AT_ONCE = 200;
/** What setTimeout can wait at most. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * Delivers what the queue holds, in the background and several at a time. Nobody waits for it: it is
 * woken when an event was recorded, a POST has ended, the clock has jumped or the next one is due.
 */
export class Deliveries {
	readonly faults = new DeliveryFaults();
	log = new AttemptLog();
	readonly #queue: Queue;
	readonly #holds: Holds;
	readonly #flights = new Map<Flight, Promise<void>>();
	#running = false;
	#soon: NodeJS.Immediate | undefined;
	#timer: NodeJS.Timeout | undefined;

	/** @param complain gets a line when the sandbox itself fails at something */
	constructor(
		private readonly store: Store,
		private readonly clock: Clock,
		private readonly complain: (text: string) => void,
	) {
		this.#queue = new Queue(store, clock);
		this.#holds = new Holds(this.#queue, this.faults);
		clock.onJump(() => {
			this.#wake();
		});
	}

	/** Begins to deliver, with whatever the last run has left. */
	start(): void {
		this.#queue.putAllBack();
		this.#running = true;
		this.#wake();
	}

	/** Ends delivering. What is not answered after a short while is left for the next start. */
	async stop(): Promise<void> {
		this.#running = false;
		clearTimeout(this.#timer);
		clearImmediate(this.#soon);
		const grace = setTimeout(() => {
			this.#recall();
		}, GRACE_MS);
		await Promise.all(this.#flights.values());
		clearTimeout(grace);
	}

	/** Makes the deliveries of an event in its transaction; they begin once that is committed. */
	enqueue(event: Event): void {
		this.#queue.add(event);
		this.#wake();
	}

	get options(): DeliveryOptions {
		return readOptions(this.store);
	}

	/** Changes some options; what is left out stays. */
	change(options: Partial<DeliveryOptions>): DeliveryOptions {
		const changed = { ...this.options, ...options };
		writeOptions(this.store, changed);
		this.#wake();
		return changed;
	}

	/**
	 * Begins deliveries anew, whatever has become of them; what is on its way is left to arrive.
	 * @throws Refusal 404 when there is no such delivery or event
	 */
	redeliver(which: Redelivery): DeliveryView[] {
		const chosen = this.#chosen(which);
		for (const { id } of chosen) this.#queue.beginAnew(id);
		this.#wake();
		return chosen.flatMap(({ id }) => readDeliveries(this.store, { id }));
	}

	/** Forgets faults, options and log, and breaks off what is on its way. */
	reset(): void {
		this.#recall();
		this.#holds.clear();
		this.faults.clear();
		// What is being broken off may still have a word for the old one.
		this.log = new AttemptLog();
		writeOptions(this.store, defaultOptions);
	}

	#chosen(which: Redelivery): DeliveryView[] {
		if ('delivery' in which) {
			const found = readDeliveries(this.store, { id: which.delivery });
			if (found.length === 0) throw notFound('delivery', which.delivery);
			return found;
		}
		if (!this.store.has('SELECT 1 FROM events WHERE id = $event', which)) {
			throw notFound('event', which.event);
		}
		return readDeliveries(this.store, which);
	}

	#recall(): void {
		for (const flight of this.#flights.keys()) flight.recall();
	}

	// Transactions are synchronous: an immediate comes after the commit, once for many events.
	#wake(): void {
		if (!this.#running) return;
		this.#soon ??= setImmediate(() => {
			this.#soon = undefined;
			try {
				this.#look();
			} catch (error) {
				this.#complain(error);
			}
		});
	}

	#look(): void {
		const { options } = this;
		clearTimeout(this.#timer);
		if (options.paused) return;
		// One time for all questions: what becomes due between two of them is not overlooked.
		const now = this.clock.iso();
		const waiting = this.#queue
			.subscriptionsWithDue(now)
			.map((id) => ({ id, inFlight: this.#inFlight(id) }));
		// Who has the fewest on their way comes first, so that nobody's backlog starves the others.
		waiting.sort((a, b) => a.inFlight - b.inFlight);
		for (const { id } of waiting) this.#serve(id, now, options);
		const next = this.#queue.nextDue(now);
		if (next === undefined) return;
		const wait = Math.max(1, next - this.clock.milliseconds());
		this.#timer = setTimeout(
			() => {
				this.#wake();
			},
			Math.min(wait, LONGEST_WAIT_MS),
		);
	}

	#serve(subscriptionId: string, now: string, options: DeliveryOptions): void {
		const perPost = takesSeveral(options.envelope) ? options.batchSize : 1;
		const allowed = this.#places(subscriptionId, options) * perPost;
		if (allowed === 0) return;
		const most = Math.min(allowed, Math.max(perPost, AT_ONCE));
		const taken = this.#queue.take(subscriptionId, now, most);
		const going = taken.filter((due) => this.#goes(due, options));
		// There is place left: for what was too much at once, or in place of what is kept back.
		if (most < allowed || going.length < taken.length) this.#wake();
		for (let at = 0; at < going.length; at += perPost) {
			const [first, ...rest] = going.slice(at, at + perPost);
			if (first !== undefined) this.#launch(first, rest, options);
		}
	}

	/** How many more POSTs this subscription may get at once. */
	#places(subscriptionId: string, options: DeliveryOptions): number {
		const free = options.maxInFlight - this.#flights.size;
		const own = options.maxInFlightPerSubscription - this.#inFlight(subscriptionId);
		return Math.max(0, Math.min(free, own));
	}

	#inFlight(subscriptionId: string): number {
		const flights = [...this.#flights.keys()];
		return flights.filter((flight) => flight.subscriptionId === subscriptionId).length;
	}

	/** Whether no fault keeps the delivery from going now. */
	#goes(due: Due, { seed }: DeliveryOptions): boolean {
		const hold = this.#holds.consider(due, seed);
		if (hold === 'dropped') {
			this.log.add({
				at: this.clock.iso(),
				subscriptionId: due.subscription.id,
				url: due.subscription.url,
				deliveryIds: [due.id],
				eventIds: [due.event.id],
				attempt: due.attempts + 1,
				status: null,
				error: null,
				durationMs: 0,
				bytes: 0,
				faults: ['drop'],
			});
		}
		return hold === 'none';
	}

	#launch(first: Due, rest: Due[], options: DeliveryOptions): void {
		const { store, clock, faults, log } = this;
		const ground = { store, clock, queue: this.#queue, faults, log };
		const held = this.#holds.release([first, ...rest]);
		const flight = new Flight(ground, options, first, rest, held);
		const landed = flight
			.fly()
			.catch((error: unknown) => {
				this.#complain(error);
			})
			.finally(() => {
				this.#flights.delete(flight);
				this.#wake();
			});
		this.#flights.set(flight, landed);
	}

	#complain(error: unknown): void {
		this.complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
	}
}
