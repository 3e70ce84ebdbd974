import { sleep } from 'n8n-workflow';

import { onAbort } from '../../shared/concurrency';

/** Time as the request policy sees it; tests have one of their own. */
export interface Clock {
	/** Milliseconds since some moment. Never goes back, whatever happens to the time of day. */
	now(): number;
	/** Waits so many milliseconds. Rejects at once with the signal's reason when that aborts. */
	wait(ms: number, signal?: AbortSignal): Promise<void>;
}

// n8n's sleep cannot be ended, so that a wait that was cancelled leaves only a short timer behind.
const MAX_SLEEP_MS = 1000;

/** The time of this process. */
export const systemClock: Clock = {
	now: () => performance.now(),
	async wait(ms, signal) {
		const end = performance.now() + ms;
		let unsubscribe: (() => void) | undefined;
		const cancelled = new Promise<void>((resolve) => {
			unsubscribe = signal && onAbort(signal, resolve);
		});
		for (let left = ms; left > 0 && signal?.aborted !== true; left = end - performance.now()) {
			await Promise.race([sleep(Math.min(left, MAX_SLEEP_MS)), cancelled]);
		}
		unsubscribe?.();
		signal?.throwIfAborted();
	},
};

/** The time of several waits together; what they have in common counts once. */
export class WaitTime {
	totalMs = 0;
	private until = -Infinity;

	/** Adds a wait that has just ended, in milliseconds of the clock. */
	add(from: number, to: number): void {
		this.totalMs += Math.max(0, to - Math.max(from, this.until));
		this.until = Math.max(to, this.until);
	}
}
