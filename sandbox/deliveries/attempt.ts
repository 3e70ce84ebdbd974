import type { Clock } from '../store/clock';
import type { Store } from '../store/store';
import { chance } from '../shared/random';
import type { Settings } from '../shared/settings';
import type { Log } from '../store/log';
import {
	attemptKey,
	isTiming,
	type DeliveryFault,
	type DeliveryFaults,
	type PayloadFault,
} from './deliveryFaults';
import type { DeliveryQueue, QueuedDelivery } from './queue';
import { buildRequest, corruptRequest, type DeliveryRequest } from './requests';
import { postRequest, type AttemptResult } from './sender';

/** One POST to a subscriber as the log keeps it, without body and signature. */
export type LoggedAttempt = {
	number: number;
	at: string;
	subscriptionId: string;
	url: string;
	/** Deliveries and events that it was about: several in the envelope `list`. */
	deliveryIds: string[];
	eventIds: string[];
	/** Which attempt it was for the first of them, from 1. */
	attempt: number;
	status: number | null;
	/** Why there was no answer; null when there was one, or when nothing was sent. */
	error: string | null;
	durationMs: number;
	bytes: number;
	faults: string[];
	/** What the subscriber has answered, cut off when it is long; null without a body. */
	answer: string | null;
};

/** Logs an attempt that has just come to its end. */
export function logAttempt(
	log: Log<LoggedAttempt>,
	deliveries: [QueuedDelivery, ...QueuedDelivery[]],
	attempt: Omit<
		LoggedAttempt,
		'number' | 'subscriptionId' | 'url' | 'deliveryIds' | 'eventIds' | 'attempt'
	>,
): void {
	const [first] = deliveries;
	const entry: LoggedAttempt = {
		number: log.nextNumber(),
		subscriptionId: first.subscriptionId,
		url: first.url,
		deliveryIds: deliveries.map(({ id }) => id),
		eventIds: deliveries.map(({ event }) => event.id),
		attempt: first.attempts + 1,
		...attempt,
	};

	log.write(entry, { status: entry.status, subjects: entry.deliveryIds });
}

export interface AttemptContext {
	store: Store;
	clock: Clock;
	queue: DeliveryQueue;
	faults: DeliveryFaults;
	log: Log<LoggedAttempt>;
	settings: Settings;
}

const GONE = 410;

const isSuccess = (status: number | null): status is number =>
	status !== null && status >= 200 && status < 300;

/** One attempt to deliver: builds the POST, sends it, and stores the result. */
export class DeliveryAttempt {
	readonly subscriptionId: string;
	private readonly controller = new AbortController();
	private isCancelled = false;

	constructor(
		private readonly context: AttemptContext,
		private readonly deliveries: [QueuedDelivery, ...QueuedDelivery[]],
	) {
		this.subscriptionId = deliveries[0].subscriptionId;
	}

	/** Cancels it: unless an answer has come already, its deliveries go back into the queue untried. */
	cancel(): void {
		this.isCancelled = true;
		this.controller.abort();
	}

	/** Sends and stores the result. Never takes longer than the timeout for subscribers. */
	async send(): Promise<void> {
		const { timeoutMs } = this.context.settings;
		const timer = setTimeout(() => {
			this.controller.abort(new Error(`No answer in ${timeoutMs} ms.`));
		}, timeoutMs);

		try {
			const { requests, fault } = this.buildRequests();
			const faults = this.faultKinds(fault);
			const [first] = await Promise.all(
				requests.map(async (request) => await this.post(request, faults)),
			);
			if (first !== undefined) {
				this.storeResult(first);
			}
		} finally {
			clearTimeout(timer);
		}
	}

	/** What has struck this attempt: faults that have postponed its deliveries, and one of the payload. */
	private faultKinds(fault: PayloadFault | undefined): string[] {
		const kinds = new Set<string>();
		for (const { postponedBy } of this.deliveries) {
			if (postponedBy !== null) {
				kinds.add(postponedBy);
			}
		}

		if (fault !== undefined) {
			kinds.add(fault.kind);
		}

		return [...kinds];
	}

	/** What goes out, and the fault that has changed it. */
	private buildRequests(): { requests: DeliveryRequest[]; fault: PayloadFault | undefined } {
		const { queue, clock, settings, faults } = this.context;
		const [first, ...rest] = this.deliveries;
		const at = new Date(clock.nowMs());
		const request = buildRequest(settings, at, first, rest);
		const isPossible = (one: DeliveryFault): one is PayloadFault =>
			!isTiming(one) && (one.kind !== 'stale' || queue.findEarlier(first) !== undefined);

		const fault = faults.useFirst(first, settings.seed, isPossible);
		if (fault === undefined) {
			return { requests: [request], fault };
		}

		const earlier = queue.findEarlier(first);
		const requests = corruptRequest(request, fault, {
			foreignSecret: queue.foreignSecret(first.event.workspace_id),
			stale: earlier && buildRequest(settings, at, earlier),
		});

		return { requests, fault };
	}

	private async post(request: DeliveryRequest, faults: string[]): Promise<AttemptResult> {
		const at = this.context.clock.iso();
		const result = await postRequest(request, this.controller.signal);
		if (this.isUntried(result)) {
			return result;
		}

		const bytes = Buffer.byteLength(request.body);
		logAttempt(this.context.log, request.deliveries, { at, ...result, bytes, faults });
		return result;
	}

	private isUntried({ status }: AttemptResult): boolean {
		return this.isCancelled && status === null;
	}

	private storeResult(result: AttemptResult): void {
		const { store, queue } = this.context;
		store.transaction(() => {
			if (result.status === GONE) {
				queue.endSubscription(this.subscriptionId);
			}

			for (const delivery of this.deliveries) {
				this.storeResultOf(delivery, result);
			}
		});
	}

	private storeResultOf(delivery: QueuedDelivery, result: AttemptResult): void {
		const { queue } = this.context;
		if (this.isUntried(result)) {
			queue.requeue(delivery.id);
			return;
		}

		if (isSuccess(result.status)) {
			queue.markDelivered(delivery.id, result.status);
			return;
		}

		queue.markFailed(delivery.id, result, this.waitMsAfter(delivery));
	}

	/** How long the next attempt waits; undefined when there is none. */
	private waitMsAfter(delivery: QueuedDelivery): number | undefined {
		const { queue, settings } = this.context;
		const attempts = delivery.attempts + 1;
		if (attempts >= settings.maxAttempts || queue.hasEnded(this.subscriptionId)) {
			return undefined;
		}

		const random = chance(settings.seed, 'retry', ...attemptKey(delivery));
		return retryDelayMs(settings, attempts, random);
	}
}

/** Exponential backoff, half of it by chance (0 to 1), so that deliveries do not fail together again. */
export function retryDelayMs(
	{ firstRetryMs, maxRetryMs }: Pick<Settings, 'firstRetryMs' | 'maxRetryMs'>,
	attempts: number,
	random: number,
): number {
	const backoffMs = Math.min(maxRetryMs, firstRetryMs * 2 ** (attempts - 1));
	return Math.round(backoffMs * (0.5 + random / 2));
}
