import type { Clock } from '../store/clock';
import type { Store } from '../store/store';
import {
	attemptNames,
	type ContentFault,
	type DeliveryFaultKind,
	type DeliveryFaults,
} from './faults';
import type { AttemptLog } from './attempt-log';
import { retryDelay, type DeliveryOptions } from './options';
import { pack, spoil, type Packed } from './requests';
import type { Due, Queue } from './queue';
import { chance } from '../shared/random';
import { post, type Reply } from './sender';

/** What a flight needs from the sandbox. */
export interface Ground {
	store: Store;
	clock: Clock;
	queue: Queue;
	faults: DeliveryFaults;
	log: AttemptLog;
}

/** The answer of an endpoint that wants nothing more. */
const GONE = 410;

const isSuccess = (status: number | null): status is number =>
	status !== null && status >= 200 && status < 300;

/** One POST to a subscriber: packs it, sends it, and notes what has come of it. */
export class Flight {
	readonly subscriptionId: string;
	readonly #controller = new AbortController();
	readonly #deliveries: Due[];
	#recalled = false;

	/** @param held the kinds of the faults that have kept it back */
	constructor(
		private readonly ground: Ground,
		private readonly options: DeliveryOptions,
		private readonly first: Due,
		private readonly rest: Due[],
		private readonly held: DeliveryFaultKind[],
	) {
		this.subscriptionId = first.subscription.id;
		this.#deliveries = [first, ...rest];
	}

	/** Breaks it off: unless an answer has come already, it goes back into the queue untried. */
	recall(): void {
		this.#recalled = true;
		this.#controller.abort();
	}

	/** Goes there and back. Never takes longer than the subscriber may. */
	async fly(): Promise<void> {
		const { timeoutMs } = this.options;
		const timer = setTimeout(() => {
			this.#controller.abort(new Error(`No answer in ${timeoutMs} ms.`));
		}, timeoutMs);
		try {
			const fault = this.#fault();
			const kinds = [...this.held, ...(fault === undefined ? [] : [fault.kind])];
			const [reply] = await Promise.all(
				this.#parcels(fault).map(async (parcel) => await this.#send(parcel, kinds)),
			);
			if (reply !== undefined) this.#land(reply);
		} finally {
			clearTimeout(timer);
		}
	}

	#fault(): ContentFault | undefined {
		const { faults, queue } = this.ground;
		return faults.takeContent(
			this.first,
			this.options.seed,
			({ kind }) => kind !== 'stale' || queue.earlier(this.first) !== undefined,
		);
	}

	#parcels(fault: ContentFault | undefined): Packed[] {
		const { queue } = this.ground;
		const parcel = pack(this.options, this.first, this.rest);
		if (fault === undefined) return [parcel];
		const earlier = queue.earlier(this.first);
		return spoil(parcel, fault, {
			foreignSecret: queue.foreignSecret(this.first.event.workspace_id),
			stale: earlier === undefined ? undefined : pack(this.options, earlier),
		});
	}

	async #send(parcel: Packed, faults: DeliveryFaultKind[]): Promise<Reply> {
		const at = this.ground.clock.iso();
		const reply = await post(parcel, this.#controller.signal);
		if (this.#isLost(reply)) return reply;
		this.ground.log.add({
			at,
			subscriptionId: this.subscriptionId,
			url: parcel.url,
			deliveryIds: parcel.deliveries.map(({ id }) => id),
			eventIds: parcel.deliveries.map(({ event }) => event.id),
			attempt: parcel.deliveries[0].attempts + 1,
			...reply,
			bytes: Buffer.byteLength(parcel.body),
			faults,
		});
		return reply;
	}

	#isLost({ status }: Reply): boolean {
		return this.#recalled && status === null;
	}

	#land(reply: Reply): void {
		const { store, queue } = this.ground;
		store.transaction(() => {
			if (reply.status === GONE) queue.end(this.subscriptionId);
			for (const due of this.#deliveries) this.#settle(due, reply);
		});
	}

	#settle(due: Due, reply: Reply): void {
		const { queue } = this.ground;
		if (this.#isLost(reply)) queue.putBack(due.id);
		else if (isSuccess(reply.status)) queue.delivered(due.id, reply.status);
		else queue.refused(due.id, reply, this.#nextAttempt(due));
	}

	/** After how many milliseconds it is tried again; undefined when it is not. */
	#nextAttempt(due: Due): number | undefined {
		const attempts = due.attempts + 1;
		if (attempts >= this.options.maxAttempts) return undefined;
		if (this.ground.queue.hasEnded(this.subscriptionId)) return undefined;
		const luck = chance(this.options.seed, 'retry', ...attemptNames(due));
		return retryDelay(this.options, attempts, luck);
	}
}
