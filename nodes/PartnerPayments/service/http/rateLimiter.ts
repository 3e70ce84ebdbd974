import { whenAborted } from './abort';
import type { Clock } from './clock';
import type { Limit } from './limit';
import { Queue } from './queue';
import { Slowdown } from './adaptiveThrottle';

/** A place among the requests of an account. */
export interface Place {
	/** When it was given, in milliseconds of the clock. */
	readonly sentAt: number;
}

/** What came of the request on a place. */
export interface Sent {
	/** Of the answer, when there was one. */
	status?: number;
	/** How long the service wants to be left alone, where it said so. */
	retryAfterMs?: number | undefined;
	/** How often the service got the request. */
	times: number;
}

/** The service wants to be left alone for longer than anybody waits. */
export class ClosedError extends Error {
	constructor(readonly forMs: number) {
		super('The service wants to be left alone');
	}
}

interface Waiter {
	admit: (place: Place) => void;
	turnAway: (reason: Error) => void;
}

// The clocks of two machines do not run alike, and timestamps are rounded.
const MARGIN_MS = 10;
const LONGEST_CLOSED_MS = 15 * 60_000;

/**
 * Keeps the requests of one account within its limit, as the service sees it.
 *
 * A request reaches the service at some time between its sending and its answer. So its place is taken
 * from its sending until a whole window after its answer: whichever requests the network delays, no
 * window of the service's sees more of them than there are places. Whoever finds no free place waits,
 * first come, first served; a single timer serves all.
 */
export class Pace {
	private readonly queue = new Queue<Waiter>();
	private readonly slowdown = new Slowdown();
	/** When the requests were answered whose places are taken still, in their order. */
	private readonly answeredAt: number[] = [];
	private underWay = 0;
	private lastSentAt = -Infinity;
	private timer: { at: number; stop: AbortController } | undefined;

	constructor(
		private readonly clock: Clock,
		private limit: Limit,
	) {}

	/** Takes a changed limit over. */
	adjust(limit: Limit): void {
		const { requests, windowMs } = this.limit;
		if (limit.requests === requests && limit.windowMs === windowMs) return;
		this.limit = limit;
		this.serve();
	}

	/**
	 * Waits for a place, which must be left again.
	 *
	 * @param signal stops the waiting at once when it aborts; its reason is the error's cause
	 * @throws ClosedError when the service wants to be left alone for longer than anybody waits
	 */
	async take(signal?: AbortSignal): Promise<Place> {
		signal?.throwIfAborted();
		let unwatch: (() => void) | undefined;
		const place = new Promise<Place>((admit, turnAway) => {
			const leave = this.queue.join({ admit, turnAway });
			unwatch =
				signal &&
				whenAborted(signal, () => {
					leave();
					this.serve();
					turnAway(new Error('The waiting was stopped', { cause: signal.reason }));
				});
			this.serve();
		});
		return await place.finally(unwatch);
	}

	/** Leaves a place after its request was answered or has failed. */
	leave({ sentAt }: Place, { status, retryAfterMs, times }: Sent): void {
		const now = this.clock.now();
		this.underWay -= 1;
		for (let time = 0; time < times; time += 1) {
			this.answeredAt.push(now);
		}
		if (status === 429) this.slowdown.refused(sentAt, now, retryAfterMs);
		else if (status !== undefined) this.slowdown.accepted(sentAt);
		this.serve();
	}

	/** Whether nothing would be lost if this were forgotten. */
	get isIdle(): boolean {
		this.freePlaces();
		const isUsed = this.queue.size + this.underWay + this.answeredAt.length > 0;
		return !isUsed && this.slowdown.closed <= this.clock.now();
	}

	/** Lets in whoever may go, and sets the timer for the next one. */
	private serve(): void {
		const now = this.clock.now();
		this.freePlaces();
		while (this.queue.size > 0) {
			const closedMs = this.slowdown.closed - now;
			if (closedMs > LONGEST_CLOSED_MS) {
				this.queue.take()?.turnAway(new ClosedError(closedMs));
				continue;
			}
			const next = this.nextAt();
			if (next > now) {
				this.wakeAt(next);
				return;
			}
			this.underWay += 1;
			this.lastSentAt = now;
			this.queue.take()?.admit({ sentAt: now });
		}
		this.wakeAt(Infinity);
	}

	private freePlaces(): void {
		const now = this.clock.now();
		const taken = this.answeredAt.findIndex((time) => this.freeAfter(time) > now);
		this.answeredAt.splice(0, taken < 0 ? this.answeredAt.length : taken);
	}

	/** When the place becomes free whose request was answered at a time. */
	private freeAfter(answeredAt: number): number {
		return answeredAt + this.limit.windowMs + MARGIN_MS;
	}

	/** When the next request may go; Infinity when only an answer can tell. */
	private nextAt(): number {
		const { requests, windowMs } = this.limit;
		const opensAt = this.slowdown.opensAt(this.lastSentAt, windowMs / requests);
		const tooMany = this.underWay + this.answeredAt.length - requests;
		return tooMany < 0
			? opensAt
			: Math.max(opensAt, this.freeAfter(this.answeredAt[tooMany] ?? Infinity));
	}

	private wakeAt(at: number): void {
		if (this.timer?.at === at) return;
		this.timer?.stop.abort();
		this.timer = undefined;
		if (at === Infinity) return;
		const stop = new AbortController();
		this.timer = { at, stop };
		this.clock.wait(at - this.clock.now(), stop.signal).then(
			() => {
				if (stop.signal.aborted) return;
				this.timer = undefined;
				this.serve();
			},
			() => undefined,
		);
	}
}
