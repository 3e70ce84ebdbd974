import { readSetting, writeSetting } from '../store/settings';
import type { Store } from '../store/store';
import type { Writing } from './envelopes';

/** How events are delivered. Part of the stored state; times are milliseconds. */
export interface DeliveryOptions extends Writing {
	/** Events are recorded and wait; nothing is sent. */
	paused: boolean;
	/** Most events in one POST of the envelope `list`. */
	batchSize: number;
	/** Most deliveries on their way at once. */
	maxInFlight: number;
	/** Most of them to one subscription, so that a slow subscriber does not hold up the others. */
	maxInFlightPerSubscription: number;
	/** After so many attempts without a 2xx a delivery has failed. */
	maxAttempts: number;
	/** Wait before the second attempt, doubled for every further one; half of it is chance. */
	firstRetryMs: number;
	/** Longest wait between two attempts. */
	maxRetryMs: number;
	/** How long a subscriber may take to answer, in real time. */
	timeoutMs: number;
	/** Begins the chance in faults and waits: the same seed, the same decisions. */
	seed: number;
}

/** What holds unless told otherwise: ten attempts within nine minutes. */
export const defaultOptions: DeliveryOptions = {
	paused: false,
	envelope: 'default',
	names: null,
	batchSize: 100,
	maxInFlight: 200,
	maxInFlightPerSubscription: 50,
	maxAttempts: 10,
	firstRetryMs: 1000,
	maxRetryMs: 3_600_000,
	timeoutMs: 10_000,
	seed: 1,
};

const NAME = 'delivery_options';

/** The options in force. */
export function readOptions(store: Store): DeliveryOptions {
	const text = readSetting(store, NAME);
	if (text === undefined) return defaultOptions;
	// Written below, and only there.
	return { ...defaultOptions, ...(JSON.parse(text) as Partial<DeliveryOptions>) };
}

/** Puts options into force that hold until others do. */
export function writeOptions(store: Store, options: DeliveryOptions): void {
	writeSetting(store, NAME, JSON.stringify(options));
}

/**
 * How long to wait after an attempt that failed: it doubles with every attempt, and one half of it is
 * chance, so that deliveries that failed together do not come back together.
 * @param attempts how many there have been
 * @param luck from 0 up to 1
 */
export function retryDelay(
	{ firstRetryMs, maxRetryMs }: Pick<DeliveryOptions, 'firstRetryMs' | 'maxRetryMs'>,
	attempts: number,
	luck: number,
): number {
	const longest = Math.min(maxRetryMs, firstRetryMs * 2 ** (attempts - 1));
	return Math.round(longest * (0.5 + luck / 2));
}
