import { sleep } from 'n8n-workflow';

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
		const waited = new AbortController();
		const stopped = new Promise<void>((resolve) => {
			const options = { once: true, signal: waited.signal };
			signal?.addEventListener('abort', () => resolve(), options);
		});
		try {
			for (let left = ms; left > 0; left = end - performance.now()) {
				signal?.throwIfAborted();
				await Promise.race([sleep(Math.min(left, LONGEST_SLEEP_MS)), stopped]);
			}
			signal?.throwIfAborted();
		} finally {
			waited.abort();
		}
	},
};
