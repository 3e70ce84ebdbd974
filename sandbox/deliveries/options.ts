import type { XStatic } from 'typebox/schema';
import { readSetting, writeSetting } from '../store/settings';
import type { Store } from '../store/store';
import { envelopeNames, nameStyleNames } from './envelopes';

const flag = { type: 'boolean' } as const;
const count = { type: 'integer', minimum: 1, maximum: 100_000 } as const;
const milliseconds = { type: 'integer', minimum: 0, maximum: 1e9 } as const;

/** JSON schema of changes to the delivery options; what is left out stays. */
export const deliveryOptionsSchema = {
	type: 'object',
	additionalProperties: false,
	properties: {
		/** Events are recorded and wait; nothing is sent. */
		paused: flag,
		envelope: { type: 'string', enum: envelopeNames },
		/** How the types of events are written; null leaves it to the envelope. */
		names: { enum: [...nameStyleNames, null] },
		/** Largest number of events in one POST of the envelope `list`. */
		batchSize: count,
		/** Largest number of POSTs at once. */
		maxInFlight: count,
		/** Largest number of them to one subscription, so that a slow subscriber delays no other. */
		maxInFlightPerSubscription: count,
		/** After so many attempts without a 2xx a delivery has failed. */
		maxAttempts: count,
		/** Wait before the second attempt, doubled for every further one; half of it is jitter. */
		firstRetryMs: milliseconds,
		/** Longest wait between two attempts. */
		maxRetryMs: milliseconds,
		/** How long a subscriber may take to answer, in real time. */
		timeoutMs: { ...milliseconds, minimum: 1 },
		/** Of the chance in faults and waits: the same seed, the same decisions. */
		seed: { type: 'integer' },
	},
} as const;

/** How events are delivered. Part of the stored state. */
export type DeliveryOptions = Required<XStatic<typeof deliveryOptionsSchema>>;

/** The options of a new sandbox: ten attempts within nine minutes. */
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

const SETTING = 'delivery_options';

/** The options in force. */
export function readOptions(store: Store): DeliveryOptions {
	const text = readSetting(store, SETTING);
	if (text === undefined) return defaultOptions;
	// Written below, and only there.
	return { ...defaultOptions, ...(JSON.parse(text) as Partial<DeliveryOptions>) };
}

/** Stores options. */
export function writeOptions(store: Store, options: DeliveryOptions): void {
	writeSetting(store, SETTING, JSON.stringify(options));
}

/**
 * How long to wait after a failed attempt, in milliseconds: exponential backoff, half of it jitter,
 * so that deliveries that failed together are not retried together.
 * @param attempts how many there have been
 * @param random from 0 up to 1
 */
export function retryDelayMs(
	{ firstRetryMs, maxRetryMs }: Pick<DeliveryOptions, 'firstRetryMs' | 'maxRetryMs'>,
	attempts: number,
	random: number,
): number {
	const backoffMs = Math.min(maxRetryMs, firstRetryMs * 2 ** (attempts - 1));
	return Math.round(backoffMs * (0.5 + random / 2));
}
