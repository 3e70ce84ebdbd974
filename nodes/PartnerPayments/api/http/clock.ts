import { sleep } from 'n8n-workflow';

import { abortable } from '../../shared/concurrency';

export interface Clock {
	/** Milliseconds since some moment. Never goes back, even when the system time is changed. */
	now(): number;
	wait(ms: number, signal?: AbortSignal): Promise<void>;
}

// n8n's sleep cannot be cancelled. It is short, so that a cancelled wait leaves no long timer behind.
const MAX_SLEEP_MS = 1000;

export const systemClock: Clock = {
	now: () => performance.now(),
	async wait(ms, signal) {
		const end = performance.now() + ms;
		for (let restMs = ms; restMs > 0; restMs = end - performance.now()) {
			await abortable(sleep(Math.min(restMs, MAX_SLEEP_MS)), signal);
		}

		signal?.throwIfAborted();
	},
};

/** Measures how long at least one of several promises was pending. */
export class WaitTimer {
	elapsedMs = 0;
	private pending = 0;
	private startedAt = 0;

	constructor(private readonly clock: Clock) {}

	async measure<Result>(promise: Promise<Result>): Promise<Result> {
		if (this.pending === 0) {
			this.startedAt = this.clock.now();
		}

		this.pending += 1;
		try {
			return await promise;
		} finally {
			this.pending -= 1;
			if (this.pending === 0) {
				this.elapsedMs += this.clock.now() - this.startedAt;
			}
		}
	}
}
