import type { Clock } from '../store/clock';
import type { Store } from '../store/store';
import { chance } from '../shared/random';
import type { AttemptLog } from './attempt-log';
import { attemptKey, type DeliveryFault, type DeliveryFaults, type PayloadFault } from './faults';
import { retryDelayMs, type DeliveryOptions } from './options';
import type { DeliveryQueue, QueuedDelivery } from './queue';
import { buildRequest, corruptRequest, type DeliveryRequest } from './requests';
import { postRequest, type AttemptResult } from './sender';

/** What an attempt works with. */
export interface AttemptContext {
	store: Store;
	clock: Clock;
	queue: DeliveryQueue;
	faults: DeliveryFaults;
	log: AttemptLog;
	options: DeliveryOptions;
}

/** The answer of an endpoint that wants nothing more. */
const GONE = 410;

const isSuccess = (status: number | null): status is number =>
	status !== null && status >= 200 && status < 300;

/** One attempt to deliver: builds the POST, sends it, and stores the result. */
export class DeliveryAttempt {
	readonly subscriptionId: string;
	readonly #controller = new AbortController();
	readonly #deliveries: QueuedDelivery[];
	#isCancelled = false;

	/** @param priorFaults the kinds of the faults that have postponed it */
	constructor(
		private readonly context: AttemptContext,
		private readonly first: QueuedDelivery,
		private readonly rest: QueuedDelivery[],
		private readonly priorFaults: DeliveryFault['kind'][],
	) {
		this.subscriptionId = first.subscription.id;
		this.#deliveries = [first, ...rest];
	}

	/** Cancels it: unless an answer has come already, its deliveries go back into the queue untried. */
	cancel(): void {
		this.#isCancelled = true;
		this.#controller.abort();
	}

	/** Sends and stores the result. Never takes longer than the timeout for subscribers. */
	async send(): Promise<void> {
		const { timeoutMs } = this.context.options;
		const timer = setTimeout(() => {
			this.#controller.abort(new Error(`No answer in ${timeoutMs} ms.`));
		}, timeoutMs);
		try {
			const fault = this.#useFault();
			const kinds = [...this.priorFaults, ...(fault === undefined ? [] : [fault.kind])];
			const [result] = await Promise.all(
				this.#buildRequests(fault).map(async (request) => await this.#post(request, kinds)),
			);
			if (result !== undefined) this.#storeResult(result);
		} finally {
			clearTimeout(timer);
		}
	}

	#useFault(): PayloadFault | undefined {
		const { faults, queue, options } = this.context;
		return faults.usePayloadFault(
			this.first,
			options.seed,
			({ kind }) => kind !== 'stale' || queue.findEarlier(this.first) !== undefined,
		);
	}

	#buildRequests(fault: PayloadFault | undefined): DeliveryRequest[] {
		const { queue, options } = this.context;
		const request = buildRequest(options, this.first, this.rest);
		if (fault === undefined) return [request];
		const earlier = queue.findEarlier(this.first);
		return corruptRequest(request, fault, {
			foreignSecret: queue.foreignSecret(this.first.event.workspace_id),
			staleRequest: earlier && buildRequest(options, earlier),
		});
	}

	async #post(request: DeliveryRequest, faults: DeliveryFault['kind'][]): Promise<AttemptResult> {
		const at = this.context.clock.iso();
		const result = await postRequest(request, this.#controller.signal);
		if (this.#isUntried(result)) return result;
		this.context.log.add({
			at,
			subscriptionId: this.subscriptionId,
			url: request.url,
			deliveryIds: request.deliveries.map(({ id }) => id),
			eventIds: request.deliveries.map(({ event }) => event.id),
			attempt: request.deliveries[0].attempts + 1,
			...result,
			bytes: Buffer.byteLength(request.body),
			faults,
		});
		return result;
	}

	#isUntried({ status }: AttemptResult): boolean {
		return this.#isCancelled && status === null;
	}

	#storeResult(result: AttemptResult): void {
		const { store, queue } = this.context;
		store.transaction(() => {
			if (result.status === GONE) queue.endSubscription(this.subscriptionId);
			for (const delivery of this.#deliveries) {
				if (this.#isUntried(result)) queue.requeue(delivery.id);
				else if (isSuccess(result.status)) queue.markDelivered(delivery.id, result.status);
				else queue.markFailed(delivery.id, result, this.#retryDelayMs(delivery));
			}
		});
	}

	/** After how many milliseconds a delivery is tried again; undefined when it is not. */
	#retryDelayMs(delivery: QueuedDelivery): number | undefined {
		const { options, queue } = this.context;
		const attempts = delivery.attempts + 1;
		if (attempts >= options.maxAttempts) return undefined;
		if (queue.hasEnded(this.subscriptionId)) return undefined;
		const random = chance(options.seed, 'retry', ...attemptKey(delivery));
		return retryDelayMs(options, attempts, random);
	}
}
