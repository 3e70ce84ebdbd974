import { sleep } from 'n8n-workflow';

import { whenAborted } from './abort';

/** Time as the request policy sees it; tests have one of their own. */
export interface Clock {
	/** Milliseconds since some moment. Never goes back, whatever happens to the time of day. */
	now(): number;
	/** Waits so many milliseconds. Rejects at once with the signal's reason when that aborts. */
	wait(ms: number, signal?: AbortSignal): Promise<void>;
}

// n8n's sleep cannot be ended, so that a wait that was stopped leaves only a short timer behind.
const LONGEST_SLEEP_MS = 1000;

/** The time of this process. */
export const systemClock: Clock = {
	now: () => performance.now(),
	async wait(ms, signal) {
		const end = performance.now() + ms;
		let unwatch: (() => void) | undefined;
		const stopped = new Promise<void>((resolve) => {
			unwatch = signal && whenAborted(signal, resolve);
		});
		for (let left = ms; left > 0 && signal?.aborted !== true; left = end - performance.now()) {
			await Promise.race([sleep(Math.min(left, LONGEST_SLEEP_MS)), stopped]);
		}
		unwatch?.();
		signal?.throwIfAborted();
	},
};
